//! Groups: children on a runtime, owned together.
//!
//! The problem: a task that is spawned and forgotten outlives its spawner, and its errors are lost.
//! A group owns its children: it knows when the last one has been dropped, it can cancel them all,
//! and it loses no result.
//!
//! The idea: a wrapper around each child, [`Child`], has all that a group needs. It checks for
//! cancellation, catches panics, and reports when the child has completed, or when the runtime
//! drops it. A runtime only implements [`Spawn`].
//!
//! # Lifecycle of a child
//!
//! ```text
//!  Group::spawn (1)          first poll (2)           Child::end (3)
//!  ───────────────► Waiting ───────────────► Started ───────────────► Over: reported once
//!                      │                        │                       ▲
//!                      └────────────────────────┴── Child dropped (4) ──┘
//! ```
//!
//! 1. The group state counts the child as live before the runtime receives it.
//! 2. With a limit, not before one of the running children has completed.
//! 3. The future has completed, has panicked, or was cancelled. It is dropped first, then reported.
//! 4. The runtime refused the child, was shut down, or dropped it: the child counts as cancelled.
//!
//! # Invariants
//!
//! - I1: A child is reported exactly once: the report consumes its `ChildHandle`.
//! - I2: Its future is dropped before the report, so that without live children no destructor is
//!   still to run.
//! - I3: No waker is called and no value of the user is dropped under the lock of the group state.
//!   If one of these panics, all others are called and dropped before the panic is resumed.
//!
//! `group_models` explores every interleaving of children that end, begin to wait, are cancelled or
//! receive a permit while the group waits or is dropped.

mod id;
mod error;
mod member;
mod policy;
mod deferred;
mod inner;
mod state;
mod child;
mod spawn;
mod wait;
#[expect(
    clippy::module_inception,
    reason = "the folder is named for its one public type"
)]
mod group;

#[cfg(all(test, loom))]
mod group_models;

pub use self::child::Child;
pub use self::error::{GroupError, Panic, TaskError};
pub use self::group::{Group, GroupHandle};
pub use self::id::ChildId;
pub use self::policy::Policy;
pub use self::spawn::Spawn;
pub use self::wait::{JoinAll, NextChild, Wait};
