//! `BlockedFutures`: the futures of `block_on` in a dump.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

#[cfg(all(test, shuttle))]
use shuttle::sync::mpsc::{Receiver, channel};
#[cfg(not(all(test, shuttle)))]
use std::sync::mpsc::{Receiver, channel};

#[cfg(feature = "inspect")]
use super::block_on_state::PolledFuture;
use super::block_on_state::{BlockOnState, InspectedFuture, TreeRequest};
use super::blocked_thread::{BlockedThread, blocked_threads};
use crate::loom::SharedSlice;
use crate::loom::sync::Arc;
use crate::runtime::dump::tree::{Forest, ValueLimit};
use crate::task::{TaskId, TaskInfo};

/// The time for which a dump waits for the threads in `block_on`. A sleeping thread answers at
/// once. The thread of a [`LocalRuntime`](crate::runtime::LocalRuntime) answers after the poll of a
/// task.
const LIMIT: Duration = Duration::from_millis(250);

/// The threads in `block_on`, which received requests for the trees of their futures.
pub(in crate::runtime::dump) struct BlockedFutures(Vec<BlockedFuture>);

struct BlockedFuture {
    thread: BlockedThread,
    state: Arc<BlockOnState>,
    /// Receives the tree, if the thread answers.
    answer: Option<Receiver<InspectedFuture>>,
}

impl BlockedFutures {
    /// Requests the trees of the futures that block in a runtime. All threads answer at the same
    /// time.
    pub(in crate::runtime::dump) fn request(
        runtime_id: NonZeroUsize,
        is_wanted: impl Fn(TaskId) -> bool,
        values: ValueLimit,
        secret_types: &[&'static str],
    ) -> Self {
        let secret_types: SharedSlice<&'static str> = secret_types.into();
        let wanted = blocked_threads(runtime_id).into_iter();
        let wanted = wanted.filter(|(thread, _)| is_wanted(thread.future));
        let request = |(thread, state): (BlockedThread, Arc<BlockOnState>)| {
            let (reply, answer) = channel();
            let request = TreeRequest {
                values,
                secret_types: SharedSlice::clone(&secret_types),
                reply,
            };
            let answer = state.request_tree(request).then_some(answer);
            BlockedFuture {
                thread,
                state,
                answer,
            }
        };
        Self(wanted.map(request).collect())
    }

    /// Returns the vtables of the wakers of these futures, as addresses.
    pub(in crate::runtime::dump) fn waker_vtables(&self) -> Vec<usize> {
        let vtables = self.0.iter().map(|future| future.state.waker_address().1);
        let mut vtables: Vec<_> = vtables.collect();
        vtables.sort_unstable();
        vtables.dedup();
        vtables
    }

    /// Waits for the trees, and stores them. Passes the information about each future, and the
    /// address of the data of its waker. Returns the threads.
    pub(in crate::runtime::dump) fn collect(
        self,
        forest: &mut Forest,
        mut add: impl FnMut(TaskInfo, usize),
    ) -> Vec<BlockedThread> {
        let end = Instant::now() + LIMIT;
        let mut threads = Vec::new();
        for BlockedFuture {
            thread,
            state,
            answer,
        } in self.0
        {
            let inspected = answer.and_then(|answer| receive(&answer, end));
            let mut info = state.info();
            if let Some(inspected) = inspected {
                info.tree = forest.append(&inspected.forest, &inspected.tree);
                info.position = inspected.position;
            }
            add(info, state.waker_address().0);
            threads.push(thread);
        }
        threads
    }
}

/// Waits for an answer until `end`. Returns `None` if the future ends before.
#[cfg(not(all(test, shuttle)))]
fn receive<T>(answer: &Receiver<T>, end: Instant) -> Option<T> {
    let left = end.saturating_duration_since(Instant::now());
    answer.recv_timeout(left).ok()
}

/// Waits for an answer. A model has no time.
#[cfg(all(test, shuttle))]
fn receive<T>(answer: &Receiver<T>, _: Instant) -> Option<T> {
    answer.recv().ok()
}

/// Polls the futures that block in a runtime once, each on its own thread, and waits until `end`.
/// Passes the id and the result of each future that was polled.
#[cfg(feature = "inspect")]
pub(in crate::runtime::dump) fn poll_blocked(
    runtime_id: NonZeroUsize,
    is_wanted: impl Fn(TaskId) -> bool,
    end: Instant,
    mut add: impl FnMut(TaskId, PolledFuture),
) {
    let wanted = blocked_threads(runtime_id).into_iter();
    let wanted = wanted.filter(|(thread, _)| is_wanted(thread.future));
    let requested = wanted.map(|(thread, state)| {
        let (reply, answer) = channel();
        (thread.future, state.request_poll(reply).then_some(answer))
    });
    let requested: Vec<_> = requested.collect();
    for (id, answer) in requested {
        if let Some(polled) = answer.and_then(|answer| receive(&answer, end)) {
            add(id, polled);
        }
    }
}
