//! Cases of borrows: of arguments that are returned, and of locals.
//!
//! `subject!` decides what they become.

use std::future::poll_fn;

use super::log::*;

subject! {
    async fn named_lifetime<'a>(text: &'a str, d: &'a D) -> &'a str {
        tick("one").await;
        look(d);
        tick("two").await;
        text
    }
}

subject! {
    async fn elided_output(text: &str) -> &str {
        tick("one").await;
        &text[1..]
    }
}

subject! {
    async fn next(source: &mut Source, buf: &mut [u32]) -> Option<u32> {
        let n: Option<u32> = poll_fn(|cx| source.poll_next(cx, buf)).await;
        tick("got").await;
        note(format!("buf{}", buf[0]));
        n
    }
}

subject! {
    async fn next_sum(source: &mut Source, scale: u32) -> u32 {
        let mut sum: u32 = 0;
        let mut buf: [u32; 3] = [0; 3];
        while let Some(n) = next(source, &mut buf[..2]).await {
            sum += n * scale + buf[0];
        }
        let last: Option<u32> = next(&mut *source, &mut buf).await;
        assert!(last.is_none());
        sum
    }
}

subject! {
    async fn lends_locals() -> u32 {
        let mut source: Source = Source { left: 6 };
        let _guard: D = D("guard");
        let sum: u32 = next_sum(&mut source, 10).await;
        sum + source.left
    }
}

subject! {
    async fn inlined_poll() -> u32 {
        let mut source: Source = Source { left: 5 };
        let mut polls: u32 = 0;
        let mut buf: [u32; 1] = [0];
        let found: Option<u32> = poll_fn(|cx| {
            polls += 1;
            source.poll_next(cx, &mut buf)
        })
        .await;
        found.unwrap_or(0) + polls + buf[0]
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(
        list,
        "named_lifetime",
        named_lifetime("text", Box::leak(Box::new(D("lent"))))
    );
    case!(list, "elided_output", elided_output("text"));
    case!(
        list,
        "next",
        next(
            Box::leak(Box::new(Source { left: 4 })),
            Box::leak(Box::new([0; 2]))
        )
    );
    case!(
        list,
        "next_sum",
        next_sum(Box::leak(Box::new(Source { left: 6 })), 100)
    );
    case!(list, "lends_locals", lends_locals());
    case!(list, "inlined_poll", inlined_poll());
    list
}
