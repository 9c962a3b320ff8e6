//! Blocking the calling thread on a future.

use std::panic::Location;
use std::pin::pin;
use std::task::{Context, Poll};
use std::time::Instant;

use super::block_in_place::is_blocking_in_place;
use super::thread_parker::{ParkEvent, ThreadParker};
use crate::runtime::context;
use crate::runtime::dump::BlockOnFuture;
use crate::runtime::handle::Handle;
use crate::scheduler::{self, BlockingFuture};
use crate::task::{self, boxed_if_large};

impl Handle {
    /// Polls `future` on this thread until it is ready. The thread sleeps between wake-ups.
    ///
    /// This thread runs no tasks and drives no timers or sockets; the workers do. A
    /// [`LocalRuntime`](crate::runtime::LocalRuntime) drives them only while a thread is in
    /// [`LocalRuntime::block_on`](crate::runtime::LocalRuntime::block_on). Each poll has the budget
    /// of a poll of a task.
    ///
    /// # Panics
    ///
    /// Panics inside a task and on a worker, because the worker could run no other task meanwhile.
    /// Await the future instead, or move the call into [`spawn_blocking`](Self::spawn_blocking) or
    /// [`block_in_place`](crate::runtime::block_in_place). Panics in a fork of the process that
    /// started the runtime.
    #[track_caller]
    pub fn block_on<F: IntoFuture>(&self, future: F) -> F::Output {
        panic_on_worker();
        panic_in_fork(self.driver().is_inherited());
        // A thread that cannot enter the context is not counted: its parker would not find the
        // count.
        let _work = context::is_available().then(|| self.driver().busy_guard());
        let _tokio = self.tokio.enter();
        let _entered = context::enter_busy(self.clone());
        let runtime_id = self.scheduler.runtime_id();
        let location = Location::caller();
        boxed_if_large!(F::IntoFuture, future.into_future(), |future| {
            let thread = ThreadParker::of_this_thread();
            let inspection_waker = || thread.inspection_waker();
            let future = BlockOnFuture::new(future, runtime_id, location, inspection_waker);
            block_on(&thread, future)
        })
    }
}

/// Polls `future` on this thread until it is ready. The thread sleeps between wake-ups.
fn block_on<F: BlockingFuture>(thread: &ThreadParker, future: F) -> F::Output {
    let mut future = pin!(future);
    let mut context = Context::from_waker(thread.waker());
    loop {
        if let Poll::Ready(output) = task::with_full_budget(|| future.as_mut().poll(&mut context)) {
            return output;
        }
        thread.park_with(|event| match event {
            ParkEvent::Sleep => {
                let now = task::coarse_timestamp(Instant::now());
                future.as_mut().set_polled(now);
            }
            ParkEvent::Inspect => future.as_mut().inspect(),
        });
    }
}

/// # Panics
///
/// Panics inside a task and on a worker, unless the thread is in `block_in_place`.
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
/// Panics if the runtime is inherited: in a fork of the process that started it.
#[track_caller]
pub(in crate::runtime) fn panic_in_fork(is_inherited: bool) {
    assert!(
        !is_inherited,
        "this process was forked, and the threads of the runtime exist only in the parent: start \
         the runtime after the fork",
    );
}
