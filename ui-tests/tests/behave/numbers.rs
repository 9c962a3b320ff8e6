//! Numbers that were read from what may have been borrowed: it is not kept for them.
//!
//! `subject!` decides what the cases become.

use super::log::*;

fn page(n: u8) -> [u8; 64] {
    note("page");
    [n; 64]
}

fn number(n: u32) -> u32 {
    note("number");
    n
}

subject! {
    async fn element_in_a_branch(yes: bool) -> u32 {
        let page = page(7);
        let n = if yes { page[3] } else { 0 };
        tick("one").await;
        tick("two").await;
        u32::from(n)
    }
}

subject! {
    async fn method_of_a_number(a: D) -> u32 {
        let n = number(3);
        let k = number(4);
        let m = n.wrapping_add(1);
        let o = k.wrapping_add(m);
        tick("one").await;
        tick("two").await;
        look(&a);
        m + o
    }
}

subject! {
    async fn method_of_a_number_that_is_given(a: D) -> u32 {
        let n = number(3);
        let m = n.wrapping_mul(2);
        step("one", 1, m).await
    }
}

subject! {
    async fn element_that_is_given(a: D) -> u8 {
        let page = page(7);
        let first = page[0];
        let given = step("one", 1, first ^ 1).await;
        let last = page[63];
        tick("two").await;
        given + last
    }
}

subject! {
    async fn number_and_reference(a: D) -> usize {
        let bytes = page(2);
        let n = bytes.len();
        let some = bytes.get(3);
        tick("one").await;
        let m = some.map_or(0, |it| usize::from(*it));
        tick("two").await;
        n + m
    }
}

subject! {
    async fn assigned_anew(a: D) -> usize {
        let mut bytes = page(2);
        let n = bytes.iter().count();
        tick("one").await;
        bytes = page(3);
        tick("two").await;
        n + usize::from(bytes[1])
    }
}

subject! {
    async fn reference_that_is_found_later(a: D) -> usize {
        let (one, other) = (page(1), page(2));
        let mut found = one.first();
        let n = other.len();
        tick("one").await;
        found = other.last();
        tick("two").await;
        n + found.map_or(0, |it| usize::from(*it))
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "element_in_a_branch yes", element_in_a_branch(true));
    case!(list, "element_in_a_branch no", element_in_a_branch(false));
    case!(list, "method_of_a_number", method_of_a_number(D("a")));
    case!(list, "method_of_a_number_that_is_given", method_of_a_number_that_is_given(D("a")));
    case!(list, "element_that_is_given", element_that_is_given(D("a")));
    case!(list, "number_and_reference", number_and_reference(D("a")));
    case!(list, "assigned_anew", assigned_anew(D("a")));
    case!(list, "reference_that_is_found_later", reference_that_is_found_later(D("a")));
    list
}
