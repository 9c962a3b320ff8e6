//! The typed half of a task: what stands behind the vtable.
//!
//! Whatever belongs to the user is called through [`catch`]: the poll, the destructors of the
//! future and of an output that nobody reads, the waker of the joiner.

use super::cell::{Cell, Stage, Typed};
use super::context;
use super::error::{Failure, catch, discard, swallow};
use super::header::{Description, Erased, Polled, Vtable};
use super::held::Held;
use super::id::TaskId;
use super::inspect::TaskInfo;
use super::outcome::{ToComplete, ToCompleteUnread, ToIdle};
use super::root::{self, Root};
use super::runnable::Runnable;
use super::schedule::{Metadata, Orphan, Schedule};
use super::snapshot::flag;
use super::waker::BorrowedWaker;
use crate::machine::State;
use std::future::Future;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;
use std::task::{Context, Poll};

/// Allocates a task, scheduled and with join interest: the life reference, and the handle's.
pub(super) fn allocate<F, S, M>(future: F, scheduler: S, metadata: M) -> (Held, Held)
where
    F: Future + 'static,
    S: Schedule,
    M: Metadata<F>,
{
    let cell = Box::new(Cell::new(future, scheduler, metadata, vtable::<F, S, M>()));
    let cell = NonNull::from(Box::leak(cell)).cast();
    // SAFETY: The word begins with two references, of which this is the first.
    let life = unsafe { Held::from_raw(cell) };
    // SAFETY: As above, the second.
    let handle = unsafe { Held::from_raw(cell) };
    let id = TaskId::unregistered(cell.addr().get());
    life.header().set_id(id);
    (life, handle)
}

fn vtable<F, S, M>() -> &'static Vtable
where
    F: Future + 'static,
    S: Schedule,
    M: Metadata<F>,
{
    &Vtable {
        poll: poll::<F, S, M>,
        cancel: cancel::<F, S, M>,
        schedule: schedule::<F, S, M>,
        reschedule: reschedule::<F, S, M>,
        take_output: take_output::<F, S, M>,
        drop_output: drop_output::<F, S, M>,
        describe: describe::<F, S, M>,
        position: position::<F, S, M>,
        dealloc: dealloc::<F, S, M>,
    }
}

/// A task that is running in our hands (I2), with its life reference.
struct Running<F: Future, S, M> {
    life: Held,
    cell: Typed<F, S, M>,
}

impl<F, S, M> Running<F, S, M>
where
    F: Future + 'static,
    S: Schedule,
    M: Metadata<F>,
{
    /// # Safety
    ///
    /// - As [`Vtable::poll`] and [`Vtable::cancel`] say.
    #[inline]
    unsafe fn new(task: Erased) -> Self {
        Self {
            // SAFETY: The caller gives us the life reference.
            life: unsafe { Held::from_raw(task) },
            // SAFETY: The caller vouches for the types, and `life` keeps the task.
            cell: unsafe { Typed::new(task) },
        }
    }

    fn stage(&self) -> &Stage<F> {
        self.cell.stage(&self.life)
    }

    fn scheduler(&self) -> &S {
        self.cell.scheduler(&self.life)
    }

    /// Polls the future, and drops it if that was its last poll.
    #[inline]
    fn advance(&self) -> Poll<Result<F::Output, Failure>> {
        let waker = BorrowedWaker::new(&self.life);
        let mut cx = Context::from_waker(&waker);
        // SAFETY: I2, I3: the stage is ours, and holds the future.
        match catch(|| unsafe { self.stage().poll_future(&mut cx) }) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(output)) => Poll::Ready(self.drop_finished(output)),
            Err(payload) => {
                // The first panic is the one to tell of.
                if let Err(Some(second)) = self.drop_future() {
                    discard(*second);
                }
                Poll::Ready(Err(Some(Box::new(payload))))
            }
        }
    }

    #[inline]
    fn drop_finished(&self, output: F::Output) -> Result<F::Output, Failure> {
        match self.drop_future() {
            Ok(()) => Ok(output),
            Err(failure) => {
                swallow(|| drop(output));
                Err(failure)
            }
        }
    }

    /// Drops the future, which leaves the stage empty.
    #[inline]
    fn drop_future(&self) -> Result<(), Failure> {
        // SAFETY: I2, I3: the stage is ours, and holds the future, which nobody polls again.
        catch(|| unsafe { self.stage().drop_future() }).map_err(|payload| Some(Box::new(payload)))
    }

    /// Lets go of a task that waits.
    #[inline]
    fn suspend(self) -> Polled {
        let state = self.life.state();
        let mut next = state.transition_to_idle();
        if next == ToIdle::Orphaned {
            self.report_orphan();
            next = state.transition_to_idle_orphaned();
        }
        match next {
            ToIdle::Idle | ToIdle::Orphaned => Polled::Idle,
            ToIdle::Reschedule => Polled::Woken,
            ToIdle::Cancelled => {
                self.stop();
                Polled::Cancelled
            }
        }
    }

    /// Tells the scheduler of a task that nobody can wake, and does what it says.
    #[cold]
    fn report_orphan(&self) {
        let mut info = TaskInfo::of_running(&self.life);
        info.position = catch(|| self.position()).unwrap_or_else(|payload| {
            discard(payload);
            Vec::new()
        });
        if self.scheduler().orphaned(info) == Orphan::Cancel {
            self.life.cancel();
        }
    }

    /// The future to ask where the task stands.
    fn root(&self) -> Option<Root> {
        let metadata = self.cell.metadata(&self.life);
        // SAFETY: I2, I3: the stage is ours, and holds the future.
        unsafe { self.stage().with_future(|future| metadata.root(future)) }
    }

    /// The states that its future is in, if that is a machine.
    fn position(&self) -> Vec<&'static State> {
        self.root().map_or_else(Vec::new, |root| {
            // SAFETY: I2, I3: the stage is ours, and holds the future, which is not being polled.
            unsafe { root::position(root) }
        })
    }

    /// Ends a task that was cancelled.
    #[cold]
    fn stop(self) {
        let dropped = context::enter(&self.life, || self.drop_future());
        self.complete(Err(dropped.err().flatten()));
    }

    /// Completes a task whose stage is empty, and gives up the life reference.
    #[inline]
    fn complete(self, result: Result<F::Output, Failure>) {
        let failed = result.is_err();
        // SAFETY: I2: the stage is ours, and empty.
        unsafe { self.stage().put(result) };
        self.scheduler().release(self.life.id());
        match self.life.state().transition_to_complete(failed) {
            ToComplete::Done => {}
            ToComplete::WakeJoiner => self.wake_joiner(),
            ToComplete::Unread => self.drop_unread(failed),
        }
    }

    /// Wakes whoever awaits the handle, and gives up the life reference, in the other order:
    /// then the joiner, as a rule, finds itself the last one and frees the task without a
    /// further step of the word.
    fn wake_joiner(self) {
        // SAFETY: I4: the task is complete and the bit is set, so the slot is the completer's.
        let waker = unsafe { self.life.header().join_waker.take() };
        self.life.give_back();
        swallow(|| waker.wake());
    }

    /// Drops a result that nobody will read.
    fn drop_unread(self, failed: bool) {
        context::enter(&self.life, || {
            // SAFETY: I3: without a handle nobody else will ever be at the stage.
            unsafe { drop_result(self.stage(), failed, self.life.id()) };
        });
        let state = self.life.state();
        if state.transition_to_complete_unread() == ToCompleteUnread::Dealloc {
            // SAFETY: The word says that nobody else is left, and the stage is empty.
            unsafe { self.life.dealloc() };
        }
    }
}

/// Drops the output or the failure.
///
/// # Safety
///
/// - The stage is the caller's, and holds a result.
unsafe fn drop_result<F: Future>(stage: &Stage<F>, failed: bool, id: TaskId) {
    // SAFETY: The caller has the stage.
    let result = unsafe { stage.take(failed, id) };
    match result {
        Ok(output) => swallow(|| drop(output)),
        Err(error) => swallow(|| drop(error)),
    }
}

/// [`Vtable::poll`].
unsafe fn poll<F, S, M>(task: Erased) -> Polled
where
    F: Future + 'static,
    S: Schedule,
    M: Metadata<F>,
{
    // SAFETY: The caller has the task, and gives it to us.
    let running = unsafe { Running::<F, S, M>::new(task) };
    running.life.header().begin_poll(context::clock());
    match context::enter(&running.life, || running.advance()) {
        Poll::Pending => running.suspend(),
        Poll::Ready(result) => {
            running.complete(result);
            Polled::Complete
        }
    }
}

/// [`Vtable::cancel`].
unsafe fn cancel<F, S, M>(task: Erased)
where
    F: Future + 'static,
    S: Schedule,
    M: Metadata<F>,
{
    // SAFETY: The caller has the task, and gives it to us.
    unsafe { Running::<F, S, M>::new(task) }.stop();
}

/// [`Vtable::schedule`].
unsafe fn schedule<F, S, M>(task: Erased)
where
    F: Future + 'static,
    S: Schedule,
    M: Metadata<F>,
{
    // SAFETY: The caller gives us the life reference.
    let life = unsafe { Held::from_raw(task) };
    // SAFETY: The caller vouches for the types, and keeps the task by another reference.
    let cell = unsafe { Typed::<F, S, M>::new(task) };
    // SAFETY: As above: this one is the caller's, of which it is a look only.
    let keeper = unsafe { Held::from_raw(task) };
    cell.scheduler(&keeper).schedule(Runnable::new(life));
}

/// [`Vtable::reschedule`].
unsafe fn reschedule<F, S, M>(task: Erased)
where
    F: Future + 'static,
    S: Schedule,
    M: Metadata<F>,
{
    // SAFETY: The caller gives us the life reference.
    let life = unsafe { Held::from_raw(task) };
    // SAFETY: The caller vouches for the types, and keeps the task by another reference.
    let cell = unsafe { Typed::<F, S, M>::new(task) };
    // SAFETY: As above: this one is the caller's, of which it is a look only.
    let keeper = unsafe { Held::from_raw(task) };
    cell.scheduler(&keeper).reschedule(Runnable::new(life));
}

/// [`Vtable::take_output`].
unsafe fn take_output<F, S, M>(task: Erased, to: *mut ())
where
    F: Future + 'static,
    S: Schedule,
    M: Metadata<F>,
{
    // SAFETY: This is a look at the caller's reference.
    let held = unsafe { Held::from_raw(task) };
    // SAFETY: The caller vouches for the types.
    let cell = unsafe { Typed::<F, S, M>::new(task) };
    let failed = held.state().load().has(flag::FAILED);
    // SAFETY: I3: the task is complete and the stage the caller's.
    let result = unsafe { cell.stage(&held).take(failed, held.id()) };
    // SAFETY: The caller has room there for a result of this type.
    unsafe {
        to.cast::<Result<F::Output, super::error::JoinError>>()
            .write(result)
    };
}

/// [`Vtable::drop_output`].
unsafe fn drop_output<F, S, M>(task: Erased)
where
    F: Future + 'static,
    S: Schedule,
    M: Metadata<F>,
{
    // SAFETY: This is a look at the caller's reference.
    let held = unsafe { Held::from_raw(task) };
    // SAFETY: The caller vouches for the types.
    let cell = unsafe { Typed::<F, S, M>::new(task) };
    let failed = held.state().load().has(flag::FAILED);
    // SAFETY: I3: the task is complete and the stage the caller's.
    unsafe { drop_result(cell.stage(&held), failed, held.id()) };
}

/// [`Vtable::describe`].
unsafe fn describe<F, S, M>(task: Erased) -> Description
where
    F: Future + 'static,
    S: Schedule,
    M: Metadata<F>,
{
    // SAFETY: This is a look at the caller's reference.
    let held = unsafe { Held::from_raw(task) };
    // SAFETY: The caller vouches for the types.
    let cell = unsafe { Typed::<F, S, M>::new(task) };
    let metadata = cell.metadata(&held);
    Description {
        name: metadata.name().map(Into::into),
        location: metadata.location(),
        type_name: std::any::type_name::<F>(),
        future_size: size_of::<F>(),
    }
}

/// [`Vtable::position`].
unsafe fn position<F, S, M>(task: Erased) -> Vec<&'static State>
where
    F: Future + 'static,
    S: Schedule,
    M: Metadata<F>,
{
    // SAFETY: The caller has the task; what we have is a look at its life reference.
    let running = ManuallyDrop::new(unsafe { Running::<F, S, M>::new(task) });
    running.position()
}

/// [`Vtable::dealloc`].
unsafe fn dealloc<F, S, M>(task: Erased)
where
    F: Future + 'static,
    S: Schedule,
    M: Metadata<F>,
{
    // SAFETY: The caller vouches for the types, and has the last reference.
    let cell = unsafe { Typed::<F, S, M>::new(task) };
    // SAFETY: As above, and the stage is empty.
    unsafe { cell.free() };
}
