//! Cases of locals whose names begin with a capital letter, and of macros as statements.
//!
//! `subject!` decides what they become.

#![allow(
    non_snake_case,
    non_camel_case_types,
    non_upper_case_globals,
    reason = "it is what they are about"
)]

use super::log::*;

const MAX: u32 = 3;

macro_rules! told {
    ($($event:expr),*) => {
        $(note($event);)*
    };
}

macro_rules! one {
    ($event:expr) => {
        note($event)
    };
}

macro_rules! twice {
    ($event:expr) => {{
        note($event);
        note($event);
    }};
}

macro_rules! more {
    ($number:ident) => {
        $number += 1
    };
}

subject! {
    async fn bindings(F: D) -> u8 {
        let G: D = D("g");
        let (A, b): (D, D) = (D("a"), D("b"));
        tick("one").await;
        look(&G);
        drop(A);
        tick("two").await;
        look(&b);
        1
    }
}

subject! {
    async fn late_binding() -> u8 {
        let G: D;
        tick("one").await;
        G = D("g");
        tick("two").await;
        look(&G);
        1
    }
}

subject! {
    async fn of_a_loop(list: Vec<D>) -> u8 {
        for X in list {
            tick("one").await;
            look(&X);
        }
        1
    }
}

subject! {
    async fn around_a_block() -> u8 {
        let T: D = D("t");
        {
            tick("one").await;
        }
        note("end");
        1
    }
}

subject! {
    async fn parameter_of_a_closure() -> u32 {
        let N: u32 = 3;
        let n: u32 = (move |N: u32| N + 1)(N);
        tick("one").await;
        N + n
    }
}

subject! {
    async fn constants(n: u32) -> u32 {
        const MIN: u32 = 1;
        if let MAX = n {
            tick("max").await;
        }
        match n {
            MIN => tick("min").await,
            MAX | 7 => {}
            _ => tick("other").await,
        }
        let Some(MAX) = Some(n) else {
            tick("else").await;
            return n;
        };
        0
    }
}

doubted! {
    async fn macros_among_statements() -> u32 {
        let mut n: u32 = 1;
        one!("first");
        more!(n);
        #[cfg(all())]
        one!("attribute");
        one! { "braces" }
        twice!("twice");
        {
            told!("second", "third");
        }
        tick("one").await;
        told!("fourth", "fifth");
        n
    }
}

#[derive(Debug)]
pub(crate) struct Unit;

impl Drop for Unit {
    fn drop(&mut self) {
        note("~unit");
    }
}

doubted! {
    async fn unit_struct(moved: bool) -> u8 {
        let first: Unit = Unit;
        let second: Unit = Unit;
        if moved {
            drop(second);
        } else {
            let Unit = second;
        }
        let Unit = first;
        tick("one").await;
        note("end");
        1
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Level {
    low,
    high,
}

pub(crate) mod limits {
    pub(crate) const least: u32 = 1;
}

subject! {
    async fn constants_of_the_body(n: u32) -> u32 {
        const most: u32 = 3;
        use limits::least;
        let given = step("one", 1, Some(n)).await;
        if let Some(most) = given {
            tick("most").await;
            return 1;
        }
        match n {
            least => {
                tick("least").await;
                2
            }
            _ => {
                tick("other").await;
                3
            }
        }
    }
}

subject! {
    async fn variants_of_the_body(level: Level) -> u32 {
        use Level::*;
        let other = if level == low { high } else { low };
        tick("one").await;
        match other {
            low => {
                tick("low").await;
                1
            }
            high => {
                tick("high").await;
                2
            }
        }
    }
}

use limits::least as lowest;

subject! {
    async fn constant_before_other_arms(n: u32) -> u32 {
        match n {
            lowest => {
                tick("one").await;
                1
            }
            n => n + 1,
        }
    }
}

subject! {
    async fn types_of_the_body(n: u32) -> u32 {
        use std::collections::BTreeMap as Table;
        type Shown = Box<dyn Fn(u32) -> u32>;
        let table: Table<u32, D> = if n > 1 {
            tick("table").await;
            Table::from([(n, D("entry"))])
        } else {
            Table::new()
        };
        tick("one").await;
        let shown: Shown = match step("two", 1, n).await {
            1 => Box::new(|n| n + 1),
            _ => {
                tick("three").await;
                Box::new(move |m| n + m)
            }
        };
        shown(1) + table.len() as u32
    }
}

subject! {
    async fn else_of_a_constant(n: u32) -> u32 {
        use limits::least;
        let least = n else {
            note("else");
            return 5;
        };
        tick("one").await;
        least
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "bindings", bindings(D("f")));
    case!(list, "late_binding", late_binding());
    case!(list, "of_a_loop", of_a_loop(vec![D("1"), D("2")]));
    case!(list, "around_a_block", around_a_block());
    case!(list, "parameter_of_a_closure", parameter_of_a_closure());
    case!(list, "constants 1", constants(1));
    case!(list, "constants 3", constants(3));
    case!(list, "constants 5", constants(5));
    case!(list, "macros_among_statements", macros_among_statements());
    case!(list, "unit_struct moved", unit_struct(true));
    case!(list, "unit_struct looked at", unit_struct(false));
    case!(list, "constants_of 1", constants_of_the_body(1));
    case!(list, "constants_of 2", constants_of_the_body(2));
    case!(list, "constants_of 3", constants_of_the_body(3));
    case!(list, "variants_of low", variants_of_the_body(Level::low));
    case!(list, "variants_of high", variants_of_the_body(Level::high));
    case!(list, "constant_before 1", constant_before_other_arms(1));
    case!(list, "constant_before 2", constant_before_other_arms(2));
    case!(list, "types_of 1", types_of_the_body(1));
    case!(list, "types_of 2", types_of_the_body(2));
    case!(list, "else_of 1", else_of_a_constant(1));
    case!(list, "else_of 2", else_of_a_constant(2));
    list
}
