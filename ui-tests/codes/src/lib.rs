//! Items with names that a function of another crate may give to its locals.
#![allow(
    non_upper_case_globals,
    non_camel_case_types,
    reason = "the names of locals"
)]

use std::future::Future;

/// A number.
pub const limit: u32 = 3;

/// A text.
pub const scheme: &str = "https";

/// A constant whose type has a destructor.
pub const missing: Option<String> = None;

/// A unit struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ready;

/// A function, whose name a local may have.
#[must_use]
pub fn count() -> u32 {
    2
}

/// A function with the name of a combinator of `volt::future`.
pub async fn settle_all<F: Future>(futures: Vec<F>) -> Vec<F::Output> {
    let mut outputs = Vec::new();
    let futures: Vec<_> = futures.into_iter().map(Box::pin).collect();
    for future in futures {
        outputs.push(future.await);
    }
    outputs
}
