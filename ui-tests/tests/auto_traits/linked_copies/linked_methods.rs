//! Functions that await each other through a method of an own trait, or through a macro that takes
//! the name of a function.

use std::future::Future;
use std::pin::Pin;

use super::super::{Ask, AskSync, NotSend as _, NotSync as _, local_number};

macro_rules! heaped_function {
    ($function:ident, $($argument:expr),*) => {
        Box::pin($function($($argument),*)).await
    };
}

trait IntoHeap: Future + Sized {
    fn into_heap(self) -> Pin<Box<Self>> {
        Box::pin(self)
    }
}

impl<F: Future> IntoHeap for F {}

versions! { {}
    #[state_machine]
    pub(in super::super) async fn method_left(n: u32) -> u32 {
        if n == 0 { 0 } else { method_right(n - 1).into_heap().await + 1 }
    }

    #[state_machine]
    pub(in super::super) async fn method_right(n: u32) -> u32 {
        if n == 0 { 0 } else { method_left(n - 1).into_heap().await + 2 }
    }

    #[state_machine]
    pub(in super::super) async fn method_beside_rc(n: u32) -> u32 {
        let number = local_number(n);
        if n > 0 {
            to_method_beside_rc(n - 1).into_heap().await;
        }
        *number.0
    }

    #[state_machine]
    pub(in super::super) async fn to_method_beside_rc(n: u32) -> u32 {
        method_beside_rc(n).into_heap().await
    }

    #[state_machine]
    pub(in super::super) async fn named_left(n: u32) -> u32 {
        if n == 0 { 0 } else { heaped_function!(named_right, n - 1) + 1 }
    }

    #[state_machine]
    pub(in super::super) async fn named_right(n: u32) -> u32 {
        if n == 0 { 0 } else { heaped_function!(named_left, n - 1) + 2 }
    }

    #[state_machine]
    pub(in super::super) async fn named_beside_rc(n: u32) -> u32 {
        let number = local_number(n);
        if n > 0 {
            heaped_function!(to_named_beside_rc, n - 1);
        }
        *number.0
    }

    #[state_machine]
    pub(in super::super) async fn to_named_beside_rc(n: u32) -> u32 {
        heaped_function!(named_beside_rc, n)
    }
}

#[test]
fn own_methods_in_a_cycle_are_as_plain() {
    assert_versions! { [] {
        method_left(4) => ((true, true), 6);
        method_right(3) => ((true, true), 5);
        method_beside_rc(2) => ((false, false), 2);
        to_method_beside_rc(2) => ((false, false), 2);
        named_left(4) => ((true, true), 6);
        named_right(3) => ((true, true), 5);
        named_beside_rc(2) => ((false, false), 2);
        to_named_beside_rc(2) => ((false, false), 2);
    } }
}
