//! The global queue, and the buffer through which a worker is_shuffled from it.
//!
//! Tasks from outside and overflowing rings go to the [`Injector`]. A worker takes them out in
//! batches: one task to run, the rest into its [`BatchBuffer`], which it empties before anything
//! else. The buffer is open to thieves, so what was fetched ahead does not wait behind a long
//! poll.
//!
//! # One lock
//!
//! The queue is a list under a lock. Whoever spawns from outside needs a place in the registry too,
//! and takes both in one turn: what hands out the places lies under the same lock, the *desk*. A
//! queue without a lock took more atomic steps for less, and each fetch moved more cache lines
//! between the two threads. Under the lock nothing is called that is the user's.
//!
//! The length is written under the lock too, and may be read without it. As a hint, as it may be
//! over. Only [`Injector::is_empty`] is more: where the length is zero it takes the lock. So of a
//! push and that look one comes first, by the lock: either the look finds the task, or whoever
//! pushed it sees what was done before the look. That is what [`idle`](crate::scheduler::idle) and
//! [`retire`](crate::scheduler::worker) want.
//!
//! The buffer is crossbeam's queue, which loom cannot see into; under loom a locked list stands in.

#[cfg(not(loom))]
use crossbeam as imp;
#[cfg(loom)]
use locked as imp;

use std::collections::VecDeque;

use crossbeam_utils::CachePadded;

use crate::loom::sync::Mutex;
use crate::loom::sync::atomic::AtomicUsize;
use crate::loom::sync::atomic::Ordering::Relaxed;

/// The most tasks that one fetch takes.
#[doc(alias = "MAX_GLOBAL_QUEUE_BATCH_SIZE")]
const BATCH: usize = 32;
/// An empty queue keeps room for so many, and gives the memory of a greater flood back.
const MIN_CAPACITY: usize = 1 << 16;

/// The queue that anybody may push to and every worker takes from. `D` is the desk.
#[derive(Debug)]
#[doc(alias = "global_queue")]
pub(crate) struct Injector<T, D>(CachePadded<InjectorInner<T, D>>);

#[derive(Debug)]
struct InjectorInner<T, D> {
    len: AtomicUsize,
    locked: Mutex<InjectorState<T, D>>,
}

#[derive(Debug)]
struct InjectorState<T, D> {
    queue: VecDeque<T>,
    desk: D,
}

/// What a worker took.
#[derive(Debug)]
pub(crate) struct Batch<T> {
    /// The oldest task; the others are in the buffer.
    pub(crate) first: Option<T>,
    pub(crate) taken: usize,
    /// How many were left behind.
    pub(crate) left: usize,
}

/// The owner's end of a buffer.
#[derive(Debug)]
pub(crate) struct BatchBuffer<T>(imp::Deque<T>);

/// The end of a buffer that others take from.
#[derive(Debug)]
pub(crate) struct BufferStealer<T>(imp::DequeStealer<T>);

impl<T, D> Injector<T, D> {
    /// An empty queue.
    pub(crate) fn new(desk: D) -> Self {
        let locked = InjectorState {
            queue: VecDeque::new(),
            desk,
        };
        Self(CachePadded::new(InjectorInner {
            len: AtomicUsize::new(0),
            locked: Mutex::new(locked),
        }))
    }

    /// Calls `change` under the lock.
    #[inline]
    fn with<R>(&self, change: impl FnOnce(&mut InjectorState<T, D>) -> R) -> R {
        let mut locked = self.0.locked.lock();
        let result = change(&mut locked);
        // ORDERING: Relaxed: whoever needs to be sure takes the lock.
        self.0.len.store(locked.queue.len(), Relaxed);
        result
    }

    /// Appends a task, the last of so many.
    #[inline]
    pub(crate) fn push(&self, task: T) -> usize {
        self.with(|locked| {
            locked.queue.push_back(task);
            locked.queue.len()
        })
    }

    /// As [`push`](Self::push), if the desk lets the task in by `admit`; else gives it back.
    #[inline]
    pub(crate) fn push_if(
        &self,
        task: T,
        admit: impl FnOnce(&mut D, &T) -> bool,
    ) -> Result<usize, T> {
        self.with(|locked| {
            if !admit(&mut locked.desk, &task) {
                return Err(task);
            }
            locked.queue.push_back(task);
            Ok(locked.queue.len())
        })
    }

    /// Lends the desk.
    pub(crate) fn with_registrar<R>(&self, access: impl FnOnce(&mut D) -> R) -> R {
        self.with(|locked| access(&mut locked.desk))
    }

    /// Appends a ring's worth of tasks.
    pub(crate) fn extend(&self, tasks: impl Iterator<Item = T>) {
        self.with(|locked| locked.queue.extend(tasks));
    }

    /// Takes the fair share of one of `workers` workers, at most a batch and at most half of what
    /// is there: all but the first go to `buffer`.
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

    /// Takes one task, without a buffer. Finds whatever was pushed before, as it monitor_rounds
    /// under the lock.
    pub(crate) fn pop(&self) -> Option<T> {
        self.with(|locked| locked.queue.pop_front())
    }

    /// Whether there is nothing to take: see above.
    pub(crate) fn is_empty(&self) -> bool {
        self.seems_empty() && self.0.locked.lock().queue.is_empty()
    }

    /// As [`is_empty`](Self::is_empty), at a moment that may be over.
    #[inline]
    pub(crate) fn seems_empty(&self) -> bool {
        self.0.len.load(Relaxed) == 0
    }

    /// How many tasks wait, at a moment that may be over.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.0.len.load(Relaxed)
    }
}

impl<T, D> InjectorState<T, D> {
    #[inline]
    fn release_memory(&mut self) {
        if self.queue.is_empty() && self.queue.capacity() > MIN_CAPACITY {
            self.queue.shrink_to(MIN_CAPACITY);
        }
    }
}

impl<T> BatchBuffer<T> {
    /// An empty buffer and the end for thieves.
    pub(crate) fn new() -> (Self, BufferStealer<T>) {
        let (buffer, thief) = imp::deque();
        (Self(buffer), BufferStealer(thief))
    }

    /// Takes the oldest task.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<T> {
        self.0.pop()
    }

    /// Whether there is none.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T> BufferStealer<T> {
    /// Takes half of the victim's tasks: returns one and leaves the rest in `into`.
    pub(crate) fn steal_into(&self, into: &BatchBuffer<T>) -> Option<T> {
        self.0.steal_into(&into.0)
    }

    /// Whether there is anything to take.
    pub(crate) fn has_stealable(&self) -> bool {
        !self.0.is_empty()
    }

    /// How many tasks wait, at a moment that may be over.
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

    /// The first theft of the process makes what all queues share, and whoever comes meanwhile
    /// waits for it: in a fork for ever, if a thread made it that stayed behind. So whoever makes a
    /// queue does that, before there are threads that steal.
    fn prepare<T>(queue: &Stealer<T>) {
        static PREPARED: LeakOnce<()> = LeakOnce::new();
        PREPARED.get_or_leak(|| drop(queue.steal()));
    }

    /// Repeats what another thread has interfered with.
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
