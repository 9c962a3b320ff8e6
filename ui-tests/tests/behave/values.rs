//! Cases of values that come out of constructs; `subject!` decides what they become.

use super::log::*;

subject! {
    async fn block_values(which: u32) -> &'static str {
        let out: D = D("out");
        let d: D = 'all: {
            let _in: D = D("in");
            if which == 0 {
                break 'all step::<D>("zero", 1, D("zero")).await;
            }
            let e: D = 'inner: {
                let f: D = D("f");
                tick("inner").await;
                if which == 1 {
                    break 'all f;
                }
                if which == 2 {
                    break 'inner D("two");
                }
                f
            };
            tick("behind").await;
            e
        };
        look(&out);
        tick("end").await;
        d.0
    }
}

subject! {
    async fn through_several(limit: u32) -> Option<u32> {
        let mut n: u32 = 0;
        let found: Option<u32> = 'search: {
            loop {
                let _turn: D = D("turn");
                match step::<u32>("next", 1, n).await {
                    0 => {}
                    m if m > limit => break 'search None,
                    2 => {
                        let _d: D = D("two");
                        if step::<bool>("sure", 1, limit > 2).await {
                            n += 2;
                            continue;
                        }
                        break 'search Some(n);
                    }
                    _ => tick("other").await,
                }
                n += 1;
            }
        };
        note("found");
        tick("end").await;
        Some(found? + 1)
    }
}

subject! {
    async fn loop_of_loops() -> (u32, &'static str) {
        let mut n: u32 = 0;
        let pair: (u32, D) = 'outer: loop {
            let d: D = D("d");
            let m: u32 = loop {
                n += 1;
                if n % 3 == 0 {
                    break step::<u32>("third", 1, n).await;
                }
                if n > 4 {
                    tick("leaving").await;
                    break 'outer (n, d);
                }
                tick("turn").await;
            };
            look(&d);
            n = m;
        };
        tick("end").await;
        (pair.0, pair.1.0)
    }
}

subject! {
    async fn later(first: bool, second: bool) -> u32 {
        let out: D = D("out");
        let x: u32;
        let d: D;
        if first {
            x = step::<u32>("x", 1, 1).await;
            d = step::<D>("d", 1, D("first")).await;
        } else if second {
            d = D("second");
            tick("second").await;
            x = 2;
        } else {
            tick("neither").await;
            return 0;
        }
        tick("both").await;
        look(&d);
        look(&out);
        x
    }
}

subject! {
    async fn later_in_a_match(which: Option<u32>) -> u32 {
        let n: u32;
        match which {
            Some(m) => n = m,
            None => n = step::<u32>("none", 1, 9).await,
        }
        tick("end").await;
        n
    }
}

subject! {
    async fn hides(x: u32) -> u32 {
        let x: D = D(if x == 0 { "zero" } else { "more" });
        tick("one").await;
        {
            let x: (D, u32) = (D("pair"), 3);
            tick("two").await;
            {
                let x: u32 = x.1 + step::<u32>("three", 1, x.1).await;
                tick("four").await;
                note(format!("x{x}"));
            }
            look(&x.0);
        }
        let y: u32 = match step::<Option<u32>>("five", 1, Some(1)).await {
            Some(x) => {
                let x: u32 = x;
                tick("six").await;
                x
            }
            None => 0,
        };
        look(&x);
        y
    }
}

subject! {
    async fn returns_everywhere(n: u32) -> u32 {
        let _out: D = D("out");
        let m: u32 = if n == 0 { return step::<u32>("zero", 1, 0).await } else { n };
        let k: u32 = match m {
            1 => return 1,
            2 => {
                let _in: D = D("in");
                return step::<u32>("two", 1, 2).await;
            }
            k => k,
        };
        loop {
            let _turn: D = D("turn");
            if step::<bool>("done", 1, k == 3).await {
                return 3;
            }
            break;
        }
        (return step::<u32>("last", 1, k).await) as u32
    }
}

subject! {
    async fn returns_at_the_end(now: bool) -> u32 {
        let _d: D = D("d");
        tick("one").await;
        if now { return 1 } else { return step::<u32>("two", 1, 2).await }
    }
}

subject! {
    async fn returns_plainly() -> u32 {
        tick("one").await;
        return 1
    }
}

subject! {
    async fn returns_an_await() -> u32 {
        return step::<u32>("one", 1, 2).await
    }
}

subject! {
    async fn borrowed_values(n: u32) -> u32 {
        let sum: &'static [u32] = &[1, 2];
        let more = &u32::max(n, 3);
        note(format!("more{more}"));
        tick("one").await;
        let last: u32 = {
            let d = &D("d");
            look(d);
            sum[0]
        };
        tick("two").await;
        let (kept, text) = (&D("kept"), "text");
        look(kept);
        last + text.len() as u32
    }
}

/// All cases, by name.
pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "block_values 0", block_values(0));
    case!(list, "block_values 1", block_values(1));
    case!(list, "block_values 2", block_values(2));
    case!(list, "block_values 3", block_values(3));
    case!(list, "through_several 1", through_several(1));
    case!(list, "through_several 2", through_several(2));
    case!(list, "through_several 5", through_several(5));
    case!(list, "loop_of_loops", loop_of_loops());
    case!(list, "later first", later(true, false));
    case!(list, "later second", later(false, true));
    case!(list, "later neither", later(false, false));
    case!(list, "later_in_a_match some", later_in_a_match(Some(1)));
    case!(list, "later_in_a_match none", later_in_a_match(None));
    case!(list, "hides", hides(0));
    case!(list, "returns_everywhere 0", returns_everywhere(0));
    case!(list, "returns_everywhere 1", returns_everywhere(1));
    case!(list, "returns_everywhere 2", returns_everywhere(2));
    case!(list, "returns_everywhere 3", returns_everywhere(3));
    case!(list, "returns_everywhere 4", returns_everywhere(4));
    case!(list, "returns_at_the_end now", returns_at_the_end(true));
    case!(list, "returns_at_the_end later", returns_at_the_end(false));
    case!(list, "returns_plainly", returns_plainly());
    case!(list, "returns_an_await", returns_an_await());
    case!(list, "borrowed_values", borrowed_values(2));
    list
}
