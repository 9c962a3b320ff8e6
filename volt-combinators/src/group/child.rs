//! The wrapper of a child of a group.

use std::fmt;
use std::future::Future;
use std::panic::{self, AssertUnwindSafe};
use std::pin::Pin;
use std::task::{Context, Poll};

use pin_project_lite::pin_project;

use super::error::{Outcome, TaskError};
use super::state::ChildHandle;

pin_project! {
    /// A child of a group, as a runtime spawns it.
    ///
    /// It is a future without an output: the child's output or panic goes to the group. If it is
    /// dropped before it completes, the group records that it was cancelled.
    ///
    /// # Panics
    ///
    /// The end of a child wakes the waiting task, and siblings. If one of their wakers panics, the
    /// panic passes through after all have been woken, unless another panic does so already.
    #[must_use = "a child that is dropped counts as cancelled"]
    pub struct Child<F>
    where
        F: Future,
    {
        #[pin]
        future: Option<F>,
        started: bool,
        // The group has a waker that only cancels. The runtime then drops the child, so this future
        // does not end by itself.
        has_canceller: bool,
        // Present until the child is reported.
        handle: Option<ChildHandle<F::Output>>,
    }

    impl<F> PinnedDrop for Child<F>
    where
        F: Future,
    {
        fn drop(this: Pin<&mut Self>) {
            this.end(Err(TaskError::Cancelled));
        }
    }
}

impl<F: Future> Child<F> {
    pub(super) fn new(future: F, handle: ChildHandle<F::Output>) -> Self {
        Self {
            future: Some(future),
            started: false,
            has_canceller: false,
            handle: Some(handle),
        }
    }

    /// Returns the future of the child, until it has completed.
    ///
    /// The access is exclusive, as for a poll, because a shared reference would invalidate
    /// references that the future has into itself.
    pub fn future(self: Pin<&mut Self>) -> Option<Pin<&mut F>> {
        self.project().future.as_pin_mut()
    }

    /// Drops the future, then reports the outcome, unless that has been done.
    fn end(self: Pin<&mut Self>, mut outcome: Outcome<F::Output>) {
        let mut this = self.project();
        let Some(handle) = this.handle.take() else {
            return;
        };
        let dropping = AssertUnwindSafe(|| this.future.set(None));
        if let Err(payload) = panic::catch_unwind(dropping)
            && !matches!(outcome, Err(TaskError::Panicked(_)))
        {
            outcome = Err(TaskError::panicked(payload));
        }
        handle.report(outcome);
    }

    /// Polls the future, if it may run; returns the outcome when it has completed.
    fn advance(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Outcome<F::Output>> {
        let this = self.project();
        let (Some(future), Some(handle)) = (this.future.as_pin_mut(), this.handle) else {
            panic!("`Child` polled after completion");
        };
        if handle.member.is_cancelled() && !*this.has_canceller {
            return Poll::Ready(Err(TaskError::Cancelled));
        }
        let mut describe_task = None;
        if !*this.started {
            describe_task = handle.try_start();
            if describe_task.is_none() {
                // A permit is granted by waking the child. It may have been granted before the
                // waker was registered.
                handle.member.register(cx.waker());
                describe_task = handle.try_start();
            }
            *this.started = describe_task.is_some();
        }
        if *this.started {
            let polling = AssertUnwindSafe(|| future.poll(cx));
            match panic::catch_unwind(polling) {
                Ok(Poll::Ready(value)) => return Poll::Ready(Ok(value)),
                Ok(Poll::Pending) => {}
                Err(payload) => return Poll::Ready(Err(TaskError::panicked(payload))),
            }
        }
        let task = describe_task.map(|describe| describe(cx.waker()));
        let id = task.as_ref().and_then(|task| task.id);
        match task.and_then(|task| task.canceller) {
            Some(canceller) => {
                handle.member.set_canceller(canceller, id);
                *this.has_canceller = true;
            }
            None if *this.has_canceller => {}
            None => {
                handle.member.register(cx.waker());
                id.into_iter().for_each(|id| handle.member.set_task_id(id));
            }
        }
        if !handle.member.is_cancelled() {
            return Poll::Pending;
        }
        if !*this.has_canceller {
            return Poll::Ready(Err(TaskError::Cancelled));
        }
        // The request may have come before the canceller was set. The runtime drops the child when
        // its task may be cancelled, which is after its shields.
        handle.member.wake();
        Poll::Pending
    }
}

impl<F: Future> Future for Child<F> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.as_mut().advance(cx).map(|outcome| self.end(outcome))
    }
}

impl<F: Future> fmt::Debug for Child<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match (&self.handle, self.started) {
            (None, _) => "Over",
            (Some(_), true) => "Started",
            (Some(_), false) => "Waiting",
        };
        write!(f, "Child({state})")
    }
}
