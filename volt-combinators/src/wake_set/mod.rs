//! The set of children that were woken.
//!
//! Each child has one bit. A wake is one transition of the word of the child's group. The first wake
//! since the owner last looked wakes the parent; the others do nothing more. The owner takes whole words
//! and polls only the children whose bits are set.
//!
//! - `word`: the transitions, as pure functions;
//! - `parents`: the parent's waker, which is called while the owner may replace it;
//! - `block`: the memory that wakers point into;
//! - `waking`: the transitions as atomic operations, and the protocol;
//! - `heap`, `static_set`: where a block lies;
//! - `memory`: who owns a block, and how it ends;
//! - `waker`: the wakers of children;
//! - `chain`, `set`, `solo`: the owner's end, for several groups and for one;
//! - `opening`: what stands for a set until a child asks for a waker.
//!
//! `unsafe` stands in `parents`, `block`, `memory`, `heap` and `waker`; the others are safe code.
//! `wake_models` has the loom models: of wakes against the owner's look, against another waker of the
//! parent, against the end of the set, and of last wakers that go.

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
mod static_set;
#[cfg(feature = "alloc")]
mod opening;

#[cfg(all(test, loom, feature = "alloc"))]
mod wake_models;
#[cfg(all(test, not(loom), feature = "alloc"))]
mod wake_set_tests;

#[cfg(feature = "alloc")]
pub(crate) use self::opening::Opening;
pub(crate) use self::set::{Pass, WakeSet};
pub(crate) use self::solo::SoloPass;
#[cfg(not(loom))]
pub use self::static_set::StaticWakeSet;
#[cfg(feature = "alloc")]
pub(crate) use self::waker::Lent;
pub(crate) use self::word::CHILDREN;
