//! The set of children that were woken.
//!
//! One bit a child. A wake is a `fetch_or` on the word of the child's group; the first wake since
//! the owner last looked wakes the parent, the others do nothing more. The owner takes whole words
//! and polls only who stands in them.
//!
//! `agenda` is the owner's private list, pure and safe; `shared` is the allocation that children's
//! wakers point into, with the wakers themselves. This crate's unsafe code is there, in
//! `waker_cell` and in `slots`.
//!
//! The models of `wake against drain`, `registration against wake` and `dropped set against late
//! wake` stand in `models.rs`.

mod bits;
mod agenda;
mod shared;
mod set;

#[cfg(all(test, loom))]
mod models;
#[cfg(all(test, not(loom)))]
mod tests;

pub(crate) use self::set::WakeSet;
