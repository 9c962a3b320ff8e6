//! The allocation of a task, and the code that knows the types in it.
//!
//! [`Cell`](cell::Cell) is the allocation. `harness` has the functions of the vtable, which recover
//! the types behind an erased pointer, and `running` the steps of the thread that polls the task.

mod owner_thread;
mod schedule;
#[cfg(not(loom))]
mod large_future;
mod cell;
mod running;
mod harness;

#[cfg(all(test, not(loom)))]
pub(in crate::task) use self::cell::Cell;
pub(in crate::task) use self::harness::allocate;
#[cfg(not(loom))]
pub(crate) use self::large_future::{BoxedMetadata, boxed_if_large, is_large};
#[cfg(not(loom))]
pub(in crate::task) use self::owner_thread::OwnerThread;
#[cfg(not(any(loom, all(test, shuttle))))]
pub(in crate::task) use self::schedule::MetadataLayout;
#[cfg(any(feature = "tracing", not(loom)))]
pub(crate) use self::schedule::delegate_metadata;
pub(crate) use self::schedule::{Metadata, NamedMetadata, Schedule};
