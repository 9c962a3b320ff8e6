//! Groups: children on a runtime, owned together.
//!
//! The problem: a task that is spawned and forgotten outlives whoever wanted it, and takes its
//! errors along. A group owns its children: it knows when the last one is gone, destructor and all,
//! it can ask them all to stop, and no result is lost.
//!
//! The idea: everything a group needs lies in a wrapper around each child, [`Child`]. It checks for
//! cancellation, catches panics, and reports when the child is over, or when the runtime drops it
//! unfinished. A runtime offers nothing but [`Spawn`], so any will do.
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
//! 1. The ledger counts the child as live before the runtime hears of it.
//! 2. With a limit, not before one of the running children is over.
//! 3. The future is done, has panicked, or was cancelled. It is dropped first, then reported.
//! 4. The runtime refused the child, was shut down, or dropped it: the same as cancelled.
//!
//! # Invariants
//!
//! - I1: A child is reported exactly once: the report takes its ticket.
//! - I2: Its future is dropped before that, so that no live children means no destructors to come.
//! - I3: No waker is called and no value of the user's is dropped under the ledger's lock. If one of
//!   these panics, all others are called and dropped before the panic goes on.
//!
//! `group_models` tries every interleaving of children that end, begin to wait, are cancelled or get their
//! permits while the group waits or goes.

mod id;
mod error;
mod member;
mod policy;
mod deferred;
mod books;
mod ledger;
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
