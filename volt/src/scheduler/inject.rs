//! The global queue, and the buffer through which a worker draws from it.
//!
//! Tasks from outside and overflowing rings go to the [`Injector`]. A worker takes them out in
//! batches: one task to run, the rest into its [`Buffer`], which it empties before anything
//! else. The buffer is open to thieves, so what was fetched ahead does not wait behind a long
//! poll.
//!
//! Both are crossbeam's queues, which loom cannot see into; under loom a locked list stands in.

#[cfg(not(loom))]
use crossbeam as imp;
#[cfg(loom)]
use locked as imp;

/// The most tasks that one fetch takes.
#[doc(alias = "MAX_GLOBAL_QUEUE_BATCH_SIZE")]
const BATCH: usize = 32;

/// The queue that anybody may push to and every worker takes from.
#[derive(Debug)]
#[doc(alias = "global_queue")]
pub(super) struct Injector<T>(imp::Injector<T>);

/// The owner's end of a buffer.
#[derive(Debug)]
pub(super) struct Buffer<T>(imp::Buffer<T>);

/// The end of a buffer that others take from.
#[derive(Debug)]
pub(super) struct Thief<T>(imp::Thief<T>);

impl<T> Injector<T> {
    /// An empty queue.
    pub(super) fn new() -> Self {
        Self(imp::Injector::new())
    }

    /// Appends a task.
    #[inline]
    pub(super) fn push(&self, task: T) {
        self.0.push(task);
    }

    /// Appends a ring's worth of tasks; nobody is told between them.
    pub(super) fn extend(&self, tasks: impl Iterator<Item = T>) {
        tasks.for_each(|task| self.push(task));
    }

    /// Takes the fair share of one of `workers` workers, at most a batch and at most half of what
    /// is there: returns the first and leaves the rest in `buffer`.
    pub(super) fn fetch(&self, buffer: &Buffer<T>, workers: usize) -> Option<T> {
        match self.0.len() {
            0 => None,
            len => self.0.fetch(&buffer.0, (len / workers + 1).min(BATCH)),
        }
    }

    /// Takes one task, without a buffer.
    pub(super) fn pop(&self) -> Option<T> {
        self.0.pop()
    }

    /// Whether there is nothing to take.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many tasks wait, at a moment that may be over.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

impl<T> Buffer<T> {
    /// An empty buffer and the end for thieves.
    pub(super) fn new() -> (Self, Thief<T>) {
        let (buffer, thief) = imp::buffer();
        (Self(buffer), Thief(thief))
    }

    /// Takes the oldest task.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<T> {
        self.0.pop()
    }

    /// Whether there is none.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there are.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

impl<T> Thief<T> {
    /// Takes half of the victim's tasks: returns one and leaves the rest in `into`.
    pub(super) fn steal_into(&self, into: &Buffer<T>) -> Option<T> {
        self.0.steal_into(&into.0)
    }

    /// Whether there is anything to take.
    pub(super) fn has_stealable(&self) -> bool {
        !self.0.is_empty()
    }

    /// How many tasks wait, at a moment that may be over.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

#[cfg(not(loom))]
mod crossbeam {
    use crossbeam_deque::Steal;
    pub(super) use crossbeam_deque::{Stealer as Queue, Worker};

    use super::BATCH;

    pub(super) type Buffer<T> = Worker<T>;

    #[derive(Debug)]
    pub(super) struct Injector<T>(crossbeam_deque::Injector<T>);

    #[derive(Debug)]
    pub(super) struct Thief<T>(Queue<T>);

    pub(super) fn buffer<T>() -> (Buffer<T>, Thief<T>) {
        let worker = Worker::new_fifo();
        let thief = Thief(worker.stealer());
        (worker, thief)
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

    impl<T> Injector<T> {
        pub(super) fn new() -> Self {
            Self(crossbeam_deque::Injector::new())
        }

        #[inline]
        pub(super) fn push(&self, task: T) {
            self.0.push(task);
        }

        pub(super) fn fetch(&self, into: &Buffer<T>, limit: usize) -> Option<T> {
            settle(|| self.0.steal_batch_with_limit_and_pop(into, limit))
        }

        pub(super) fn pop(&self) -> Option<T> {
            settle(|| self.0.steal())
        }

        #[inline]
        pub(super) fn is_empty(&self) -> bool {
            self.0.is_empty()
        }

        pub(super) fn len(&self) -> usize {
            self.0.len()
        }
    }

    impl<T> Thief<T> {
        pub(super) fn steal_into(&self, into: &Buffer<T>) -> Option<T> {
            settle(|| self.0.steal_batch_with_limit_and_pop(into, BATCH / 2))
        }

        pub(super) fn is_empty(&self) -> bool {
            self.0.is_empty()
        }

        pub(super) fn len(&self) -> usize {
            self.0.len()
        }
    }
}

#[cfg(loom)]
mod locked {
    use std::collections::VecDeque;

    use crate::loom::sync::{Arc, Mutex};

    #[derive(Debug)]
    pub(super) struct Injector<T>(Mutex<VecDeque<T>>);

    #[derive(Debug)]
    pub(super) struct Buffer<T>(Arc<Injector<T>>);

    #[derive(Debug)]
    pub(super) struct Thief<T>(Arc<Injector<T>>);

    pub(super) fn buffer<T>() -> (Buffer<T>, Thief<T>) {
        let queue = Arc::new(Injector::new());
        (Buffer(Arc::clone(&queue)), Thief(queue))
    }

    impl<T> Injector<T> {
        pub(super) fn new() -> Self {
            Self(Mutex::new(VecDeque::new()))
        }

        pub(super) fn push(&self, task: T) {
            self.0.lock().push_back(task);
        }

        pub(super) fn fetch(&self, into: &Buffer<T>, limit: usize) -> Option<T> {
            let mut taken: VecDeque<T> = {
                let mut queue = self.0.lock();
                let count = limit.min(queue.len());
                queue.drain(..count).collect()
            };
            let first = taken.pop_front();
            into.0.0.lock().extend(taken);
            first
        }

        pub(super) fn pop(&self) -> Option<T> {
            self.0.lock().pop_front()
        }

        pub(super) fn is_empty(&self) -> bool {
            self.0.lock().is_empty()
        }

        pub(super) fn len(&self) -> usize {
            self.0.lock().len()
        }
    }

    impl<T> Buffer<T> {
        pub(super) fn pop(&self) -> Option<T> {
            self.0.pop()
        }

        pub(super) fn is_empty(&self) -> bool {
            self.0.is_empty()
        }

        pub(super) fn len(&self) -> usize {
            self.0.len()
        }
    }

    impl<T> Thief<T> {
        pub(super) fn steal_into(&self, into: &Buffer<T>) -> Option<T> {
            let half = self.0.len().div_ceil(2);
            self.0.fetch(into, half)
        }

        pub(super) fn is_empty(&self) -> bool {
            self.0.is_empty()
        }

        pub(super) fn len(&self) -> usize {
            self.0.len()
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{BATCH, Buffer, Injector};

    fn fetched(queued: usize, workers: usize) -> usize {
        let injector = Injector::new();
        let (mut buffer, _thief) = Buffer::new();
        (0..queued).for_each(|n| injector.push(n));
        let first = injector.fetch(&buffer, workers);
        usize::from(first.is_some()) + std::iter::from_fn(|| buffer.pop()).count()
    }

    #[test]
    fn fetch_takes_a_fair_share_of_at_most_a_batch() {
        assert_eq!(fetched(0, 4), 0);
        assert_eq!(fetched(1, 4), 1);
        assert_eq!(fetched(8, 4), 3);
        assert_eq!(fetched(40, 4), 11);
        assert_eq!(fetched(40, 1), 20);
        assert_eq!(fetched(1000, 1), BATCH);
        assert_eq!(fetched(1000, 4), BATCH);
        assert_eq!(fetched(60, 65), 1);
    }

    #[test]
    fn fetch_keeps_the_order() {
        let injector = Injector::new();
        let (mut buffer, _thief) = Buffer::new();
        (0..10).for_each(|n| injector.push(n));
        let mut seen = Vec::new();
        while let Some(task) = injector.fetch(&buffer, 2) {
            seen.push(task);
            seen.extend(std::iter::from_fn(|| buffer.pop()));
        }
        assert_eq!(seen, (0..10).collect::<Vec<_>>());
        assert!(injector.is_empty());
    }

    #[test]
    fn buffered_tasks_can_be_stolen() {
        let injector = Injector::new();
        let (mut mine, _) = Buffer::new();
        let (buffer, thief) = Buffer::new();
        (0..BATCH).for_each(|n| injector.push(n));
        assert_eq!(injector.fetch(&buffer, 1), Some(0));
        assert_eq!((thief.len(), injector.len()), (BATCH / 2 - 1, BATCH / 2));
        assert_eq!(thief.steal_into(&mine), Some(1));
        assert!(mine.pop().is_some() && thief.has_stealable());
    }
}
