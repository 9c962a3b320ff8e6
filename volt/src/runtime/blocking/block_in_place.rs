//! `block_in_place`: blocking on the thread of a worker.

use std::cell::Cell;

use crate::loom::thread_local_const;
use crate::scheduler::{self, BlockKind};
use crate::task;

thread_local_const! {
    static IN_PLACE: Cell<bool> = Cell::new(false);
}

/// Calls `job`, which may block, on this thread; another thread runs the tasks of its worker
/// meanwhile.
///
/// The current task waits for `job`: if the call is inside a `join` or `select`, the other branches
/// wait too. [`spawn_blocking`](crate::runtime::spawn_blocking) does not block the task, and is
/// cheaper. `job` may call [`Handle::block_on`](crate::runtime::Handle::block_on).
///
/// A spare thread takes over the tasks of this worker, as in a blocking
/// [`join`](crate::JoinHandle::join). There are two exceptions, in which the tasks of the runtime
/// wait for `job`, and `block_on` inside `job` panics:
///
/// - No spare thread is left (see
///   [`Builder::max_spare_threads`](crate::runtime::Builder::max_spare_threads)), and all other
///   workers are asleep.
/// - The runtime is a [`LocalRuntime`](crate::runtime::LocalRuntime), which has only one thread.
///
/// On a thread that is not a worker, this function only calls `job`. A paused clock does not
/// advance while `job` runs.
///
/// # Panics
///
/// Panics if `job` panics.
///
/// # Examples
///
/// ```
/// let runtime = volt::Runtime::new()?;
/// let sum = runtime.spawn(async {
///     let (send, numbers) = std::sync::mpsc::channel();
///     volt::spawn(async move { (1..4).for_each(|n| send.send(n).unwrap()) }).detach();
///     volt::block_in_place(|| numbers.iter().sum::<u32>())
/// });
/// assert_eq!(runtime.block_on(sum)?, 6);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn block_in_place<R>(job: impl FnOnce() -> R) -> R {
    let mut job = Some(job);
    let result = scheduler::block_worker(BlockKind::Long, |_| {
        let _in_place = (!is_local()).then(BlockInPlaceGuard::begin);
        call(&mut job)
    });
    result.unwrap_or_else(|_| call(&mut job))
}

fn call<R>(job: &mut Option<impl FnOnce() -> R>) -> R {
    let job = job.take().expect("the job is called once");
    task::outside_of_polls(job)
}

/// Returns `true` if this thread is in a `LocalRuntime`.
fn is_local() -> bool {
    scheduler::SchedulerHandle::current().is_some_and(|scheduler| scheduler.is_local())
}

/// Returns `true` if this thread is in `block_in_place`, and a spare thread runs its worker.
pub(super) fn is_blocking_in_place() -> bool {
    IN_PLACE.try_with(Cell::get).unwrap_or(false)
}

/// Marks this thread as one in `block_in_place` until it is dropped.
struct BlockInPlaceGuard {
    was_in_place: bool,
}

impl BlockInPlaceGuard {
    fn begin() -> Self {
        let was_in_place = IN_PLACE.try_with(|flag| flag.replace(true));
        Self {
            was_in_place: was_in_place.unwrap_or(false),
        }
    }
}

impl Drop for BlockInPlaceGuard {
    fn drop(&mut self) {
        let _ = IN_PLACE.try_with(|flag| flag.set(self.was_in_place));
    }
}
