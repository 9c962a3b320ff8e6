//! The scheduler as others hold it.

use std::future::Future;
use std::num::NonZeroUsize;
use std::ptr::NonNull;

use crate::driver::DriverHandle;
use crate::loom::sync::Arc;
use crate::task::{self, Fate, JoinHandle, Metadata, Orphan, Registry, Runnable, Schedule, TaskId};

use super::core::Core;
use super::current;
use super::hooks;
use super::shared::Shared;
use super::stats::Stats;
use super::trace::{self, Span};

/// A reference to a scheduler.
#[derive(Clone, Debug)]
pub(crate) struct Handle(pub(super) Arc<Shared>);

impl Handle {
    /// The scheduler whose worker is on this thread.
    pub(crate) fn current() -> Option<Self> {
        current::with(|worker| worker.map(|worker| Self(Arc::clone(worker.shared()))))
    }

    /// Spawns a task. On a scheduler that is stopping, the task is cancelled at once.
    #[inline]
    pub(crate) fn spawn<F, M>(&self, future: F, metadata: M) -> JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
        M: Metadata<F>,
    {
        let span = Span::of(&future, &metadata);
        let (future, metadata) = span.around(future, metadata);
        let (task, handle) = task::new_task(future, self.clone(), metadata);
        self.enter_task(task, &span);
        handle
    }

    /// Registers a new task and queues it.
    pub(super) fn enter_task(&self, task: Runnable, span: &Span) {
        let refused = self.on_core(
            task,
            |it, core, task| it.enter_on_worker(core, task, span),
            |it, task| it.enter_from_outside(task, span),
        );
        // Destructors are the user's, and may do anything: no core is borrowed here.
        if let Some(task) = refused {
            task.shutdown();
        }
    }

    fn enter_on_worker(&self, core: &mut Core, task: Runnable, span: &Span) -> Option<Runnable> {
        if self.0.registry.insert(core.index, &task).is_err() {
            return Some(task);
        }
        self.tell_of_spawn(&task, span);
        core.counters(&self.0).spawned.add(1);
        core.push_newest(&self.0, task);
        None
    }

    fn enter_from_outside(&self, task: Runnable, span: &Span) -> Option<Runnable> {
        // From shard to shard: the workers lock one for each task that they complete.
        let shard = self.0.count_spawn() as usize;
        if self.0.registry.insert(shard, &task).is_err() {
            return Some(task);
        }
        self.tell_of_spawn(&task, span);
        self.0.inject(task);
        None
    }

    #[inline]
    fn tell_of_spawn(&self, task: &Runnable, span: &Span) {
        span.begin(task.id());
        if let Some(hooks) = &self.0.config.hooks {
            hooks::call_with(&hooks.spawn, task.id());
        }
    }

    /// Does one thing with the task if this thread runs a worker of this very scheduler, and
    /// another if it does not.
    #[inline]
    fn on_core<R>(
        &self,
        task: Runnable,
        inside: impl FnOnce(&Self, &mut Core, Runnable) -> R,
        outside: impl FnOnce(&Self, Runnable) -> R,
    ) -> R {
        let mut task = Some(task);
        let mut take = || task.take().expect("it is taken once");
        let done = current::with(|worker| {
            let worker = worker.filter(|worker| Arc::ptr_eq(worker.shared(), &self.0))?;
            worker.with_core(|core| inside(self, core, take()))
        });
        match done {
            Some(result) => result,
            None => outside(self, take()),
        }
    }

    /// Takes the task at that address back, if it is the newest of this thread's worker.
    pub(crate) fn take_newest(&self, address: usize) -> Option<Runnable> {
        current::with(|worker| {
            let worker = worker.filter(|worker| Arc::ptr_eq(worker.shared(), &self.0))?;
            worker.with_core(|core| core.lifo.take_if(address))?
        })
    }

    /// Which scheduler it is.
    pub(crate) fn home(&self) -> NonZeroUsize {
        NonNull::from(&*self.0).addr()
    }

    /// Which scheduler it is, if this thread may run its tasks: one that has a single thread lets
    /// no other do so.
    pub(crate) fn home_here(&self) -> Option<NonZeroUsize> {
        let is_here = !self.is_local() || self.is_on_this_thread();
        is_here.then(|| self.home())
    }

    /// Whether all its tasks run on one thread, that of whoever blocks.
    pub(crate) fn is_local(&self) -> bool {
        self.0.config.in_order
    }

    pub(super) fn is_on_this_thread(&self) -> bool {
        current::with(|worker| worker.is_some_and(|it| Arc::ptr_eq(it.shared(), &self.0)))
    }

    /// Whether the end has begun.
    pub(crate) fn is_stopping(&self) -> bool {
        self.0.is_stopping()
    }

    /// Begins the end: see [`Threads::join`](super::Threads::join) for the rest of it.
    pub(crate) fn stop(&self) {
        self.0.stop();
        #[cfg(not(loom))]
        task::wake_joiners(self.home());
    }

    /// Ends the sleep of the first worker, or the next one.
    #[cfg(not(loom))]
    pub(super) fn unpark_first(&self) {
        self.0.remotes[0].parker.unpark(&self.0.bell);
    }

    /// All tasks that are alive.
    pub(crate) fn registry(&self) -> &Registry {
        &self.0.registry
    }

    /// The driver in which an idle worker waits.
    pub(crate) fn driver(&self) -> &DriverHandle {
        &self.0.bell
    }

    /// The time since the start, in milliseconds: the clock of
    /// [`TaskInfo::since`](crate::task::TaskInfo::since).
    pub(crate) fn clock(&self) -> u32 {
        self.0.started.elapsed().as_millis() as u32
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

impl PartialEq for Handle {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Schedule for Handle {
    #[inline]
    fn schedule(&self, task: Runnable) {
        trace::woken(task.id());
        self.on_core(
            task,
            |it, core, task| core.push_newest(&it.0, task),
            |it, task| it.0.inject(task),
        );
    }

    #[inline]
    fn reschedule(&self, task: Runnable) {
        self.on_core(
            task,
            |it, core, task| core.push_back(&it.0, task),
            |it, task| it.0.inject(task),
        );
    }

    #[inline]
    fn release(&self, id: TaskId) {
        if let Some(hooks) = &self.0.config.hooks
            && id.is_registered()
        {
            hooks::call_with(&hooks.terminate, id);
        }
        self.0.registry.remove(id);
    }

    fn home(&self) -> Option<NonZeroUsize> {
        Some(Self::home(self))
    }

    fn orphaned(&self, orphan: &Orphan) {
        self.0.config.orphans.report(orphan);
    }

    fn fate_of_orphans(&self) -> Fate {
        self.0.config.orphans.fate()
    }
}
