//! Threads that wait in `block_on`, for dumps.
//!
//! A future that is blocked on is no task, so nothing else knows of it. Its thread enters itself
//! here as the future is not ready for the first time; one that never waits costs nothing.

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
static BLOCKED: PerProcess<List> = PerProcess::new();

#[cfg(all(test, shuttle))]
shuttle::lazy_static! {
    static ref BLOCKED: Mutex<List> = Mutex::new(List::default());
}

/// A thread that waits in a `block_on`, as a [`Dump`](crate::runtime::Dump) tells of it.
///
/// The future that it blocks on is no task, and where a machine there stands is not known.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BlockedThread {
    /// The name of the thread, if it has one.
    pub thread: Option<String>,
    /// Where `block_on` was called.
    pub location: &'static Location<'static>,
    /// When it first waited there, by the clock of [`TaskInfo::since`](crate::task::TaskInfo::since).
    pub since: u32,
}

/// All of the process, with keys of their own and the schedulers that they wait in.
struct List {
    last: u64,
    entries: Vec<(u64, NonZeroUsize, BlockedThread)>,
}

impl Default for List {
    fn default() -> Self {
        // Whoever forks in a `block_on` leaves it in the fork too, with the key from before.
        let last = u64::from(process::id()) << 32;
        Self {
            last,
            entries: Vec::new(),
        }
    }
}

/// The time during which a thread is entered.
struct Entered(u64);

impl Entered {
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

impl Drop for Entered {
    fn drop(&mut self) {
        BLOCKED.lock().entries.retain(|(key, ..)| *key != self.0);
    }
}

/// The future, which enters its thread when it is not ready.
pub(in crate::runtime) async fn recorded_while_pending<F: Future>(
    future: F,
    runtime_id: NonZeroUsize,
    location: &'static Location<'static>,
) -> F::Output {
    let mut future = pin!(future);
    let mut entered = None;
    poll_fn(|cx| {
        let polled = future.as_mut().poll(cx);
        if polled.is_pending() {
            entered.get_or_insert_with(|| Entered::new(runtime_id, location));
        }
        polled
    })
    .await
}

/// The threads that wait in that scheduler.
pub(super) fn blocked_threads(runtime_id: NonZeroUsize) -> Vec<BlockedThread> {
    let list = BLOCKED.lock();
    let here = list
        .entries
        .iter()
        .filter(|(_, other, _)| *other == runtime_id);
    here.map(|(.., blocked)| blocked.clone()).collect()
}
