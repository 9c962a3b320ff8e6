//! Cases of locals that have the names of functions, and of arguments that have none.

use super::log::*;

const LIMIT: u32 = 4;

fn guard(name: &'static str) -> D {
    note("guard");
    D(name)
}

fn total(count: u32) -> u32 {
    count + 1
}

subject! {
    async fn like_functions(count: u32) -> u32 {
        {
            let guard: D = guard("first");
            let total: u32 = total(count);
            tick("first").await;
            look(&guard);
            note(format!("{total}"));
        }
        let guard: D = guard("second");
        let mut sum: u32 = total(1);
        while sum < 4 {
            let total: u32 = total(sum);
            tick("turn").await;
            sum = total;
        }
        if let Some(total) = Some(total(9)) {
            let total: u32 = total + 1;
            tick("inner").await;
            sum += total;
        }
        sum += total(sum);
        look(&guard);
        sum
    }
}

subject! {
    async fn unnamed(_: &u32, _: &mut D, _: D) -> u32 {
        tick("unnamed").await;
        3
    }
}

subject! {
    async fn lends_to_unnamed(mut held: D) -> u32 {
        let number: u32 = 5;
        let sum: u32 = unnamed(&LIMIT, &mut held, D("moved")).await;
        sum + unnamed(&number, &mut held, D("moved too")).await
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list = Vec::new();
    case!(list, "like_functions", like_functions(7));
    case!(list, "lends_to_unnamed", lends_to_unnamed(D("held")));
    list
}
