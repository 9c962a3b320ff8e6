//! A descriptor of this crate together with its registration.
//!
//! Every operation goes the same way: it is tried when the descriptor may be ready, a refusal
//! clears the readiness it was based on, and then the task waits for the next report. So no
//! report is lost and no operation is tried twice for nothing.

use std::io;
use std::task::{Context, Poll, Waker, ready};

use mio::event::Source;

use super::interest::Interest;
use crate::driver::{Direction, DriverHandle, ReadinessWait, ReadyEvent, Registration};
use crate::task::poll_proceed;

/// A descriptor that the driver watches until this is dropped.
#[derive(Debug)]
pub(crate) struct PollEvented<S: Source> {
    /// There until it is dropped or taken out.
    descriptor: Option<S>,
    registration: Registration,
}

impl<S: Source> PollEvented<S> {
    /// Has the driver watch a descriptor, which does not block.
    ///
    /// # Errors
    ///
    /// Fails when the system cannot watch it, or when the driver was dropped.
    pub(crate) fn new(driver: DriverHandle, mut descriptor: S) -> io::Result<Self> {
        let registration = Registration::new(driver, &mut descriptor)?;
        Ok(Self {
            descriptor: Some(descriptor),
            registration,
        })
    }

    /// Ends the watch and gives the descriptor back.
    pub(crate) fn into_inner(mut self) -> S {
        let mut descriptor = self.descriptor.take().expect("it is there until the end");
        self.registration.deregister(&mut descriptor);
        descriptor
    }

    #[inline]
    pub(crate) fn get(&self) -> &S {
        let descriptor = self.descriptor.as_ref();
        descriptor.expect("the descriptor is there until the end")
    }

    pub(crate) fn registration(&self) -> &Registration {
        &self.registration
    }

    pub(crate) fn driver(&self) -> &DriverHandle {
        self.registration.driver()
    }

    /// Waits until the half may be ready; the next operation tells whether it is.
    pub(crate) fn poll_ready(
        &self,
        cx: &mut Context<'_>,
        direction: Direction,
    ) -> Poll<io::Result<()>> {
        let budget = ready!(poll_proceed(cx));
        let ready = ready!(self.registration.poll_ready(direction, cx.waker()));
        budget.made_progress();
        Poll::Ready(ready.check())
    }

    /// Tries the operation if the half may be ready.
    ///
    /// It takes nothing from the task's budget: there is no await, and so nothing to put off. Who
    /// tries again and again awaits in between that the half is ready, which does.
    ///
    /// # Errors
    ///
    /// Fails as the operation does, or with [`WouldBlock`](io::ErrorKind::WouldBlock).
    pub(crate) fn try_io<R>(
        &self,
        direction: Direction,
        operation: impl FnOnce(&S) -> io::Result<R>,
    ) -> io::Result<R> {
        let source = self.registration.source();
        let ready = source.ready(direction).ok_or(io::ErrorKind::WouldBlock)?;
        ready.check()?;
        let result = operation(self.get());
        if would_block(&result) {
            source.clear(direction, ready);
        }
        result
    }

    /// Tries the operation if one of the states is there.
    ///
    /// # Errors
    ///
    /// As [`try_io`](Self::try_io). Then none of the states is there until the next report.
    pub(crate) fn try_io_interest<R>(
        &self,
        interest: Interest,
        operation: impl FnOnce() -> io::Result<R>,
    ) -> io::Result<R> {
        let source = self.registration.source();
        let ready = interest
            .directions()
            .find_map(|direction| source.ready(direction));
        let ready = ready.ok_or(io::ErrorKind::WouldBlock)?;
        ready.check()?;
        let result = operation();
        if would_block(&result) {
            let directions = interest.directions();
            directions.for_each(|direction| source.clear(direction, ready));
        }
        result
    }

    /// Does the operation when the half is ready, waiting in the place that all callers share.
    #[inline]
    pub(crate) fn poll_io<R>(
        &self,
        cx: &mut Context<'_>,
        direction: Direction,
        operation: impl FnMut(&S) -> io::Result<R>,
    ) -> Poll<io::Result<R>> {
        let wait = |waker: &Waker| self.registration.poll_ready(direction, waker);
        self.poll_operation(cx, direction, wait, operation)
            .map_ok(|(_, output)| output)
    }

    /// As [`poll_io`](Self::poll_io), waiting in a place of its own.
    #[inline]
    pub(crate) fn poll_io_in<R>(
        &self,
        cx: &mut Context<'_>,
        waiting: &mut ReadinessWait,
        operation: impl FnMut(&S) -> io::Result<R>,
    ) -> Poll<io::Result<R>> {
        let direction = waiting.direction();
        let wait = |waker: &Waker| waiting.poll_ready(&self.registration, waker);
        self.poll_operation(cx, direction, wait, operation)
            .map_ok(|(_, output)| output)
    }

    /// As [`poll_io`](Self::poll_io), for an operation that moves at most `wanted` bytes.
    #[inline]
    pub(crate) fn poll_transfer(
        &self,
        cx: &mut Context<'_>,
        direction: Direction,
        wanted: usize,
        operation: impl FnMut(&S) -> io::Result<usize>,
    ) -> Poll<io::Result<usize>> {
        let wait = |waker: &Waker| self.registration.poll_ready(direction, waker);
        self.poll_operation(cx, direction, wait, operation)
            .map_ok(|(ready, moved)| self.note_short_transfer(direction, ready, moved, wanted))
    }

    /// As [`poll_transfer`](Self::poll_transfer), waiting in a place of its own.
    #[inline]
    pub(crate) fn poll_transfer_in(
        &self,
        cx: &mut Context<'_>,
        waiting: &mut ReadinessWait,
        wanted: usize,
        operation: impl FnMut(&S) -> io::Result<usize>,
    ) -> Poll<io::Result<usize>> {
        let direction = waiting.direction();
        let wait = |waker: &Waker| waiting.poll_ready(&self.registration, waker);
        self.poll_operation(cx, direction, wait, operation)
            .map_ok(|(ready, moved)| self.note_short_transfer(direction, ready, moved, wanted))
    }

    /// Draws the conclusion from a transfer that stopped short: there is no more for now, or no
    /// room. It saves the call that would only be refused.
    ///
    /// Epoll reports the next change then. What else ends a *read* short, so that more is there of
    /// which no report comes, is known to the driver's source.
    #[inline]
    fn note_short_transfer(
        &self,
        direction: Direction,
        ready: ReadyEvent,
        moved: usize,
        wanted: usize,
    ) -> usize {
        if cfg!(target_os = "linux") && 0 < moved && moved < wanted {
            let source = self.registration.source();
            match direction {
                Direction::Write => source.exhaust_writes(ready),
                _ => source.exhaust_reads(ready),
            }
        }
        moved
    }

    #[inline]
    fn poll_operation<R>(
        &self,
        cx: &mut Context<'_>,
        direction: Direction,
        mut wait: impl FnMut(&Waker) -> Poll<ReadyEvent>,
        mut operation: impl FnMut(&S) -> io::Result<R>,
    ) -> Poll<io::Result<(ReadyEvent, R)>> {
        let budget = ready!(poll_proceed(cx));
        loop {
            let ready = ready!(wait(cx.waker()));
            let result = ready.check().and_then(|()| operation(self.get()));
            match result {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.registration.source().clear(direction, ready);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => {
                    budget.made_progress();
                    return Poll::Ready(result.map(|output| (ready, output)));
                }
            }
        }
    }
}

impl<S: Source> Drop for PollEvented<S> {
    fn drop(&mut self) {
        if let Some(mut descriptor) = self.descriptor.take() {
            self.registration.deregister(&mut descriptor);
        }
    }
}

fn would_block<R>(result: &io::Result<R>) -> bool {
    matches!(result, Err(error) if error.kind() == io::ErrorKind::WouldBlock)
}
