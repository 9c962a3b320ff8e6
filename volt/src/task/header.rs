//! What all tasks begin with, whatever their future.

use super::id::TaskId;
use super::inspect::Description;
use super::ptr::TaskPtr;
use super::state::State;
use crate::loom::cell::UnsafeCell;
use crate::loom::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::fmt;
use std::mem::MaybeUninit;
use std::task::Waker;

/// The untyped front of a task. 48 bytes.
#[repr(C)]
pub(super) struct Header {
    pub(super) state: State,
    pub(super) vtable: &'static Vtable,
    id: AtomicU64,
    polls: AtomicU32,
    since: AtomicU32,
    pub(super) join_waker: JoinWaker,
}

/// The functions that know the type of the task behind the pointer.
///
/// # Safety
///
/// Each wants a pointer to a living task of the type that the table was made for, and:
/// - `poll`, `cancel`: the task is running, and the caller has it and its life reference, which
///   the call takes;
/// - `schedule`, `reschedule`: the task is scheduled, and the caller has its life reference,
///   which the call takes, and another one for as long as the call lasts;
/// - `take_output`, `drop_output`: the task is complete and the stage is the caller's; it is
///   empty afterwards. `take_output` writes a `Result<T, JoinError>`;
/// - `walk`: the task is running and the caller has it;
/// - `dealloc`: the caller has the last reference, and the stage is empty.
pub(super) struct Vtable {
    pub(super) poll: unsafe fn(TaskPtr) -> Polled,
    pub(super) cancel: unsafe fn(TaskPtr),
    pub(super) schedule: unsafe fn(TaskPtr),
    pub(super) reschedule: unsafe fn(TaskPtr),
    pub(super) take_output: unsafe fn(TaskPtr, *mut ()),
    pub(super) drop_output: unsafe fn(TaskPtr),
    pub(super) describe: unsafe fn(TaskPtr) -> Description,
    pub(super) dealloc: unsafe fn(TaskPtr),
}

/// What came of a poll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Polled {
    /// It waits.
    Idle,
    /// It is scheduled, and the caller has its life reference back.
    Woken,
    /// It is complete.
    Complete,
    /// It was cancelled meanwhile, and is complete.
    Cancelled,
}

impl Header {
    pub(super) fn new(vtable: &'static Vtable, since: u32) -> Self {
        Self {
            state: State::new(),
            vtable,
            id: AtomicU64::new(0),
            polls: AtomicU32::new(0),
            since: AtomicU32::new(since),
            join_waker: JoinWaker::new(),
        }
    }

    // ORDERING: Relaxed, for all that follow. The id is written before the task is given to
    // another thread; the others are figures for people, written by whoever has the task.

    pub(super) fn id(&self) -> TaskId {
        TaskId::from_bits(self.id.load(Ordering::Relaxed))
    }

    pub(super) fn set_id(&self, id: TaskId) {
        self.id.store(id.to_bits(), Ordering::Relaxed);
    }

    pub(super) fn polls(&self) -> u32 {
        self.polls.load(Ordering::Relaxed)
    }

    /// Counts a poll that begins at `now`, and answers with how many there were before.
    #[inline]
    pub(super) fn begin_poll(&self, now: u32) -> u32 {
        let polls = self.polls.load(Ordering::Relaxed);
        self.polls.store(polls.saturating_add(1), Ordering::Relaxed);
        self.since.store(now, Ordering::Relaxed);
        polls
    }

    pub(super) fn since(&self) -> u32 {
        self.since.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Header")
            .field("state", &self.state)
            .field("id", &self.id())
            .field("polls", &self.polls())
            .field("since", &self.since())
            .finish_non_exhaustive()
    }
}

/// The slot of the waker of whoever awaits the handle. Who has it is said by the `join_waker`
/// bit (invariant I4 of [the module](super)).
pub(super) struct JoinWaker(UnsafeCell<MaybeUninit<Waker>>);

// SAFETY: All access goes through unsafe methods, whose callers keep I4.
unsafe impl Sync for JoinWaker {}
// SAFETY: A `Waker` is `Send`.
unsafe impl Send for JoinWaker {}

impl JoinWaker {
    fn new() -> Self {
        Self(UnsafeCell::new(MaybeUninit::uninit()))
    }

    /// Puts a waker into an empty slot.
    ///
    /// # Safety
    ///
    /// - The slot is the caller's (I4).
    #[inline]
    pub(super) unsafe fn put(&self, waker: Waker) {
        self.0.with_mut(|slot| {
            // SAFETY: The slot is the caller's.
            unsafe { (*slot).write(waker) };
        });
    }

    /// Moves the waker out, which leaves the slot empty.
    ///
    /// # Safety
    ///
    /// - The slot is the caller's (I4) and holds a waker.
    #[inline]
    pub(super) unsafe fn take(&self) -> Waker {
        self.0.with(|slot| {
            // SAFETY: The slot is the caller's and holds a waker.
            unsafe { (*slot).assume_init_read() }
        })
    }

    /// True if the waker in the slot wakes the same task as `other`.
    ///
    /// # Safety
    ///
    /// - The slot was filled by the caller and the `join_waker` bit is set: the completer may
    ///   move the waker out meanwhile, but nobody writes.
    #[inline]
    pub(super) unsafe fn will_wake(&self, other: &Waker) -> bool {
        self.0.with(|slot| {
            // SAFETY: Nobody writes, and `will_wake` compares two addresses.
            let waker = unsafe { (*slot).assume_init_ref() };
            waker.will_wake(other)
        })
    }
}
