//! The global queue, and the buffer of tasks that a worker has taken from it.
//!
//! Tasks from outside and from full rings go to the [`Injector`]. A worker takes them in batches:
//! one task to poll, and the others into its [`BatchBuffer`], which it empties before its other
//! queues. Other workers can steal from the buffer, so tasks that were fetched in advance do not
//! wait for a long poll.
//!
//! # One lock
//!
//! The queue is a list under a lock. A spawn from outside also needs an entry in the registry. The
//! *registrar*, which allocates entries, is under the same lock, so a spawn takes it once. A
//! lock-free queue took more atomic steps, and each fetch moved more cache lines between two
//! threads. No code of the user runs under the lock.
//!
//! The length is written under the lock, and read without it as a hint. [`Injector::is_empty`]
//! takes the lock if the length is zero. The lock orders a push and such a check: the check finds
//! the task, or the pushing thread sees all writes that preceded the check. The [idle
//! set](crate::scheduler::idle) and the shutdown rely on this.
//!
//! The buffer is a deque of crossbeam. Loom cannot model it, so a locked list replaces it under
//! loom.

#[cfg(not(loom))]
use crossbeam as imp;
#[cfg(loom)]
use locked as imp;

use std::collections::VecDeque;

use crossbeam_utils::CachePadded;

use crate::loom::sync::Mutex;
use crate::loom::sync::atomic::AtomicUsize;
use crate::loom::sync::atomic::Ordering::Relaxed;

/// The most tasks of one fetch.
#[doc(alias = "MAX_GLOBAL_QUEUE_BATCH_SIZE")]
const BATCH: usize = 32;
/// The capacity that an empty queue retains; the memory of larger queues is freed.
const MIN_CAPACITY: usize = 1 << 16;

/// The queue to which any thread pushes, and from which each worker takes. `R` is the registrar.
#[derive(Debug)]
#[doc(alias = "global_queue")]
pub(crate) struct Injector<T, R>(CachePadded<InjectorInner<T, R>>);

#[derive(Debug)]
struct InjectorInner<T, R> {
    len: AtomicUsize,
    locked: Mutex<InjectorState<T, R>>,
}

#[derive(Debug)]
struct InjectorState<T, R> {
    queue: VecDeque<T>,
    registrar: R,
}

/// The result of a fetch.
#[derive(Debug)]
pub(crate) struct Batch<T> {
    /// The oldest task; the others are in the buffer.
    pub(crate) first: Option<T>,
    pub(crate) taken: usize,
    /// The number of tasks that are left in the queue.
    pub(crate) left: usize,
}

/// The owner's end of a buffer.
#[derive(Debug)]
pub(crate) struct BatchBuffer<T>(imp::Deque<T>);

/// The end of a buffer for other workers.
#[derive(Debug)]
pub(crate) struct BufferStealer<T>(imp::DequeStealer<T>);

impl<T, R> Injector<T, R> {
    /// Returns an empty queue.
    pub(crate) fn new(registrar: R) -> Self {
        let locked = InjectorState {
            queue: VecDeque::new(),
            registrar,
        };
        Self(CachePadded::new(InjectorInner {
            len: AtomicUsize::new(0),
            locked: Mutex::new(locked),
        }))
    }

    /// Calls `change` under the lock.
    #[inline]
    fn with<O>(&self, change: impl FnOnce(&mut InjectorState<T, R>) -> O) -> O {
        let mut locked = self.0.locked.lock();
        let result = change(&mut locked);
        // ORDERING: Relaxed: a reader that needs the exact length takes the lock.
        self.0.len.store(locked.queue.len(), Relaxed);
        result
    }

    /// Appends a task; returns the length of the queue.
    #[inline]
    pub(crate) fn push(&self, task: T) -> usize {
        self.with(|locked| {
            locked.queue.push_back(task);
            locked.queue.len()
        })
    }

    /// Appends a task if `admit` returns `true` for the registrar and the task; returns it as an
    /// error otherwise.
    #[inline]
    pub(crate) fn push_if(
        &self,
        task: T,
        admit: impl FnOnce(&mut R, &T) -> bool,
    ) -> Result<usize, T> {
        self.with(|locked| {
            if !admit(&mut locked.registrar, &task) {
                return Err(task);
            }
            locked.queue.push_back(task);
            Ok(locked.queue.len())
        })
    }

    /// Calls `access` with the registrar.
    pub(crate) fn with_registrar<O>(&self, access: impl FnOnce(&mut R) -> O) -> O {
        self.with(|locked| access(&mut locked.registrar))
    }

    /// Appends the tasks of half a ring.
    pub(crate) fn extend(&self, tasks: impl Iterator<Item = T>) {
        self.with(|locked| locked.queue.extend(tasks));
    }

    /// Takes the fair share of one of `workers` workers: at most a batch, and at most half of the
    /// queue. The first task is returned; the others go to `buffer`.
    pub(crate) fn fetch(&self, buffer: &BatchBuffer<T>, workers: usize) -> Batch<T> {
        if self.seems_empty() {
            return Batch {
                first: None,
                taken: 0,
                left: 0,
            };
        }
        self.with(|locked| {
            let len = locked.queue.len();
            let share = (len / workers + 1).min(BATCH).min(len.div_ceil(2));
            let mut tasks = locked.queue.drain(..share);
            let first = tasks.next();
            tasks.for_each(|task| buffer.0.push(task));
            locked.release_memory();
            Batch {
                first,
                taken: share,
                left: len - share,
            }
        })
    }

    /// Takes one task, without a buffer. It takes the lock, so it finds each task that was pushed
    /// before.
    pub(crate) fn pop(&self) -> Option<T> {
        self.with(|locked| locked.queue.pop_front())
    }

    /// Returns `true` if the queue is empty. The lock orders this check with pushes; see the
    /// module.
    pub(crate) fn is_empty(&self) -> bool {
        self.seems_empty() && self.0.locked.lock().queue.is_empty()
    }

    /// Returns `true` if the queue was empty at a recent moment. Takes no lock.
    #[inline]
    pub(crate) fn seems_empty(&self) -> bool {
        self.0.len.load(Relaxed) == 0
    }

    /// Returns the number of tasks at a recent moment.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.0.len.load(Relaxed)
    }
}

impl<T, R> InjectorState<T, R> {
    #[inline]
    fn release_memory(&mut self) {
        if self.queue.is_empty() && self.queue.capacity() > MIN_CAPACITY {
            self.queue.shrink_to(MIN_CAPACITY);
        }
    }
}

impl<T> BatchBuffer<T> {
    /// Returns an empty buffer, and its end for other workers.
    pub(crate) fn new() -> (Self, BufferStealer<T>) {
        let (buffer, thief) = imp::deque();
        (Self(buffer), BufferStealer(thief))
    }

    /// Takes the oldest task.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<T> {
        self.0.pop()
    }

    /// Returns `true` if the buffer is empty.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T> BufferStealer<T> {
    /// Takes half of the victim's tasks: returns one and puts the others into `into`.
    pub(crate) fn steal_into(&self, into: &BatchBuffer<T>) -> Option<T> {
        self.0.steal_into(&into.0)
    }

    /// Returns `true` if there is a task to take.
    pub(crate) fn has_stealable(&self) -> bool {
        !self.0.is_empty()
    }

    /// Returns the number of tasks at a recent moment.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

#[cfg(not(loom))]
mod crossbeam {
    use crossbeam_deque::Steal;
    use crossbeam_deque::{Stealer, Worker};

    use super::BATCH;
    use crate::loom::LeakOnce;

    pub(crate) type Deque<T> = Worker<T>;

    #[derive(Debug)]
    pub(crate) struct DequeStealer<T>(Stealer<T>);

    pub(crate) fn deque<T>() -> (Deque<T>, DequeStealer<T>) {
        let worker = Worker::new_fifo();
        let thief = worker.stealer();
        prepare(&thief);
        (worker, DequeStealer(thief))
    }

    /// Initialises the state that all deques of the process share.
    ///
    /// The first steal of a process initialises it, and other threads wait meanwhile. In a forked
    /// process they would wait forever if the initialising thread exists only in the parent. So
    /// each new deque steals once, before any thread can steal.
    fn prepare<T>(queue: &Stealer<T>) {
        static PREPARED: LeakOnce<()> = LeakOnce::new();
        PREPARED.get_or_leak(|| drop(queue.steal()));
    }

    /// Repeats an attempt until no other thread interferes.
    fn settle<T>(mut attempt: impl FnMut() -> Steal<T>) -> Option<T> {
        loop {
            match attempt() {
                Steal::Success(task) => return Some(task),
                Steal::Empty => return None,
                Steal::Retry => crate::loom::hint::spin_loop(),
            }
        }
    }

    impl<T> DequeStealer<T> {
        pub(crate) fn steal_into(&self, into: &Deque<T>) -> Option<T> {
            settle(|| self.0.steal_batch_with_limit_and_pop(into, BATCH / 2))
        }

        pub(crate) fn is_empty(&self) -> bool {
            self.0.is_empty()
        }

        pub(crate) fn len(&self) -> usize {
            self.0.len()
        }
    }
}

#[cfg(loom)]
mod locked {
    use std::collections::VecDeque;

    use crate::loom::sync::{Arc, Mutex};

    type LockedDeque<T> = Arc<Mutex<VecDeque<T>>>;

    #[derive(Debug)]
    pub(crate) struct Deque<T>(LockedDeque<T>);

    #[derive(Debug)]
    pub(crate) struct DequeStealer<T>(LockedDeque<T>);

    pub(crate) fn deque<T>() -> (Deque<T>, DequeStealer<T>) {
        let queue = Arc::new(Mutex::new(VecDeque::new()));
        (Deque(Arc::clone(&queue)), DequeStealer(queue))
    }

    impl<T> Deque<T> {
        pub(crate) fn push(&self, task: T) {
            self.0.lock().push_back(task);
        }

        pub(crate) fn pop(&self) -> Option<T> {
            self.0.lock().pop_front()
        }

        pub(crate) fn is_empty(&self) -> bool {
            self.len() == 0
        }

        pub(crate) fn len(&self) -> usize {
            self.0.lock().len()
        }
    }

    impl<T> DequeStealer<T> {
        pub(crate) fn steal_into(&self, into: &Deque<T>) -> Option<T> {
            let mut taken: VecDeque<T> = {
                let mut queue = self.0.lock();
                let half = queue.len().div_ceil(2);
                queue.drain(..half).collect()
            };
            let first = taken.pop_front();
            into.0.lock().extend(taken);
            first
        }

        pub(crate) fn is_empty(&self) -> bool {
            self.len() == 0
        }

        pub(crate) fn len(&self) -> usize {
            self.0.lock().len()
        }
    }
}

#[cfg(all(test, not(loom)))]
#[path = "inject_tests.rs"]
mod tests;
