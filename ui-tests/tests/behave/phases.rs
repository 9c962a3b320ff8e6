//! Cases of several buffers in place: within one another, one behind the other, overlapping.
//!
//! `subject!` decides what they become.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use super::log::*;

const SIZE: usize = 20;

/// A future without a niche for the tag.
#[derive(Debug)]
struct Number(u64);

fn number(value: u64) -> Number {
    Number(value)
}

#[allow(
    dead_code,
    non_camel_case_types,
    reason = "the machine finds it under the name of its function"
)]
type number = Number;

impl Future for Number {
    type Output = u64;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<u64> {
        note("number");
        Poll::Ready(self.0)
    }
}

subject! {
    async fn nested(limit: u32) -> u32 {
        let mut outer: [u32; 40] = [1; 40];
        let mut left: u32 = limit;
        let found: u32 = 'outer: loop {
            tick("outer").await;
            let guard: D = D("guard");
            let mut inner: [u64; 32] = [2; 32];
            outer[1] += 1;
            if left == 0 {
                break 'outer outer[1];
            }
            loop {
                if left == 5 {
                    left -= 1;
                    continue 'outer;
                }
                let more: u32 = step::<u32>("inner", 1, left).await;
                inner[0] += u64::from(more);
                outer[0] += 1;
                left -= 1;
                if left % 3 == 0 {
                    break;
                }
                if left == 1 {
                    look(&guard);
                    break 'outer inner[0] as u32;
                }
            }
            look(&guard);
            outer[2] += inner[0] as u32;
        };
        tick("found").await;
        total(&outer) + found
    }
}

subject! {
    async fn phases(a: D, start: u64) -> u32 {
        let mut sum: u32 = start as u32;
        {
            let mut first: [u32; 64] = [1; 64];
            for i in 0usize..2 {
                tick("first").await;
                first[i] = 7;
            }
            sum += total(&first);
        }
        tick("between").await;
        {
            let b: D = D("b");
            let mut second: [u8; SIZE * 4] = [1; SIZE * 4];
            for i in 0usize..2 {
                tick("second").await;
                second[i] = 9;
            }
            look(&b);
            sum += u32::from(second[0]);
        }
        look(&a);
        sum
    }
}

subject! {
    async fn left_without_a_wait(times: u32) -> u32 {
        let mut outer: [u32; 50] = [1; 50];
        let mut left: u32 = times;
        while left > 0 {
            tick("outer").await;
            left -= 1;
            {
                let mut inner: [u32; 20] = [2; 20];
                while left % 2 == 1 {
                    outer[0] += inner[0];
                    tick("inner").await;
                    inner[0] += 1;
                    left -= 1;
                }
                outer[1] += inner[0];
            }
            outer[2] += 1;
        }
        total(&outer)
    }
}

subject! {
    async fn overlapping(times: u32) -> u32 {
        let mut first: [u32; 16] = [1; 16];
        for i in 0..times {
            tick("first").await;
            first[0] += i;
        }
        let mut second: [u32; 64] = [2; 64];
        second[0] = first[0];
        for i in 0..times {
            tick("second").await;
            second[0] += i;
        }
        total(&second)
    }
}

subject! {
    async fn both(times: u32) -> u32 {
        let mut first: [u32; 16] = [1; 16];
        let mut second: [u32; 64] = [2; 64];
        for i in 0..times {
            tick("both").await;
            first[0] += i;
            second[0] += first[0];
        }
        for i in 0..times {
            tick("second").await;
            second[0] += i;
        }
        total(&second)
    }
}

subject! {
    async fn odd_and_nothing_to_spare() -> u64 {
        let mut buf: [u8; 1021] = [1; 1021];
        while buf[0] < 3 {
            let more: u64 = number(1).await;
            buf[0] += more as u8;
        }
        u64::from(buf[1])
    }
}

subject! {
    async fn phases_and_nothing_to_spare() -> u64 {
        let mut sum: u64 = 0;
        {
            let mut first: [u8; 1024] = [1; 1024];
            while first[0] < 3 {
                let more: u64 = number(1).await;
                first[0] += more as u8;
            }
            sum += u64::from(first[1]);
        }
        {
            let mut second: [u8; 1024] = [2; 1024];
            while second[0] < 4 {
                let more: u64 = number(1).await;
                second[0] += more as u8;
            }
            sum += u64::from(second[1]);
        }
        sum
    }
}

subject! {
    async fn three_deep(d: D) -> u64 {
        let mut outer: [u8; 128] = [0; 128];
        loop {
            tick("outer").await;
            let mut middle: [u64; 32] = [0; 32];
            loop {
                let more: u64 = number(1).await;
                outer[1] += more as u8;
                let mut inner: [u8; 96] = [0; 96];
                loop {
                    let more: u64 = number(1).await;
                    inner[0] += more as u8;
                    if inner[0] > 1 {
                        break;
                    }
                }
                middle[0] += u64::from(inner[0]);
                if middle[0] > 3 {
                    break;
                }
            }
            outer[0] += 1;
            look(&d);
            if outer[0] > 1 {
                return u64::from(outer[1]) + middle[0];
            }
        }
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "nested 0", nested(0));
    case!(list, "nested 2", nested(2));
    case!(list, "nested 4", nested(4));
    case!(list, "nested 7", nested(7));
    case!(list, "phases", phases(D("a"), 1));
    case!(list, "left_without_a_wait", left_without_a_wait(6));
    case!(list, "overlapping", overlapping(2));
    case!(list, "both", both(2));
    case!(list, "odd", odd_and_nothing_to_spare());
    case!(list, "bare phases", phases_and_nothing_to_spare());
    case!(list, "three_deep", three_deep(D("d")));
    list
}
