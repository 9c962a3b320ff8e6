//! The typed half of a task: what stands behind the vtable.
//!
//! Whatever belongs to the user is called through [`catch`]: the poll, the destructors of the
//! future and of an output that nobody reads, the waker of the joiner.

use super::cell::{Cell, Stage};
use super::context;
use super::error::{Failure, Payload, catch, discard, swallow};
use super::header::{Polled, Vtable};
use super::id::TaskId;
use super::inspect::{Description, TaskInfo};
use super::ptr::TaskPtr;
use super::runnable::Runnable;
use super::schedule::{Metadata, Orphan, Schedule};
use super::snapshot::flag;
use super::state::{ToComplete, ToCompleteUnread, ToIdle};
use super::waker::BorrowedWaker;
use std::future::Future;
use std::ptr::NonNull;
use std::task::{Context, Poll};

/// Allocates a task, scheduled and with a handle; the caller has both references.
pub(super) fn allocate<F, S, M>(future: F, scheduler: S, metadata: M) -> TaskPtr
where
    F: Future,
    S: Schedule,
    M: Metadata,
{
    let cell = Box::new(Cell::new(future, scheduler, metadata, vtable::<F, S, M>()));
    let cell = NonNull::from(Box::leak(cell));
    let task = TaskPtr::new(cell.cast());
    let id = TaskId::unregistered(cell.addr().get());
    // SAFETY: It has just been allocated.
    unsafe { task.header() }.set_id(id);
    task
}

fn vtable<F, S, M>() -> &'static Vtable
where
    F: Future,
    S: Schedule,
    M: Metadata,
{
    &Vtable {
        poll: poll::<F, S, M>,
        cancel: cancel::<F, S, M>,
        schedule: schedule::<F, S, M>,
        reschedule: reschedule::<F, S, M>,
        take_output: take_output::<F, S, M>,
        drop_output: drop_output::<F, S, M>,
        describe: describe::<F, S, M>,
        dealloc: dealloc::<F, S, M>,
    }
}

/// A pointer to a task whose types are known.
///
/// # Safety
///
/// The methods want the task to be alive for as long as what they return is used.
struct Harness<F: Future, S, M>(NonNull<Cell<F, S, M>>);

impl<F: Future, S, M> Harness<F, S, M> {
    #[inline]
    fn new(task: TaskPtr) -> Self {
        Self(task.as_non_null().cast())
    }

    #[inline]
    fn task(&self) -> TaskPtr {
        TaskPtr::new(self.0.cast())
    }

    #[inline]
    unsafe fn stage<'a>(&self) -> &'a Stage<F> {
        // SAFETY: The task is alive.
        unsafe { &(*self.0.as_ptr()).stage }
    }

    #[inline]
    unsafe fn scheduler<'a>(&self) -> &'a S {
        // SAFETY: The task is alive.
        unsafe { &(*self.0.as_ptr()).scheduler }
    }

    unsafe fn metadata<'a>(&self) -> &'a M {
        // SAFETY: The task is alive.
        unsafe { &(*self.0.as_ptr()).metadata }
    }
}

/// Polls the future once. [`Vtable::poll`].
unsafe fn poll<F, S, M>(task: TaskPtr) -> Polled
where
    F: Future,
    S: Schedule,
    M: Metadata,
{
    let harness = Harness::<F, S, M>::new(task);
    // SAFETY: I1: the life reference keeps the task.
    let header = unsafe { task.header() };
    // SAFETY: As above.
    let stage = unsafe { harness.stage() };
    let _entered = context::enter(task);
    header.begin_poll(context::clock());

    // SAFETY: The task outlives the poll, by the life reference.
    let waker = unsafe { BorrowedWaker::new(task) };
    let mut cx = Context::from_waker(&waker);
    // SAFETY: I2: the task is ours; I3: a task that is not complete has its future.
    match catch(|| unsafe { stage.poll_future(&mut cx) }) {
        // SAFETY: I2: the task is still ours.
        Ok(Poll::Pending) => unsafe { after_pending(&harness) },
        Ok(Poll::Ready(output)) => {
            // SAFETY: As above.
            unsafe { finish(&harness, output) };
            Polled::Complete
        }
        Err(payload) => {
            // SAFETY: As above.
            unsafe { finish_panicked(&harness, payload) };
            Polled::Complete
        }
    }
}

/// Lets go of a task that waits.
unsafe fn after_pending<F, S, M>(harness: &Harness<F, S, M>) -> Polled
where
    F: Future,
    S: Schedule,
    M: Metadata,
{
    // SAFETY: I1: the life reference keeps the task.
    let state = unsafe { harness.task().state() };
    let mut next = state.transition_to_idle();
    if next == ToIdle::Orphaned {
        // SAFETY: `Orphaned` left us the task and its life reference.
        unsafe { report_orphan(harness) };
        next = state.transition_to_idle_orphaned();
    }
    match next {
        ToIdle::Idle | ToIdle::Orphaned => Polled::Idle,
        ToIdle::Reschedule => Polled::Woken,
        ToIdle::Cancelled => {
            // SAFETY: `Cancelled` left us the task and its life reference.
            unsafe { finish_cancelled(harness) };
            Polled::Cancelled
        }
    }
}

/// Tells the scheduler of a task that nobody can wake, and does what it says.
#[cold]
unsafe fn report_orphan<F, S, M>(harness: &Harness<F, S, M>)
where
    F: Future,
    S: Schedule,
    M: Metadata,
{
    let task = harness.task();
    // SAFETY: The task is ours.
    let info = unsafe { TaskInfo::of_running(task) };
    // SAFETY: I1: the life reference keeps the task.
    if unsafe { harness.scheduler() }.orphaned(info) == Orphan::Cancel {
        // SAFETY: As above. A running task is not queued by this.
        unsafe { task.cancel() };
    }
}

/// Stores the output of a future that is done, after dropping the future.
#[inline]
unsafe fn finish<F, S, M>(harness: &Harness<F, S, M>, output: F::Output)
where
    F: Future,
    S: Schedule,
    M: Metadata,
{
    // SAFETY: I2: the task is ours.
    let stage = unsafe { harness.stage() };
    // SAFETY: I3: the future is in the stage, and is not polled again.
    if let Err(payload) = catch(|| unsafe { stage.drop_future() }) {
        swallow(|| drop(output));
        // SAFETY: The stage is empty now.
        unsafe { fail(harness, Some(Box::new(payload))) };
        return;
    }
    // SAFETY: The stage is empty now.
    unsafe { stage.put_output(output) };
    // SAFETY: The stage holds the output.
    unsafe { complete(harness, false) };
}

/// Ends a task whose poll panicked.
#[cold]
unsafe fn finish_panicked<F, S, M>(harness: &Harness<F, S, M>, payload: Payload)
where
    F: Future,
    S: Schedule,
    M: Metadata,
{
    // SAFETY: I2: the task is ours.
    let stage = unsafe { harness.stage() };
    // SAFETY: I3: the future is in the stage, and is not polled again.
    if let Err(second) = catch(|| unsafe { stage.drop_future() }) {
        discard(second);
    }
    // SAFETY: The stage is empty now.
    unsafe { fail(harness, Some(Box::new(payload))) };
}

/// Ends a task that was cancelled.
#[cold]
unsafe fn finish_cancelled<F, S, M>(harness: &Harness<F, S, M>)
where
    F: Future,
    S: Schedule,
    M: Metadata,
{
    // SAFETY: I2: the task is ours.
    let stage = unsafe { harness.stage() };
    // SAFETY: I3: the future is in the stage, and is not polled again.
    let dropped = catch(|| unsafe { stage.drop_future() });
    // SAFETY: The stage is empty now.
    unsafe { fail(harness, dropped.err().map(Box::new)) };
}

unsafe fn fail<F, S, M>(harness: &Harness<F, S, M>, failure: Failure)
where
    F: Future,
    S: Schedule,
    M: Metadata,
{
    // SAFETY: The caller has emptied the stage.
    unsafe { harness.stage().put_failure(failure) };
    // SAFETY: The stage holds the failure.
    unsafe { complete(harness, true) };
}

/// Completes a task whose stage holds its result, and gives up the life reference.
#[inline]
unsafe fn complete<F, S, M>(harness: &Harness<F, S, M>, failed: bool)
where
    F: Future,
    S: Schedule,
    M: Metadata,
{
    let task = harness.task();
    // SAFETY: I1: the life reference keeps the task.
    unsafe { harness.scheduler().release(task.id()) };
    // SAFETY: As above.
    let state = unsafe { task.state() };
    match state.transition_to_complete(failed) {
        ToComplete::Done => {}
        ToComplete::WakeJoiner => {
            // SAFETY: `WakeJoiner` left us the life reference.
            unsafe { wake_joiner(task) };
        }
        ToComplete::Unread => {
            // SAFETY: I3: nobody else will ever look at the stage.
            unsafe { drop_result(harness, failed) };
            if state.transition_to_complete_unread() == ToCompleteUnread::Dealloc {
                // SAFETY: Nobody else is left.
                unsafe { task.dealloc() };
            }
        }
    }
}

/// Wakes whoever awaits the handle, and gives up the life reference, in the other order: then
/// the joiner, as a rule, finds itself the last one and frees the task without a further step.
unsafe fn wake_joiner(task: TaskPtr) {
    // SAFETY: I4: the task is complete and the bit is set, so the slot is the completer's.
    let waker = unsafe { task.header().join_waker.take() };
    // SAFETY: The life reference is given back once.
    unsafe { task.drop_ref() };
    swallow(|| waker.wake());
}

/// Drops the output or the failure.
unsafe fn drop_result<F, S, M>(harness: &Harness<F, S, M>, failed: bool)
where
    F: Future,
    S: Schedule,
    M: Metadata,
{
    // SAFETY: The caller's task is alive.
    let id = unsafe { harness.task().id() };
    // SAFETY: The caller has the stage.
    let result = unsafe { harness.stage().take(failed, id) };
    match result {
        Ok(output) => swallow(|| drop(output)),
        Err(error) => swallow(|| drop(error)),
    }
}

/// [`Vtable::cancel`].
unsafe fn cancel<F, S, M>(task: TaskPtr)
where
    F: Future,
    S: Schedule,
    M: Metadata,
{
    let _entered = context::enter(task);
    // SAFETY: I2: the task is the caller's, who gives it to us.
    unsafe { finish_cancelled(&Harness::<F, S, M>::new(task)) };
}

/// [`Vtable::schedule`].
unsafe fn schedule<F, S, M>(task: TaskPtr)
where
    F: Future,
    S: Schedule,
    M: Metadata,
{
    // SAFETY: The caller keeps the task for as long as the call lasts.
    let scheduler = unsafe { Harness::<F, S, M>::new(task).scheduler() };
    // SAFETY: The caller gives us the life reference of the scheduled task.
    scheduler.schedule(unsafe { Runnable::new(task) });
}

/// [`Vtable::reschedule`].
unsafe fn reschedule<F, S, M>(task: TaskPtr)
where
    F: Future,
    S: Schedule,
    M: Metadata,
{
    // SAFETY: The caller keeps the task for as long as the call lasts.
    let scheduler = unsafe { Harness::<F, S, M>::new(task).scheduler() };
    // SAFETY: The caller gives us the life reference of the scheduled task.
    scheduler.reschedule(unsafe { Runnable::new(task) });
}

/// [`Vtable::take_output`].
unsafe fn take_output<F, S, M>(task: TaskPtr, to: *mut ())
where
    F: Future,
    S: Schedule,
    M: Metadata,
{
    // SAFETY: The caller keeps the task.
    let failed = unsafe { task.state() }.load().has(flag::FAILED);
    // SAFETY: As above.
    let id = unsafe { task.id() };
    // SAFETY: As above.
    let stage = unsafe { Harness::<F, S, M>::new(task).stage() };
    // SAFETY: I3: the task is complete and the stage the caller's.
    let result = unsafe { stage.take(failed, id) };
    // SAFETY: The caller has room there for this type.
    unsafe { to.cast::<Result<F::Output, super::JoinError>>().write(result) };
}

/// [`Vtable::drop_output`].
unsafe fn drop_output<F, S, M>(task: TaskPtr)
where
    F: Future,
    S: Schedule,
    M: Metadata,
{
    // SAFETY: The caller keeps the task.
    let failed = unsafe { task.state() }.load().has(flag::FAILED);
    // SAFETY: I3: the task is complete and the stage the caller's.
    unsafe { drop_result(&Harness::<F, S, M>::new(task), failed) };
}

/// [`Vtable::describe`].
unsafe fn describe<F, S, M>(task: TaskPtr) -> Description
where
    F: Future,
    S: Schedule,
    M: Metadata,
{
    let harness = Harness::<F, S, M>::new(task);
    // SAFETY: The caller keeps the task.
    let metadata = unsafe { harness.metadata() };
    Description {
        name: metadata.name().map(Into::into),
        location: metadata.location(),
        type_name: std::any::type_name::<F>(),
        future_size: size_of::<F>(),
    }
}

/// [`Vtable::dealloc`].
unsafe fn dealloc<F, S, M>(task: TaskPtr)
where
    F: Future,
    S: Schedule,
    M: Metadata,
{
    let cell = Harness::<F, S, M>::new(task).0.as_ptr();
    // SAFETY: `allocate` made the box, and the caller has the last reference to it.
    drop(unsafe { Box::from_raw(cell) });
}
