//! The list of the threads that wait in `block_on`.

use std::num::NonZeroUsize;
use std::panic::Location;
use std::process;

use super::block_on_state::BlockOnState;
#[cfg(not(all(test, shuttle)))]
use crate::loom::PerProcess;
use crate::loom::sync::Arc;
#[cfg(all(test, shuttle))]
use crate::loom::sync::Mutex;
use crate::task::TaskId;

#[cfg(not(all(test, shuttle)))]
static BLOCKED: PerProcess<BlockedThreads> = PerProcess::new();

#[cfg(all(test, shuttle))]
shuttle::lazy_static! {
    static ref BLOCKED: Mutex<BlockedThreads> = Mutex::new(BlockedThreads::default());
}

/// A thread that waits in `block_on`, in a [`Dump`](crate::runtime::Dump).
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
    /// The id of the future in [`Dump::block_on_futures`](crate::runtime::Dump::block_on_futures).
    pub future: TaskId,
}

/// The blocked threads of the process, each with a key and the id of its runtime.
struct BlockedThreads {
    /// The key of the newest entry.
    last: u64,
    entries: Vec<ListEntry>,
}

struct ListEntry {
    key: u64,
    runtime_id: NonZeroUsize,
    since: u32,
    state: Arc<BlockOnState>,
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
#[derive(Debug)]
pub(super) struct BlockedEntry {
    key: u64,
    pub(super) state: Arc<BlockOnState>,
}

impl BlockedEntry {
    #[cold]
    pub(super) fn new(runtime_id: NonZeroUsize, state: BlockOnState) -> Self {
        let state = Arc::new(state);
        let mut list = BLOCKED.lock();
        list.last += 1;
        let key = list.last;
        list.entries.push(ListEntry {
            key,
            runtime_id,
            since: state.info().since,
            state: Arc::clone(&state),
        });
        Self { key, state }
    }
}

impl Drop for BlockedEntry {
    fn drop(&mut self) {
        BLOCKED.lock().entries.retain(|entry| entry.key != self.key);
        self.state.close();
    }
}

/// Returns the threads that wait in the runtime with this id, with their states.
pub(super) fn blocked_threads(runtime_id: NonZeroUsize) -> Vec<(BlockedThread, Arc<BlockOnState>)> {
    let list = BLOCKED.lock();
    let here = list.entries.iter();
    let here = here.filter(|entry| entry.runtime_id == runtime_id);
    let thread = |entry: &ListEntry| BlockedThread {
        thread: entry.state.thread_name().map(ToOwned::to_owned),
        location: entry.state.location(),
        since: entry.since,
        future: entry.state.id,
    };
    here.map(|entry| (thread(entry), Arc::clone(&entry.state)))
        .collect()
}
