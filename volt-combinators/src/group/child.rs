//! The wrapper around each child of a group.

use std::fmt;
use std::future::Future;
use std::panic::{self, AssertUnwindSafe};
use std::pin::Pin;
use std::task::{Context, Poll};

use pin_project_lite::pin_project;

use super::error::{Outcome, TaskError};
use super::ledger::Ticket;

pin_project! {
    /// A child of a group, as a runtime spawns it.
    ///
    /// It is a future without output: what the child returns goes to the group, and its panics go
    /// there too. Dropped unfinished, it tells the group that it was cancelled.
    ///
    /// # Panics
    ///
    /// The end of a child wakes who waits, and siblings. If one of their wakers panics, that passes
    /// through when all have been woken, unless another panic does so already.
    #[must_use = "a child that is dropped counts as cancelled"]
    pub struct Child<F>
    where
        F: Future,
    {
        #[pin]
        future: Option<F>,
        started: bool,
        // The group has a waker that only cancels: the runtime ends the child, and not this.
        has_canceller: bool,
        // There until the child is reported.
        ticket: Option<Ticket<F::Output>>,
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
    pub(super) fn new(future: F, ticket: Ticket<F::Output>) -> Self {
        Self {
            future: Some(future),
            started: false,
            has_canceller: false,
            ticket: Some(ticket),
        }
    }

    /// The child's own future, until it is over.
    ///
    /// It is lent as for a poll, since a shared reference would invalidate those that a future has
    /// into itself.
    pub fn future(self: Pin<&mut Self>) -> Option<Pin<&mut F>> {
        self.project().future.as_pin_mut()
    }

    /// Drops the future, then reports how it ended, unless that has been done.
    fn end(self: Pin<&mut Self>, mut outcome: Outcome<F::Output>) {
        let mut this = self.project();
        let Some(ticket) = this.ticket.take() else {
            return;
        };
        let dropping = AssertUnwindSafe(|| this.future.set(None));
        if let Err(payload) = panic::catch_unwind(dropping)
            && !matches!(outcome, Err(TaskError::Panicked(_)))
        {
            outcome = Err(TaskError::panicked(payload));
        }
        ticket.report(outcome);
    }

    /// Polls the future, if it may run; the outcome if that is its end.
    fn advance(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Outcome<F::Output>> {
        let this = self.project();
        let (Some(future), Some(ticket)) = (this.future.as_pin_mut(), this.ticket) else {
            panic!("`Child` polled after completion");
        };
        if ticket.member.is_cancelled() && !*this.has_canceller {
            return Poll::Ready(Err(TaskError::Cancelled));
        }
        let mut make_canceller = None;
        if !*this.started {
            make_canceller = ticket.admit();
            if make_canceller.is_none() {
                // The grant of a permit needs the waker. It may have come before.
                ticket.member.register(cx.waker());
                make_canceller = ticket.admit();
            }
            *this.started = make_canceller.is_some();
        }
        if *this.started {
            let polling = AssertUnwindSafe(|| future.poll(cx));
            match panic::catch_unwind(polling) {
                Ok(Poll::Ready(value)) => return Poll::Ready(Ok(value)),
                Ok(Poll::Pending) => {}
                Err(payload) => return Poll::Ready(Err(TaskError::panicked(payload))),
            }
        }
        match make_canceller.and_then(|make| make(cx.waker())) {
            Some(canceller) => {
                ticket.member.keep(canceller);
                *this.has_canceller = true;
            }
            None if *this.has_canceller => {}
            None => ticket.member.register(cx.waker()),
        }
        match ticket.member.is_cancelled() {
            // The request may have come before there was a canceller. The runtime drops the child when its
            // task may be cancelled: behind its shields.
            true if *this.has_canceller => ticket.member.wake(),
            true => return Poll::Ready(Err(TaskError::Cancelled)),
            false => {}
        }
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
        let state = match (&self.ticket, self.started) {
            (None, _) => "Over",
            (Some(_), true) => "Started",
            (Some(_), false) => "Waiting",
        };
        write!(f, "Child({state})")
    }
}
