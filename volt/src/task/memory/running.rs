//! The steps of the thread that owns a running task.
//!
//! All user code is called through [`catch`]: the poll, the destructors of the future and of an
//! unread output, and the waker of the joiner.

use super::cell::{Stage, TypedTask};
use super::owner_thread::{self, OwnerThread};
use super::schedule::{Metadata, Schedule};
use crate::machine::State;
use crate::task::current_task;
use crate::task::error::{Failure, fail};
use crate::task::inspect::{self, ErasedFuture, TaskInfo};
use crate::task::orphan::{Orphan, OrphanAction};
use crate::task::reference::{BorrowedWaker, Erased, Polled, RawTask, WakerTable};
use crate::task::word::{Completion, Lifecycle, ResultKind, Suspend, UnreadCompletion, flag};
use crate::util::{catch, catch_and_discard, discard};
use std::future::Future;
use std::task::{Context, Poll};
use volt_inspect::Visitor;

/// A running task that belongs to this thread (I2), with its life reference.
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
    /// - The requirements of `Vtable::poll` and `Vtable::cancel`.
    #[inline]
    pub(in crate::task) unsafe fn new(task: Erased) -> Self {
        Self {
            // SAFETY: The caller passes the life reference to the result.
            life: unsafe { RawTask::from_raw(task) },
            // SAFETY: The caller guarantees the types, and `life` keeps the task alive.
            cell: unsafe { TypedTask::new(task) },
        }
    }

    fn stage(&self) -> &Stage<F> {
        self.cell.stage(&self.life)
    }

    fn scheduler(&self) -> &S {
        self.cell.scheduler(&self.life)
    }

    /// Polls the future with a waker of this table. Drops it if it is ready or panics.
    #[inline]
    pub(super) fn advance(&self, table: WakerTable) -> Poll<Result<F::Output, Failure>> {
        let waker = BorrowedWaker::new(&self.life, table);
        let mut cx = Context::from_waker(&waker);
        let polled = catch(|| {
            // A future that panics is dropped during the unwinding, as local variables are.
            let unwinding = DropOnUnwind(self);
            // SAFETY: I2, I3: the stage belongs to this thread, and contains the future.
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

    /// Drops the future, and leaves the stage empty.
    #[inline]
    fn drop_future(&self) -> Result<(), Failure> {
        // SAFETY: I2, I3: the stage belongs to this thread, and contains the future, which is not
        // polled again.
        catch(|| unsafe { self.stage().drop_future() }).map_err(fail)
    }

    /// Ends a poll that returned `Pending`.
    #[inline]
    pub(super) fn suspend(self) -> Polled {
        let state = self.life.state();
        let mut next = state.suspend();
        if next == Suspend::Orphaned {
            self.report_orphan();
            next = state.suspend();
        }
        match next {
            Suspend::Idle | Suspend::Orphaned => Polled::Idle,
            Suspend::Reschedule => Polled::Woken,
            Suspend::Cancelled => {
                self.stop();
                Polled::Cancelled
            }
        }
    }

    /// Reports an orphan to the scheduler, and marks it by the policy of the scheduler.
    #[cold]
    pub(in crate::task) fn report_orphan(&self) {
        let orphan = self.as_orphan();
        let action = self.scheduler().orphan_action();
        self.life.state().mark_orphaned(action.cancel_orphans());
        catch_and_discard(|| self.scheduler().orphaned(&orphan));
    }

    fn as_orphan(&self) -> Orphan {
        let mut task = TaskInfo::of_running(&self.life);
        (task.lifecycle, task.orphaned) = (Lifecycle::Idle, true);
        catch_and_discard(|| task.position = self.position().into());
        Orphan::new(task)
    }

    /// Returns the report of an orphan that ends with a panic, by the policy of the scheduler.
    fn as_panicking_orphan(&self) -> Option<Orphan> {
        let panics = self.life.state().load().has(flag::ORPHANED)
            && self.scheduler().orphan_action() == OrphanAction::Panic;
        panics.then(|| self.as_orphan())
    }

    /// Returns the future to inspect.
    fn inspection_target(&self) -> Option<ErasedFuture> {
        let metadata = self.cell.metadata(&self.life);
        // SAFETY: I2, I3: the stage belongs to this thread, and contains the future.
        unsafe {
            self.stage()
                .with_future(|future| metadata.inspection_target(future))
        }
    }

    /// Returns the states of the future, if it is a machine.
    pub(in crate::task) fn position(&self) -> Vec<&'static State> {
        self.inspection_target().map_or_else(Vec::new, |root| {
            // SAFETY: I2, I3: the stage belongs to this thread, and contains the future, which is
            // not being polled.
            unsafe { inspect::position(root) }
        })
    }

    /// Passes the tree of futures in the task to a visitor.
    pub(in crate::task) fn inspect(&self, visitor: &mut dyn Visitor) {
        if let Some(root) = self.inspection_target() {
            // SAFETY: I2, I3: the stage belongs to this thread, and contains the future, which is
            // not being polled.
            unsafe { inspect::inspect(root, visitor) };
        }
    }

    /// Returns `true` if the future is bound to another thread.
    #[inline]
    pub(in crate::task) fn is_on_foreign_thread(&self) -> bool {
        let owner = self.cell.metadata(&self.life).owner();
        owner.is_some_and(|owner| !owner.is_current())
    }

    /// Completes a task whose future is bound to another thread, and leaks the future (L2).
    #[cold]
    pub(super) fn abandon(self) {
        let metadata = self.cell.metadata(&self.life);
        if let Some(owner) = metadata.owner() {
            owner.abandon();
        }
        let spawned_at = metadata.location();
        // The panic hook is the only report of a detached task.
        catch_and_discard(|| panic!("{}", owner_thread::abandoned_message(spawned_at)));
        let _never_dropped = self.life.clone_ref();
        self.end(ResultKind::Failure);
    }

    /// Drops the future of a cancelled task, and completes the task.
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

    /// Completes a task whose stage is empty, and drops the life reference.
    #[inline]
    pub(in crate::task) fn complete(self, result: Result<F::Output, Failure>) {
        let kind = match &result {
            Ok(_) => ResultKind::Output,
            Err(_) => ResultKind::Failure,
        };
        // SAFETY: I2: the stage belongs to this thread, and is empty.
        unsafe { self.stage().put(result) };
        self.end(kind);
    }

    /// Releases the task from its scheduler, and notifies the handle.
    #[inline]
    fn end(self, kind: ResultKind) {
        self.scheduler().release(self.life.id());
        match self.life.state().complete(kind) {
            Completion::Done => {}
            Completion::WakeJoiner => self.wake_joiner(),
            Completion::Unread => self.drop_unread(kind),
        }
    }

    /// Drops the life reference, and then wakes the joiner. In this order the joiner usually has
    /// the last reference, and frees the task without a further step of the word.
    fn wake_joiner(self) {
        // SAFETY: I4: the task is complete and the bit is set, so the slot belongs to this thread.
        let waker = unsafe { self.life.header().join_waker.take() };
        self.life.drop_ref();
        catch_and_discard(|| waker.wake());
    }

    /// Drops the result of a task without a handle.
    fn drop_unread(self, kind: ResultKind) {
        if !is_abandoned(self.cell.metadata(&self.life)) {
            current_task::enter(&self.life, || {
                // SAFETY: I3: without a handle the stage belongs to this thread. L2: it contains a
                // result.
                unsafe { drop_result(self.stage(), kind) };
            });
        }
        let state = self.life.state();
        if state.complete_unread() == UnreadCompletion::Dealloc {
            // SAFETY: The life reference is the last one, and the stage is empty.
            unsafe { self.life.dealloc() };
        }
    }
}

/// Drops the future while a panic unwinds. A second panic is discarded, and the first one reported.
struct DropOnUnwind<'a, F: Future + 'static, S: Schedule, M: Metadata<F>>(&'a RunningTask<F, S, M>);

impl<F: Future + 'static, S: Schedule, M: Metadata<F>> Drop for DropOnUnwind<'_, F, S, M> {
    #[cold]
    fn drop(&mut self) {
        if let Err(Some(second)) = self.0.drop_future() {
            discard(*second);
        }
    }
}

/// Returns `true` if the stage of a complete task contains an abandoned future (L2).
#[inline]
pub(super) fn is_abandoned<F, M: Metadata<F>>(metadata: &M) -> bool {
    metadata.owner().is_some_and(OwnerThread::is_abandoned)
}

/// Drops the output or the failure.
///
/// # Safety
///
/// - The stage belongs to the caller, and contains a result of this kind.
pub(super) unsafe fn drop_result<F: Future>(stage: &Stage<F>, kind: ResultKind) {
    // SAFETY: The caller owns the stage.
    let result = unsafe { stage.take(kind) };
    catch_and_discard(|| drop(result));
}
