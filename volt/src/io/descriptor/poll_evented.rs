//! `PollEvented`: a descriptor together with its registration with the driver.
//!
//! Every operation takes the same steps. It is tried when the descriptor may be ready. If it would
//! block, the readiness that it was based on is cleared, and the task waits for the next report. So
//! no report is lost, and no operation is repeated without a new report.

use std::io;
use std::task::{Context, Poll, Waker, ready};

use mio::event::Source;

use super::interest::Interest;
use crate::driver::{Direction, DriverHandle, ReadinessWait, ReadyEvent, Registration};
use crate::task::poll_proceed;

/// A descriptor that the driver watches until the value is dropped.
#[derive(Debug)]
pub(crate) struct PollEvented<S: Source> {
    /// `Some` until the value is dropped or taken apart.
    descriptor: Option<S>,
    registration: Registration,
}

impl<S: Source> PollEvented<S> {
    /// Registers a descriptor with the driver. The descriptor must be non-blocking.
    ///
    /// # Errors
    ///
    /// Returns an error if the system cannot watch the descriptor, or if the driver was dropped.
    pub(crate) fn new(driver: DriverHandle, mut descriptor: S) -> io::Result<Self> {
        let registration = Registration::new(driver, &mut descriptor)?;
        Ok(Self {
            descriptor: Some(descriptor),
            registration,
        })
    }

    /// Registers a socket, whose number a dump shows.
    ///
    /// # Errors
    ///
    /// The same as of [`new`](Self::new).
    #[cfg(unix)]
    pub(crate) fn socket(driver: DriverHandle, socket: S) -> io::Result<Self>
    where
        S: std::os::fd::AsRawFd,
    {
        let number = socket.as_raw_fd();
        let evented = Self::new(driver, socket)?;
        evented.registration.source().set_socket(number);
        Ok(evented)
    }

    /// Registers a socket.
    ///
    /// # Errors
    ///
    /// The same as of [`new`](Self::new).
    #[cfg(not(unix))]
    pub(crate) fn socket(driver: DriverHandle, socket: S) -> io::Result<Self> {
        Self::new(driver, socket)
    }

    /// Records that a listener has accepted the socket, for inspections.
    pub(crate) fn set_accepted(&self) {
        self.registration.source().set_accepted();
    }

    /// Deregisters the descriptor and returns it.
    pub(crate) fn into_inner(mut self) -> S {
        let mut descriptor = self
            .descriptor
            .take()
            .expect("`descriptor` is set until it is dropped");
        self.registration.deregister(&mut descriptor);
        descriptor
    }

    #[inline]
    pub(crate) fn get(&self) -> &S {
        let descriptor = self.descriptor.as_ref();
        descriptor.expect("`descriptor` is set until it is dropped")
    }

    pub(crate) fn registration(&self) -> &Registration {
        &self.registration
    }

    pub(crate) fn driver(&self) -> &DriverHandle {
        self.registration.driver()
    }

    /// Waits until the direction may be ready. The next operation shows whether it is.
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

    /// Tries the operation if the direction may be ready.
    ///
    /// The call takes nothing from the task's budget, because it contains no await. A caller that
    /// repeats it awaits readiness in between, and that await takes from the budget.
    ///
    /// # Errors
    ///
    /// Returns the errors of the operation, and [`WouldBlock`](io::ErrorKind::WouldBlock) if the
    /// descriptor is not ready.
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

    /// Tries the operation if the descriptor may be in one of the states.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`try_io`](Self::try_io). After `WouldBlock`, all of the states are
    /// cleared until the next report.
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

    /// Calls the operation when the direction is ready. All callers share one waiter.
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

    /// [`poll_io`](Self::poll_io) with a waiter of the caller.
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

    /// [`poll_io`](Self::poll_io) for an operation that transfers at most `wanted` bytes.
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

    /// [`poll_transfer`](Self::poll_transfer) with a waiter of the caller.
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

    /// Clears the readiness after a short transfer: no bytes are left for now, or no room. This
    /// saves a system call that would only return `WouldBlock`.
    ///
    /// Epoll reports the next change. A *read* can also be short for another reason, while more
    /// bytes have already arrived and no report follows. The driver's source knows these cases.
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
