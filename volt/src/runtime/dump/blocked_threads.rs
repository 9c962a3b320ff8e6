//! Records of the threads that wait in `block_on`, for dumps.
//!
//! The future of `block_on` is not a task, so it is in no registry. Its thread is recorded here at
//! the first poll that is pending. A future that is ready at once costs nothing.

use std::future::poll_fn;
use std::num::NonZeroUsize;
use std::panic::Location;
use std::pin::pin;
use std::process;
use std::time::Instant;

#[cfg(not(all(test, shuttle)))]
use crate::loom::PerProcess;
#[cfg(all(test, shuttle))]
use crate::loom::sync::Mutex;
use crate::loom::thread;
use crate::task;

#[cfg(not(all(test, shuttle)))]
static BLOCKED: PerProcess<BlockedThreads> = PerProcess::new();

#[cfg(all(test, shuttle))]
shuttle::lazy_static! {
    static ref BLOCKED: Mutex<BlockedThreads> = Mutex::new(BlockedThreads::default());
}

/// A thread that waits in `block_on`, in a [`Dump`](crate::runtime::Dump).
///
/// The future of `block_on` is not a task, and a dump does not show the state of its machine.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BlockedThread {
    /// The name of the thread, if it has one.
    pub thread: Option<String>,
    /// The location of the call of `block_on`.
    pub location: &'static Location<'static>,
    /// The time of the first pending poll, by the clock of
    /// [`TaskInfo::since`](crate::task::TaskInfo::since).
    pub since: u32,
}

/// The blocked threads of the process, each with a key and the id of its runtime.
struct BlockedThreads {
    /// The key of the newest entry.
    last: u64,
    entries: Vec<(u64, NonZeroUsize, BlockedThread)>,
}

impl Default for BlockedThreads {
    fn default() -> Self {
        // A fork inside of `block_on` also drops the entry in the child, with the key of the
        // parent. Keys contain the process id, so that it removes no entry of the child.
        let last = u64::from(process::id()) << 32;
        Self {
            last,
            entries: Vec::new(),
        }
    }
}

/// The entry of a thread, which is removed when this is dropped.
struct BlockedEntry(u64);

impl BlockedEntry {
    #[cold]
    fn new(runtime_id: NonZeroUsize, location: &'static Location<'static>) -> Self {
        let blocked = BlockedThread {
            thread: thread::current().name().map(ToOwned::to_owned),
            location,
            since: task::coarse_timestamp(Instant::now()),
        };
        let mut list = BLOCKED.lock();
        list.last += 1;
        let key = list.last;
        list.entries.push((key, runtime_id, blocked));
        Self(key)
    }
}

impl Drop for BlockedEntry {
    fn drop(&mut self) {
        BLOCKED.lock().entries.retain(|(key, ..)| *key != self.0);
    }
}

/// Polls `future`, and records its thread from the first pending poll until this is dropped.
pub(in crate::runtime) async fn recorded_while_pending<F: Future>(
    future: F,
    runtime_id: NonZeroUsize,
    location: &'static Location<'static>,
) -> F::Output {
    let mut future = pin!(future);
    let mut entry = None;
    poll_fn(|cx| {
        let polled = future.as_mut().poll(cx);
        if polled.is_pending() {
            entry.get_or_insert_with(|| BlockedEntry::new(runtime_id, location));
        }
        polled
    })
    .await
}

/// Returns the threads that wait in the runtime with this id.
pub(super) fn blocked_threads(runtime_id: NonZeroUsize) -> Vec<BlockedThread> {
    let list = BLOCKED.lock();
    let here = list
        .entries
        .iter()
        .filter(|(_, other, _)| *other == runtime_id);
    here.map(|(.., blocked)| blocked.clone()).collect()
}
