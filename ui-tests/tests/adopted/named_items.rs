//! Functions with the name of an item of their body, and functions named by a number.
#![allow(non_upper_case_globals, non_camel_case_types, reason = "the subject")]

use std::future::{Ready, ready};

use crate::run;

#[volt::state_machine]
async fn dial() -> u32 {
    const dial: fn(u32) -> Ready<u32> = ready;
    dial(1).await
}

#[volt::state_machine(native)]
async fn redial() -> u32 {
    static redial: fn(u32) -> Ready<u32> = ready;
    redial(2).await
}

#[volt::state_machine]
async fn hold() -> u32 {
    struct hold(u32);
    impl IntoFuture for hold {
        type Output = u32;
        type IntoFuture = Ready<u32>;
        fn into_future(self) -> Ready<u32> {
            ready(self.0)
        }
    }
    hold(3).await
}

#[test]
fn awaited_item_of_the_name_is_no_recursion() {
    assert_eq!(run(dial()), 1);
    assert_eq!(run(redial()), 2);
    assert_eq!(run(hold()), 3);
}

#[volt::state_machine]
async fn _1() -> u32 {
    ready(1).await
}

#[volt::state_machine]
async fn __2_3() -> u32 {
    ready(23).await
}

#[test]
fn function_named_by_a_number_has_a_machine() {
    let first: Machine1 = _1();
    assert_eq!(run(first), 1);
    assert_eq!(run(__2_3()), 23);
}
