//! The join interest: the right to take the output of a task.
//!
//! A task has one from its spawn on. It owns a reference, and may store a waker in the slot of the
//! task (I4). Once the task is complete, the stage belongs to it (I3).

use crate::task::error::JoinError;
use crate::task::id::TaskId;
use crate::task::reference::RawTask;
use crate::task::word::{DropHandle, JoinSlot, Snapshot, flag};
use crate::util::catch_and_discard;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::task::{Poll, Waker};

/// The panic message of an await or a join after the result was taken.
pub(super) const TAKEN: &str = "a JoinHandle was awaited or joined after its result was taken";

/// The join interest in a task whose output is a `T`. It ends when the result is taken.
pub(in crate::task) struct JoinInterest<T> {
    task: JoinState,
    _output: PhantomData<T>,
}

enum JoinState {
    Task(RawTask),
    Taken(TaskId),
}

// SAFETY: It returns an output that was created on another thread, once.
unsafe impl<T: Send> Send for JoinInterest<T> {}
// SAFETY: A shared reference to it returns no output.
unsafe impl<T: Send> Sync for JoinInterest<T> {}

impl<T> JoinInterest<T> {
    /// # Safety
    ///
    /// - `task` is the reference of the handle of a task that was just spawned, and the output of
    ///   the task is a `T`.
    pub(in crate::task) unsafe fn new(task: RawTask) -> Self {
        Self {
            task: JoinState::Task(task),
            _output: PhantomData,
        }
    }

    /// Returns the task, or `None` once the result was taken.
    pub(in crate::task) fn task(&self) -> Option<&RawTask> {
        match &self.task {
            JoinState::Task(task) => Some(task),
            JoinState::Taken(_) => None,
        }
    }

    pub(in crate::task) fn id(&self) -> TaskId {
        match &self.task {
            JoinState::Task(task) => task.id(),
            JoinState::Taken(id) => *id,
        }
    }

    /// Takes the result if the task is complete. Otherwise stores `waker` in the task.
    ///
    /// # Panics
    ///
    /// Panics if the result was taken.
    #[inline]
    pub(in crate::task) fn poll(&mut self, waker: &Waker) -> Poll<Result<T, JoinError>> {
        let JoinState::Task(task) = &self.task else {
            panic!("{TAKEN}");
        };
        let mut seen = task.state().load();
        if !seen.is_complete() {
            if register(task, seen, waker) == JoinSlot::Changed {
                return Poll::Pending;
            }
            seen = task.state().load();
        }
        let taken = JoinState::Taken(task.id());
        match std::mem::replace(&mut self.task, taken) {
            // SAFETY: I3: the task is complete, and `self` had the join interest until now. By the
            // contract of `new`, the output is a `T`.
            JoinState::Task(task) => Poll::Ready(unsafe { take(task, seen) }),
            JoinState::Taken(_) => unreachable!("the state was matched above"),
        }
    }

    /// Drops the join interest.
    #[inline]
    fn release(task: RawTask) {
        let mut dropped = task.state().drop_join_handle();
        if dropped == DropHandle::Waker {
            // SAFETY: I4: the bit was set, and the step above has cleared it.
            let waker = unsafe { task.header().join_waker.take() };
            catch_and_discard(|| drop(waker));
            dropped = task.state().drop_join_handle();
        }
        if dropped == DropHandle::Output {
            let drop_output = task.header().vtable.drop_output;
            // SAFETY: I3: the task is complete, and this call had the join interest until now.
            unsafe { drop_output(task.as_raw()) };
            task.drop_ref();
        }
    }
}

impl<T> Drop for JoinInterest<T> {
    #[inline]
    fn drop(&mut self) {
        if let JoinState::Task(task) = &self.task {
            // SAFETY: `self` is not used again.
            Self::release(unsafe { RawTask::from_raw(task.as_raw()) });
        }
    }
}

/// Stores `waker` in the task. Returns `Complete` if the task completed first.
///
/// The holder of the join interest calls this. `seen` is the last value of the word that it read.
fn register(task: &RawTask, seen: Snapshot, waker: &Waker) -> JoinSlot {
    let (slot, state) = (&task.header().join_waker, task.state());
    let mut old = None;
    if seen.has(flag::JOIN_WAKER) {
        // SAFETY: I4: the caller has filled the slot, and set the bit.
        if unsafe { slot.will_wake(waker) } {
            return JoinSlot::Changed;
        }
        if state.unset_join_waker() == JoinSlot::Complete {
            return JoinSlot::Complete;
        }
        // SAFETY: I4: the bit was set, and the step above has cleared it.
        old = Some(unsafe { slot.take() });
    }
    // The clone is user code. If it panics, the slot is empty and the bit is clear.
    let new = waker.clone();
    // SAFETY: I4: the bit is clear, and the slot is empty.
    unsafe { slot.put(new) };
    let set = state.set_join_waker();
    if set == JoinSlot::Complete {
        // SAFETY: I4: the task is complete, so the bit stays clear.
        drop(unsafe { slot.take() });
    }
    drop(old);
    set
}

/// Takes the result of a complete task, and drops the reference.
///
/// # Safety
///
/// - The stage belongs to the caller, `seen` is a complete task, and its output is a `T`.
#[inline]
unsafe fn take<T>(task: RawTask, seen: Snapshot) -> Result<T, JoinError> {
    let mut result = MaybeUninit::<Result<T, JoinError>>::uninit();
    let take_output = task.header().vtable.take_output;
    // SAFETY: The stage belongs to the caller, and `result` has the type that the function writes.
    unsafe { take_output(task.as_raw(), result.as_mut_ptr().cast()) };
    if seen.refs() == 1 {
        // SAFETY: The caller owns the only reference, and the stage is empty.
        unsafe { task.dealloc() };
    } else {
        task.drop_ref();
    }
    // SAFETY: `take_output` has written the result.
    unsafe { result.assume_init() }
}
