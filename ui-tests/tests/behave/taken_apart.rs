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

subject! {
    async fn array_by_a_pattern(arr: [D; 2]) -> usize {
        tick("one").await;
        let [x, y] = arr;
        tick("two").await;
        look(&y);
        x.0.len()
    }
}

subject! {
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
    case!(list, "question_in_front_of_else", question_in_front_of_else(Ok(Some(1))));
    case!(list, "question_in_front_of_else none", question_in_front_of_else(Ok(None)));
    case!(list, "question_in_front_of_else err", question_in_front_of_else(Err(1)));
    list
}
