//! The scheduler as others hold it.

use std::future::Future;
use std::num::NonZeroUsize;
use std::ptr::NonNull;

use crate::driver::DriverHandle;
use crate::loom::sync::Arc;
use crate::task::{
    self, JoinHandle, Metadata, Orphan, OrphanAction, Registry, Runnable, Schedule, TaskId,
};

use super::batched_arc::BatchedArc;
use super::observe::Stats;
use super::observe::TaskSpan;
use super::observe::{call_task_hook, record_wake};
use super::shared::Shared;
use super::worker::Core;
use super::worker::{is_off_worker, poll_as_foreign, with_core_of, with_worker};

/// A reference to a scheduler.
#[derive(Clone, Debug)]
pub(crate) struct SchedulerHandle(pub(super) Arc<Shared>);

impl SchedulerHandle {
    /// The scheduler whose worker is on this thread.
    pub(crate) fn current() -> Option<Self> {
        with_worker(|worker| worker.map(|worker| Self(Arc::clone(worker.shared()))))
    }

    /// Spawns a task. On a scheduler that is stopping, the task is cancelled at once.
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
        // Two calls, so that neither saves the registers that only the other needs.
        match is_off_worker() {
            true => register_from_outside(&self.0, task, span),
            false => register_on_worker(&self.0, task, span),
        }
    }

    /// Queues a task that was woken while this thread ran it, behind others.
    #[cfg(not(loom))]
    pub(super) fn reschedule(&self, task: Runnable) {
        reschedule(&self.0, task);
    }

    /// Which scheduler it is.
    pub(crate) fn runtime_id(&self) -> NonZeroUsize {
        runtime_id(&self.0)
    }

    /// The name of its runtime.
    pub(crate) fn name(&self) -> Option<&str> {
        self.0.config.name.as_deref()
    }

    /// Lets threads that are in no scheduler poll tasks of this one that they join: in a call of
    /// `host`, which makes the thread fit for it.
    pub(crate) fn set_foreign_poll_fn(
        &self,
        host: impl Fn(Self, &mut dyn FnMut()) + Send + Sync + 'static,
    ) {
        let host = Box::new(move |shared, run: &mut dyn FnMut()| host(Self(shared), run));
        // The first one stays.
        let _ = self.0.foreign_poll_fn.set(host);
    }

    /// Which scheduler it is, if this thread may run its tasks: one that has a single thread lets
    /// no other do so.
    pub(crate) fn runtime_id_here(&self) -> Option<NonZeroUsize> {
        let is_here = !self.is_local() || self.is_on_this_thread();
        is_here.then(|| self.runtime_id())
    }

    /// Whether all its tasks run on one thread, that of whoever blocks.
    pub(crate) fn is_local(&self) -> bool {
        self.0.config.in_order
    }

    pub(super) fn is_on_this_thread(&self) -> bool {
        with_worker(|worker| worker.is_some_and(|it| Arc::ptr_eq(it.shared(), &self.0)))
    }

    /// Whether the end has begun.
    pub(crate) fn is_stopping(&self) -> bool {
        self.0.is_stopping()
    }

    /// Begins the end: see [`Threads::join`](super::Threads::join) for the rest of it.
    pub(crate) fn stop(&self) {
        self.0.stop();
        self.wake_blocked_joiners();
    }

    /// Has all threads look again that sleep in joins and are its workers, or wait for its tasks.
    pub(crate) fn wake_blocked_joiners(&self) {
        #[cfg(not(loom))]
        task::wake_joiners(self.runtime_id());
    }

    /// A thread with tasks of this scheduler on its stack has begun a join: a thread that ends the
    /// scheduler may be the one that it waits for.
    #[cfg(not(loom))]
    pub(crate) fn recheck_shutdown_waits(&self) {
        self.0.thread_set.recheck();
    }

    /// Ends the sleep of the first worker, or the next one.
    #[cfg(not(loom))]
    pub(super) fn unpark_first(&self) {
        self.0.remotes[0].parker.unpark(&*self.0);
    }

    /// All tasks that are alive.
    pub(crate) fn registry(&self) -> &Registry {
        &self.0.registry
    }

    /// The driver in which an idle worker waits.
    pub(crate) fn driver(&self) -> &DriverHandle {
        &self.0.driver_handle
    }

    /// The worker that polls the task, or has just done so: its index, and its thread's name.
    pub(crate) fn worker_of(&self, task: TaskId) -> Option<(usize, Option<String>)> {
        let mut remotes = self.0.remotes.iter().enumerate();
        let (index, remote) =
            remotes.find(|(_, it)| it.counters.running.get() == task.to_bits())?;
        Some((index, remote.parker.thread_name()))
    }

    /// What the workers have done so far.
    pub(crate) fn stats(&self) -> Stats {
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

/// On a thread that has a worker, which may be in use, or another scheduler's.
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

/// As [`register_from_outside`], where somebody hears of the spawn: before the first poll, and
/// under no lock.
#[cold]
fn register_and_report(shared: &Shared, task: Runnable, span: &TaskSpan) {
    if shared.registry.insert_at_shard(&task).is_err() {
        return cancel_rejected(task);
    }
    report_spawn(shared, &task, span);
    shared.inject(task);
}

/// Stops a task that came too late. Destructors are the user's, and may do anything.
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

/// Does one thing with the task if this thread runs a worker of this very scheduler, and another
/// if it does not.
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

/// What a task has of its scheduler.
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

    fn poll_on_foreign_thread(&self, run: &mut dyn FnMut()) -> bool {
        let Some(host) = self.foreign_poll_fn.get().filter(|_| !self.is_stopping()) else {
            return false;
        };
        poll_as_foreign(runtime_id(self), || host(self.to_arc(), run));
        true
    }

    fn is_inherited(&self) -> bool {
        self.driver_handle.is_inherited()
    }

    fn orphaned(&self, orphan: &Orphan) {
        // The task is this thread's until the hook returns.
        poll_as_foreign(runtime_id(self), || self.config.orphans.report(orphan));
    }

    fn orphan_action(&self) -> OrphanAction {
        self.config.orphans.fate()
    }
}
