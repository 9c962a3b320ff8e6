//! Cases of a `let _` that keeps a value alive.
//!
//! `subject!` decides what they become.

use super::log::*;

fn seen(d: &D) -> usize {
    note("seen");
    d.0.len()
}

subject! {
    async fn kept_without_a_name(a: D) -> usize {
        let _ = &D("kept");
        seen(&D("tail"))
    }
}

subject! {
    async fn kept_behind_an_await(a: D) -> usize {
        tick("one").await;
        let _ = &D("kept");
        seen(&D("tail"))
    }
}

subject! {
    async fn kept_in_a_block(a: D) -> usize {
        let n = {
            tick("one").await;
            let _ = &D("kept");
            seen(&D("tail"))
        };
        tick("two").await;
        n
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "kept_without", kept_without_a_name(D("a")));
    case!(list, "kept_behind", kept_behind_an_await(D("a")));
    case!(list, "kept_in", kept_in_a_block(D("a")));
    list
}
