//! Cases of `let` whose `else` awaits.

use super::log::*;

/// A pair of logging values, or one of them.
#[expect(dead_code, reason = "only the destructor of `One` is observed")]
enum Found {
    Both(D, D),
    One(D),
}

subject! {
    async fn find(n: u32) -> Found {
        tick("find").await;
        match n {
            0 => Found::One(D("one")),
            _ => Found::Both(D("left"), D("right")),
        }
    }
}

subject! {
    async fn of_value(n: u32) -> u32 {
        let held: D = D("held");
        let Found::Both(left, right) = find(n).await else {
            note("else");
            let inner: D = D("inner");
            tick("wait").await;
            look(&inner);
            return 1;
        };
        tick("after").await;
        look(&left);
        look(&right);
        look(&held);
        2
    }
}

subject! {
    async fn of_place(found: Found) -> u32 {
        let Found::Both(left, _) = found else {
            note("else");
            tick("wait").await;
            return 1;
        };
        look(&left);
        2
    }
}

subject! {
    async fn of_option(page: Option<D>, other: Option<D>) -> D {
        let Some(page) = page else {
            tick("no page").await;
            let Some(other) = other else {
                tick("no other").await;
                return D("none");
            };
            return other;
        };
        tick("page").await;
        page
    }
}

subject! {
    async fn in_loop(limit: u32) -> u32 {
        let mut turn: u32 = 0;
        let outer: D = D("outer");
        let sum: u32 = 'turns: loop {
            let held: D = D("turn");
            turn += 1;
            let Found::Both(left, right) = find(turn % 2).await else {
                tick("again").await;
                if turn > limit {
                    tick("last").await;
                    break 'turns turn;
                }
                continue;
            };
            look(&held);
            tick("both").await;
            drop(right);
            look(&left);
        };
        look(&outer);
        sum
    }
}

subject! {
    async fn with_temporary(n: u32) -> u32 {
        let (true, number) = (D("temporary").0.len() as u32 > n, n) else {
            tick("else").await;
            return 0;
        };
        tick("after").await;
        number
    }
}

subject! {
    async fn with_branches(n: u32) -> Result<u32, D> {
        let first: D = D("first");
        let Ok(number) = answer(n).await else {
            if n == 0 {
                answer(2).await?;
                return Err(D("zero"));
            } else {
                tick("other").await;
                return answer(3).await;
            }
        };
        look(&first);
        Ok(number)
    }
}

subject! {
    async fn answer(n: u32) -> Result<u32, D> {
        tick("answer").await;
        if n % 2 == 0 { Err(D("even")) } else { Ok(n) }
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "of value, else", of_value(0));
    case!(list, "of value", of_value(1));
    case!(list, "of place, else", of_place(Found::One(D("one"))));
    case!(list, "of place", of_place(Found::Both(D("left"), D("right"))));
    case!(list, "of option", of_option(Some(D("page")), None));
    case!(list, "of option, else", of_option(None, Some(D("other"))));
    case!(list, "of option, both", of_option(None, None));
    case!(list, "in loop", in_loop(2));
    case!(list, "with temporary", with_temporary(1));
    case!(list, "with temporary, else", with_temporary(20));
    case!(list, "with branches, zero", with_branches(0));
    case!(list, "with branches, two", with_branches(2));
    case!(list, "with branches", with_branches(1));
    list
}
