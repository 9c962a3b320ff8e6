//! Core's own futures, found by the names of their functions.

pub use core::future::{Pending, Ready, pending, ready};

/// The future of [`ready`](fn@ready), under the function's own name: what a state machine waits for
/// in `ready::<T>(value).await`.
#[allow(
    non_camel_case_types,
    reason = "the type stands under the name of its function"
)]
pub type ready<T> = Ready<T>;

/// The future of [`pending`](fn@pending), under the function's own name.
#[allow(
    non_camel_case_types,
    reason = "the type stands under the name of its function"
)]
pub type pending<T> = Pending<T>;
