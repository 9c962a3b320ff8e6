// Cases of locals that stay in their place; `subject!` decides what they become.

use std::future::{Future, poll_fn};
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

fn total(numbers: &[u32]) -> u32 {
    note("total");
    numbers.iter().sum()
}

subject! {
    async fn turns(limit: u32) -> u32 {
        let out: D = D("out");
        let mut seen: [u32; 64] = [0; 64];
        let mut at: usize = 0;
        while (at as u32) < limit {
            let inner: D = D("in");
            seen[at] = step::<u32>("one", 1, at as u32 + 1).await;
            tick("two").await;
            look(&inner);
            at += 1;
        }
        look(&out);
        tick("after").await;
        total(&seen) + seen[0]
    }
}

subject! {
    async fn argument(mut table: [u32; 32], d: D) -> u32 {
        for i in 0u32..3 {
            let more: u32 = step::<u32>("cell", 1, i).await;
            table[i as usize] += more;
        }
        look(&d);
        total(&table)
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
    async fn fails(limit: u32) -> Result<u32, String> {
        let d: D = D("d");
        let mut seen: [u32; 16] = [0; 16];
        loop {
            let got: Result<u32, String> = step::<Result<u32, String>>("try", 1, match seen[0] {
                n if n < limit => Ok(n),
                _ => Err(String::from("enough")),
            }).await;
            seen[0] += 1;
            seen[1] += got?;
            if seen[1] > 5 {
                look(&d);
                return Ok(total(&seen));
            }
        }
    }
}

subject! {
    async fn assigned(times: u32) -> u32 {
        let mut buf: [u32; 20] = [1; 20];
        let mut left: u32 = times;
        let mut sum: u32 = 0;
        while left > 0 {
            sum += total(&buf);
            tick("old").await;
            buf = [left; 20];
            tick("new").await;
            left -= 1;
        }
        sum + buf[3]
    }
}

subject! {
    async fn assigned_by_an_await(times: u32) -> u32 {
        let mut buf: [u32; 20] = [1; 20];
        let mut left: u32 = times;
        while left > 0 {
            buf = step::<[u32; 20]>("new", 1, [left; 20]).await;
            tick("kept").await;
            left -= buf[2].min(1);
        }
        buf[3]
    }
}

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
    async fn made_each_turn(times: u32) -> u32 {
        let mut sum: u32 = 0;
        let mut left: u32 = times;
        while left > 0 {
            left -= 1;
            let mut buf: [u32; 30] = [left; 30];
            if left == 3 {
                continue;
            }
            if left == 1 {
                break;
            }
            let mut turns: u32 = 0;
            while turns < 2 {
                buf[turns as usize] += 1;
                tick("turn").await;
                turns += 1;
            }
            sum += total(&buf);
        }
        tick("end").await;
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
    async fn shown_and_copied(times: u32) -> String {
        let mut buf: [u8; 64] = [1; 64];
        let mut text: String = String::new();
        for i in 0..times {
            tick("turn").await;
            buf[0] = i as u8;
            let copy: [u8; 64] = buf;
            let sum = || buf.iter().map(|&n| u32::from(n)).sum::<u32>();
            text += &format!("{:?}{}{}", &buf[..2], copy[0], sum());
            assert!(buf[1] == 1, "{buf:?}");
        }
        text
    }
}

subject! {
    async fn hidden(times: u32) -> u32 {
        let mut buf: [u32; 16] = [1; 16];
        let mut sum: u32 = 0;
        for i in 0..times {
            tick("turn").await;
            buf[0] = i;
            let copied = move || buf[0] + buf[1];
            sum += copied();
            sum += u32::from(matches!(buf, [0, ..]));
        }
        sum
    }
}

subject! {
    async fn shadowed(times: u32) -> u32 {
        let mut buf: [u32; 16] = [1; 16];
        for i in 0..times {
            let buf_len = buf.len() as u32;
            tick("outer").await;
            if let Some(buf) = Some(i) {
                note(format!("{buf}"));
            }
            {
                let mut buf: [u32; 18] = [i; 18];
                for _ in 0u8..2 {
                    tick("inner").await;
                    buf[0] += buf_len;
                }
                total(&buf);
            }
            let add = |buf: u32| buf + 1;
            buf[0] += add(i);
        }
        total(&buf)
    }
}

subject! {
    async fn beside_a_conditional_move(now: bool) -> u32 {
        let mut buf: [u32; 16] = [1; 16];
        let d: D = D("d");
        for i in 0u32..2 {
            tick("turn").await;
            buf[0] += i;
        }
        if now {
            consume(d);
        }
        for i in 0u32..2 {
            tick("turn").await;
            buf[0] += i;
        }
        total(&buf)
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

struct Frame {
    buf: [u32; 16],
    len: usize,
}

subject! {
    async fn into_a_struct(times: u32) -> u32 {
        let mut buf: [u32; 16] = [1; 16];
        for i in 0..times {
            tick("turn").await;
            buf[0] += i;
        }
        let frame = Frame { buf, len: 3 };
        total(&frame.buf[..frame.len]);
        tick("out").await;
        step::<u32>("last", 1, 0).await + times
    }
}

subject! {
    async fn given_back(times: u32) -> [u32; 16] {
        let mut buf: [u32; 16] = [1; 16];
        for i in 0..times {
            if i == 7 {
                return buf;
            }
            tick("turn").await;
            buf[0] += i;
        }
        buf
    }
}

subject! {
    async fn generic<T: Clone + Into<u32>, const N: usize>(item: T, d: D) -> u32 {
        let mut buf: [u32; N] = [0; N];
        let mut at: usize = 0;
        while at < N {
            buf[at] = item.clone().into();
            tick("turn").await;
            at += 1;
        }
        look(&d);
        total(&buf)
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list = Vec::new();
    case!(list, "turns", turns(3));
    case!(list, "turns none", turns(0));
    case!(list, "argument", argument([1; 32], D("arg")));
    for_nested(&mut list);
    case!(list, "phases", phases(D("a"), 1));
    case!(list, "odd", odd_and_nothing_to_spare());
    case!(list, "bare phases", phases_and_nothing_to_spare());
    case!(list, "three_deep", three_deep(D("d")));
    case!(list, "fails", fails(2));
    case!(list, "fails late", fails(9));
    case!(list, "assigned", assigned(2));
    case!(list, "assigned_by_an_await", assigned_by_an_await(2));
    case!(list, "lends", lends(2));
    case!(list, "polled", polled(Source { left: 4 }));
    case!(list, "made_each_turn", made_each_turn(6));
    case!(list, "left_without_a_wait", left_without_a_wait(6));
    case!(list, "overlapping", overlapping(2));
    case!(list, "both", both(2));
    case!(list, "shown_and_copied", shown_and_copied(2));
    case!(list, "hidden", hidden(2));
    case!(list, "shadowed", shadowed(2));
    case!(list, "moved", beside_a_conditional_move(true));
    case!(list, "not moved", beside_a_conditional_move(false));
    case!(list, "into_a_struct", into_a_struct(2));
    case!(list, "given_back", given_back(2));
    case!(list, "given_back early", given_back(9));
    case!(list, "generic", generic::<u8, 3>(4, D("d")));
    list
}

fn for_nested(list: &mut Vec<(&'static str, Case)>) {
    case!(list, "nested 0", nested(0));
    case!(list, "nested 2", nested(2));
    case!(list, "nested 4", nested(4));
    case!(list, "nested 7", nested(7));
}
