//! A task that runs, with its types: the steps of its owner.
//!
//! Whatever belongs to the user is called through [`catch`]: the poll, the destructors of the
//! future and of an output that nobody reads, the waker of the joiner.

use super::cell::{Stage, TypedTask};
use super::owner_thread::{self, OwnerThread};
use super::schedule::{Metadata, Schedule};
use crate::machine::State;
use crate::task::current_task;
use crate::task::error::{Failure, catch, catch_and_discard, discard, fail};
use crate::task::inspect::{self, ErasedFuture, TaskInfo};
use crate::task::orphan::{Orphan, OrphanAction};
use crate::task::reference::{BorrowedWaker, Erased, Polled, RawTask};
use crate::task::word::{Lifecycle, ToComplete, ToCompleteUnread, ToIdle, flag};
use std::future::Future;
use std::task::{Context, Poll};

/// A task that is running in our hands (I2), with its life reference.
pub(in crate::task) struct RunningTask<F: Future, S, M> {
    pub(in crate::task) life: RawTask,
    cell: TypedTask<F, S, M>,
}

impl<F, S, M> RunningTask<F, S, M>
where
    F: Future + 'static,
    S: Schedule,
    M: Metadata<F>,
{
    /// # Safety
    ///
    /// - As `Vtable::poll` and `Vtable::cancel` say.
    #[inline]
    pub(in crate::task) unsafe fn new(task: Erased) -> Self {
        Self {
            // SAFETY: The caller gives us the life reference.
            life: unsafe { RawTask::from_raw(task) },
            // SAFETY: The caller vouches for the types, and `life` keeps the task.
            cell: unsafe { TypedTask::new(task) },
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
    pub(super) fn advance(&self) -> Poll<Result<F::Output, Failure>> {
        let waker = BorrowedWaker::new(&self.life);
        let mut cx = Context::from_waker(&waker);
        let polled = catch(|| {
            // What panics is dropped in the course of the panic, as everything else is.
            let unwinding = DropOnUnwind(self);
            // SAFETY: I2, I3: the stage is ours, and holds the future.
            let polled = unsafe { self.stage().poll_future(&mut cx) };
            std::mem::forget(unwinding);
            polled
        });
        match polled {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(output)) => Poll::Ready(self.drop_finished(output)),
            Err(payload) => Poll::Ready(Err(fail(payload))),
        }
    }

    #[inline]
    fn drop_finished(&self, output: F::Output) -> Result<F::Output, Failure> {
        match self.drop_future() {
            Ok(()) => Ok(output),
            Err(failure) => {
                catch_and_discard(|| drop(output));
                Err(failure)
            }
        }
    }

    /// Drops the future, which leaves the stage empty.
    #[inline]
    fn drop_future(&self) -> Result<(), Failure> {
        // SAFETY: I2, I3: the stage is ours, and holds the future, which nobody polls again.
        catch(|| unsafe { self.stage().drop_future() }).map_err(fail)
    }

    /// Lets go of a task that waits.
    #[inline]
    pub(super) fn suspend(self) -> Polled {
        let state = self.life.state();
        let mut next = state.transition_to_idle();
        if next == ToIdle::Orphaned {
            self.report_orphan();
            next = state.transition_to_idle();
        }
        match next {
            ToIdle::Idle | ToIdle::Queued | ToIdle::Orphaned => Polled::Idle,
            ToIdle::Reschedule => Polled::Woken,
            ToIdle::Cancelled => {
                self.stop();
                Polled::Cancelled
            }
        }
    }

    /// Tells the scheduler of a task that nobody can wake, and does what it says.
    #[cold]
    pub(in crate::task) fn report_orphan(&self) {
        let orphan = self.as_orphan();
        let fate = self.scheduler().orphan_action();
        self.life.state().mark_orphaned(fate.ending());
        catch_and_discard(|| self.scheduler().orphaned(&orphan));
    }

    fn as_orphan(&self) -> Orphan {
        let mut task = TaskInfo::of_running(&self.life);
        (task.lifecycle, task.orphaned) = (Lifecycle::Idle, true);
        catch_and_discard(|| task.position = self.position());
        Orphan::new(task)
    }

    /// The orphan that is about to end by a panic, if that is how it ends.
    fn as_panicking_orphan(&self) -> Option<Orphan> {
        let panics = self.life.state().load().has(flag::ORPHANED)
            && self.scheduler().orphan_action() == OrphanAction::Panic;
        panics.then(|| self.as_orphan())
    }

    /// The future to ask where the task stands.
    fn inspection_target(&self) -> Option<ErasedFuture> {
        let metadata = self.cell.metadata(&self.life);
        // SAFETY: I2, I3: the stage is ours, and holds the future.
        unsafe {
            self.stage()
                .with_future(|future| metadata.inspection_target(future))
        }
    }

    /// The states that its future is in, if that is a machine.
    pub(in crate::task) fn position(&self) -> Vec<&'static State> {
        self.inspection_target().map_or_else(Vec::new, |root| {
            // SAFETY: I2, I3: the stage is ours, and holds the future, which is not being polled.
            unsafe { inspect::position(root) }
        })
    }

    /// Whether the future stays on another thread than this.
    #[inline]
    pub(in crate::task) fn is_on_foreign_thread(&self) -> bool {
        let owner = self.cell.metadata(&self.life).owner();
        owner.is_some_and(|owner| !owner.is_here())
    }

    /// Completes a task whose future stays on another thread, and leaves the future as it is (L2).
    #[cold]
    pub(super) fn abandon(self) {
        let metadata = self.cell.metadata(&self.life);
        if let Some(owner) = metadata.owner() {
            owner.abandon();
        }
        let spawned_at = metadata.location();
        // Nobody but the panic hook hears of a detached one.
        catch_and_discard(|| panic!("{}", owner_thread::reason(spawned_at)));
        let _never_given_back = self.life.clone_ref();
        self.end(true);
    }

    /// Ends a task that was cancelled.
    #[cold]
    pub(in crate::task) fn stop(self) {
        if self.is_on_foreign_thread() {
            return self.abandon();
        }
        let orphan = self.as_panicking_orphan();
        let dropped = current_task::enter(&self.life, || self.drop_future());
        let dropped = match orphan {
            Some(orphan) if dropped.is_ok() => catch(|| panic!("{orphan}")).map_err(fail),
            _ => dropped,
        };
        self.complete(Err(dropped.err().flatten()));
    }

    /// Completes a task whose stage is empty, and gives up the life reference.
    #[inline]
    pub(in crate::task) fn complete(self, result: Result<F::Output, Failure>) {
        let failed = result.is_err();
        // SAFETY: I2: the stage is ours, and empty.
        unsafe { self.stage().put(result) };
        self.end(failed);
    }

    /// Tells everybody that the task is complete.
    #[inline]
    fn end(self, failed: bool) {
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
        self.life.drop_ref();
        catch_and_discard(|| waker.wake());
    }

    /// Drops a result that nobody will read.
    fn drop_unread(self, failed: bool) {
        if !is_abandoned(self.cell.metadata(&self.life)) {
            current_task::enter(&self.life, || {
                // SAFETY: I3: without a handle nobody else will ever be at the stage. L2: it has a
                // result.
                unsafe { drop_result(self.stage(), failed) };
            });
        }
        let state = self.life.state();
        if state.transition_to_complete_unread() == ToCompleteUnread::Dealloc {
            // SAFETY: The word says that nobody else is left, and the stage is empty.
            unsafe { self.life.dealloc() };
        }
    }
}

/// Drops the future when a panic passes by. The first panic is the one to tell of.
struct DropOnUnwind<'a, F: Future + 'static, S: Schedule, M: Metadata<F>>(&'a RunningTask<F, S, M>);

impl<F: Future + 'static, S: Schedule, M: Metadata<F>> Drop for DropOnUnwind<'_, F, S, M> {
    #[cold]
    fn drop(&mut self) {
        if let Err(Some(second)) = self.0.drop_future() {
            discard(*second);
        }
    }
}

/// Whether the stage of a complete task has a future in it that is left as it is (L2).
#[inline]
pub(super) fn is_abandoned<F, M: Metadata<F>>(metadata: &M) -> bool {
    metadata.owner().is_some_and(OwnerThread::is_abandoned)
}

/// Drops the output or the failure.
///
/// # Safety
///
/// - The stage is the caller's, and holds a result.
pub(super) unsafe fn drop_result<F: Future>(stage: &Stage<F>, failed: bool) {
    // SAFETY: The caller has the stage.
    let result = unsafe { stage.take(failed) };
    catch_and_discard(|| drop(result));
}
