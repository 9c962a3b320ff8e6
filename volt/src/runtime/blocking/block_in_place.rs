//! Blocking on a worker's own thread.

use std::cell::Cell;

use crate::loom::thread_local_const;
use crate::scheduler::{self, BlockKind};
use crate::task;

thread_local_const! {
    static IN_PLACE: Cell<bool> = Cell::new(false);
}

/// Calls `job`, which may block, on this thread, and lets another one work in its place meanwhile.
///
/// Within it [`Handle::block_on`](crate::runtime::Handle::block_on) may be called too. The task does not go on
/// before it returns: what else the same task waits for, beside it in a `join` or a `select`, waits with
/// it. [`spawn_blocking`](crate::runtime::spawn_blocking) does not hold the task up, and is cheaper.
///
/// A spare thread takes over this worker's core, as in a [`join`](crate::JoinHandle::join) that blocks. If
/// there is none left ([`Builder::max_spare_threads`](crate::runtime::Builder::max_spare_threads)) and this is the
/// last worker that is awake, it blocks all the same, and the tasks of the runtime wait. So they do on the
/// thread of a [`LocalRuntime`](crate::runtime::LocalRuntime), which has no other. In these two cases `block_on`
/// panics within it, as it does in any task.
///
/// On a thread that is no worker, `job` is just called. The time of a paused clock stands still meanwhile.
///
/// # Panics
///
/// When `job` does.
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
    let away = scheduler::block_worker(BlockKind::Long, |_| {
        let _in_place = (!is_local()).then(BlockInPlaceGuard::begin);
        call(&mut job)
    });
    away.unwrap_or_else(|_| call(&mut job))
}

fn call<R>(job: &mut Option<impl FnOnce() -> R>) -> R {
    let job = job.take().expect("it is called once");
    task::with_unlimited_budget(job)
}

/// Whether this is the one thread of its runtime.
fn is_local() -> bool {
    scheduler::SchedulerHandle::current().is_some_and(|scheduler| scheduler.is_local())
}

/// Whether another thread works in the place of this one.
pub(super) fn is_blocking_in_place() -> bool {
    IN_PLACE.try_with(Cell::get).unwrap_or(false)
}

/// The time during which another thread works in the place of this one.
struct BlockInPlaceGuard {
    before: bool,
}

impl BlockInPlaceGuard {
    fn begin() -> Self {
        let before = IN_PLACE.try_with(|it| it.replace(true)).unwrap_or(false);
        Self { before }
    }
}

impl Drop for BlockInPlaceGuard {
    fn drop(&mut self) {
        let _ = IN_PLACE.try_with(|it| it.set(self.before));
    }
}
