//! A counted reference to a task, and the operations on it.
//!
//! The code here performs the duties that the transitions of the state word return: it queues a
//! task, or frees it. Most users of a [`RawTask`] therefore need no unsafe code. All references
//! have one type, because queue entries are interchangeable and the word records the owner of the
//! task.

use super::header::{Description, Erased, Header, Polled, WakerTable};
use crate::task::id::TaskId;
use crate::task::word::{
    Cancel, ClaimToRun, DropWaker, RemoveShield, ShieldOverflow, StartPoll, StateWord, WakeByRef,
    WakeByValue,
};
use std::any::Any;
use std::fmt;
use std::num::NonZeroUsize;

/// A reference to a task, which keeps the task alive (I1).
///
/// It has no destructor, because many steps of the word drop a reference in the same step. A
/// reference that is never dropped leaks the task.
#[must_use = "a reference that is never dropped leaks the task"]
pub(in crate::task) struct RawTask(Erased);

// SAFETY: All operations on a reference synchronize through the state word. Only an unsafe function
// puts a future that is not `Send` into a task, and its caller keeps the future on its thread.
unsafe impl Send for RawTask {}
// SAFETY: As for `Send`.
unsafe impl Sync for RawTask {}

/// The result of running a queue entry.
#[must_use]
pub(in crate::task) enum RawRunOutcome {
    Idle,
    /// The task is scheduled. The field is its life reference.
    Woken(RawTask),
    Complete,
    Cancelled,
    Stale,
}

impl RawTask {
    /// # Safety
    ///
    /// - The caller owns a reference to the task, and passes it to the result.
    #[inline]
    pub(in crate::task) unsafe fn from_raw(task: Erased) -> Self {
        Self(task)
    }

    /// Converts the reference to a raw pointer, whose owner owns the reference.
    #[inline]
    pub(super) fn into_raw(self) -> Erased {
        self.0
    }

    #[inline]
    pub(in crate::task) fn as_raw(&self) -> Erased {
        self.0
    }

    /// Returns the state word.
    ///
    /// The method creates no `&Header`. A step of the word can drop a reference to the task, and
    /// another thread may then free the header before that call returns. Memory behind a reference
    /// that is live during a call may only be freed if all of it is inside of cells.
    #[inline]
    pub(in crate::task) fn state(&self) -> &StateWord {
        // SAFETY: I1.
        unsafe { &(*self.0.as_ptr()).state }
    }

    /// Returns the header. The caller keeps its reference for as long as it uses the result.
    #[inline]
    pub(in crate::task) fn header(&self) -> &Header {
        // SAFETY: I1.
        unsafe { self.0.as_ref() }
    }

    pub(in crate::task) fn id(&self) -> TaskId {
        self.header().id()
    }

    pub(in crate::task) fn describe(&self) -> Description {
        let describe = self.header().vtable.describe;
        // SAFETY: I1.
        unsafe { describe(self.0) }
    }

    /// Returns the id of the runtime. Tasks of one runtime may be polled inside of each other.
    pub(in crate::task) fn runtime_id(&self) -> Option<NonZeroUsize> {
        let runtime_id = self.header().vtable.runtime_id;
        // SAFETY: I1.
        unsafe { runtime_id(self.0) }
    }

    /// Returns `true` if this process is a fork, and the threads of the scheduler exist only in its
    /// parent.
    pub(in crate::task) fn is_inherited(&self) -> bool {
        let is_inherited = self.header().vtable.is_inherited;
        // SAFETY: I1.
        unsafe { is_inherited(self.0) }
    }

    /// Returns `true` if the task is a blocking job.
    pub(in crate::task) fn is_job(&self) -> bool {
        let is_job = self.header().vtable.is_job;
        // SAFETY: I1.
        unsafe { is_job(self.0) }
    }

    /// Stores the runtime of the task in `slot` for this thread, which is outside of it. Stores
    /// nothing if the scheduler permits no polls on this thread.
    pub(in crate::task) fn store_foreign_runtime(&self, slot: &mut dyn Any) {
        let store = self.header().vtable.store_foreign_runtime;
        // SAFETY: I1: `self` is borrowed during the call.
        unsafe { store(self.0, slot) }
    }

    /// Clones the reference, for a waker.
    #[inline]
    pub(in crate::task) fn clone_ref(&self) -> Self {
        self.state().add_ref();
        Self(self.0)
    }

    /// Clones the reference as one that cannot wake.
    pub(in crate::task) fn clone_non_waking(&self) -> Self {
        self.state().add_non_waking();
        Self(self.0)
    }

    /// Drops the reference. Frees the task if it was the last one.
    #[inline]
    #[doc(alias = "drop_task")]
    pub(in crate::task) fn drop_ref(self) {
        if self.state().drop_ref() {
            // SAFETY: The step of the word dropped the last reference.
            unsafe { self.dealloc() };
        }
    }

    /// Drops a reference that can wake the task. Reports the task if it was the last waker.
    #[inline]
    pub(in crate::task) fn drop_waker(self) {
        match self.state().drop_waker() {
            DropWaker::Done => {}
            // SAFETY: The step of the word dropped the last reference.
            DropWaker::Dealloc => unsafe { self.dealloc() },
            // SAFETY: The step of the word passed the task and its life reference to the caller.
            DropWaker::Orphaned => unsafe { self.report_idle_orphan() },
        }
    }

    /// Drops a reference that cannot wake.
    pub(in crate::task) fn drop_non_waking(self) {
        if self.state().drop_non_waking() {
            // SAFETY: The step of the word dropped the last reference.
            unsafe { self.dealloc() };
        }
    }

    /// Wakes the task without dropping the reference.
    #[inline]
    pub(in crate::task) fn wake_by_ref(&self) {
        if self.state().wake_by_ref() == WakeByRef::Submit {
            // SAFETY: The step of the word passed the life reference to the caller.
            unsafe { self.submit() };
        }
    }

    /// Wakes the task and drops the reference.
    #[inline]
    pub(in crate::task) fn wake(self) {
        match self.state().wake_by_value() {
            WakeByValue::Submit => {
                // SAFETY: The step of the word passed the life reference to the caller.
                unsafe { self.submit() };
                self.drop_waker();
            }
            WakeByValue::Nothing => {}
            // SAFETY: The step of the word dropped the last reference.
            WakeByValue::Dealloc => unsafe { self.dealloc() },
        }
    }

    /// Requests the cancellation of the task.
    pub(in crate::task) fn cancel(&self) {
        if self.state().cancel() == Cancel::Submit {
            // SAFETY: The step of the word passed the life reference to the caller.
            unsafe { self.submit() };
        }
    }

    /// Cancels the task, shielded or not, if it is marked as an orphan.
    pub(in crate::task) fn cancel_orphan(&self) {
        if self.state().cancel_orphan() == Cancel::Submit {
            // SAFETY: The step of the word passed the life reference to the caller.
            unsafe { self.submit() };
        }
    }

    /// Cancels the task, shielded or not. It is stopped as soon as no thread runs it.
    pub(in crate::task) fn force_cancel(&self) {
        if self.state().force_cancel() == Cancel::Submit {
            // SAFETY: The step of the word passed the life reference to the caller.
            unsafe { self.submit() };
        }
    }

    /// Adds a shield, and returns its reference.
    pub(in crate::task) fn add_shield(&self) -> Result<Self, ShieldOverflow> {
        self.state().add_shield()?;
        Ok(Self(self.0))
    }

    /// Removes the shield that owns this reference, and drops the reference.
    pub(in crate::task) fn remove_shield(self) {
        match self.state().remove_shield() {
            RemoveShield::Done => {}
            RemoveShield::Submit => {
                // SAFETY: The step of the word passed the life reference to the caller.
                unsafe { self.submit() };
                self.drop_waker();
            }
            // SAFETY: The step of the word dropped the last reference.
            RemoveShield::Dealloc => unsafe { self.dealloc() },
        }
    }

    /// Passes the task, whose queue entry this is, to its scheduler.
    pub(in crate::task) fn schedule(self) {
        let keeper = self.clone_non_waking();
        // SAFETY: The entry of a scheduled task is its life reference, which `self` passes on, and
        // `keeper` is another reference.
        unsafe { keeper.submit() };
        keeper.drop_non_waking();
    }

    /// Runs the task as a queue entry, and consumes its reference.
    ///
    /// Calls `begin` first, which must not panic, unless the entry is stale. The task is running
    /// then, and belongs to this thread.
    #[inline]
    pub(super) fn run_with(self, table: WakerTable, begin: impl FnOnce(&Self)) -> RawRunOutcome {
        match self.state().start_poll() {
            StartPoll::Run => {
                begin(&self);
                // SAFETY: I2: the step of the word made the caller the owner of the task.
                unsafe { self.poll(table) }
            }
            StartPoll::Cancelled => {
                begin(&self);
                // SAFETY: I2, as for `poll`.
                unsafe { self.stop() }
            }
            StartPoll::Stale => RawRunOutcome::Stale,
            StartPoll::StaleLast => {
                // SAFETY: The step of the word dropped the last reference.
                unsafe { self.dealloc() };
                RawRunOutcome::Stale
            }
        }
    }

    /// Stops the task as a queue entry: drops the future and completes the task, unless the entry
    /// is stale.
    pub(super) fn run_to_stop(self) {
        match self.state().start_poll() {
            // SAFETY: I2: the step of the word made the caller the owner of the task.
            StartPoll::Run | StartPoll::Cancelled => drop(unsafe { self.stop() }),
            StartPoll::Stale => {}
            // SAFETY: The step of the word dropped the last reference.
            StartPoll::StaleLast => unsafe { self.dealloc() },
        }
    }

    /// Runs the task on this thread if it is in a queue. Its entry there becomes stale.
    ///
    /// Calls `begin` after the claim, which must not panic.
    #[inline]
    pub(super) fn run_inline_with(
        &self,
        table: WakerTable,
        begin: impl FnOnce(),
    ) -> Option<RawRunOutcome> {
        let life = Self(self.0);
        let claim = self.state().claim_to_run();
        if !matches!(claim, ClaimToRun::Refused(_)) {
            begin();
        }
        match claim {
            // SAFETY: I2: the caller owns the claimed task and its life reference.
            ClaimToRun::Run => Some(unsafe { life.poll(table) }),
            // SAFETY: I2, as for `poll`.
            ClaimToRun::Cancelled => Some(unsafe { life.stop() }),
            ClaimToRun::Refused(_) => None,
        }
    }

    /// # Safety
    ///
    /// - The task is running and belongs to the caller, and `self` is its life reference.
    #[inline]
    pub(in crate::task) unsafe fn poll(self, table: WakerTable) -> RawRunOutcome {
        let poll = self.header().vtable.poll;
        // SAFETY: The caller owns the task and its life reference.
        match unsafe { poll(self.0, table) } {
            Polled::Idle => RawRunOutcome::Idle,
            Polled::Woken => RawRunOutcome::Woken(self),
            Polled::Complete => RawRunOutcome::Complete,
            Polled::Cancelled => RawRunOutcome::Cancelled,
        }
    }

    /// # Safety
    ///
    /// - The task is running and belongs to the caller, and `self` is its life reference.
    #[cold]
    pub(in crate::task) unsafe fn stop(self) -> RawRunOutcome {
        let cancel = self.header().vtable.cancel;
        // SAFETY: The caller owns the task and its life reference.
        unsafe { cancel(self.0) };
        RawRunOutcome::Cancelled
    }

    /// Queues the task. `self` keeps it alive during the call, because another thread may complete
    /// the task meanwhile.
    ///
    /// # Safety
    ///
    /// - A step of the word has just made the task scheduled, and passed its life reference to the
    ///   caller. `self` is another reference.
    #[inline]
    unsafe fn submit(&self) {
        let schedule = self.header().vtable.schedule;
        // SAFETY: The caller owns both references.
        unsafe { schedule(self.0) };
    }

    /// Frees the task.
    ///
    /// # Safety
    ///
    /// - `self` is or was the last reference, and the stage is empty (I5).
    #[doc(alias = "destroy")]
    pub(in crate::task) unsafe fn dealloc(self) {
        let dealloc = self.header().vtable.dealloc;
        // SAFETY: `self` is the last reference.
        unsafe { dealloc(self.0) };
    }
}

impl fmt::Debug for RawTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.header().fmt(f)
    }
}
