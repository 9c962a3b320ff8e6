//! Cases of buffers that are borrowed in place. `subject!` decides their layout.

use std::future::poll_fn;

use super::log::*;

subject! {
    async fn fill(buffer: &mut [u32], with: u32) -> u32 {
        let mut at: usize = 0;
        while at < 2 {
            tick("fill").await;
            buffer[at] = with;
            at += 1;
        }
        with
    }
}

subject! {
    async fn lends(times: u32) -> u32 {
        let mut buffer: [u32; 24] = [3; 24];
        let mut sum: u32 = 0;
        for i in 0..times {
            sum += fill(&mut buffer[1..], i).await;
            sum += fill(&mut buffer, i).await;
        }
        sum + total(&buffer)
    }
}

subject! {
    async fn polled(mut source: Source) -> u32 {
        let mut buffer: [u32; 16] = [0; 16];
        let mut sum: u32 = 0;
        while let Some(n) = poll_fn(|cx| source.poll_next(cx, &mut buffer)).await {
            sum += n + buffer[0];
        }
        sum
    }
}

subject! {
    async fn beside_and_lent(lent: &mut [u32], table: [u32; 16], text: String) -> u32 {
        let mut at: usize = 0;
        while at < 2 {
            let more: u32 = fill(&mut lent[..], table[at]).await;
            lent[at] += more;
            tick("turn").await;
            at += 1;
        }
        look(&D("late"));
        table[3] + lent[0] + text.len() as u32
    }
}

subject! {
    async fn beside_of_a_caller(mut table: [u32; 16], text: String) -> u32 {
        let got: u32 = beside_and_lent(&mut table, [5; 16], text).await;
        got + table[1]
    }
}

subject! {
    async fn names(states: &mut u32, beside: &mut u32, begin: &u32, cx: &u32, table: [u32; 16]) -> u32 {
        tick("one").await;
        *states += *begin;
        *beside += *cx;
        tick("two").await;
        table[3]
    }
}

subject! {
    async fn names_of_a_caller(mut states: u32, mut beside: u32, begin: u32) -> u32 {
        let got: u32 = names(&mut states, &mut beside, &begin, &begin, [7; 16]).await;
        got + states * 10 + beside
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "lends", lends(2));
    case!(list, "polled", polled(Source { left: 4 }));
    case!(list, "beside, lent", beside_of_a_caller([3; 16], String::from("text")));
    case!(list, "names", names_of_a_caller(1, 2, 3));
    list
}
