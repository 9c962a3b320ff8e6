//! Cases of `while` and `loop`; `subject!` decides what they become.

use super::log::*;

subject! {
    async fn loops(limit: u32) -> u32 {
        let mut i: u32 = 0;
        let mut sum = 0u32;
        while i < limit {
            let turn: D = D("turn");
            if i == 1 {
                i += 1;
                continue;
            }
            sum += step::<u32>("add", 1, i).await;
            look(&turn);
            if sum > 6 {
                break;
            }
            i += 1;
        }
        tick("end").await;
        sum
    }
}

subject! {
    async fn loop_value() -> &'static str {
        let mut count: u32 = 0;
        let out: D = D("out");
        let d: D = loop {
            let in_loop: D = D("in");
            tick("tick").await;
            count += 1;
            if count == 2 {
                continue;
            }
            if count == 4 {
                break in_loop;
            }
            note("turn");
        };
        look(&out);
        tick("end").await;
        d.0
    }
}

subject! {
    async fn labelled() -> u32 {
        let mut i: u32 = 0;
        'outer: loop {
            let _o: D = D("o");
            let mut j: u32 = 0;
            loop {
                let _p: D = D("p");
                tick("in").await;
                j += 1;
                if j == 2 && i == 0 {
                    i += 1;
                    continue 'outer;
                }
                if j == 3 {
                    break 'outer;
                }
            }
        }
        let v: u32 = 'block: {
            let _q: D = D("q");
            if i == 1 {
                tick("leave").await;
                break 'block 10;
            }
            tick("stay").await;
            20
        };
        tick("end").await;
        v
    }
}

subject! {
    async fn while_let() -> u32 {
        let mut stack: Vec<u32> = vec![1, 2, 3];
        let mut sum: u32 = 0;
        while let Some(top) = stack.pop() {
            let top: u32 = top;
            sum += step::<u32>("top", 1, top).await;
        }
        while let Some(n) = step::<Option<u32>>("more", 1, (sum < 9).then_some(sum)).await {
            sum += n;
            tick("body").await;
        }
        sum
    }
}

subject! {
    async fn while_await() -> u32 {
        let mut n: u32 = 0;
        while step::<bool>("cond", 1, n < 3).await {
            let _d: D = D("body");
            n += 1;
            if n == 2 { continue; }
            tick("in").await;
        }
        n
    }
}

fn enough() -> bool {
    note("enough");
    true
}

subject! {
    async fn loop_without_locals() -> Option<()> {
        loop {
            note("turn");
            if enough() {
                break;
            }
        }
        Some(note("end"))
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "loop_without_locals", loop_without_locals());
    case!(list, "loops", loops(6));
    case!(list, "loops none", loops(0));
    case!(list, "loop_value", loop_value());
    case!(list, "labelled", labelled());
    case!(list, "while_let", while_let());
    case!(list, "while_await", while_await());
    list
}
