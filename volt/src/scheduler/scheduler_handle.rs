//! The handle of a scheduler.

use std::any::Any;
use std::future::Future;
use std::num::NonZeroUsize;
use std::ptr::NonNull;

use crate::driver::DriverHandle;
use crate::loom::sync::Arc;
use crate::task::{
    self, JoinHandle, Metadata, Orphan, OrphanAction, Registry, Runnable, Schedule, TaskId,
};

use super::batched_arc::BatchedArc;
use super::config::TaskOrder;
use super::observe::TaskSpan;
use super::observe::{SlowPoll, Stats, WorkerProgress};
use super::observe::{call_task_hook, record_wake};
use super::shared::Shared;
use super::worker::Core;
use super::worker::{ForeignPollRecord, is_off_worker, with_core_of, with_worker};

/// A reference to a scheduler.
#[derive(Clone, Debug)]
pub(crate) struct SchedulerHandle(pub(super) Arc<Shared>);

impl SchedulerHandle {
    /// Returns the scheduler whose worker is current on this thread.
    pub(crate) fn current() -> Option<Self> {
        with_worker(|worker| worker.map(|worker| Self(Arc::clone(worker.shared()))))
    }

    /// Spawns a task. If the scheduler is stopping, the task is cancelled at once.
    #[inline]
    pub(crate) fn spawn<F, M>(&self, future: F, metadata: M) -> JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
        M: Metadata<F>,
    {
        let span = TaskSpan::of(&future, &metadata, "task");
        let scheduler = BatchedArc::new(&self.0);
        let (task, handle) = if span.is_enabled() {
            let (future, metadata) = span.instrument(future, metadata);
            task::new_task(future, scheduler, metadata)
        } else {
            task::new_task(future, scheduler, metadata)
        };
        self.register_task(task, &span);
        handle
    }

    /// Registers a new task and queues it.
    #[inline]
    pub(super) fn register_task(&self, task: Runnable, span: &TaskSpan) {
        // Two functions, so that neither saves the registers that only the other needs.
        if is_off_worker() {
            register_from_outside(&self.0, task, span);
        } else {
            register_on_worker(&self.0, task, span);
        }
    }

    /// Queues a task that was woken while this thread polled it, after other tasks.
    #[cfg(not(loom))]
    pub(super) fn reschedule(&self, task: Runnable) {
        reschedule(&self.0, task);
    }

    /// Returns the id of the scheduler.
    pub(crate) fn runtime_id(&self) -> NonZeroUsize {
        runtime_id(&self.0)
    }

    /// Returns the name of the runtime.
    pub(crate) fn name(&self) -> Option<&str> {
        self.0.config.name.as_deref()
    }

    /// Returns the names of the types whose values dumps hide.
    pub(crate) fn secret_types(&self) -> &[&'static str] {
        &self.0.config.secret_types
    }

    /// Permits threads of no scheduler to poll the tasks of this one that they join. Such a thread
    /// enters the runtime that `runtime_of` returns.
    pub(crate) fn permit_foreign_polls<R: Any>(
        &self,
        runtime_of: impl Fn(Self) -> R + Send + Sync + 'static,
    ) {
        let runtime_of = Box::new(move |shared, slot: &mut dyn Any| {
            if let Some(slot) = slot.downcast_mut() {
                *slot = Some(runtime_of(Self(shared)));
            }
        });
        // The first function is kept.
        let _ = self.0.foreign_runtime_fn.set(runtime_of);
    }

    /// Records that this thread, which is not a worker, polls a task until the drop of the result.
    pub(crate) fn record_foreign_poll(&self) -> ForeignPollRecord {
        ForeignPollRecord::new(self.runtime_id())
    }

    /// Returns the id of the scheduler if this thread may poll its tasks. Tasks of a local
    /// scheduler are polled by its own thread only.
    pub(crate) fn runtime_id_here(&self) -> Option<NonZeroUsize> {
        let is_here = !self.is_local() || self.is_on_this_thread();
        is_here.then(|| self.runtime_id())
    }

    /// Returns `true` if all tasks run on one thread, the one that calls `block_on`.
    pub(crate) fn is_local(&self) -> bool {
        self.0.config.order == TaskOrder::Fifo
    }

    pub(super) fn is_on_this_thread(&self) -> bool {
        with_worker(|worker| worker.is_some_and(|worker| Arc::ptr_eq(worker.shared(), &self.0)))
    }

    /// Returns `true` if the shutdown has begun.
    pub(crate) fn is_stopping(&self) -> bool {
        self.0.is_stopping()
    }

    /// Begins the shutdown; [`Threads::join`](super::Threads::join) waits for the rest of it.
    pub(crate) fn stop(&self) {
        self.0.stop();
        self.wake_blocked_joiners();
    }

    /// Wakes all threads that sleep in joins and are workers of this scheduler, or wait for its
    /// tasks. They check again whether their cores are needed.
    pub(crate) fn wake_blocked_joiners(&self) {
        #[cfg(not(loom))]
        task::wake_joiners(self.runtime_id());
    }

    /// Makes a thread that waits for this scheduler's shutdown check again whether it waits for the
    /// calling thread, which has begun a join and has tasks of this scheduler on its stack.
    #[cfg(not(loom))]
    pub(crate) fn recheck_shutdown_waits(&self) {
        self.0.thread_set.recheck();
    }

    /// Ends the sleep of the first worker, or its next one.
    #[cfg(not(loom))]
    pub(super) fn unpark_first(&self) {
        self.0.remotes[0].parker.unpark(&*self.0);
    }

    /// Returns all live tasks.
    pub(crate) fn registry(&self) -> &Registry {
        &self.0.registry
    }

    /// Returns the driver in which an idle worker waits.
    pub(crate) fn driver(&self) -> &DriverHandle {
        &self.0.driver_handle
    }

    /// Returns the worker that polls the task, or polled it last: its index, and the name of its
    /// thread.
    pub(crate) fn worker_of(&self, task: TaskId) -> Option<(usize, Option<String>)> {
        let mut remotes = self.0.remotes.iter().enumerate();
        let (index, remote) =
            remotes.find(|(_, remote)| remote.counters.running.get() == task.to_bits())?;
        Some((index, remote.parker.thread_name()))
    }

    /// Returns the id that the system gave to the thread of a worker, if it is known.
    pub(crate) fn thread_id_of(&self, worker: usize) -> Option<u32> {
        self.0.remotes.get(worker)?.parker.thread_id()
    }

    /// Returns the addresses of the functions that are active on the thread with this id, the
    /// innermost first. The list is empty if backtraces are disabled.
    pub(crate) fn backtrace_of(&self, thread_id: u32) -> Vec<usize> {
        if self.0.config.has_backtraces {
            super::observe::thread_backtrace(thread_id)
        } else {
            Vec::new()
        }
    }

    /// Returns `true` if backtraces are enabled. Returns `None` if this build or system has none.
    pub(crate) fn has_backtraces(&self) -> Option<bool> {
        let is_known = cfg!(all(feature = "inspect", target_os = "linux"));
        is_known.then_some(self.0.config.has_backtraces)
    }

    /// Returns the progress of each worker.
    pub(crate) fn progress(&self) -> Vec<WorkerProgress> {
        let progress = self.0.remotes.iter().map(|remote| WorkerProgress {
            polled: remote.counters.polled.get(),
            running: remote.counters.running_task(),
        });
        progress.collect()
    }

    /// Returns the last slow polls, the oldest first.
    pub(crate) fn slow_polls(&self) -> Vec<SlowPoll> {
        self.0.slow_polls.polls()
    }

    /// Returns the current statistics, which are empty in a fork of the process.
    pub(crate) fn stats(&self) -> Stats {
        if self.driver().is_inherited() {
            // Another thread of the parent may have had any lock.
            return Stats::default();
        }
        self.0.stats()
    }
}

pub(super) fn runtime_id(shared: &Shared) -> NonZeroUsize {
    NonNull::from(shared).addr()
}

impl PartialEq for SchedulerHandle {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Registers a task on a thread with a current worker. The core may be in use, or belong to another
/// scheduler.
fn register_on_worker(shared: &Shared, task: Runnable, span: &TaskSpan) {
    let refused = on_core(
        shared,
        task,
        |shared, core, task| register_on_core(shared, core, task, span),
        |shared, task| {
            register_from_outside(shared, task, span);
            None
        },
    );
    // No core is borrowed here.
    if let Some(task) = refused {
        cancel_rejected(task);
    }
}

#[doc(alias = "spawnFromWorker")]
fn register_on_core(
    shared: &Shared,
    core: &mut Core,
    task: Runnable,
    span: &TaskSpan,
) -> Option<Runnable> {
    if shared.registry.insert(&mut core.free_list, &task).is_err() {
        return Some(task);
    }
    report_spawn(shared, &task, span);
    core.counters(shared).spawned.add(1);
    core.push_newest(shared, task);
    None
}

fn register_from_outside(shared: &Shared, task: Runnable, span: &TaskSpan) {
    if span.is_enabled() || shared.config.hooks.is_some() {
        return register_and_report(shared, task, span);
    }
    if let Err(task) = shared.register_and_inject(task) {
        cancel_rejected(task);
    }
}

/// Does the same as [`register_from_outside`], and reports the spawn: before the first poll, and
/// under no lock.
#[cold]
fn register_and_report(shared: &Shared, task: Runnable, span: &TaskSpan) {
    if shared.registry.insert_at_shard(&task).is_err() {
        return cancel_rejected(task);
    }
    report_spawn(shared, &task, span);
    shared.inject(task);
}

/// Cancels a task that was spawned too late. It calls destructors of the user.
#[cold]
fn cancel_rejected(task: Runnable) {
    task.shutdown();
}

#[inline]
fn report_spawn(shared: &Shared, task: &Runnable, span: &TaskSpan) {
    span.begin(task.id());
    if let Some(hooks) = &shared.config.hooks {
        call_task_hook(&hooks.spawn, task.id());
    }
}

/// Calls `inside` if this thread runs a worker of this scheduler and its core is free, and
/// `outside` otherwise.
#[inline]
fn on_core<R>(
    shared: &Shared,
    task: Runnable,
    inside: impl FnOnce(&Shared, &mut Core, Runnable) -> R,
    outside: impl FnOnce(&Shared, Runnable) -> R,
) -> R {
    let mut task = Some(task);
    let mut take = || task.take().expect("it is taken once");
    match with_core_of(shared, |core| inside(shared, core, take())) {
        Some(result) => result,
        None => outside(shared, take()),
    }
}

#[inline]
fn reschedule(shared: &Shared, task: Runnable) {
    on_core(
        shared,
        task,
        |shared, core, task| core.push_back(shared, task),
        Shared::inject,
    );
}

/// The methods of the scheduler that tasks call.
impl Schedule for BatchedArc<Shared> {
    #[inline]
    fn schedule(&self, task: Runnable) {
        record_wake(task.id());
        on_core(
            self,
            task,
            |shared, core, task| core.push_newest(shared, task),
            Shared::inject,
        );
    }

    #[inline]
    fn reschedule(&self, task: Runnable) {
        reschedule(self, task);
    }

    #[inline]
    fn release(&self, id: TaskId) {
        if !id.is_registered() {
            return;
        }
        if let Some(hooks) = &self.config.hooks {
            call_task_hook(&hooks.terminate, id);
        }
        let removed = with_core_of(self, |core| {
            core.counters(self).ended.add(1);
            self.registry.remove(&mut core.free_list, id);
        });
        if removed.is_none() && self.registry.remove_at_shard(id) {
            self.shutdown.notify_released(&**self);
        }
    }

    fn runtime_id(&self) -> Option<NonZeroUsize> {
        Some(runtime_id(self))
    }

    fn store_foreign_runtime(&self, slot: &mut dyn Any) {
        if let Some(store) = self.foreign_runtime_fn.get()
            && !self.is_stopping()
        {
            store(self.to_arc(), slot);
        }
    }

    fn is_inherited(&self) -> bool {
        self.driver_handle.is_inherited()
    }

    fn orphaned(&self, orphan: &Orphan) {
        // The task belongs to this thread until the hook returns.
        let _poll = ForeignPollRecord::new(runtime_id(self));
        self.config.orphans.report(orphan);
    }

    fn orphan_action(&self) -> OrphanAction {
        self.config.orphans.fate()
    }
}
