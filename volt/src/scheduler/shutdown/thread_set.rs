//! The threads of the workers, and the wait for their end.

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
    /// The threads will not be joined.
    detached: bool,
}

/// The membership of a thread, which leaves when this is dropped.
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

    /// Counts a thread that is about to start. Returns `false` if there are `most` already. The new
    /// thread calls [`ThreadSet::enter`].
    pub(crate) fn reserve(&self, most: usize) -> bool {
        let mut list = self.list.lock();
        let has_room = list.running < most;
        list.running += usize::from(has_room);
        has_room
    }

    /// Returns the guard of a counted thread. The thread, or the caller that failed to start it,
    /// drops the guard to leave.
    pub(crate) fn enter(&self) -> ThreadGuard<'_> {
        ThreadGuard(self)
    }

    /// Stores the handle of a thread, which [`wait`](Self::wait) joins.
    pub(crate) fn add_handle(&self, thread: JoinHandle<()>) {
        let mut list = self.list.lock();
        if list.detached {
            return;
        }
        list.threads.retain(|thread| !has_ended(thread));
        list.threads.push(thread);
        drop(list);
        // The thread may have begun to wait before its handle was stored.
        self.left.notify_all();
    }

    /// Waits until all threads have left, except the calling one and as many as `spares` returns.
    /// Returns `false` if the deadline passes first.
    ///
    /// The calling thread is found by its handle, which the thread that started it may store later.
    /// `spares` is called again when a thread leaves, and after [`recheck`](Self::recheck).
    pub(crate) fn wait(&self, deadline: Option<Instant>, spares: impl Fn() -> usize) -> bool {
        let me = thread::current().id();
        let mut list = self.list.lock();
        let mine = |thread: &JoinHandle<()>| thread.thread().id() == me;
        let mut spared = spares();
        while list.running > usize::from(list.threads.iter().any(mine)) + spared {
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
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
            // The thread panics only in a hook, and that panic was reported.
            let _ = thread.join();
        }
        true
    }
}

impl ThreadSet {
    /// Makes the waiting thread call `spares` again.
    #[cfg(not(loom))]
    pub(crate) fn recheck(&self) {
        // The lock is taken so that this does not come between the call and the sleep.
        let _list = self.list.lock();
        self.left.notify_all();
    }

    /// Drops the handles of threads that have not left; [`wait`](Self::wait) is not called again.
    ///
    /// The system retains the stack and other state of a thread while its handle exists.
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
    use std::sync::mpsc::channel;
    use std::time::{Duration, Instant};

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
    fn threads_running_after_the_wait_are_detached() {
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

    #[test]
    fn thread_without_a_stored_handle_finds_itself() {
        let thread_set = Arc::new(ThreadSet::new());
        assert!(thread_set.reserve(1));
        let own = Arc::clone(&thread_set);
        let (begin, has_begun) = channel();
        let (report, reported) = channel();
        let thread = Builder::new().spawn(move || {
            let _guard = own.enter();
            begin.send(()).unwrap();
            report.send(own.wait(None, || 0)).unwrap();
        });
        has_begun.recv().unwrap();
        // The thread is in its wait by now, unless the machine is busy.
        std::thread::sleep(Duration::from_millis(50));
        thread_set.add_handle(thread.expect("a thread"));
        let has_ended = reported.recv_timeout(Duration::from_secs(20));
        assert_eq!(has_ended, Ok(true), "the thread waits for itself");
    }
}
