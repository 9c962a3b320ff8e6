//! The handle of a task.

use super::budget;
use super::error::{JoinError, swallow};
use super::id::TaskId;
use super::ptr::TaskPtr;
use super::snapshot::{Snapshot, flag};
use super::state::{DropHandle, JoinSlot};
use super::task_ref::TaskRef;
use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::pin::Pin;
use std::task::{Context, Poll, Waker, ready};

/// The owned end of a task: a future of its output.
///
/// Dropping the handle *detaches* the task: it runs on, and its output is dropped the moment it
/// is there. [`cancel`](Self::cancel) stops it.
///
/// # Cancel safety
///
/// Dropping an await of `&mut handle` loses nothing; awaiting again gets the output.
#[must_use = "dropping a handle detaches its task; `detach` says so"]
pub struct JoinHandle<T> {
    task: Joined,
    _output: PhantomData<fn() -> T>,
}

/// What a handle holds.
#[derive(Clone, Copy)]
enum Joined {
    /// A reference, and with it the join interest.
    Task(TaskPtr),
    /// Nothing: the result was taken.
    Taken(TaskId),
}

// SAFETY: What the handle gives out is an output that was made on another thread, once.
unsafe impl<T: Send> Send for JoinHandle<T> {}
// SAFETY: A shared handle cancels and tells ids; it gives no output.
unsafe impl<T: Send> Sync for JoinHandle<T> {}

impl<T> Unpin for JoinHandle<T> {}
impl<T> UnwindSafe for JoinHandle<T> {}
impl<T> RefUnwindSafe for JoinHandle<T> {}

impl<T> JoinHandle<T> {
    /// # Safety
    ///
    /// - The caller gives away the handle's reference of a task that has join interest and
    ///   whose output is a `T`.
    pub(super) unsafe fn new(task: TaskPtr) -> Self {
        Self {
            task: Joined::Task(task),
            _output: PhantomData,
        }
    }

    /// Asks the task to stop.
    ///
    /// A task that waits or is queued is not polled again; one that is being polled may go on
    /// to its next await. Then its future is dropped, and the handle gets an error for which
    /// [`JoinError::is_cancelled`] holds. A [shield](super::shield) puts that off, and a task that
    /// completes first has its output after all.
    pub fn cancel(&self) {
        if let Joined::Task(task) = self.task {
            // SAFETY: I1: the handle keeps the task.
            unsafe { task.cancel() };
        }
    }

    /// A handle that can only cancel the task; there may be any number of them.
    #[must_use]
    pub fn abort_handle(&self) -> AbortHandle {
        AbortHandle(match self.task {
            // SAFETY: I1: the handle keeps the task.
            Joined::Task(task) => Ok(unsafe { TaskRef::new(task) }),
            Joined::Taken(id) => Err(id),
        })
    }

    /// True if the task is complete: an await will not wait.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        match self.task {
            // SAFETY: I1: the handle keeps the task.
            Joined::Task(task) => unsafe { task.state() }.load().is_complete(),
            Joined::Taken(_) => true,
        }
    }

    /// The id of the task.
    #[must_use]
    pub fn id(&self) -> TaskId {
        match self.task {
            // SAFETY: I1: the handle keeps the task.
            Joined::Task(task) => unsafe { task.id() },
            Joined::Taken(id) => id,
        }
    }

    /// Lets the task run on, on its own.
    pub fn detach(self) {}

    /// Takes the result of a complete task, and lets go of the task.
    #[inline]
    fn take(&mut self, task: TaskPtr, seen: Snapshot) -> Result<T, JoinError> {
        let mut result = MaybeUninit::<Result<T, JoinError>>::uninit();
        self.task = Joined::Taken(self.id());
        // SAFETY: I1: the handle keeps the task.
        let take_output = unsafe { task.vtable() }.take_output;
        // SAFETY: I3: the task is complete, and the handle is there: the stage is ours. There
        // is room for the result, and `new` was told that the output is a `T`.
        unsafe { take_output(task, result.as_mut_ptr().cast()) };
        if seen.refs() == 1 {
            // SAFETY: The only reference is ours.
            unsafe { task.dealloc() };
        } else {
            // SAFETY: The handle's reference is given back once: it is `Taken`.
            unsafe { task.drop_ref() };
        }
        // SAFETY: It was written above.
        unsafe { result.assume_init() }
    }
}

impl<T> Future for JoinHandle<T> {
    type Output = Result<T, JoinError>;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let Joined::Task(task) = self.task else {
            panic!("a JoinHandle was polled after it had given its result");
        };
        let budget = ready!(budget::poll_proceed(cx));
        // SAFETY: I1: the handle keeps the task.
        let state = unsafe { task.state() };
        let mut seen = state.load();
        if !seen.is_complete() {
            // SAFETY: I4: the handle is here, and polled by nobody else.
            if unsafe { register(task, seen, cx.waker()) } == JoinSlot::Changed {
                return Poll::Pending;
            }
            seen = state.load();
        }
        budget.made_progress();
        Poll::Ready(self.take(task, seen))
    }
}

/// Leaves `waker` with the task. Answers `Complete` if the task was faster.
///
/// # Safety
///
/// - The caller is the handle of the task, and `seen` its last look at the word.
unsafe fn register(task: TaskPtr, seen: Snapshot, waker: &Waker) -> JoinSlot {
    // SAFETY: I1: the handle keeps the task.
    let header = unsafe { task.header() };
    let mut old = None;
    if seen.has(flag::JOIN_WAKER) {
        // SAFETY: The bit was set by us.
        if unsafe { header.join_waker.will_wake(waker) } {
            return JoinSlot::Changed;
        }
        if header.state.unset_join_waker() == JoinSlot::Complete {
            return JoinSlot::Complete;
        }
        // SAFETY: I4: the bit was set, and we have cleared it.
        old = Some(unsafe { header.join_waker.take() });
    }
    // A clone is the user's code: if it panics, the slot is empty and the bit is clear.
    let new = waker.clone();
    // SAFETY: I4: the bit is clear, and the slot is empty.
    unsafe { header.join_waker.put(new) };
    let slot = header.state.set_join_waker();
    if slot == JoinSlot::Complete {
        // SAFETY: I4: the bit is clear for ever.
        old = Some(unsafe { header.join_waker.take() });
    }
    drop(old);
    slot
}

impl<T> Drop for JoinHandle<T> {
    #[inline]
    fn drop(&mut self) {
        if let Joined::Task(task) = self.task {
            // SAFETY: I1: the handle keeps the task, and goes.
            unsafe { leave(task) };
        }
    }
}

/// Gives up the join interest and the handle's reference.
///
/// # Safety
///
/// - The caller is the handle of the task, and does not use it again.
unsafe fn leave(task: TaskPtr) {
    // SAFETY: I1: the handle keeps the task.
    let state = unsafe { task.state() };
    let mut left = state.drop_join_handle();
    if left == DropHandle::Waker {
        // SAFETY: I4: the bit was set, and we have cleared it.
        let waker = unsafe { task.header().join_waker.take() };
        swallow(|| drop(waker));
        left = state.drop_join_handle();
    }
    if left == DropHandle::Output {
        // SAFETY: I1: the handle keeps the task.
        let drop_output = unsafe { task.vtable() }.drop_output;
        // SAFETY: I3: the task is complete, and the handle is there: the stage is ours.
        unsafe { drop_output(task) };
        // SAFETY: The handle's reference is given back once.
        unsafe { task.drop_ref() };
    }
}

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JoinHandle")
            .field("id", &self.id())
            .field("finished", &self.is_finished())
            .finish()
    }
}

/// Cancels a task from anywhere, without owning its output.
///
/// It keeps the memory of the task, and nothing else of it.
#[derive(Clone)]
pub struct AbortHandle(Result<TaskRef, TaskId>);

impl AbortHandle {
    /// As [`JoinHandle::cancel`].
    pub fn cancel(&self) {
        if let Ok(task) = &self.0 {
            task.cancel();
        }
    }

    /// As [`JoinHandle::is_finished`].
    #[must_use]
    pub fn is_finished(&self) -> bool {
        match &self.0 {
            Ok(task) => task.is_complete(),
            Err(_) => true,
        }
    }

    /// The id of the task.
    #[must_use]
    pub fn id(&self) -> TaskId {
        match &self.0 {
            Ok(task) => task.id(),
            Err(id) => *id,
        }
    }
}

impl fmt::Debug for AbortHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AbortHandle")
            .field("id", &self.id())
            .field("finished", &self.is_finished())
            .finish()
    }
}
