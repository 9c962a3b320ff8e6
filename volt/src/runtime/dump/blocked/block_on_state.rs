//! `BlockOnState`: the state of a call of `block_on` that waits, and the requests of dumps.

use std::panic::Location;
use std::task::Waker;

#[cfg(all(test, shuttle))]
use shuttle::sync::mpsc::Sender;
#[cfg(not(all(test, shuttle)))]
use std::sync::mpsc::Sender;

use crate::loom::SharedSlice;
use crate::loom::sync::Mutex;
use crate::loom::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use crate::loom::thread::{self, ThreadId};
use crate::machine;
use crate::runtime::dump::tree::{Forest, ValueLimit};
#[cfg(feature = "inspect")]
use crate::task::CloneTrace;
use crate::task::{Lifecycle, TaskId, TaskInfo, TreeRange};

/// A call of `block_on` whose future has been pending.
#[derive(Debug)]
pub(super) struct BlockOnState {
    pub(super) id: TaskId,
    thread: ThreadId,
    thread_name: Option<String>,
    location: &'static Location<'static>,
    type_name: &'static str,
    future_size: usize,
    /// The waker that the polls of the future receive.
    waker: Waker,
    /// The waker that makes the thread answer requests.
    inspection_waker: Waker,
    /// The thread is in a poll of the future.
    is_polled: AtomicBool,
    /// `true` if the last poll was an inspection poll.
    is_inspected: AtomicBool,
    polls: AtomicU32,
    /// The time of the last poll before a sleep.
    since: AtomicU32,
    has_requests: AtomicBool,
    requests: Mutex<Requests>,
}

/// The requests that the thread has not answered.
#[derive(Debug, Default)]
pub(super) struct Requests {
    pub(super) trees: Vec<TreeRequest>,
    /// The senders of the results of the next poll.
    #[cfg(feature = "inspect")]
    pub(super) polls: Vec<Sender<PolledFuture>>,
    /// The thread answers no more requests.
    closed: bool,
}

/// A request for the tree of a future.
#[derive(Clone, Debug)]
pub(super) struct TreeRequest {
    pub(super) values: ValueLimit,
    pub(super) secret_types: SharedSlice<&'static str>,
    pub(super) reply: Sender<InspectedFuture>,
}

/// The tree of a future, in an arena of its own.
#[derive(Debug)]
pub(super) struct InspectedFuture {
    pub(super) forest: Forest,
    pub(super) tree: TreeRange,
    pub(super) position: SharedSlice<&'static machine::State>,
}

/// The result of an inspection poll of a future.
#[cfg(feature = "inspect")]
#[derive(Clone, Debug)]
pub(in crate::runtime::dump) enum PolledFuture {
    Pending {
        traces: Vec<CloneTrace>,
        /// The number of clones of the waker.
        clones: usize,
        /// The number of polls of the future, which does not count this one.
        polls: u32,
    },
    /// The future was ready.
    Ended,
}

/// A future that blocks a thread.
pub(super) struct FutureDescription {
    pub(super) location: &'static Location<'static>,
    pub(super) type_name: &'static str,
    pub(super) size: usize,
}

impl BlockOnState {
    /// Creates the state of a future whose first poll was pending.
    pub(super) fn new(
        future: &FutureDescription,
        waker: &Waker,
        inspection_waker: Waker,
        since: u32,
    ) -> Self {
        let thread = thread::current();
        Self {
            id: TaskId::next_unregistered(),
            thread: thread.id(),
            thread_name: thread.name().map(ToOwned::to_owned),
            location: future.location,
            type_name: future.type_name,
            future_size: future.size,
            waker: waker.clone(),
            inspection_waker,
            is_polled: AtomicBool::new(false),
            is_inspected: AtomicBool::new(false),
            polls: AtomicU32::new(1),
            since: AtomicU32::new(since),
            has_requests: AtomicBool::new(false),
            requests: Mutex::default(),
        }
    }
}

/// The side of the thread that blocks.
impl BlockOnState {
    /// Records the begin of a poll.
    pub(super) fn begin_poll(&self) {
        // ORDERING: Relaxed: only this thread accesses the future, and a dump uses the flag to
        // decide whether to wait.
        self.is_polled.store(true, Ordering::Relaxed);
    }

    /// Records the end of a pending poll. An inspection poll is not counted.
    pub(super) fn end_poll(&self, is_counted: bool) {
        // ORDERING: Relaxed, as above. No other thread writes.
        let polls = self.polls.load(Ordering::Relaxed);
        self.polls
            .store(polls.wrapping_add(is_counted.into()), Ordering::Relaxed);
        self.is_polled.store(false, Ordering::Relaxed);
    }

    /// Records the time of the last poll, before the thread sleeps. The time of an inspection poll
    /// is not recorded.
    pub(super) fn set_since(&self, now: u32) {
        // ORDERING: Relaxed, as above.
        if !self.is_inspected.swap(false, Ordering::Relaxed) {
            self.since.store(now, Ordering::Relaxed);
        }
    }

    /// Records that the last poll was an inspection poll.
    #[cfg(feature = "inspect")]
    pub(super) fn end_inspection_poll(&self) {
        self.end_poll(false);
        self.is_inspected.store(true, Ordering::Relaxed);
    }

    pub(super) fn polls(&self) -> u32 {
        self.polls.load(Ordering::Relaxed)
    }

    /// Returns `true` if a dump has made a request.
    pub(super) fn has_requests(&self) -> bool {
        // ORDERING: Relaxed: the lock of the requests follows.
        self.has_requests.load(Ordering::Relaxed)
    }

    /// Removes the requests for trees.
    pub(super) fn take_trees(&self) -> Vec<TreeRequest> {
        let mut requests = self.requests.lock();
        let trees = std::mem::take(&mut requests.trees);
        self.update_flag(&requests);
        trees
    }

    /// Removes the requests for an inspection poll.
    #[cfg(feature = "inspect")]
    pub(super) fn take_polls(&self) -> Vec<Sender<PolledFuture>> {
        let mut requests = self.requests.lock();
        let polls = std::mem::take(&mut requests.polls);
        self.update_flag(&requests);
        polls
    }

    fn update_flag(&self, requests: &Requests) {
        self.has_requests
            .store(!requests.is_empty(), Ordering::Relaxed);
    }
}

impl Requests {
    fn is_empty(&self) -> bool {
        #[cfg(feature = "inspect")]
        if !self.polls.is_empty() {
            return false;
        }
        self.trees.is_empty()
    }
}

/// The side of a dump.
impl BlockOnState {
    /// Returns `true` if the thread answers requests: it is another thread, and not in a poll.
    fn can_answer(&self) -> bool {
        !self.is_polled.load(Ordering::Relaxed) && thread::current().id() != self.thread
    }

    /// Requests the tree. Returns `false` if the thread does not answer now.
    pub(super) fn request_tree(&self, request: TreeRequest) -> bool {
        let answers = self.add(|requests| requests.trees.push(request));
        if answers {
            self.inspection_waker.wake_by_ref();
        }
        answers
    }

    /// Requests an inspection poll. Returns `false` if the thread does not poll now.
    #[cfg(feature = "inspect")]
    pub(super) fn request_poll(&self, reply: Sender<PolledFuture>) -> bool {
        let answers = self.add(|requests| requests.polls.push(reply));
        if answers {
            self.waker.wake_by_ref();
        }
        answers
    }

    /// Adds a request. Returns `false` if the thread does not answer it.
    fn add(&self, push: impl FnOnce(&mut Requests)) -> bool {
        if !self.can_answer() {
            return false;
        }
        let mut requests = self.requests.lock();
        // `block_on` may have ended since the dump found it in the list.
        if requests.closed {
            return false;
        }
        push(&mut requests);
        self.update_flag(&requests);
        true
    }

    /// Drops the requests, at the end of `block_on`, and rejects later ones.
    pub(super) fn close(&self) {
        let closed = Requests {
            closed: true,
            ..Requests::default()
        };
        drop(std::mem::replace(&mut *self.requests.lock(), closed));
    }

    /// Returns the data and the vtable of the waker of the future, as addresses.
    pub(super) fn waker_address(&self) -> (usize, usize) {
        let vtable = std::ptr::from_ref(self.waker.vtable()).addr();
        (self.waker.data().addr(), vtable)
    }

    pub(super) fn location(&self) -> &'static Location<'static> {
        self.location
    }

    pub(super) fn thread_name(&self) -> Option<&str> {
        self.thread_name.as_deref()
    }

    /// Returns the information that needs no access to the future.
    pub(super) fn info(&self) -> TaskInfo {
        let thread = self.thread_name.as_deref().unwrap_or("without a name");
        let is_polled = self.is_polled.load(Ordering::Relaxed);
        TaskInfo {
            id: self.id,
            name: Some(format!("block_on on thread {thread}").into()),
            location: self.location,
            lifecycle: if is_polled {
                Lifecycle::Running
            } else {
                Lifecycle::Idle
            },
            polls: self.polls(),
            since: self.since.load(Ordering::Relaxed),
            blocking: false,
            block_on: true,
            worker: None,
            thread: is_polled.then(|| thread.into()),
            cancelled: false,
            shield: 0,
            orphaned: false,
            detached: false,
            wakers: None,
            waits_for: Vec::new(),
            type_name: self.type_name,
            future_size: self.future_size,
            position: SharedSlice::default(),
            within: Box::default(),
            tree: TreeRange::default(),
        }
    }
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use super::{BlockOnState, FutureDescription, TreeRequest};
    use crate::loom::SharedSlice;
    use crate::runtime::dump::tree::ValueLimit;
    use std::panic::Location;
    use std::sync::mpsc::{Receiver, TryRecvError, channel};
    use std::task::Waker;
    use std::thread;

    fn state() -> BlockOnState {
        let description = FutureDescription {
            location: Location::caller(),
            type_name: "Future",
            size: 8,
        };
        BlockOnState::new(&description, Waker::noop(), Waker::noop().clone(), 0)
    }

    /// Requests the tree from another thread. Returns the result, and the state of the channel.
    fn request_tree(state: &BlockOnState) -> (bool, TryRecvError) {
        let (reply, answer): (_, Receiver<_>) = channel();
        let request = TreeRequest {
            values: ValueLimit::None,
            secret_types: SharedSlice::default(),
            reply,
        };
        let accepted = thread::scope(|scope| {
            let dump = scope.spawn(|| state.request_tree(request));
            dump.join().unwrap()
        });
        (accepted, answer.try_recv().unwrap_err())
    }

    #[test]
    fn close_drops_requests_and_rejects_later_ones() {
        let state = state();
        assert_eq!(request_tree(&state), (true, TryRecvError::Empty));
        state.close();
        assert_eq!(state.take_trees().len(), 0);
        let late = request_tree(&state);
        assert_eq!(late, (false, TryRecvError::Disconnected));
    }

    #[test]
    #[cfg(feature = "inspect")]
    fn close_rejects_requests_for_polls() {
        let state = state();
        state.close();
        let (reply, answer) = channel();
        let accepted = thread::scope(|scope| scope.spawn(|| state.request_poll(reply)).join());
        assert!(!accepted.unwrap());
        assert_eq!(answer.try_recv().unwrap_err(), TryRecvError::Disconnected);
    }
}
