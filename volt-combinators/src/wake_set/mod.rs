//! The set of children that were woken.
//!
//! One bit a child. A wake is one transition of the word of the child's group; the first wake since
//! the owner last looked wakes the parent, the others do nothing more. The owner takes whole words
//! and polls only who stands in them.
//!
//! `word` is pure: the transitions. `parents` keeps the parent's waker, `block` is what children's
//! wakers point into, `waking` what happens there, `heap` where it comes from, `memory` who owns it and
//! how it ends, `standing` one in a static. `waker` makes the wakers. `set` is the owner's end, with `chain`
//! for the groups that were woken, and `opening` what stands for a set until one is needed.
//!
//! `unsafe` stands in `parents`, `block`, `memory`, `heap` and `waker`; the others are safe code.
//!
//! The models of `wake against drain`, `registration against wake` and `dropped set against late
//! wake` stand in `models`.

mod word;
mod parents;
mod block;
mod waking;
#[cfg(feature = "alloc")]
mod heap;
mod memory;
mod waker;
mod chain;
mod set;
mod solo;
#[cfg(not(loom))]
mod standing;
#[cfg(feature = "alloc")]
mod opening;

#[cfg(all(test, loom, feature = "alloc"))]
mod models;
#[cfg(all(test, not(loom), feature = "alloc"))]
mod tests;

#[cfg(feature = "alloc")]
pub(crate) use self::opening::Opening;
pub(crate) use self::set::{Pass, WakeSet};
pub(crate) use self::solo::SoloPass;
#[cfg(not(loom))]
pub use self::standing::StaticWakeSet;
#[cfg(feature = "alloc")]
pub(crate) use self::waker::Lent;
pub(crate) use self::word::CHILDREN;
