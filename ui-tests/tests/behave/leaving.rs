//! Cases of code that leaves: the function, or the turn of a loop, from within a block.
//!
//! `subject!` decides what they become.

use std::ops::ControlFlow;

use super::log::*;

subject! {
    async fn returns(a: D, early: bool) -> u32 {
        let _b: D = D("b");
        if early {
            return step::<u32>("early", 1, 1).await;
        }
        tick("late").await;
        look(&a);
        2
    }
}

subject! {
    async fn diverges(early: bool) -> u32 {
        let d: D = D("d");
        let s = &d;
        if early {
            tick("early").await;
            return 1;
        }
        look(s);
        loop {
            tick("once").await;
            return 2;
        }
    }
}

subject! {
    async fn question(fail: bool) -> Result<u32, String> {
        let _a: D = D("a");
        let given: Result<u32, &'static str> = if fail { Err("no") } else { Ok(4) };
        let x: u32 = step::<Result<u32, &'static str>>("try", 1, given).await?;
        tick("after").await;
        let y: u32 = "12".parse::<u32>().map_err(|_| "parse")?;
        Ok(x + y)
    }
}

subject! {
    async fn question_option(fail: bool) -> Option<u32> {
        let _a: D = D("a");
        let given: Option<u32> = if fail { None } else { Some(4) };
        let x: u32 = step::<Option<u32>>("try", 1, given).await?;
        tick("after").await;
        let y: u32 = Some(x)?;
        Some(y + 1)
    }
}

subject! {
    async fn question_flow(fail: bool) -> ControlFlow<&'static str, u32> {
        let given: ControlFlow<&'static str, u32> = if fail { ControlFlow::Break("b") } else { ControlFlow::Continue(2) };
        let x: u32 = step::<ControlFlow<&'static str, u32>>("try", 1, given).await?;
        ControlFlow::Continue(x)
    }
}

subject! {
    async fn leaves(items: Vec<D>, at: usize) -> Option<D> {
        let _out: D = D("out");
        'all: for item in items {
            for turn in 0..3usize {
                let _in: D = D("in");
                if turn == at {
                    continue 'all;
                }
                tick("tick").await;
                if turn + 1 == at {
                    break 'all;
                }
                if at == 7 {
                    return Some(item);
                }
                if turn == 1 {
                    break;
                }
            }
            look(&item);
        }
        tick("end").await;
        None
    }
}

subject! {
    async fn fails(items: Vec<Result<u32, String>>) -> Result<u32, String> {
        let mut sum: u32 = 0;
        for item in items {
            let n: u32 = item?;
            let _d: D = D("turn");
            tick("turn").await;
            sum += n;
        }
        Ok(sum)
    }
}

// The function has a value, and its last statement none.
subject! {
    async fn endless(mut left: u32) -> u32 {
        let out: D = D("out");
        tick("one").await;
        let never: u32 = loop {
            if left == 0 {
                look(&out);
                return 7;
            }
            for _ in 0..2 {
                break;
            }
            left -= 1;
        };
    }
}

// Each way out of the arm leaves the loop's turn for good, in a block of its own.
subject! {
    async fn left_in_a_block(times: u32, way: u32) -> u32 {
        let out: D = D("out");
        let fixed: u32 = times * 2;
        let mut turn: u32 = 0;
        'turns: while step::<bool>("more", 1, turn < times).await {
            turn += 1;
            match step::<u32>("way", 1, way).await {
                0 => {
                    tick("block").await;
                    {
                        return fixed;
                    }
                }
                1 => {
                    tick("if").await;
                    if turn > 1 { break } else { continue }
                }
                2 => {
                    tick("match").await;
                    match turn {
                        1 => continue,
                        _ => return turn,
                    }
                }
                3 => {
                    tick("loop").await;
                    loop {
                        if turn > 1 {
                            return 9;
                        }
                        turn += 1;
                    }
                }
                _ => {
                    tick("label").await;
                    'a: {
                        if turn > 1 {
                            break 'a;
                        }
                        continue 'turns;
                    }
                }
            }
            std::hint::black_box(&fixed);
        }
        look(&out);
        fixed
    }
}

subject! {
    async fn unit_of_a_loop(turns: u32) -> () {
        let mut turn = 0;
        let nothing: () = loop {
            if turn > 0 && turn == turns {
                break;
            }
            if turn > turns {
                break ();
            }
            turn += 1;
            tick("turn").await;
        };
        let inner = 'inner: {
            if turn == 1 {
                break 'inner;
            }
            tick("inner").await;
        };
        tick("last").await;
        std::hint::black_box((nothing, inner));
    }
}

/// As `anyhow` has it.
macro_rules! anyhow {
    ($message:literal $(,)?) => { Failure(format!($message)) };
    ($format:expr, $($argument:tt)*) => { Failure(format!($format, $($argument)*)) };
}

macro_rules! bail {
    ($($argument:tt)*) => { return Err(anyhow!($($argument)*)) };
}

#[derive(Debug)]
pub(crate) struct Failure(String);

impl Drop for Failure {
    fn drop(&mut self) {
        note(format!("~{}", self.0));
    }
}

subject! {
    async fn bails_between_awaits(n: u32, a: D, b: D) -> Result<usize, Failure> {
        let c = D("c");
        if n == 0 {
            bail!("nothing for {a:?}");
        }
        tick("one").await;
        let n: u32 = match n {
            1 => bail!("{:?} and {c:?}: {}", a, b.0),
            n => n,
        };
        step("two", n, ()).await;
        consume(b);
        let Some(left) = n.checked_sub(3) else { bail!("{n} is too small, {:?}", c) };
        tick("three").await;
        look(&a);
        Ok(left as usize)
    }
}

subject! {
    async fn bails_in_a_loop(list: Vec<Option<u32>>, d: D) -> Result<u32, Failure> {
        let mut sum = 0u32;
        for number in list {
            let Some(number) = number else { bail!("{d:?} behind {sum}") };
            sum += step("number", 1, number).await;
        }
        step::<Result<u32, u32>>("end", 1, Err(sum)).await.or_else(|sum| {
            if sum > 4 { bail!("{sum} is too much") }
            Ok(sum)
        })
    }
}

subject! {
    async fn errors_of_texts(n: u32, d: D) -> Result<u32, Failure> {
        tick("one").await;
        let found = (n > 0).then_some(n).ok_or_else(|| anyhow!("nothing"))?;
        let wrong = anyhow!("{:?} {found}", d);
        tick("two").await;
        if n > 2 { Err(wrong) } else { Err(anyhow!("{d:?}")) }
    }
}

subject! {
    async fn gives_from_a_plain_loop(wanted: u32) -> u32 {
        let found: u32 = 'found: {
            for n in step::<Vec<u32>>("list", 1, vec![1, 2, 3]).await {
                if n == wanted {
                    break 'found n + 40;
                }
            }
            7
        };
        step::<u32>("end", 1, found).await
    }
}

subject! {
    async fn gives_a_value_with_a_destructor(count: u32) -> D {
        let first: D = 'first: {
            for n in step::<Vec<u32>>("list", 1, vec![1, 2]).await {
                if n > count {
                    break 'first D("loop");
                }
            }
            D("tail")
        };
        tick("end").await;
        first
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "returns early", returns(D("a"), true));
    case!(list, "returns late", returns(D("a"), false));
    case!(list, "diverges early", diverges(true));
    case!(list, "diverges late", diverges(false));
    case!(list, "question ok", question(false));
    case!(list, "question err", question(true));
    case!(list, "question_option some", question_option(false));
    case!(list, "question_option none", question_option(true));
    case!(list, "question_flow", question_flow(false));
    case!(list, "question_flow break", question_flow(true));
    case!(list, "leaves 0", leaves(vec![D("x"), D("y"), D("z")], 0));
    case!(list, "leaves 1", leaves(vec![D("x"), D("y"), D("z")], 1));
    case!(list, "leaves 2", leaves(vec![D("x"), D("y"), D("z")], 2));
    case!(list, "leaves 5", leaves(vec![D("x"), D("y"), D("z")], 5));
    case!(list, "leaves 7", leaves(vec![D("x"), D("y"), D("z")], 7));
    case!(list, "fails never", fails(vec![Ok(1), Ok(2)]));
    case!(
        list,
        "fails",
        fails(vec![Ok(1), Err(String::from("no")), Ok(2)])
    );
    case!(list, "unit_of_a_loop 0", unit_of_a_loop(0));
    case!(list, "unit_of_a_loop 2", unit_of_a_loop(2));
    case!(list, "endless", endless(2));
    case!(list, "left_in_a_block 0", left_in_a_block(2, 0));
    case!(list, "left_in_a_block 1", left_in_a_block(3, 1));
    case!(list, "left_in_a_block 2", left_in_a_block(3, 2));
    case!(list, "left_in_a_block 3", left_in_a_block(3, 3));
    case!(list, "left_in_a_block 4", left_in_a_block(3, 4));
    case!(list, "bails_between_awaits 0", bails_between_awaits(0, D("a"), D("b")));
    case!(list, "bails_between_awaits 1", bails_between_awaits(1, D("a"), D("b")));
    case!(list, "bails_between_awaits 2", bails_between_awaits(2, D("a"), D("b")));
    case!(list, "bails_between_awaits 4", bails_between_awaits(4, D("a"), D("b")));
    case!(list, "bails_in_a_loop", bails_in_a_loop(vec![Some(1), Some(2)], D("d")));
    case!(list, "bails_in_a_loop, none", bails_in_a_loop(vec![Some(1), None, Some(2)], D("d")));
    case!(list, "bails_in_a_loop, many", bails_in_a_loop(vec![Some(1), Some(4)], D("d")));
    case!(list, "errors_of_texts 0", errors_of_texts(0, D("d")));
    case!(list, "errors_of_texts 1", errors_of_texts(1, D("d")));
    case!(list, "errors_of_texts 3", errors_of_texts(3, D("d")));
    case!(list, "gives_from_a_plain_loop 1", gives_from_a_plain_loop(1));
    case!(list, "gives_from_a_plain_loop 5", gives_from_a_plain_loop(5));
    case!(list, "gives_a_value_with_a_destructor 0", gives_a_value_with_a_destructor(0));
    case!(list, "gives_a_value_with_a_destructor 3", gives_a_value_with_a_destructor(3));
    list
}
