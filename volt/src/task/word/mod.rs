//! The life of a task: its state word, the references to it, and the invariants of its memory.
//!
//! [`Snapshot`] is one value of the state word. [`StateWord`] is the word; its methods are the
//! transitions. Their results, such as [`Suspend`], name the duties of the caller.
//!
//! # Life cycle
//!
//! A task is one allocation: a header that all tasks have in common, the handle of the scheduler,
//! the metadata of the spawn, and a stage that contains the future and later its output. Each event
//! in the life of a task is a step of one atomic word. After each step exactly one party has the
//! right or the duty to do the next thing.
//!
//! ```text
//!                      (1) new_task
//!                           |
//!                           v           (3) wake, cancel,
//!        (6) woken    +-----------+         last shield ends +------+
//!      +------------->| SCHEDULED |<-------------------------| IDLE |
//!      |              +-----------+                          +------+
//!      |                    |                                  ^  |
//!      |        (2) popped, | or claimed                       |  | (7) claimed
//!      |                    v                                  |  v
//!      |              +-----------+    (4) Pending, or         |  |
//!      +--------------|  RUNNING  |----claim released----------+  |
//!                     |           |<------------------------------+
//!                     +-----------+
//!                           |
//!                           | (5) Ready, panicked, stopped
//!                           v
//!                     +-----------+   (8) result taken or dropped,
//!                     | COMPLETE  |------last reference dropped---> freed
//!                     +-----------+
//! ```
//!
//! 1. `new_task`: the caller queues the [`Runnable`], and owns the [`JoinHandle`].
//! 2. [`Runnable::run`] pops an entry. A blocking join or the inspector claims a task whose entry
//!    stays in the queue. The future of a task that must stop is dropped instead of polled.
//! 3. A [`Waker`](std::task::Waker), [`JoinHandle::cancel`] or the end of the last [`Shield`] calls
//!    `Schedule::schedule`. If the task is SCHEDULED or RUNNING, a wake sets `notified`. A wake
//!    always writes the word, and is never refused, even if the task is cancelled.
//! 4. The runner takes this step if the future is pending and no wake arrived. The inspector takes
//!    it when it releases its claim.
//! 5. The runner drops the future and stores the result in the stage. Then it calls
//!    `Schedule::release`, and notifies the handle. The output of a task without a handle is
//!    dropped here.
//! 6. The runner takes this step instead of (4) if a wake arrived. It keeps its reference, and gets
//!    [`RunOutcome::Woken`] to queue.
//! 7. The inspector and the shutdown of the scheduler take this step.
//! 8. The handle takes or drops the result. The holder of the last reference frees the task.
//!
//! # References
//!
//! | holder | acquires one | drops it |
//! | --- | --- | --- |
//! | the task itself (life reference) | at its spawn | at the step to COMPLETE, or just after it if a joiner must be woken |
//! | [`JoinHandle`] | at the spawn | with the handle, or when it returns the result |
//! | each waker | by a clone | by a drop; by a wake by value in the same step, unless the wake queues the task |
//! | each [`Shield`] | at its creation | with the shield |
//! | [`AbortHandle`], `TaskRef` | at their creation; counted as non-waking too | with them |
//! | a thread-bound future that was abandoned (`owner_thread`) | at the step to COMPLETE on another thread | never |
//! | a stale queue entry | by the claim that makes it stale; counted as non-waking too | when it is popped |
//! | the waker of a poll | none: it borrows the life reference | |
//! | `Registry` | none: the task leaves it before the life reference is dropped | |
//!
//! The queue entry carries the life reference while the task is SCHEDULED, and the runner while it
//! is RUNNING. While the task is IDLE no thread has it; the step that ends IDLE passes it on. An
//! inspector that claims a SCHEDULED task shares it with the entry. If the entry is not popped
//! meanwhile, it is valid again when the claim ends. Entries are interchangeable: if a task is
//! queued again while a stale entry exists, the first popped entry runs the task, and the other one
//! is stale.
//!
//! One read of the word therefore shows the number of wakers: all references except for the life
//! reference, the handle, the shields and the non-waking references. A task that waits without a
//! waker is an *orphan*: only a cancellation can run it. The step that leaves the last waker
//! detects it: the end of a poll or a claim, or the drop of a waker. That thread reports it to the
//! scheduler once, by `Schedule::orphaned`.
//!
//! # Invariants
//!
//! - **I1** The holder of a reference may read the header. The task is not freed before the last
//!   reference is dropped.
//! - **I2** A RUNNING task belongs to the thread whose step made it RUNNING, until that thread's
//!   own step ends it.
//! - **I3** The stage contains the future until the task completes, and belongs to the owner of I2.
//!   From COMPLETE on it belongs to the handle. Without a handle at that step, it belongs to the
//!   thread that completes the task.
//! - **I4** The slot of the join waker belongs to the handle while the `join_waker` bit is clear.
//!   From COMPLETE on it belongs to the completing thread if the bit is set. Otherwise no thread
//!   writes it: to change the waker, the handle first clears the bit, which fails once the task is
//!   complete.
//! - **I5** When the last reference is dropped, the stage and the slot are empty. The life
//!   reference ends after the future, and the end of the handle takes the result and the waker.
//! - **I6** The allocation does not move. The future in it is dropped in place, or abandoned there
//!   with its allocation.
//! - **I7** A task is in the registry only while its life reference exists. Its spawner inserts it,
//!   and `Schedule::release` removes it, but not while a reader pins it.
//!
//! # Cost
//!
//! The steps of the word are locked instructions. The table leaves out those of queue and registry.
//!
//! | path | steps |
//! | --- | --- |
//! | spawn | 0 |
//! | pop, poll, pending | 2 |
//! | pop, poll, woken during the poll, queued again | 2, and 1 for the wake |
//! | pop, poll, complete; the handle exists | 2; 3 if its waker is in the slot |
//! | pop, poll, complete; detached with no waker left | 1 |
//! | handle takes the result | 0 if it is the last holder, else 1 |
//! | handle is polled before that | 1 the first time, 0 with the same waker again |
//! | handle is dropped before the end | 1 |
//! | wake by reference | 1 |
//! | wake by value | 2 if it queues the task, else 1 |
//! | waker is cloned, dropped | 1 each |
//! | shield is created, dropped | 1 each |
//!
//! # Ordering
//!
//! | access | ordering | effect |
//! | --- | --- | --- |
//! | a step that changes the word | AcqRel | the next owner sees the writes of the last |
//! | a wake that changes nothing | AcqRel | the next poll sees the writes of the waker |
//! | a read of the word | Acquire | a thread that reads COMPLETE sees the result; one that reads a single reference sees the writes of all other holders |
//! | a new waker | Relaxed | an existing waker is cloned |
//! | id, polls, since | Relaxed | written before publication, or for diagnostics only |
//!
//! # Tests
//!
//! `state_word/tests` compares each transition with a specification over all words, and tries every
//! order of operations of all holders. `task/tests` counts polls, drops and schedules.
//! `task/models` has the races under loom, each with the change that breaks it.
//!
//! [`AbortHandle`]: crate::task::AbortHandle
//! [`JoinHandle`]: crate::task::JoinHandle
//! [`JoinHandle::cancel`]: crate::task::JoinHandle::cancel
//! [`RunOutcome::Woken`]: crate::task::RunOutcome::Woken
//! [`Runnable`]: crate::task::Runnable
//! [`Runnable::run`]: crate::task::Runnable::run
//! [`Shield`]: crate::task::Shield

mod snapshot;
mod outcome;
mod state_word;
mod orphan_transitions;

pub(in crate::task) use self::outcome::{
    Cancel, Claim, ClaimToRun, Completion, DropHandle, DropWaker, JoinSlot, ReleaseClaim,
    RemoveShield, StartPoll, Suspend, UnreadCompletion, WakeByRef, WakeByValue,
};
pub use self::snapshot::Lifecycle;
pub(in crate::task) use self::snapshot::{
    CancelOrphans, ClaimedFrom, ResultKind, ShieldOverflow, Snapshot, flag,
};
pub(in crate::task) use self::state_word::StateWord;
