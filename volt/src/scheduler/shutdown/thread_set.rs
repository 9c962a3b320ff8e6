//! The threads that run the workers, and who waits for their end.

use std::time::Instant;

use crate::loom::sync::{Condvar, Mutex};
use crate::loom::thread::{self, JoinHandle};

/// All threads of one scheduler.
#[derive(Debug)]
pub(crate) struct ThreadSet {
    list: Mutex<ThreadList>,
    left: Condvar,
}

#[derive(Debug)]
struct ThreadList {
    /// Threads that have not left yet.
    running: usize,
    threads: Vec<JoinHandle<()>>,
    /// Nobody will join them.
    detached: bool,
}

/// A thread's place in the set; the thread leaves when this is dropped.
#[derive(Debug)]
pub(crate) struct ThreadGuard<'a>(&'a ThreadSet);

impl ThreadSet {
    pub(crate) fn new() -> Self {
        let list = ThreadList {
            running: 0,
            threads: Vec::new(),
            detached: false,
        };
        Self {
            list: Mutex::new(list),
            left: Condvar::new(),
        }
    }

    /// Counts a thread that is about to be started, unless there are `most` already;
    /// [`ThreadSet::enter`] is for that thread.
    pub(crate) fn reserve(&self, most: usize) -> bool {
        let mut list = self.list.lock();
        let has_room = list.running < most;
        list.running += usize::from(has_room);
        has_room
    }

    /// The thread that was expected is here, or will not come: the result is dropped as it leaves.
    pub(crate) fn enter(&self) -> ThreadGuard<'_> {
        ThreadGuard(self)
    }

    /// Keeps the handle of a thread, to be joined in the end.
    pub(crate) fn add_handle(&self, thread: JoinHandle<()>) {
        let mut list = self.list.lock();
        if list.detached {
            return;
        }
        list.threads.retain(|thread| !has_ended(thread));
        list.threads.push(thread);
    }

    /// Waits until all threads have left, but for the one that calls this, and for so many that are
    /// to be spared; false if the deadline came first. Their number is asked for again whenever a
    /// thread leaves, and after [`recheck`](Self::recheck).
    pub(crate) fn wait(&self, deadline: Option<Instant>, spares: impl Fn() -> usize) -> bool {
        let me = thread::current().id();
        let mut list = self.list.lock();
        let mine = |thread: &JoinHandle<()>| thread.thread().id() == me;
        let own = usize::from(list.threads.iter().any(mine));
        let mut spared = spares();
        while list.running > own + spared {
            let left = deadline.map(|it| it.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                return false;
            }
            list = self.left.wait(list, left);
            spared = spares();
        }
        if spared > 0 {
            return true;
        }
        let threads = std::mem::take(&mut list.threads);
        drop(list);
        for thread in threads.into_iter().filter(|thread| !mine(thread)) {
            // It panics only in a hook, and that has been reported.
            let _ = thread.join();
        }
        true
    }
}

impl ThreadSet {
    /// Has the thread that waits ask again for the number of threads to spare.
    #[cfg(not(loom))]
    pub(crate) fn recheck(&self) {
        // Under the lock, so that it does not come between the number and the sleep.
        let _roll = self.list.lock();
        self.left.notify_all();
    }

    /// Nobody will [`wait`](Self::wait) again, so the handles of those who have not left go. The
    /// system keeps what it has of a thread, its stack too, for as long as somebody might join it.
    pub(crate) fn detach(&self) {
        let mut list = self.list.lock();
        list.detached = true;
        let threads = std::mem::take(&mut list.threads);
        drop(list);
        drop(threads);
    }
}

impl Drop for ThreadGuard<'_> {
    fn drop(&mut self) {
        self.0.list.lock().running -= 1;
        self.0.left.notify_all();
    }
}

#[cfg(not(any(loom, all(test, shuttle))))]
fn has_ended(thread: &JoinHandle<()>) -> bool {
    thread.is_finished()
}

#[cfg(any(loom, all(test, shuttle)))]
fn has_ended(_: &JoinHandle<()>) -> bool {
    false
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use super::ThreadSet;
    use crate::loom::sync::Arc;
    use crate::loom::thread::{Builder, park};
    use std::time::Instant;

    /// Starts a thread that leaves when it is unparked.
    fn start(thread_set: &Arc<ThreadSet>) -> std::thread::Thread {
        assert!(thread_set.reserve(2));
        let own = Arc::clone(thread_set);
        let thread = Builder::new().spawn(move || {
            let _guard = own.enter();
            park();
        });
        let thread = thread.expect("a thread");
        let handle = thread.thread().clone();
        thread_set.add_handle(thread);
        handle
    }

    #[test]
    fn threads_that_outlast_the_wait_are_detached() {
        let thread_set = Arc::new(ThreadSet::new());
        let before = start(&thread_set);
        assert!(!thread_set.wait(Some(Instant::now()), || 0));
        assert_eq!(thread_set.list.lock().threads.len(), 1);
        thread_set.detach();
        let after = start(&thread_set);
        assert!(thread_set.list.lock().threads.is_empty());
        for thread in [before, after] {
            thread.unpark();
        }
        assert!(thread_set.wait(None, || 0));
    }
}
