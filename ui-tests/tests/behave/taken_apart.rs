//! Cases of patterns that take a value apart, or leave a part of it.
//!
//! `subject!` decides what they become.

use super::log::*;

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

doubted! {
    async fn array_by_a_pattern(arr: [D; 2]) -> usize {
        tick("one").await;
        let [x, y] = arr;
        tick("two").await;
        look(&y);
        x.0.len()
    }
}

doubted! {
    async fn array_in_a_pair(pair: (D, [D; 2]), leave: bool) -> usize {
        tick("one").await;
        let (p, [x, y]) = pair;
        if leave {
            return 0;
        }
        tick("two").await;
        look(&p);
        x.0.len() + y.0.len()
    }
}

doubted! {
    async fn array_of_pairs(arr: [(D, u32); 2]) -> u32 {
        tick("one").await;
        let [(x, n), (y, m)] = arr;
        let (n, m): (u32, u32) = (n, m);
        tick("two").await;
        look(&y);
        look(&x);
        n + m
    }
}

subject! {
    async fn array_behind_a_reference(arr: [D; 2], list: Vec<D>) -> usize {
        tick("one").await;
        let [x, y] = &arr;
        look(x);
        look(y);
        let n = match list.as_slice() {
            [first, .., last] => first.0.len() + last.0.len(),
            [only] => only.0.len(),
            [] => 0,
        };
        tick("two").await;
        match &list[..] {
            [first, rest @ ..] => n + first.0.len() + rest.len(),
            [] => n,
        }
    }
}

subject! {
    async fn elements_of_a_slice(list: &[D], pair: &mut [D; 2]) -> usize {
        tick("one").await;
        if let [first, ..] = list {
            tick("two").await;
            look(first);
        }
        let [a, b] = pair;
        std::mem::swap(a, b);
        tick("three").await;
        list.len()
    }
}

fn two() -> [D; 2] {
    [D("x"), D("y")]
}

subject! {
    async fn array_of_a_call(leave: bool) -> usize {
        let [x, y] = two();
        tick("one").await;
        let [_, z] = step("two", 1, two()).await;
        if leave {
            return 0;
        }
        tick("three").await;
        let [v, _] = two();
        consume(v);
        tick("four").await;
        look(&y);
        x.0.len() + z.0.len()
    }
}

subject! {
    async fn array_of_a_call_in_branches(n: u32) -> usize {
        let [x, y] = match n {
            0 => two(),
            n => step("one", n, two()).await,
        };
        tick("two").await;
        look(&x);
        y.0.len()
    }
}

subject! {
    async fn question_in_front_of_else(n: Result<Option<u32>, u32>) -> Result<u32, u32> {
        let Some(first) = n? else { return Ok(0) };
        tick("one").await;
        let Some(second) = step::<Result<Option<u32>, u32>>("two", 1, n).await? else { return Ok(1) };
        Ok(first + second)
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
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
    case!(list, "array_by_a_pattern", array_by_a_pattern([D("x"), D("y")]));
    case!(list, "array_in_a_pair", array_in_a_pair((D("p"), [D("x"), D("y")]), false));
    case!(list, "array_in_a_pair, left", array_in_a_pair((D("p"), [D("x"), D("y")]), true));
    case!(list, "array_of_pairs", array_of_pairs([(D("x"), 1), (D("y"), 2)]));
    case!(list, "array_behind_a_reference", array_behind_a_reference(two(), vec![D("v"), D("w")]));
    case!(list, "array_behind_a_reference, one", array_behind_a_reference(two(), vec![D("v")]));
    case!(list, "array_behind_a_reference, none", array_behind_a_reference(two(), Vec::new()));
    case!(list, "elements_of_a_slice", async {
        elements_of_a_slice(&two(), &mut two()).await
    });
    case!(list, "array_of_a_call", array_of_a_call(false));
    case!(list, "array_of_a_call, left", array_of_a_call(true));
    case!(list, "array_of_a_call_in_branches 0", array_of_a_call_in_branches(0));
    case!(list, "array_of_a_call_in_branches 1", array_of_a_call_in_branches(1));
    case!(list, "question_in_front_of_else", question_in_front_of_else(Ok(Some(1))));
    case!(list, "question_in_front_of_else none", question_in_front_of_else(Ok(None)));
    case!(list, "question_in_front_of_else err", question_in_front_of_else(Err(1)));
    list
}
