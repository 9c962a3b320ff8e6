//! Cases of straight code: locals, blocks, what is given and thrown away.
//!
//! `subject!` decides what they become.

use super::log::*;

subject! {
    async fn straight(a: D, b: D) -> u32 {
        tick("one").await;
        look(&a);
        let x: u32 = step::<u32>("two", 2, 7).await;
        look(&b);
        tick("three").await;
        x + 1
    }
}

subject! {
    async fn nothing(_a: D, _: D, _b: D) {}
}

subject! {
    async fn unused(_a: D, _: D, _b: D) -> u8 {
        tick("one").await;
        3
    }
}

subject! {
    async fn locals(a: D) -> &'static str {
        let b: D = D("b");
        let _c: D = D("c");
        let d: D = D("d");
        tick("one").await;
        look(&d);
        consume(b);
        tick("two").await;
        look(&a);
        d.0
    }
}

subject! {
    async fn moved_away(a: D) -> u8 {
        let b: D = D("b");
        consume(a);
        tick("one").await;
        drop(b);
        tick("two").await;
        1
    }
}

subject! {
    async fn moved_in(a: D) -> &'static str {
        let back: D = step::<D>("carry", 1, a).await;
        tick("one").await;
        back.0
    }
}

subject! {
    async fn tail(a: D) -> u32 {
        look(&a);
        step::<u32>("tail", 1, 5).await
    }
}

subject! {
    async fn nothing_given() -> u32 {
        let none: Option<u32> = step::<Option<u32>>("none", 1, None).await;
        none.map_or(3, |n| n + 1)
    }
}

subject! {
    async fn discards() -> u8 {
        step::<D>("a", 1, D("a")).await;
        let _ = step::<D>("b", 1, D("b")).await;
        let _c = step::<u32>("c", 1, 1).await;
        note("between");
        let (first, _) = step::<(u8, D)>("pair", 1, (1, D("rest"))).await;
        note("then");
        first
    }
}

subject! {
    async fn shadows() -> u32 {
        let x: D = D("x1");
        let y: u32 = 1;
        tick("one").await;
        let x: (D, u32) = (D("x2"), x.0.len() as u32);
        {
            let y: u32 = y + x.1;
            let x: D = D("x3");
            tick("two").await;
            look(&x);
            assert_eq!(y, 3, "inner {y}");
        }
        tick("three").await;
        look(&x.0);
        y
    }
}

subject! {
    async fn blocks() -> u32 {
        let a: D = D("a");
        let x: u32 = {
            let _b: D = D("b");
            {
                let _c: D = D("c");
                tick("deep").await;
            }
            let y: u32 = step::<u32>("y", 1, 4).await;
            y * 2
        };
        look(&a);
        tick("end").await;
        x
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "straight", straight(D("a"), D("b")));
    case!(list, "nothing", nothing(D("a"), D("_"), D("b")));
    case!(list, "unused", unused(D("a"), D("_"), D("b")));
    case!(list, "locals", locals(D("a")));
    case!(list, "moved_away", moved_away(D("a")));
    case!(list, "moved_in", moved_in(D("a")));
    case!(list, "tail", tail(D("a")));
    case!(list, "nothing_given", nothing_given());
    case!(list, "discards", discards());
    case!(list, "shadows", shadows());
    case!(list, "blocks", blocks());
    list
}
