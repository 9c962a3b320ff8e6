//! Cases of locals that look as if they were moved, and of some that are.
//!
//! `subject!` decides what they become.

use super::log::*;

/// Looks at it, by value.
fn tell(d: D) -> &'static str {
    d.0
}

#[derive(Debug)]
pub(crate) struct Settings {
    port: u32,
    name: D,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    width: u32,
    height: u32,
}

subject! {
    async fn rest_of_a_struct() -> u32 {
        let base: Settings = Settings { port: 1, name: D("name") };
        let made: Settings = Settings { port: 2, ..base };
        tick("one").await;
        look(&made.name);
        drop(made);
        tick("two").await;
        2
    }
}

subject! {
    async fn rest_that_is_copied() -> u32 {
        let base: Size = Size { width: 1, height: 2 };
        let wide: Size = Size { width: 9, ..base };
        tick("one").await;
        let high: Size = Size { height: 9, ..(base) };
        tick("two").await;
        wide.width + wide.height + high.width + base.width
    }
}

subject! {
    async fn rest_on_a_path(way: bool) -> u32 {
        let base: Settings = Settings { port: 1, name: D("name") };
        if way {
            let made: Settings = Settings { port: 2, ..base };
            look(&made.name);
        }
        tick("one").await;
        1
    }
}

subject! {
    async fn rest_taken_whole() -> u32 {
        let base: Settings = Settings { port: 1, name: D("old") };
        let made: Settings = Settings { name: D("new"), ..{ base } };
        tick("one").await;
        look(&made.name);
        made.port
    }
}

subject! {
    async fn message_of_an_assertion(holds: bool) -> u8 {
        let d: D = D("d");
        let e: D = D("e");
        assert!(holds, "{}", tell(d));
        assert_eq!(holds, true, "{}", tell(e));
        tick("one").await;
        1
    }
}

subject! {
    async fn awaited_in_an_assertion(holds: bool) -> u8 {
        let d = D("d");
        assert!(step("one", 1, holds).await);
        assert_eq!(step("two", 1, d.0).await, step("three", 1, "d").await);
        assert_ne!(1, step("four", 1, 2).await, "{}", tell(d));
        7
    }
}

subject! {
    async fn failed_by_an_assertion(n: u32) -> u32 {
        assert!(step("one", 1, n > 3).await);
        n
    }
}

subject! {
    async fn awaited_in_a_debug_assertion(holds: bool, n: u32) -> u8 {
        let d = D("d");
        debug_assert!(step("one", 1, holds).await);
        debug_assert_eq!(step("two", 1, d.0).await, step("three", 1, "d").await, "{n}");
        debug_assert_ne!(1, step("four", 1, 2).await, "{}", tell(d));
        tick("five").await;
        core::debug_assert!(step("six", 1, D("made")).await.0 == "made", "{n}");
        debug_assert!(step("seven", 1, n).await == n);
        7
    }
}

subject! {
    async fn debug_assertion_on_a_path(way: u32, lent: &u32) -> u32 {
        let kept = D("kept");
        match way {
            0 => debug_assert!(step("one", 1, *lent).await > 0),
            1 => {
                let inner = D("inner");
                tick("two").await;
                debug_assert!((&inner).0 == "inner" && step("three", 1, true).await, "{}", inner.0)
            }
            _ => {}
        }
        for n in 0..way {
            debug_assert_ne!(step("four", n, n).await, 9);
        }
        look(&kept);
        way
    }
}

subject! {
    async fn failed_by_a_debug_assertion(n: u32) -> u32 {
        debug_assert!(step("one", 1, n > 3).await);
        n
    }
}

subject! {
    async fn failed_by_a_debug_comparison(n: u32) -> u32 {
        debug_assert_eq!(step("one", 1, n).await, step("two", 1, 4).await, "of {n}");
        n
    }
}

subject! {
    async fn branch_on_the_build(d: D) -> u32 {
        if cfg!(debug_assertions) {
            tick("debug").await;
        } else {
            tick("release").await;
        }
        look(&d);
        1
    }
}

subject! {
    async fn condition_of_an_assertion() -> u8 {
        let d: D = D("d");
        assert!(tell(d) == "d", "no");
        tick("one").await;
        1
    }
}

subject! {
    async fn taken_by_macros() -> u8 {
        let d: D = D("d");
        let e: D = D("e");
        note(format!("{}", tell(d)));
        let list: Vec<D> = vec![e, D("f")];
        tick("one").await;
        look(&list[0]);
        1
    }
}

subject! {
    async fn items_of_that_name() -> u32 {
        let held: D = D("held");
        let n: u32 = {
            fn held() -> u32 {
                3
            }
            let ask: fn() -> u32 = held;
            ask()
        };
        tick("one").await;
        n
    }
}

mod kinds {
    pub(crate) mod held {
        pub(crate) const NUMBER: u32 = 3;
    }

    #[derive(Clone, Copy)]
    pub(crate) enum Kind {
        One,
        Two,
    }
}

doubted! {
    async fn brought_by_use(held: D, other: D, way: bool) -> u32 {
        use kinds::{Kind, Kind::*};
        let kind: Kind = if way { One } else { Two };
        drop(other);
        let n: u32 = {
            use kinds::held;
            consume(held);
            held::NUMBER
        };
        tick("one").await;
        match kind {
            One => n,
            Two => 2,
        }
    }
}

macro_rules! see {
    ($d:ident) => {
        look(&$d)
    };
}

doubted! {
    async fn named_in_a_macro_first(held: D) -> u32 {
        {
            see!(held);
            drop(held);
        }
        tick("one").await;
        1
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "rest_of_a_struct", rest_of_a_struct());
    case!(list, "rest_that_is_copied", rest_that_is_copied());
    case!(list, "rest_on_a_path taken", rest_on_a_path(true));
    case!(list, "rest_on_a_path left", rest_on_a_path(false));
    case!(list, "rest_taken_whole", rest_taken_whole());
    case!(list, "message_of_an_assertion", message_of_an_assertion(true));
    case!(list, "awaited_in_an_assertion", awaited_in_an_assertion(true));
    case!(list, "failed_by_an_assertion", failed_by_an_assertion(3));
    case!(list, "awaited_in_a_debug_assertion", awaited_in_a_debug_assertion(true, 3));
    case!(list, "debug_assertion_on_a_path 0", debug_assertion_on_a_path(0, &3));
    case!(list, "debug_assertion_on_a_path 1", debug_assertion_on_a_path(1, &3));
    case!(list, "debug_assertion_on_a_path 2", debug_assertion_on_a_path(2, &3));
    case!(list, "failed_by_a_debug_assertion", failed_by_a_debug_assertion(3));
    case!(list, "failed_by_a_debug_comparison", failed_by_a_debug_comparison(3));
    case!(list, "branch_on_the_build", branch_on_the_build(D("d")));
    case!(list, "condition_of_an_assertion", condition_of_an_assertion());
    case!(list, "taken_by_macros", taken_by_macros());
    case!(list, "items_of_that_name", items_of_that_name());
    case!(list, "brought_by_use", brought_by_use(D("held"), D("other"), true));
    case!(list, "named_in_a_macro_first", named_in_a_macro_first(D("held")));
    list
}
