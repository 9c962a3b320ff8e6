//! An untyped pointer to a task.

use super::header::{Header, Polled, Vtable};
use super::id::TaskId;
use super::state::{Cancel, State, ToIdle};
use std::fmt;
use std::ptr::NonNull;

/// Points to a task and counts nothing: whoever has one says why the task is alive.
///
/// # Safety
///
/// All methods want the task to be alive for as long as they, or what they return, last.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct TaskPtr(NonNull<Header>);

impl TaskPtr {
    pub(super) fn new(header: NonNull<Header>) -> Self {
        Self(header)
    }

    pub(super) fn as_non_null(self) -> NonNull<Header> {
        self.0
    }

    /// The state word.
    ///
    /// It is reached without a reference to the whole header: with the word, the last reference
    /// to the task is given back, and another thread may free the header while the call that
    /// did so has not returned yet. Of what a reference covers, only cells may vanish like that.
    #[inline]
    pub(super) unsafe fn state<'a>(self) -> &'a State {
        // SAFETY: The task is alive.
        unsafe { &(*self.0.as_ptr()).state }
    }

    #[inline]
    pub(super) unsafe fn vtable(self) -> &'static Vtable {
        // SAFETY: The task is alive.
        unsafe { (*self.0.as_ptr()).vtable }
    }

    /// The whole header, where the caller keeps the task alive for longer than the reference.
    #[inline]
    pub(super) unsafe fn header<'a>(self) -> &'a Header {
        // SAFETY: The task is alive.
        unsafe { self.0.as_ref() }
    }

    pub(super) unsafe fn id(self) -> TaskId {
        // SAFETY: The task is alive.
        unsafe { self.header() }.id()
    }

    /// Polls the task, which the caller has claimed or popped, with its life reference.
    #[inline]
    pub(super) unsafe fn poll(self) -> Polled {
        // SAFETY: The task is alive.
        let poll = unsafe { self.vtable() }.poll;
        // SAFETY: The caller has the running task and its life reference.
        unsafe { poll(self) }
    }

    /// Drops the future of the task, which the caller has claimed or popped, and completes it.
    pub(super) unsafe fn finish_cancelled(self) {
        // SAFETY: The task is alive.
        let cancel = unsafe { self.vtable() }.cancel;
        // SAFETY: The caller has the running task and its life reference.
        unsafe { cancel(self) };
    }

    /// Queues the task, which has just become scheduled; the life reference goes with it. The
    /// caller has another reference meanwhile.
    #[inline]
    pub(super) unsafe fn schedule(self) {
        // SAFETY: The task is alive.
        let schedule = unsafe { self.vtable() }.schedule;
        // SAFETY: The caller has the life reference and another one.
        unsafe { schedule(self) };
    }

    /// As [`TaskPtr::schedule`], behind others.
    pub(super) unsafe fn reschedule(self) {
        // SAFETY: The task is alive.
        let reschedule = unsafe { self.vtable() }.reschedule;
        // SAFETY: The caller has the life reference and another one.
        unsafe { reschedule(self) };
    }

    /// Asks the task to stop.
    pub(super) unsafe fn cancel(self) {
        // SAFETY: The task is alive.
        let state = unsafe { self.state() };
        if state.cancel() == Cancel::Submit {
            // SAFETY: `Submit` gave us the life reference; the caller's own outlasts the call.
            unsafe { self.schedule() };
        }
    }

    /// Gives a claimed task back that was not polled. The caller has another reference.
    pub(super) unsafe fn release_claim(self, was_scheduled: bool) {
        // SAFETY: The task is alive.
        let state = unsafe { self.state() };
        if state.release_claim(was_scheduled) == ToIdle::Reschedule {
            // SAFETY: `Reschedule` left us the life reference, and the caller has another one.
            unsafe { self.reschedule() };
        }
    }

    /// Gives one reference back, and frees the task with the last one.
    #[inline]
    pub(super) unsafe fn drop_ref(self) {
        // SAFETY: The task is alive.
        if unsafe { self.state() }.drop_ref() {
            // SAFETY: That was the last reference; I5: the stage of such a task is empty.
            unsafe { self.dealloc() };
        }
    }

    /// Gives one reference back of those that cannot wake.
    pub(super) unsafe fn drop_bystander(self) {
        // SAFETY: The task is alive.
        if unsafe { self.state() }.drop_bystander() {
            // SAFETY: That was the last reference; I5: the stage of such a task is empty.
            unsafe { self.dealloc() };
        }
    }

    /// Frees the task.
    pub(super) unsafe fn dealloc(self) {
        // SAFETY: The task is alive.
        let dealloc = unsafe { self.vtable() }.dealloc;
        // SAFETY: The caller has the last reference, and the stage is empty.
        unsafe { dealloc(self) };
    }
}

impl fmt::Debug for TaskPtr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TaskPtr({:p})", self.0)
    }
}
