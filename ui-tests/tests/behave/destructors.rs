//! Types with destructors of their own, constants of such types, and what is left of a struct.
//!
//! `subject!` decides what the cases become.

use super::log::*;

/// A number that logs its drop.
#[derive(Debug)]
pub(crate) struct Counted {
    n: u32,
    name: &'static str,
}

impl Drop for Counted {
    fn drop(&mut self) {
        note(format!("~{}", self.name));
    }
}

impl Counted {
    fn weigh(&self) -> u32 {
        note(format!("weigh-{}", self.name));
        self.n
    }
}

fn counted(name: &'static str) -> Counted {
    note(format!("make-{name}"));
    Counted { n: 7, name }
}

const KEPT: Counted = Counted { n: 3, name: "kept" };

#[derive(Debug)]
pub(crate) struct Room {
    first: D,
    second: D,
    #[allow(dead_code, reason = "it is dropped")]
    third: Option<D>,
    n: u32,
}

fn room() -> Room {
    note("room");
    Room { first: D("first"), second: D("second"), third: Some(D("third")), n: 4 }
}

subject! {
    async fn local_that_a_let_opens(a: D) -> u32 {
        let whole = counted("whole");
        let Counted { n, .. } = whole;
        tick("one").await;
        look(&a);
        n
    }
}

subject! {
    async fn local_that_a_let_opens_late(a: D) -> u32 {
        let whole = counted("whole");
        tick("one").await;
        let Counted { n, name: _ } = whole;
        let other = D("other");
        tick("two").await;
        look(&other);
        n
    }
}

subject! {
    async fn value_that_a_let_opens(a: D) -> u32 {
        let Counted { n, .. } = counted("value");
        tick("one").await;
        let Counted { n: m, .. } = step("two", 1, counted("given")).await;
        tick("three").await;
        n + m
    }
}

subject! {
    async fn value_that_an_arm_opens(a: D) -> u32 {
        match counted("value") {
            Counted { n: 9, .. } => 0,
            Counted { n, name } => {
                tick(name).await;
                look(&a);
                n
            }
        }
    }
}

subject! {
    async fn let_else_opens(a: D) -> u32 {
        let whole = counted("whole");
        let Counted { n: n @ 7, .. } = whole else {
            return 0;
        };
        tick("one").await;
        n
    }
}

fn both(one: u32, other: u32) -> u32 {
    note("both");
    one + other
}

subject! {
    async fn constants_before_an_await(a: D) -> u32 {
        let n = both(KEPT.n, step("one", 1, 2).await);
        let m = both(KEPT.weigh(), step("two", 1, 2).await);
        let pair = (KEPT, step("three", 1, D("given")).await);
        look(&pair.1);
        n + m + pair.0.n
    }
}

subject! {
    async fn constant_in_a_local(a: D) -> u32 {
        let kept = KEPT;
        tick("one").await;
        let again = &KEPT;
        tick("two").await;
        kept.weigh() + again.weigh()
    }
}

subject! {
    async fn constant_that_is_matched(a: D) -> u32 {
        match KEPT {
            Counted { n, .. } => {
                tick("one").await;
                n
            }
        }
    }
}

subject! {
    async fn rest_of_a_call(a: D) -> u32 {
        let whole = Room { first: D("own"), third: None, ..room() };
        tick("one").await;
        look(&whole.second);
        let again = Room { second: step("two", 1, D("waited")).await, ..room() };
        tick("three").await;
        look(&again.first);
        whole.n + again.n
    }
}

subject! {
    async fn rest_of_a_local(a: D) -> u32 {
        let base = room();
        let whole = Room { first: D("own"), ..base };
        tick("one").await;
        look(&whole.second);
        whole.n
    }
}

subject! {
    async fn rest_that_is_copied(a: D) -> u32 {
        let base = room();
        let whole = Room { first: D("1"), second: D("2"), third: None, ..base };
        tick("one").await;
        look(&base.first);
        look(&whole.second);
        whole.n
    }
}

subject! {
    async fn rest_that_is_awaited(a: D) -> u32 {
        let whole = Room { first: D("own"), ..step("rest", 1, room()).await };
        tick("one").await;
        look(&whole.second);
        whole.n
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "local_that_a_let_opens", local_that_a_let_opens(D("a")));
    case!(list, "local_that_a_let_opens_late", local_that_a_let_opens_late(D("a")));
    case!(list, "value_that_a_let_opens", value_that_a_let_opens(D("a")));
    case!(list, "value_that_an_arm_opens", value_that_an_arm_opens(D("a")));
    case!(list, "let_else_opens", let_else_opens(D("a")));
    case!(list, "constants_before_an_await", constants_before_an_await(D("a")));
    case!(list, "constant_in_a_local", constant_in_a_local(D("a")));
    case!(list, "constant_that_is_matched", constant_that_is_matched(D("a")));
    case!(list, "rest_of_a_call", rest_of_a_call(D("a")));
    case!(list, "rest_of_a_local", rest_of_a_local(D("a")));
    case!(list, "rest_that_is_copied", rest_that_is_copied(D("a")));
    case!(list, "rest_that_is_awaited", rest_that_is_awaited(D("a")));
    list
}
