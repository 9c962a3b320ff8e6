//! The functions of the vtable: each gets an erased pointer, and recovers the types of the task.

use super::cell::{Cell, TypedTask};
use super::owner_thread;
use super::running::{RunningTask, drop_result, is_abandoned};
use super::schedule::{Metadata, Schedule};
use crate::machine::State;
use crate::task::coop::in_poll;
use crate::task::current_task;
use crate::task::error::{Failure, JoinError, fail};
use crate::task::id::TaskId;
use crate::task::reference::{
    Description, Erased, Polled, RawTask, Runnable, TaskLayout, Vtable, WakerTable,
};
use crate::task::word::Snapshot;
use std::any::Any;
use std::any::TypeId;
use std::future::Future;
use std::io;
use std::mem::{ManuallyDrop, offset_of};
#[cfg(feature = "tracing")]
use std::num::NonZeroU64;
use std::num::NonZeroUsize;
use std::task::Poll;
use volt_inspect::Visitor;

/// Allocates a scheduled task with a handle. Returns the life reference, and the one of the handle.
pub(in crate::task) fn allocate<F, S, M>(future: F, scheduler: S, metadata: M) -> (RawTask, RawTask)
where
    F: Future + 'static,
    S: Schedule,
    M: Metadata<F>,
{
    let cell = Cell::allocate(future, scheduler, metadata, vtable::<F, S, M>()).cast();
    // SAFETY: A new word counts two references. This is the first.
    let life = unsafe { RawTask::from_raw(cell) };
    // SAFETY: This is the second.
    let handle = unsafe { RawTask::from_raw(cell) };
    (life, handle)
}

fn vtable<F, S, M>() -> &'static Vtable
where
    F: Future + 'static,
    S: Schedule,
    M: Metadata<F>,
{
    const {
        &Vtable {
            poll: poll::<F, S, M>,
            cancel: cancel::<F, S, M>,
            schedule: schedule::<F, S, M>,
            reschedule: reschedule::<F, S, M>,
            take_output: take_output::<F, S, M>,
            drop_output: drop_output::<F, S, M>,
            describe: describe::<F, S, M>,
            position: position::<F, S, M>,
            inspect: inspect::<F, S, M>,
            report_orphan: report_orphan::<F, S, M>,
            runtime_id: runtime_id::<F, S, M>,
            is_inherited: is_inherited::<F, S, M>,
            is_job: is_job::<F, S, M>,
            store_foreign_runtime: store_foreign_runtime::<F, S, M>,
            #[cfg(feature = "tracing")]
            span: span::<F, S, M>,
            dealloc: dealloc::<F, S, M>,
            layout: TaskLayout {
                type_id: TypeId::of::<F>(),
                future: offset_of!(Cell<F, S, M>, stage),
                metadata: offset_of!(Cell<F, S, M>, metadata),
                metadata_kind: M::LAYOUT as usize,
            },
        }
    }
}

/// Borrows the reference of the caller, and returns it with the typed cell.
///
/// # Safety
///
/// - The task has these types.
/// - The caller owns a reference to it, and keeps it for as long as it uses the result.
#[inline]
unsafe fn typed<F: Future, S, M>(task: Erased) -> (RawTask, TypedTask<F, S, M>) {
    // SAFETY: The caller owns the reference, and the borrowed one is not dropped.
    let raw_task = unsafe { RawTask::from_raw(task) };
    // SAFETY: The caller guarantees the types, and `raw_task` is a reference to the task.
    let cell = unsafe { TypedTask::new(task) };
    (raw_task, cell)
}

/// [`Vtable::poll`].
#[doc(alias = "pollImpl")]
unsafe fn poll<F, S, M>(task: Erased, table: WakerTable) -> Polled
where
    F: Future + 'static,
    S: Schedule,
    M: Metadata<F>,
{
    // SAFETY: The caller owns the task, and passes it to this call.
    let running = unsafe { RunningTask::<F, S, M>::new(task) };
    if running.is_on_foreign_thread() {
        running.abandon();
        return Polled::Complete;
    }
    running.life.header().begin_poll(current_task::clock());
    let advance = || in_poll(|| running.advance(table));
    match current_task::enter(&running.life, advance) {
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
    // SAFETY: The caller owns the task, and passes it to this call.
    unsafe { RunningTask::<F, S, M>::new(task) }.stop();
}

/// [`Vtable::schedule`].
unsafe fn schedule<F, S, M>(task: Erased)
where
    F: Future + 'static,
    S: Schedule,
    M: Metadata<F>,
{
    // SAFETY: The caller passes the life reference to this call.
    let life = unsafe { RawTask::from_raw(task) };
    // SAFETY: The caller guarantees the types, and keeps another reference.
    let (keeper, cell) = unsafe { typed::<F, S, M>(task) };
    keeper.header().set_since(current_task::clock());
    cell.scheduler(&keeper).schedule(Runnable::new(life));
}

/// [`Vtable::reschedule`].
unsafe fn reschedule<F, S, M>(task: Erased)
where
    F: Future + 'static,
    S: Schedule,
    M: Metadata<F>,
{
    // SAFETY: The caller passes the life reference to this call.
    let life = unsafe { RawTask::from_raw(task) };
    // SAFETY: The caller guarantees the types, and keeps another reference.
    let (keeper, cell) = unsafe { typed::<F, S, M>(task) };
    keeper.header().set_since(current_task::clock());
    cell.scheduler(&keeper).reschedule(Runnable::new(life));
}

/// [`Vtable::take_output`].
unsafe fn take_output<F, S, M>(task: Erased, to: *mut ())
where
    F: Future + 'static,
    S: Schedule,
    M: Metadata<F>,
{
    // SAFETY: The caller guarantees the types, and keeps a reference.
    let (raw_task, cell) = unsafe { typed::<F, S, M>(task) };
    let seen = raw_task.state().load();
    let metadata = cell.metadata(&raw_task);
    let result = if is_abandoned(metadata) {
        Err(fail(owner_thread::abandoned_payload(metadata.location())))
    } else {
        // SAFETY: I3: the task is complete, and the stage belongs to the caller. L2: it contains a
        // result.
        unsafe { cell.stage(&raw_task).take(seen.result_kind()) }
    };
    let result = result.map_err(|failure| {
        let refusal = cell.scheduler(&raw_task).refusal();
        join_error(raw_task.id(), failure, refusal, seen)
    });
    // SAFETY: The caller passes memory for a result of this type.
    unsafe { to.cast::<Result<F::Output, JoinError>>().write(result) };
}

/// Returns the error of a task without an output.
fn join_error(
    id: TaskId,
    failure: Failure,
    refusal: Option<io::Error>,
    seen: Snapshot,
) -> JoinError {
    match (failure, refusal) {
        (Some(payload), _) => JoinError::panicked(id, *payload),
        (None, Some(error)) => JoinError::unstarted(id, error),
        (None, None) if seen.ended_as_orphan() => JoinError::orphaned(id),
        (None, None) => JoinError::cancelled(id),
    }
}

/// [`Vtable::drop_output`].
unsafe fn drop_output<F, S, M>(task: Erased)
where
    F: Future + 'static,
    S: Schedule,
    M: Metadata<F>,
{
    // SAFETY: The caller guarantees the types, and keeps a reference.
    let (raw_task, cell) = unsafe { typed::<F, S, M>(task) };
    let kind = raw_task.state().load().result_kind();
    if !is_abandoned(cell.metadata(&raw_task)) {
        // SAFETY: I3: the task is complete, and the stage belongs to the caller. L2: it contains a
        // result.
        unsafe { drop_result(cell.stage(&raw_task), kind) };
    }
}

/// [`Vtable::describe`].
unsafe fn describe<F, S, M>(task: Erased) -> Description
where
    F: Future + 'static,
    S: Schedule,
    M: Metadata<F>,
{
    // SAFETY: The caller guarantees the types, and keeps a reference.
    let (raw_task, cell) = unsafe { typed::<F, S, M>(task) };
    let metadata = cell.metadata(&raw_task);
    Description {
        name: metadata.name().map(Into::into),
        location: metadata.location(),
        type_name: metadata.type_name(),
        future_size: metadata.future_size(),
    }
}

/// [`Vtable::position`].
unsafe fn position<F, S, M>(task: Erased) -> Vec<&'static State>
where
    F: Future + 'static,
    S: Schedule,
    M: Metadata<F>,
{
    // SAFETY: The caller owns the task. `ManuallyDrop` leaves the life reference to the caller.
    let running = ManuallyDrop::new(unsafe { RunningTask::<F, S, M>::new(task) });
    running.position()
}

/// [`Vtable::inspect`].
unsafe fn inspect<F, S, M>(task: Erased, visitor: &mut dyn Visitor)
where
    F: Future + 'static,
    S: Schedule,
    M: Metadata<F>,
{
    // SAFETY: The caller owns the task. `ManuallyDrop` leaves the life reference to the caller.
    let running = ManuallyDrop::new(unsafe { RunningTask::<F, S, M>::new(task) });
    running.inspect(visitor);
}

/// [`Vtable::report_orphan`].
unsafe fn report_orphan<F, S, M>(task: Erased)
where
    F: Future + 'static,
    S: Schedule,
    M: Metadata<F>,
{
    // SAFETY: The caller owns the task. `ManuallyDrop` leaves the life reference to the caller.
    let running = ManuallyDrop::new(unsafe { RunningTask::<F, S, M>::new(task) });
    running.report_orphan();
}

/// [`Vtable::runtime_id`].
unsafe fn runtime_id<F, S, M>(task: Erased) -> Option<NonZeroUsize>
where
    F: Future + 'static,
    S: Schedule,
    M: Metadata<F>,
{
    // SAFETY: The caller guarantees the types, and keeps a reference.
    let (raw_task, cell) = unsafe { typed::<F, S, M>(task) };
    cell.scheduler(&raw_task).runtime_id()
}

/// [`Vtable::is_inherited`].
unsafe fn is_inherited<F, S, M>(task: Erased) -> bool
where
    F: Future + 'static,
    S: Schedule,
    M: Metadata<F>,
{
    // SAFETY: The caller guarantees the types, and keeps a reference.
    let (raw_task, cell) = unsafe { typed::<F, S, M>(task) };
    cell.scheduler(&raw_task).is_inherited()
}

/// [`Vtable::is_job`].
unsafe fn is_job<F, S, M>(task: Erased) -> bool
where
    F: Future + 'static,
    S: Schedule,
    M: Metadata<F>,
{
    // SAFETY: The caller guarantees the types, and keeps a reference.
    let (raw_task, cell) = unsafe { typed::<F, S, M>(task) };
    cell.scheduler(&raw_task).is_job()
}

/// [`Vtable::store_foreign_runtime`].
unsafe fn store_foreign_runtime<F, S, M>(task: Erased, slot: &mut dyn Any)
where
    F: Future + 'static,
    S: Schedule,
    M: Metadata<F>,
{
    // SAFETY: The caller guarantees the types, and keeps a reference.
    let (raw_task, cell) = unsafe { typed::<F, S, M>(task) };
    cell.scheduler(&raw_task).store_foreign_runtime(slot);
}

/// [`Vtable::span`].
#[cfg(feature = "tracing")]
unsafe fn span<F, S, M>(task: Erased) -> Option<NonZeroU64>
where
    F: Future + 'static,
    S: Schedule,
    M: Metadata<F>,
{
    // SAFETY: The caller guarantees the types, and keeps a reference.
    let (raw_task, cell) = unsafe { typed::<F, S, M>(task) };
    cell.metadata(&raw_task).span()
}

/// [`Vtable::dealloc`].
unsafe fn dealloc<F, S, M>(task: Erased)
where
    F: Future + 'static,
    S: Schedule,
    M: Metadata<F>,
{
    // SAFETY: The caller guarantees the types, and owns the last reference.
    let cell = unsafe { TypedTask::<F, S, M>::new(task) };
    // SAFETY: The caller owns the last reference, and the stage is empty.
    unsafe { cell.free() };
}
