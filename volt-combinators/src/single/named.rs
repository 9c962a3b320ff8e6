//! Core's own futures, found by the names of their functions.

use crate::combinator::own_name;

pub use core::future::{Pending, Ready, pending, ready};

own_name! {
    /// The future of [`ready`](fn@ready), under the function's own name: what a state machine waits for
    /// in `ready::<T>(value).await`.
    pub type ready<T> = Ready<T>;
}

own_name! {
    /// The future of [`pending`](fn@pending), under the function's own name.
    pub type pending<T> = Pending<T>;
}
