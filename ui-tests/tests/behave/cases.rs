// The cases; `subject!` decides what they become.

use std::future::{Future, poll_fn};
use std::ops::ControlFlow;
use std::pin::Pin;

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
    async fn nothing_given() -> u32 {
        let none: Option<u32> = step::<Option<u32>>("none", 1, None).await;
        none.map_or(3, |n| n + 1)
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
    async fn branches(which: u32) -> u32 {
        let a: D = D("a");
        let x: u32 = if which == 0 {
            let _in_then: D = D("then");
            tick("then").await;
            1
        } else if which == 1 {
            let y: u32 = step::<u32>("else-if", 2, 20).await;
            y + 1
        } else {
            note("plain");
            3
        };
        look(&a);
        tick("after").await;
        x
    }
}

subject! {
    async fn branch_without_else(on: bool) -> u32 {
        let a: D = D("a");
        if on {
            tick("on").await;
            look(&a);
        }
        note("behind");
        tick("end").await;
        9
    }
}

subject! {
    async fn matches(value: Option<D>, other: Result<u32, u32>) -> u32 {
        let n: u32 = match value {
            Some(d) => {
                let d: D = d;
                tick("some").await;
                look(&d);
                1
            }
            None => {
                tick("none").await;
                2
            }
        };
        match other {
            Ok(x) if x > 5 => n + x,
            Ok(x) => {
                let x: u32 = x;
                tick("small").await;
                n + x
            }
            Err(_) => step::<u32>("err", 1, 100).await,
        }
    }
}

subject! {
    async fn match_await(which: u32) -> String {
        match step::<Result<D, u32>>("given", 1, if which == 0 { Ok(D("ok")) } else { Err(which) }).await {
            Ok(d) => format!("{}", d.0),
            Err(n) if n > 5 => String::from("large"),
            Err(n) => {
                let n: u32 = n;
                tick("small").await;
                format!("{n}")
            }
        }
    }
}

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

subject! {
    async fn if_let_await(give: bool) -> u32 {
        if let Some(d) = step::<Option<D>>("given", 1, give.then(|| D("d"))).await {
            look(&d);
            1
        } else {
            tick("else").await;
            2
        }
    }
}

subject! {
    async fn let_else(give: bool) -> u32 {
        let _a: D = D("a");
        let Some(n) = step::<Option<u32>>("given", 1, give.then_some(3)).await else {
            return 0;
        };
        let n: u32 = n;
        tick("after").await;
        n
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

subject! {
    async fn assigns() -> u32 {
        let mut d: D = D("first");
        tick("one").await;
        d = D("second");
        tick("two").await;
        d = step::<D>("make", 1, D("third")).await;
        look(&d);
        let mut n: u32 = 1;
        n += step::<u32>("n", 1, 2).await;
        n
    }
}

subject! {
    async fn deferred(which: bool) -> &'static str {
        let d: D;
        if which {
            tick("one").await;
            d = D("one");
        } else {
            d = D("other");
        }
        tick("two").await;
        look(&d);
        d.0
    }
}

subject! {
    async fn moved_and_back() -> u32 {
        let mut d: D = D("first");
        consume(d);
        tick("gone").await;
        d = D("second");
        tick("back").await;
        look(&d);
        1
    }
}

subject! {
    async fn generic<T: Clone + std::fmt::Debug + Unpin, const N: usize, F>(value: T, f: F) -> String
    where
        F: Future<Output = u32>,
        T: 'static,
    {
        let held: [T; N] = std::array::from_fn(|_| value.clone());
        let n: u32 = f.await;
        tick("after").await;
        format!("{held:?}{n}")
    }
}

subject! {
    async fn anonymous(d: D, f: impl Future<Output = u32>, g: &impl Fn(&D)) -> u32 {
        let n: u32 = f.await;
        g(&d);
        n
    }
}

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

subject! {
    async fn borrowed_future() -> u32 {
        let mut inner: Step<u32> = step("inner", 2, 8);
        let n: u32 = (&mut inner).await;
        note("still there");
        n
    }
}

subject! {
    async fn held_future(inner: Step<u32>) -> u32 {
        let made: Step<u32> = step("made", 1, 1);
        let n: u32 = inner.await;
        let m: u32 = made.await;
        n + m
    }
}

subject! {
    async fn boxed(depth: u32) -> u32 {
        let _d: D = D("level");
        if depth == 0 {
            return step::<u32>("bottom", 1, 0).await;
        }
        let inner: Pin<Box<dyn Future<Output = u32>>> = Box::pin(boxed(depth - 1));
        inner.await + 1
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
    async fn conditional_use(on: bool) -> u32 {
        let a: D = D("a");
        let b: D = D("b");
        let n: u32 = if on {
            consume(b);
            step::<u32>("on", 1, 1).await
        } else {
            consume(b);
            2
        };
        tick("end").await;
        look(&a);
        n
    }
}

subject! {
    async fn nested_match(a: Option<u32>, b: u32) -> u32 {
        let out: D = D("out");
        let r: u32 = match a {
            Some(n) => match b {
                0 => step::<u32>("zero", 1, n).await,
                1 => {
                    tick("one").await;
                    11
                }
                _ => 7,
            },
            None => 0,
        };
        note(format!("r{r}"));
        tick("end").await;
        look(&out);
        r
    }
}

/// Either a number or a value with a destructor; nothing of its own to drop.
pub(crate) enum Mixed {
    Number(u32),
    Value(D),
}

/// A destructor of its own around what can be copied out of it.
pub(crate) enum Guarded {
    Number(u32),
    Empty,
}

impl Drop for Guarded {
    fn drop(&mut self) {
        look(&D("guarded"));
    }
}

subject! {
    async fn taken_apart(mixed: Mixed, _last: D) -> u32 {
        match mixed {
            Mixed::Number(n) => {
                let n: u32 = n;
                tick("number").await;
                n
            }
            Mixed::Value(d) => {
                let d: D = d;
                tick("value").await;
                look(&d);
                0
            }
        }
    }
}

subject! {
    async fn taken_apart_before(mixed: Option<Mixed>, _last: D) -> u32 {
        let n: u32 = if let Some(Mixed::Number(n)) = mixed { n } else { 0 };
        tick("one").await;
        n
    }
}

subject! {
    async fn copied_out(guarded: Guarded, _last: D) -> u32 {
        let n: u32 = match &guarded {
            Guarded::Number(n) => {
                let n: u32 = *n;
                tick("number").await;
                n
            }
            Guarded::Empty => 0,
        };
        tick("two").await;
        n
    }
}

subject! {
    async fn copied_out_and_moved(guarded: Guarded, _last: D) -> u32 {
        let n: u32 = match guarded {
            Guarded::Number(n) => n,
            Guarded::Empty => 0,
        };
        tick("one").await;
        drop(guarded);
        tick("two").await;
        n
    }
}

subject! {
    async fn half_of_a_pair(pair: (u32, D), _last: D) -> u32 {
        let (n, _) = pair;
        let n: u32 = n;
        tick("one").await;
        n
    }
}

/// All cases, by name.
pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "straight", straight(D("a"), D("b")));
    case!(list, "nothing", nothing(D("a"), D("_"), D("b")));
    case!(list, "unused", unused(D("a"), D("_"), D("b")));
    case!(list, "locals", locals(D("a")));
    case!(list, "moved_away", moved_away(D("a")));
    case!(list, "moved_in", moved_in(D("a")));
    case!(list, "tail", tail(D("a")));
    case!(list, "returns early", returns(D("a"), true));
    case!(list, "returns late", returns(D("a"), false));
    case!(list, "question ok", question(false));
    case!(list, "question err", question(true));
    case!(list, "question_option some", question_option(false));
    case!(list, "question_option none", question_option(true));
    case!(list, "question_flow", question_flow(false));
    case!(list, "question_flow break", question_flow(true));
    case!(list, "branches 0", branches(0));
    case!(list, "branches 1", branches(1));
    case!(list, "branches 2", branches(2));
    case!(list, "branch_without_else on", branch_without_else(true));
    case!(list, "branch_without_else off", branch_without_else(false));
    case!(list, "matches some ok", matches(Some(D("v")), Ok(9)));
    case!(list, "nothing_given", nothing_given());
    case!(list, "matches none small", matches(None, Ok(2)));
    case!(list, "matches none err", matches(None, Err(2)));
    case!(list, "match_await ok", match_await(0));
    case!(list, "match_await small", match_await(3));
    case!(list, "match_await large", match_await(8));
    case!(list, "loops", loops(6));
    case!(list, "loops none", loops(0));
    case!(list, "loop_value", loop_value());
    case!(list, "labelled", labelled());
    case!(list, "while_let", while_let());
    case!(list, "while_await", while_await());
    case!(list, "if_let_await some", if_let_await(true));
    case!(list, "if_let_await none", if_let_await(false));
    case!(list, "let_else some", let_else(true));
    case!(list, "let_else none", let_else(false));
    case!(list, "shadows", shadows());
    case!(list, "blocks", blocks());
    case!(list, "assigns", assigns());
    case!(list, "deferred await", deferred(true));
    case!(list, "deferred plain", deferred(false));
    case!(list, "moved_and_back", moved_and_back());
    case!(list, "generic", generic::<u8, 2, _>(3, step("given", 1, 6)));
    case!(
        list,
        "anonymous",
        anonymous(D("a"), step("given", 1, 6), &(look as fn(&D)))
    );
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
    case!(list, "borrowed_future", borrowed_future());
    case!(list, "held_future", held_future(step("arg", 1, 3)));
    case!(list, "boxed", boxed(2));
    case!(list, "discards", discards());
    case!(list, "diverges early", diverges(true));
    case!(list, "diverges late", diverges(false));
    case!(list, "conditional_use on", conditional_use(true));
    case!(list, "conditional_use off", conditional_use(false));
    case!(list, "nested_match zero", nested_match(Some(5), 0));
    case!(list, "nested_match one", nested_match(Some(5), 1));
    case!(list, "nested_match plain", nested_match(Some(5), 2));
    case!(list, "nested_match none", nested_match(None, 0));
    case!(
        list,
        "taken_apart number",
        taken_apart(Mixed::Number(1), D("last"))
    );
    case!(
        list,
        "taken_apart value",
        taken_apart(Mixed::Value(D("v")), D("last"))
    );
    case!(
        list,
        "taken_apart_before number",
        taken_apart_before(Some(Mixed::Number(1)), D("last"))
    );
    case!(
        list,
        "taken_apart_before none",
        taken_apart_before(None, D("last"))
    );
    case!(
        list,
        "copied_out number",
        copied_out(Guarded::Number(1), D("last"))
    );
    case!(
        list,
        "copied_out empty",
        copied_out(Guarded::Empty, D("last"))
    );
    case!(
        list,
        "copied_out_and_moved",
        copied_out_and_moved(Guarded::Number(1), D("last"))
    );
    case!(
        list,
        "half_of_a_pair",
        half_of_a_pair((1, D("half")), D("last"))
    );
    list
}
