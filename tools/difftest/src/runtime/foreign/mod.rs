//! Code as of other crates: futures, macros and traits that the attribute does not see.

mod borrowing;
mod boxed_futures;
mod consuming;

pub mod collisions;

pub use borrowing::{
    BorrowingFuture, First, ForeignGuard, ForeignOwner, Request, Visit, beside, both, boxed,
    foreign_owner, lend, of, ready, seen,
};
pub use boxed_futures::{All, all, erased, heap, last_name};
