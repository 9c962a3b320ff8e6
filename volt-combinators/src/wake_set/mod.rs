//! The set of children that were woken.
//!
//! One bit a child. A wake is one transition of the word of the child's group; the first wake since
//! the owner last looked wakes the parent, the others do nothing more. The owner takes whole words
//! and polls only who stands in them.
//!
//! `word` is pure: the transitions. `parents` keeps the parent's
//! waker, `block` is the memory that children's wakers point into,
//! `waking` the wakers,
//! `closing` the end, `set` the owner's end, `opening` what stands for a set until one is needed.
//!
//! The models of `wake against drain`, `registration against wake` and `dropped set against late
//! wake` stand in `models`.

mod word;
mod parents;
mod block;
mod closing;
mod waking;
mod chain;
mod set;
mod opening;

#[cfg(all(test, loom))]
mod models;
#[cfg(all(test, not(loom)))]
mod tests;

pub(crate) use self::opening::Opening;
pub(crate) use self::set::{Pass, WakeSet};
pub(crate) use self::word::CHILDREN;
