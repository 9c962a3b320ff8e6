//! The set of children that were woken.
//!
//! Each child has one bit. A wake is one transition of the word of the child's group. The first
//! wake after the owner's last pass wakes the parent; later wakes only set a bit. The owner takes
//! whole words and polls only the children whose bits are set.
//!
//! - `word`: the transitions, as pure functions;
//! - `parent_waker`: the parent's waker, which may be called while the owner replaces it;
//! - `block`: the memory that wakers point into;
//! - `transitions`: the transitions as atomic operations, and the protocol;
//! - `heap`, `static_set`: the memory of a block, and a table of all allocated blocks;
//! - `memory`: the owner of a block, and when the block is freed;
//! - `waker`: the wakers of children;
//! - `chain`, `set`, `solo`: the owner's end, for several groups and for one;
//! - `first_pass`: the wakers of the first pass, which allocate the set on demand.
//!
//! `unsafe` is used in `parent_waker`, `block`, `memory`, `heap` and `waker`; the other files are
//! safe code. `tests/models` has the loom models: a wake against the owner's pass, against a
//! replaced parent waker, against the end of the set, and the drop of the last waker.

mod word;
mod parent_waker;
mod block;
mod transitions;
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
mod first_pass;

#[cfg(all(test, feature = "alloc"))]
mod tests;

#[cfg(feature = "alloc")]
pub(crate) use self::first_pass::FirstPass;
#[cfg(all(feature = "std", target_pointer_width = "64", not(loom)))]
pub use self::heap::{WakeSetInfo, for_each_wake_set, parent_of_child_waker};
pub(crate) use self::set::{Pass, WakeSet};
pub(crate) use self::solo::SoloPass;
#[cfg(not(loom))]
pub use self::static_set::StaticWakeSet;
#[cfg(feature = "alloc")]
pub(crate) use self::waker::BorrowedWaker;
pub(crate) use self::word::CHILDREN;
