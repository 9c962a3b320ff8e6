//! One reference to a task, and what may be done with it.
//!
//! This is where answers of the state word become deeds: a task that is to be queued is queued,
//! one that nobody holds is freed. What stands above deals in [`RawTask`]s and needs no unsafe
//! code; all references are alike here, since entries of queues are interchangeable and the
//! word knows who has the task.

use super::header::{Description, Erased, Header, Polled};
use crate::task::id::TaskId;
use crate::task::word::{
    Cancel, ClaimToRun, DropWaker, RemoveShield, ShieldOverflow, State, ToRunning, ToScheduled,
    ToScheduledByValue,
};
use std::fmt;
use std::num::NonZeroUsize;

/// One reference to a task, which is alive for as long (I1).
///
/// It has no destructor: many steps of the word take a reference away in passing. One that is
/// not given back is a leak.
#[must_use = "a reference that is not given back is a leak"]
pub(in crate::task) struct RawTask(Erased);

// SAFETY: Whatever is done with a reference goes through the state word. A future that is not
// `Send` gets into a task only by an unsafe function, whose caller keeps it on its thread.
unsafe impl Send for RawTask {}
// SAFETY: As above.
unsafe impl Sync for RawTask {}

/// What came of running a queue entry.
#[must_use]
pub(in crate::task) enum RawRunOutcome {
    Idle,
    /// The task is scheduled; here is its life reference.
    Woken(RawTask),
    Complete,
    Cancelled,
    Stale,
}

impl RawTask {
    /// # Safety
    ///
    /// - The caller has a reference to the task, and gives it away.
    #[inline]
    pub(in crate::task) unsafe fn from_raw(task: Erased) -> Self {
        Self(task)
    }

    /// The reference as a plain pointer, whose owner owns the reference.
    #[inline]
    pub(super) fn into_raw(self) -> Erased {
        self.0
    }

    #[inline]
    pub(in crate::task) fn as_raw(&self) -> Erased {
        self.0
    }

    /// The state word.
    ///
    /// It is reached without a reference to the whole header: with the word, the last reference
    /// to the task is given back, and another thread may free the header while the call that
    /// did so has not returned yet. Of what a reference covers, only cells may vanish like that.
    #[inline]
    pub(in crate::task) fn state(&self) -> &State {
        // SAFETY: I1.
        unsafe { &(*self.0.as_ptr()).state }
    }

    /// The whole header, where the reference is kept for longer.
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

    /// Whose tasks may run inside of it, and it inside of theirs.
    pub(in crate::task) fn runtime_id(&self) -> Option<NonZeroUsize> {
        let runtime_id = self.header().vtable.runtime_id;
        // SAFETY: I1.
        unsafe { runtime_id(self.0) }
    }

    /// Whether nobody runs it in this process, a fork of its own.
    pub(in crate::task) fn is_inherited(&self) -> bool {
        let is_inherited = self.header().vtable.is_inherited;
        // SAFETY: I1.
        unsafe { is_inherited(self.0) }
    }

    /// Calls `run`, in which the task may be polled, if this thread may do that.
    pub(in crate::task) fn poll_on_foreign_thread(&self, run: &mut dyn FnMut()) -> bool {
        let poll_on_foreign_thread = self.header().vtable.poll_on_foreign_thread;
        // SAFETY: I1: our reference is borrowed meanwhile.
        unsafe { poll_on_foreign_thread(self.0, run) }
    }

    /// A reference for one waker more.
    #[inline]
    pub(in crate::task) fn clone_ref(&self) -> Self {
        self.state().add_ref();
        Self(self.0)
    }

    /// One more reference that cannot wake.
    pub(in crate::task) fn clone_non_waking(&self) -> Self {
        self.state().add_non_waking();
        Self(self.0)
    }

    /// Gives the reference back, and frees the task with the last one.
    #[inline]
    #[doc(alias = "drop_task")]
    pub(in crate::task) fn drop_ref(self) {
        if self.state().drop_ref() {
            // SAFETY: The word has just said that nobody else is left.
            unsafe { self.dealloc() };
        }
    }

    /// Gives back one that may have been the last to wake the task, and tells of it.
    #[inline]
    pub(in crate::task) fn drop_waker(self) {
        match self.state().drop_waker() {
            DropWaker::Done => {}
            // SAFETY: The word has just said that nobody else is left.
            DropWaker::Dealloc => unsafe { self.dealloc() },
            // SAFETY: The word has just given us the task and its life reference.
            DropWaker::Orphaned => unsafe { self.report_idle_orphan() },
        }
    }

    /// Gives back one that cannot wake.
    pub(in crate::task) fn drop_non_waking(self) {
        if self.state().drop_non_waking() {
            // SAFETY: The word has just said that nobody else is left.
            unsafe { self.dealloc() };
        }
    }

    /// Wakes the task, and keeps the reference.
    #[inline]
    pub(in crate::task) fn wake_by_ref(&self) {
        if self.state().transition_to_scheduled() == ToScheduled::Submit {
            // SAFETY: The word has just given us the life reference.
            unsafe { self.submit() };
        }
    }

    /// Wakes the task, and gives the reference back.
    #[inline]
    pub(in crate::task) fn wake(self) {
        match self.state().transition_to_scheduled_by_value() {
            ToScheduledByValue::Submit => {
                // SAFETY: The word has just given us the life reference.
                unsafe { self.submit() };
                self.drop_waker();
            }
            ToScheduledByValue::Nothing => {}
            // SAFETY: The word has just said that nobody else is left.
            ToScheduledByValue::Dealloc => unsafe { self.dealloc() },
        }
    }

    /// Asks the task to stop.
    pub(in crate::task) fn cancel(&self) {
        if self.state().cancel() == Cancel::Submit {
            // SAFETY: The word has just given us the life reference.
            unsafe { self.submit() };
        }
    }

    /// Asks the task to stop, shielded or not, if it was found that nobody can wake it.
    pub(in crate::task) fn cancel_orphan(&self) {
        if self.state().cancel_orphan() == Cancel::Submit {
            // SAFETY: The word has just given us the life reference.
            unsafe { self.submit() };
        }
    }

    /// Stops the task as soon as nobody runs it, shielded or not.
    pub(in crate::task) fn force_cancel(&self) {
        if self.state().force_cancel() == Cancel::Submit {
            // SAFETY: The word has just given us the life reference.
            unsafe { self.submit() };
        }
    }

    /// A shield, with a reference of its own.
    pub(in crate::task) fn add_shield(&self) -> Result<Self, ShieldOverflow> {
        self.state().add_shield()?;
        Ok(Self(self.0))
    }

    /// Ends a shield, and gives its reference back.
    pub(in crate::task) fn remove_shield(self) {
        match self.state().remove_shield() {
            RemoveShield::Done => {}
            RemoveShield::Submit => {
                // SAFETY: The word has just given us the life reference.
                unsafe { self.submit() };
                self.drop_waker();
            }
            // SAFETY: The word has just said that nobody else is left.
            RemoveShield::Dealloc => unsafe { self.dealloc() },
        }
    }

    /// Gives the task, whose entry this is, to its scheduler.
    pub(in crate::task) fn schedule(self) {
        let keeper = self.clone_non_waking();
        // SAFETY: The entry of a scheduled task is its life reference, which `self` gives up, and
        // `keeper` is another one.
        unsafe { keeper.submit() };
        keeper.drop_non_waking();
    }

    /// Runs the task as the entry of a queue; the reference goes with it. Calls `begin` first,
    /// which must not panic, unless somebody else has run the task.
    #[inline]
    pub(in crate::task) fn run(self, begin: impl FnOnce()) -> RawRunOutcome {
        match self.state().transition_to_running() {
            ToRunning::Run => {
                begin();
                // SAFETY: I2: the word says that the task is ours.
                unsafe { self.poll() }
            }
            ToRunning::Cancelled => {
                begin();
                // SAFETY: As above.
                unsafe { self.stop() }
            }
            ToRunning::Stale => RawRunOutcome::Stale,
            ToRunning::StaleLast => {
                // SAFETY: The word has just said that nobody else is left.
                unsafe { self.dealloc() };
                RawRunOutcome::Stale
            }
        }
    }

    /// As [`RawTask::run`], but drops the future where that would poll it.
    pub(super) fn run_to_stop(self) {
        match self.state().transition_to_running() {
            // SAFETY: I2: the word says that the task is ours.
            ToRunning::Run | ToRunning::Cancelled => drop(unsafe { self.stop() }),
            ToRunning::Stale => {}
            // SAFETY: The word has just said that nobody else is left.
            ToRunning::StaleLast => unsafe { self.dealloc() },
        }
    }

    /// Runs the task here if it is in a queue, and leaves a stale entry there. Calls `begin` in
    /// between, which must not panic.
    #[inline]
    pub(in crate::task) fn run_inline(&self, begin: impl FnOnce()) -> Option<RawRunOutcome> {
        let life = Self(self.0);
        let claimed = self.state().claim_to_run();
        if !matches!(claimed, ClaimToRun::Refused(_)) {
            begin();
        }
        match claimed {
            // SAFETY: I2: the claim gave us the task and its life reference.
            ClaimToRun::Run => Some(unsafe { life.poll() }),
            // SAFETY: As above.
            ClaimToRun::Cancelled => Some(unsafe { life.stop() }),
            ClaimToRun::Refused(_) => None,
        }
    }

    /// # Safety
    ///
    /// - The task is running, and the caller's; `self` is its life reference.
    #[inline]
    unsafe fn poll(self) -> RawRunOutcome {
        let poll = self.header().vtable.poll;
        // SAFETY: The caller has the task and its life reference.
        match unsafe { poll(self.0) } {
            Polled::Idle => RawRunOutcome::Idle,
            Polled::Woken => RawRunOutcome::Woken(self),
            Polled::Complete => RawRunOutcome::Complete,
            Polled::Cancelled => RawRunOutcome::Cancelled,
        }
    }

    /// # Safety
    ///
    /// - The task is running, and the caller's; `self` is its life reference.
    #[cold]
    pub(in crate::task) unsafe fn stop(self) -> RawRunOutcome {
        let cancel = self.header().vtable.cancel;
        // SAFETY: The caller has the task and its life reference.
        unsafe { cancel(self.0) };
        RawRunOutcome::Cancelled
    }

    /// Queues the task. `self` keeps it for as long as the call lasts, since another thread may
    /// run the task to its end meanwhile.
    ///
    /// # Safety
    ///
    /// - The word has just made the task scheduled and given the caller its life reference,
    ///   beside `self`.
    #[inline]
    unsafe fn submit(&self) {
        let schedule = self.header().vtable.schedule;
        // SAFETY: The caller has both references.
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
        // SAFETY: Nobody else is left.
        unsafe { dealloc(self.0) };
    }
}

impl fmt::Debug for RawTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.header().fmt(f)
    }
}
