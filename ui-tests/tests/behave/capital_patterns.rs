//! Cases of names with a capital in patterns that need not match: locals, constants and variants.

#![allow(
    non_snake_case,
    unreachable_patterns,
    reason = "locals have the names of constants"
)]

use super::log::*;

const MAX: u32 = 3;

doubted! {
    async fn capital_local_after_an_await(given: Option<D>) -> u32 {
        if let Some(X) = given {
            tick("one").await;
            look(&X);
            tick("two").await;
        }
        note("end");
        1
    }
}

doubted! {
    async fn capital_local_of_each_arm(given: Result<u32, u32>) -> u32 {
        match given {
            Ok(X) if X > 3 => {
                tick("large").await;
                X
            }
            Ok(X) | Err(X) => {
                tick("small").await;
                (|| X + 1)()
            }
        }
    }
}

doubted! {
    async fn capital_local_after_else(given: Option<u32>) -> String {
        let Some(X) = given else {
            return String::new();
        };
        tick("one").await;
        format!("{X}")
    }
}

doubted! {
    async fn capital_local_of_a_loop(first: Option<u32>) -> u32 {
        let mut given = first;
        while let Some(X) = given {
            tick("one").await;
            given = if X > 2 { None } else { Some(X + 1) };
        }
        2
    }
}

subject! {
    async fn unused_capital_local(given: Option<D>) -> u32 {
        if let Some(X) = given {
            tick("one").await;
            note("in");
        }
        note("after");
        tick("two").await;
        1
    }
}

subject! {
    async fn unused_capital_local_of_a_call() -> u32 {
        match Some((D("call"), 1)) {
            Some((X, 1)) => tick("one").await,
            _ => note("other"),
        }
        tick("two").await;
        1
    }
}

subject! {
    async fn unused_capital_local_after_else(given: Option<D>) -> u32 {
        let Some(X) = given else { return 0 };
        tick("one").await;
        note("end");
        1
    }
}

subject! {
    async fn constant_of_an_awaited_value(n: u32) -> u32 {
        match step("zero", 0, n).await {
            MAX => tick("max").await,
            _ => tick("other").await,
        }
        match step("one", 1, Some(n)).await {
            Some(MAX) => tick("some").await,
            _ => tick("none").await,
        }
        1
    }
}

use std::task::Poll::{self, Pending, Ready};

subject! {
    async fn variant_with_a_parameter(given: Poll<D>, other: &Option<Poll<u32>>) -> u32 {
        if let Some(Pending) = other {
            tick("pending").await;
        }
        match given {
            Pending => {
                tick("one").await;
                1
            }
            Ready(value) => {
                tick("two").await;
                look(&value);
                2
            }
        }
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(
        list,
        "capital_local_after_an_await",
        capital_local_after_an_await(Some(D("x")))
    );
    case!(list, "of_each_arm ok", capital_local_of_each_arm(Ok(4)));
    case!(list, "of_each_arm err", capital_local_of_each_arm(Err(4)));
    case!(
        list,
        "capital_after_else",
        capital_local_after_else(Some(4))
    );
    case!(list, "capital_of_a_loop", capital_local_of_a_loop(Some(1)));
    case!(list, "unused_capital", unused_capital_local(Some(D("x"))));
    case!(list, "unused_of_a_call", unused_capital_local_of_a_call());
    case!(
        list,
        "unused_after_else",
        unused_capital_local_after_else(Some(D("x")))
    );
    case!(list, "constant_of_3", constant_of_an_awaited_value(3));
    case!(list, "constant_of_4", constant_of_an_awaited_value(4));
    case!(
        list,
        "variant_with_a_parameter pending",
        variant_with_a_parameter(Pending, &Some(Pending))
    );
    case!(
        list,
        "variant_with_a_parameter ready",
        variant_with_a_parameter(Ready(D("value")), &Some(Ready(1)))
    );
    list
}
