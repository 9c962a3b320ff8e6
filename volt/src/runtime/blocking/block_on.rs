//! Blocking the calling thread on a future.

use std::panic::Location;
use std::pin::pin;
use std::task::{Context, Poll};

use super::block_in_place::is_blocking_in_place;
use super::thread_parker::ThreadParker;
use crate::runtime::context;
use crate::runtime::dump::recorded_while_pending;
use crate::runtime::handle::Handle;
use crate::scheduler;
use crate::task::{self, boxed_if_large};

impl Handle {
    /// Polls `future` on this thread until it is ready, asleep between its wake-ups.
    ///
    /// It runs no tasks and watches no timers or descriptors. The workers do that, and of a
    /// [`LocalRuntime`](crate::runtime::LocalRuntime) the thread that is in its own `block_on`: what is
    /// waited for there comes only meanwhile. Each poll has the budget that one of a task has.
    ///
    /// # Panics
    ///
    /// Inside of a task, whichever thread polls it, and else on a worker of a runtime, which would be
    /// lost to its tasks meanwhile: await instead, or move the call into
    /// [`spawn_blocking`](Self::spawn_blocking), or into
    /// [`block_in_place`](crate::runtime::block_in_place). In a fork of the process that
    /// started the runtime.
    #[track_caller]
    pub fn block_on<F: IntoFuture>(&self, future: F) -> F::Output {
        panic_on_worker();
        panic_in_fork(self.driver().is_inherited());
        // Who could not be told from others as it sleeps must not count.
        let _work = context::is_available().then(|| self.driver().busy_guard());
        let _tokio = self.tokio.enter();
        let _entered = context::enter_busy(self.clone());
        let runtime_id = self.scheduler.runtime_id();
        let location = Location::caller();
        boxed_if_large!(F::IntoFuture, future.into_future(), |future| {
            block_on(recorded_while_pending(future, runtime_id, location))
        })
    }
}

/// Polls `future` on this thread, asleep between its wake-ups, until it is ready.
fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let thread = ThreadParker::of_this_thread();
    let mut context = Context::from_waker(thread.waker());
    loop {
        if let Poll::Ready(output) = task::with_full_budget(|| future.as_mut().poll(&mut context)) {
            return output;
        }
        thread.park();
    }
}

/// # Panics
///
/// Inside of a task, and on a worker of a runtime.
#[track_caller]
pub(in crate::runtime) fn panic_on_worker() {
    assert!(
        is_blocking_in_place()
            || scheduler::SchedulerHandle::current().is_none()
                && task::runtime_id_of_current().is_none(),
        "`block_on` inside a task would take its worker from all other tasks: `.await` the \
         future, or call `block_on` inside `spawn_blocking`",
    );
}

/// # Panics
///
/// If so: in a fork of the process that started the runtime.
#[track_caller]
pub(in crate::runtime) fn panic_in_fork(is_inherited: bool) {
    assert!(
        !is_inherited,
        "this process was forked, and the threads of the runtime stayed behind: start the runtime \
         after the fork",
    );
}
