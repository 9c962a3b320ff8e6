//! Cases of locals beside the states; `subject!` decides what they become.

use super::log::*;

subject! {
    async fn beside_the_states(times: u64) -> u64 {
        let mut sum: u64 = 7;
        let mut at: u64 = 1;
        while at < times {
            let step: u64 = match at % 3 {
                0 => {
                    tick("even").await;
                    at + 1
                }
                1 => step::<u64>("odd", 2, at).await,
                _ => {
                    let d: D = D("held");
                    tick("other").await;
                    look(&d);
                    sum ^ 1
                }
            };
            at += 1;
            if step > 3 {
                continue;
            }
            sum = sum.wrapping_mul(31).wrapping_add(step);
            let add = |more: u64| sum + more;
            note(format!("{sum} {}", add(at)));
        }
        sum
    }
}

subject! {
    async fn beside_and_assigned(mut n: u64, mut page: [u8; 64]) -> u64 {
        loop {
            tick("one").await;
            n = page[0] as u64 + n;
            let before: u64 = n;
            page = step::<[u8; 64]>("page", 1, [before as u8; 64]).await;
            tick("two").await;
            if n > 9 {
                break;
            }
        }
        n + u64::from(page[1])
    }
}

subject! {
    async fn beside_and_moved(n: i64, d: D, now: bool) -> i64 {
        if now {
            tick("first").await;
            consume(d);
        }
        tick("second").await;
        let m: i64 = n + 1;
        let n: i64 = step::<i64>("third", 1, n + m).await + n;
        n
    }
}

subject! {
    async fn beside_in_a_turn(times: u64) -> u64 {
        let mut sum: u64 = 0;
        let out: u64 = loop {
            let mut n: u64 = 1;
            let k: u64 = 2;
            tick("one").await;
            n += k;
            tick("two").await;
            n += k;
            tick("three").await;
            sum += n + k;
            if sum > times {
                break sum;
            }
        };
        out
    }
}

subject! {
    async fn beside_of_any<T: Clone + Into<u64>>(item: T, page: [u8; 64]) -> u64 {
        let mut left: u64 = 2;
        while left > 0 {
            note(format!("{left}"));
            tick("turn").await;
            left -= page[0] as u64;
            tick("again").await;
        }
        item.into() + u64::from(page[0])
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "beside", beside_the_states(0));
    case!(list, "beside more", beside_the_states(5));
    case!(list, "beside, assigned", beside_and_assigned(2, [1; 64]));
    case!(list, "beside, moved", beside_and_moved(2, D("d"), true));
    case!(list, "beside, not moved", beside_and_moved(2, D("d"), false));
    case!(list, "beside in a turn", beside_in_a_turn(12));
    case!(list, "beside of any", beside_of_any::<u8>(4, [1; 64]));
    list
}
