//! A future that stays on one thread, as one that may be in a task.
//!
//! A task's wakers and handles go to any thread, and so the task itself must be able to. What
//! may not is the future in it. Here it stands behind a guard that knows its thread: on another
//! one it is neither polled nor read nor dropped.
//!
//! # Invariant
//!
//! - L1: the future is touched only on the thread that made the guard. Threads have one id each,
//!   which is never used again.

use super::harness;
use super::join::JoinHandle;
use super::joiner::Joiner;
use super::root::Root;
use super::runnable::Runnable;
use super::schedule::{Metadata, Schedule};
use crate::loom::thread::{self, ThreadId};
use std::future::Future;
use std::mem::ManuallyDrop;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll};

/// A future and the thread that it stays on.
pub(crate) struct Local<F> {
    owner: ThreadId,
    future: ManuallyDrop<F>,
}

// SAFETY: L1: wherever the guard goes, the future is touched on its own thread only.
unsafe impl<F> Send for Local<F> {}

impl<F> Local<F> {
    fn new(future: F) -> Self {
        Self {
            owner: thread::current().id(),
            future: ManuallyDrop::new(future),
        }
    }

    fn is_at_home(&self) -> bool {
        self.owner == thread::current().id()
    }
}

impl<F: Future> Future for Local<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        assert!(
            self.is_at_home(),
            "a task that stays on its thread was run on another one"
        );
        // SAFETY: The future is pinned with the guard: it is not moved from here on, and dropped
        // in place. L1: we are on its thread.
        let future = unsafe { self.map_unchecked_mut(|this| &mut *this.future) };
        future.poll(cx)
    }
}

impl<F> Drop for Local<F> {
    fn drop(&mut self) {
        if self.is_at_home() {
            // SAFETY: L1: we are on its thread. Nobody touches it after the guard's drop.
            unsafe { ManuallyDrop::drop(&mut self.future) };
        } else if !std::thread::panicking() {
            panic!(
                "a task that stays on its thread was ended on another one: its future is leaked"
            );
        }
    }
}

/// Makes a task of a future that stays on this thread, as must the queue that the task is in.
///
/// The position of a machine in it is not told, as whoever asks may be on another thread.
pub(crate) fn new_local_task<F, S>(
    future: F,
    scheduler: S,
    location: &'static Location<'static>,
) -> (Runnable, JoinHandle<F::Output>)
where
    F: Future + 'static,
    S: Schedule,
{
    let (life, handle) = harness::allocate(Local::new(future), scheduler, AtHome(location));
    // SAFETY: It is the handle's reference, and the output is that of the future. An output that
    // is not `Send` is dropped on this thread too: by the runner, or by a handle that stays here.
    let joiner = unsafe { Joiner::new(handle) };
    (Runnable::new(life), JoinHandle::new(joiner))
}

/// The metadata of a task that nobody may look into.
struct AtHome(&'static Location<'static>);

impl<F> Metadata<F> for AtHome {
    fn location(&self) -> &'static Location<'static> {
        self.0
    }

    fn root(&self, _: &F) -> Option<Root>
    where
        F: 'static,
    {
        None
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::future::{Future, pending, ready};
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::pin::pin;
    use std::rc::Rc;
    use std::task::{Context, Poll, Waker};

    use super::Local;

    #[test]
    fn poll_on_another_thread_panics_and_touches_nothing() {
        let count = Rc::new(Cell::new(0));
        let counted = Rc::clone(&count);
        let local = Local::new(async move { counted.set(counted.get() + 1) });
        let mut local = std::thread::spawn(|| {
            let mut local = Box::pin(local);
            let poll = AssertUnwindSafe(|| {
                let mut cx = Context::from_waker(Waker::noop());
                local.as_mut().poll(&mut cx)
            });
            assert!(catch_unwind(poll).is_err());
            local
        })
        .join()
        .expect("the panic was caught");
        assert_eq!(count.get(), 0);
        let polled = local.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert_eq!((polled, count.get()), (Poll::Ready(()), 1));
        drop(local);
        assert_eq!(Rc::strong_count(&count), 1);
    }

    #[test]
    #[cfg_attr(miri, ignore = "what stays on its thread is leaked on another one")]
    fn drop_on_another_thread_touches_nothing() {
        let count = Rc::new(Cell::new(0));
        let counted = Rc::clone(&count);
        let local = Local::new(async move {
            counted.set(1);
            pending::<()>().await;
        });
        let dropped = std::thread::spawn(|| drop(local)).join();
        assert!(dropped.is_err());
        assert_eq!(Rc::strong_count(&count), 2, "it is leaked");
        let mut home = pin!(Local::new(ready(3)));
        let polled = home.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert_eq!(polled, Poll::Ready(3));
    }
}
