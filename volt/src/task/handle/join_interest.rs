//! The end of a task that its output comes out of.
//!
//! The join interest: there is one a task, from the spawn on. It holds one reference, may leave
//! a waker in the task's slot (I4), and once the task is complete the stage is its own (I3).

use crate::task::error::{JoinError, catch_and_discard};
use crate::task::id::TaskId;
use crate::task::reference::RawTask;
use crate::task::word::{DropHandle, JoinSlot, Snapshot, flag};
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::task::{Poll, Waker};

/// What an await and a join say that come too late.
pub(super) const TAKEN: &str = "a JoinHandle was awaited or joined after it had given its result";

/// The join interest of a task whose output is a `T`, until the result is taken.
pub(in crate::task) struct JoinInterest<T> {
    task: JoinState,
    _output: PhantomData<T>,
}

enum JoinState {
    Task(RawTask),
    Taken(TaskId),
}

// SAFETY: What it gives out is an output that was made on another thread, once.
unsafe impl<T: Send> Send for JoinInterest<T> {}
// SAFETY: A shared one gives no output.
unsafe impl<T: Send> Sync for JoinInterest<T> {}

impl<T> JoinInterest<T> {
    /// # Safety
    ///
    /// - `task` is the handle's reference of a task that has just been spawned, and the task's
    ///   output is a `T`.
    pub(in crate::task) unsafe fn new(task: RawTask) -> Self {
        Self {
            task: JoinState::Task(task),
            _output: PhantomData,
        }
    }

    /// The task, until the result is taken.
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

    /// Takes the result if the task is complete, else leaves `waker` with it.
    ///
    /// # Panics
    ///
    /// If the result was taken.
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
            // SAFETY: I3: the task is complete, and the join interest was ours till now. The
            // output is a `T`, as `new` was told.
            JoinState::Task(task) => Poll::Ready(unsafe { take(task, seen) }),
            JoinState::Taken(_) => unreachable!("it was looked at above"),
        }
    }

    /// Gives up the interest.
    #[inline]
    fn leave(task: RawTask) {
        let mut left = task.state().drop_join_handle();
        if left == DropHandle::Waker {
            // SAFETY: I4: the bit was set, and we have cleared it.
            let waker = unsafe { task.header().join_waker.take() };
            catch_and_discard(|| drop(waker));
            left = task.state().drop_join_handle();
        }
        if left == DropHandle::Output {
            let drop_output = task.header().vtable.drop_output;
            // SAFETY: I3: the task is complete, and the join interest was ours till now.
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
            Self::leave(unsafe { RawTask::from_raw(task.as_raw()) });
        }
    }
}

/// Leaves `waker` with the task; `Complete` if the task was faster. `seen` is the last look of
/// the join interest, which calls this, at the word.
fn register(task: &RawTask, seen: Snapshot, waker: &Waker) -> JoinSlot {
    let (slot, state) = (&task.header().join_waker, task.state());
    let mut old = None;
    if seen.has(flag::JOIN_WAKER) {
        // SAFETY: I4: we have filled the slot, and set the bit.
        if unsafe { slot.will_wake(waker) } {
            return JoinSlot::Changed;
        }
        if state.unset_join_waker() == JoinSlot::Complete {
            return JoinSlot::Complete;
        }
        // SAFETY: I4: the bit was set, and we have cleared it.
        old = Some(unsafe { slot.take() });
    }
    // A clone is the user's code: should it panic, the slot is empty and the bit is clear.
    let new = waker.clone();
    // SAFETY: I4: the bit is clear, and the slot is empty.
    unsafe { slot.put(new) };
    let set = state.set_join_waker();
    if set == JoinSlot::Complete {
        // SAFETY: I4: the bit is clear for ever.
        drop(unsafe { slot.take() });
    }
    drop(old);
    set
}

/// Takes the result of a complete task, and gives its reference back.
///
/// # Safety
///
/// - The stage is the caller's, and `seen` shows the task complete; its output is a `T`.
#[inline]
unsafe fn take<T>(task: RawTask, seen: Snapshot) -> Result<T, JoinError> {
    let mut result = MaybeUninit::<Result<T, JoinError>>::uninit();
    let take_output = task.header().vtable.take_output;
    // SAFETY: The stage is the caller's, and there is room for a result of this type.
    unsafe { take_output(task.as_raw(), result.as_mut_ptr().cast()) };
    if seen.refs() == 1 {
        // SAFETY: The only reference is ours, and the stage is empty.
        unsafe { task.dealloc() };
    } else {
        task.drop_ref();
    }
    // SAFETY: It was written above.
    unsafe { result.assume_init() }
}
