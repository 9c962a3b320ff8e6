//! Tasks: futures that a scheduler runs.
//!
//! [`volt::spawn`](crate::spawn) makes a task of a future, and gives its [`JoinHandle`]:
//!
//! | you want to | use |
//! | --- | --- |
//! | wait for a task's output, or cancel it | [`JoinHandle`]; [`JoinError`] tells why there is no output |
//! | cancel it from elsewhere | [`AbortHandle`], [`CancelOnDrop`] |
//! | protect a part of it from being cancelled | [`shield`](fn@shield), [`shielded()`] |
//! | let others run, or not be made to | [`yield_now()`], [`consume_budget()`], [`unconstrained()`] |
//! | keep a value for each task | [`scope`](fn@scope), [`LocalKey`] |
//! | know which task this is, and what others do | [`id`](fn@id), [`TaskInfo`], [`inspected()`] |
//!
//! The rest of this page is for readers of the code: how a task works inside.
//!
//! # How a task lives
//!
//! A task is one allocation: a header that is the same for all, the scheduler's handle, what is
//! known of the spawn, and a stage that holds the future, then its output. Everything that
//! happens to it is a step of one atomic word, and each step leaves exactly one party with the
//! right, or the duty, to do the next thing.
//!
//! ```text
//!                      (1) new_task
//!                           |
//!                           v           (3) wake, cancel,
//!        (6) woken    +-----------+         last remove_shield    +------+
//!      +------------->| SCHEDULED |<-------------------------| IDLE |
//!      |              +-----------+                          +------+
//!      |                    |                                  ^  |
//!      |        (2) popped, | or claimed                       |  | (7) claimed
//!      |                    v                                  |  v
//!      |              +-----------+    (4) Pending, or         |  |
//!      +--------------|  RUNNING  |----given back--------------+  |
//!                     |           |<------------------------------+
//!                     +-----------+
//!                           |
//!                           | (5) Ready, panicked, stopped
//!                           v
//!                     +-----------+   (8) result read or dropped,
//!                     | COMPLETE  |------last reference gone------> freed
//!                     +-----------+
//! ```
//!
//! 1. `new_task`: the caller queues the [`Runnable`], and has the [`JoinHandle`].
//! 2. [`Runnable::run`] pops an entry; a join that blocks and the inspector claim a task whose
//!    entry stays behind. One that is to stop is not polled: its future is dropped.
//! 3. A [`Waker`](std::task::Waker), [`JoinHandle::cancel`], or a [`Shield`] that was the last:
//!    calls `Schedule::schedule`. On a task that is SCHEDULED or RUNNING, a wake sets
//!    `notified`, always by writing; it is never refused, cancelled or not.
//! 4. The runner, when the future waits and nobody has woken it; the inspector, when it is done.
//! 5. The runner: the future is dropped first, then the result stands in the stage, then
//!    `Schedule::release` is called, then the handle hears of it. Without a handle the output
//!    is dropped here.
//! 6. The runner, in the same step that (4) would be: it keeps its reference, and gets
//!    [`RunOutcome::Woken`] to queue.
//! 7. The inspector, and shutdown.
//! 8. The handle reads or drops the result; whoever gives the last reference back frees.
//!
//! # Who has references
//!
//! | holder | takes one | gives it back |
//! | --- | --- | --- |
//! | the task's life | spawn | the step to COMPLETE, or just after it where a joiner must be woken |
//! | [`JoinHandle`] | spawn | drop, or when it gives the result |
//! | each waker | clone | drop; wake by value, in the same step unless it queues |
//! | each [`Shield`] | [`shield`](fn@shield) | drop |
//! | [`AbortHandle`], `TaskRef` | they cannot wake: counted as non-waking too | drop |
//! | a future that stays on a thread and was abandoned there (`owner_thread`) | the step to COMPLETE on another one | never |
//! | stale queue entry | the claim to run that leaves it behind; a non-waking reference too | its pop |
//! | the waker of a poll | no: it borrows the life | |
//! | `Registry` | no: the task leaves before its life ends | |
//!
//! The life reference is carried by the queue entry while the task is SCHEDULED, by the runner
//! while it is RUNNING, and by nobody in particular while it is IDLE: the step that takes the
//! task from there hands it over. Who only looks at a SCHEDULED task shares it with the entry: if
//! that is not popped meanwhile, it is as good as before. Entries are interchangeable: if a task is queued again while
//! a stale entry is about, the first to be popped runs it, and the other one is the stale one.
//!
//! So one look at the word tells how many wakers there are: all references without life, handle,
//! shields and non-waking references. A task that waits with none is an *orphan*: nothing but a
//! cancel will ever run it. That is found by the step that makes it so, the end of a poll or of a
//! look, or the drop of the last waker, and reported to the scheduler once, by
//! `Schedule::orphaned`.
//!
//! # Who may touch what
//!
//! - **I1** Whoever holds a reference may read the header; the task is not freed before the
//!   last one is given back.
//! - **I2** While RUNNING, the task belongs to the thread whose step made it so, until that
//!   thread's own step ends it.
//! - **I3** The stage holds the future until the task completes and is the owner's of I2. From
//!   COMPLETE on it is the handle's; if there was none at that step, the completer's.
//! - **I4** The join waker's slot is the handle's while the `join_waker` bit is clear, and from
//!   COMPLETE on the completer's if it is set. In between nobody writes: to change the waker,
//!   the handle first clears the bit, which fails once the task is complete.
//! - **I5** When the last reference is given back, the stage and the slot are empty: the life
//!   ends after the future, and the handle's end takes the result and the waker along.
//! - **I6** The allocation does not move, and the future in it is dropped in place, or abandoned
//!   there with its allocation.
//! - **I7** A task is in the registry only while its life reference is there: it is entered by
//!   its spawner, and taken out by `Schedule::release`, not while it is pinned by a reader.
//!
//! # What it costs
//!
//! Steps of the word (locked instructions), without those of queue and registry:
//!
//! | path | steps |
//! | --- | --- |
//! | spawn | 0 |
//! | pop, poll, waits | 2 |
//! | pop, poll, woken meanwhile, queued again | 2, and 1 for the wake |
//! | pop, poll, completes; handle waits or comes later | 2; 3 if its waker is there |
//! | pop, poll, completes, detached with no waker left | 1 |
//! | handle takes a result | 0 if it is the last holder, else 1 |
//! | handle polled before that | 1 the first time, 0 with the same waker again |
//! | handle dropped before the end | 1 |
//! | wake by reference | 1 |
//! | wake by value | 2 if it queues the task, else 1 |
//! | waker cloned, dropped | 1 each |
//! | shield and its end | 1 each |
//!
//! # Ordering
//!
//! | what | ordering | so that |
//! | --- | --- | --- |
//! | every step that changes the word | AcqRel | the next owner sees what the last one did |
//! | a wake that changes nothing | AcqRel | the poll to come sees what the waker wrote |
//! | a look at the word | Acquire | whoever sees COMPLETE sees the result; whoever sees one reference sees all that was done under the others |
//! | one more waker | Relaxed | there was one already |
//! | id, polls, since | Relaxed | written before publication, or for people only |
//!
//! # Tests
//!
//! `state_word/tests` compares each transition with a specification over all words, and tries every
//! order of operations of all holders; `tests` counts polls, drops and schedules; `models` are the
//! races under loom, each with the change that breaks it.

mod id;
mod error;
mod word;
mod reference;
mod timestamp;
mod current_task;
mod coop;
mod inspect;
mod orphan;
mod memory;
mod handle;
#[cfg(not(loom))]
mod blocking;
mod new_task;
#[cfg(not(loom))]
mod local_task;
#[cfg(not(loom))]
pub mod raw;
mod registry;
mod shield;
mod yielding;
mod locals;

#[cfg(not(loom))]
pub(crate) use self::blocking::{
    InlinePollGuard, JoinFrame, blocked_tasks, dependents_of_this_thread, inline_polled_tasks,
    is_half_of_stack_left, wake_joiners,
};
pub use self::coop::{
    ConsumeBudget, Cooperative, Unconstrained, consume_budget, cooperative, has_budget_remaining,
    unconstrained,
};
pub(crate) use self::coop::{
    consume, poll_has_budget, poll_proceed, with_full_budget, with_unlimited_budget,
};
#[cfg(not(loom))]
pub(crate) use self::coop::{poll_leaf, poll_spent};
pub(crate) use self::current_task::{forget_clock, set_clock};
pub use self::error::JoinError;
pub use self::handle::{AbortHandle, CancelOnDrop, JoinHandle};
pub(crate) use self::handle::{JoinTarget, TaskRef};
pub use self::id::TaskId;
pub(crate) use self::inspect::ErasedFuture;
pub use self::inspect::TaskInfo;
#[cfg(not(any(loom, all(test, shuttle))))]
pub use self::inspect::{Inspected, inspected};
#[cfg(not(loom))]
pub(crate) use self::local_task::new_local_task;
#[doc(hidden)]
pub use self::locals::TaskLocalStorage as __TaskLocalStorage;
pub use self::locals::{LocalKey, OutOfScope, Scope, scope};
#[cfg(feature = "tracing")]
pub(crate) use self::memory::delegate_metadata;
#[cfg(not(loom))]
pub(crate) use self::memory::{BoxedMetadata, boxed_if_large, is_large};
pub(crate) use self::memory::{Metadata, NamedMetadata, Schedule};
pub use self::new_task::id;
pub(crate) use self::new_task::new_task;
#[cfg(not(loom))]
pub(crate) use self::new_task::runtime_id_of_current;
pub use self::orphan::Orphan;
pub(crate) use self::orphan::OrphanAction;
#[cfg(not(loom))]
pub(crate) use self::reference::canceller;
pub use self::reference::{RunOutcome, Runnable};
pub(crate) use self::registry::{FreeListShard, LocalFreeList, Registry};
pub use self::shield::{Shield, Shielded, shield, shielded};
pub(crate) use self::timestamp::{coarse_timestamp, time_between};
pub use self::word::Lifecycle;
pub use self::yielding::{YieldNow, yield_now};

#[cfg(all(test, not(loom)))]
mod tests;
#[cfg(all(test, loom))]
mod models;
