//! Cases of a buffer that stays in its place; `subject!` decides what they become.

use super::log::*;

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

subject! {
    // The bytes of `first` are free after the second await, whose operand still reads them.
    async fn stored_beside_a_value_of_its_operand(seed: u32) -> u32 {
        let second: [u32; 32];
        let first: [u32; 32] = [seed; 32];
        tick("first").await;
        second = [seed + 1; 32];
        let read: u32 = step::<u32>("read", 1, first[3]).await;
        read * 100 + total(&second)
    }
}

subject! {
    async fn stored_before_a_question(seed: u32) -> Result<u32, String> {
        let d: D = D("d");
        let page: [u32; 32] = step::<[u32; 32]>("page", 1, [seed; 32]).await;
        let read: Result<u32, String> = seed.checked_sub(3).ok_or_else(|| String::from("low"));
        let more: u32 = step::<u32>("more", 1, read?).await;
        look(&d);
        Ok(total(&page) + more)
    }
}

subject! {
    async fn stored_before_an_exit(start: u32) -> u32 {
        let d: D = D("d");
        let mut at: u32 = start;
        let page: [u32; 32] = [at; 32];
        'exit: {
            at += step::<u32>("exit", 1, if at > 4 { break 'exit } else { 2 }).await;
            at += total(&page);
        }
        tick("after").await;
        look(&d);
        at + total(&page)
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "turns", turns(3));
    case!(list, "turns none", turns(0));
    case!(list, "argument", argument([1; 32], D("arg")));
    case!(list, "fails", fails(2));
    case!(list, "fails late", fails(9));
    case!(list, "assigned", assigned(2));
    case!(list, "assigned_by_an_await", assigned_by_an_await(2));
    case!(list, "made_each_turn", made_each_turn(6));
    case!(list, "shown_and_copied", shown_and_copied(2));
    case!(list, "hidden", hidden(2));
    case!(list, "shadowed", shadowed(2));
    case!(list, "moved", beside_a_conditional_move(true));
    case!(list, "not moved", beside_a_conditional_move(false));
    case!(list, "into_a_struct", into_a_struct(2));
    case!(list, "given_back", given_back(2));
    case!(list, "given_back early", given_back(9));
    case!(list, "generic", generic::<u8, 3>(4, D("d")));
    case!(list, "stored beside", stored_beside_a_value_of_its_operand(2));
    case!(list, "stored, low", stored_before_a_question(2));
    case!(list, "stored, high", stored_before_a_question(4));
    case!(list, "stored, await", stored_before_an_exit(4));
    case!(list, "stored, exit", stored_before_an_exit(5));
    list
}
