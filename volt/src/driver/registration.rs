//! One descriptor that a driver watches.

use std::io;
use std::task::{Poll, Waker};

use super::driver::DriverHandle;
use super::readiness::{Direction, IoSource, ReadyEvent, WakerPlace};
use super::slab::Key;
use crate::loom::sync::Arc;

/// A descriptor's entry in the driver, without the descriptor itself.
///
/// Its owner calls [`deregister`](Self::deregister) before it closes the descriptor.
#[derive(Debug)]
pub(crate) struct Registration {
    driver: DriverHandle,
    key: Key,
    source: Arc<IoSource>,
}

impl Registration {
    /// Has the driver watch a descriptor.
    ///
    /// # Errors
    ///
    /// Fails when the system cannot watch it, or when the driver was dropped.
    pub(crate) fn new(
        driver: DriverHandle,
        descriptor: &mut impl mio::event::Source,
    ) -> io::Result<Self> {
        let (key, source) = driver.register(descriptor)?;
        Ok(Self {
            driver,
            key,
            source,
        })
    }

    pub(crate) fn driver(&self) -> &DriverHandle {
        &self.driver
    }

    pub(crate) fn source(&self) -> &IoSource {
        &self.source
    }

    /// Ends the watch.
    pub(crate) fn deregister(&self, descriptor: &mut impl mio::event::Source) {
        self.driver.deregister(self.key, descriptor);
    }

    /// Returns the half's readiness, or has the waker called when it comes.
    ///
    /// One waker a half is kept for all callers of this; see [`ReadinessWait`] for the others.
    #[inline]
    pub(crate) fn poll_ready(&self, direction: Direction, waker: &Waker) -> Poll<ReadyEvent> {
        self.source.poll_ready(direction, WakerPlace::Shared, waker)
    }
}

/// One of any number of futures that wait for the same half of a descriptor.
///
/// It shares the source from the first time on that it has to wait, so that it may be kept apart
/// from the descriptor. Dropping it takes its waker back.
#[derive(Debug)]
pub(crate) struct ReadinessWait {
    direction: Direction,
    place: Option<(Arc<IoSource>, Key)>,
}

impl ReadinessWait {
    pub(crate) const fn new(direction: Direction) -> Self {
        Self {
            direction,
            place: None,
        }
    }

    pub(crate) fn direction(&self) -> Direction {
        self.direction
    }

    /// Returns the half's readiness, or has the waker called when it comes.
    #[inline]
    pub(crate) fn poll_ready(
        &mut self,
        registration: &Registration,
        waker: &Waker,
    ) -> Poll<ReadyEvent> {
        match registration.source.ready(self.direction) {
            Some(ready) => Poll::Ready(ready),
            None => self.wait(&registration.source, waker),
        }
    }

    fn wait(&mut self, source: &Arc<IoSource>, waker: &Waker) -> Poll<ReadyEvent> {
        let is_same = |(at, _): &(Arc<IoSource>, Key)| Arc::ptr_eq(at, source);
        if !self.place.as_ref().is_some_and(is_same) {
            self.leave();
        }
        let mut key = self.place.as_ref().map(|&(_, key)| key);
        let polled = source.poll_ready(self.direction, WakerPlace::Own(&mut key), waker);
        match (&mut self.place, key) {
            (Some((_, place)), Some(key)) => *place = key,
            (place, key) => *place = key.map(|key| (Arc::clone(source), key)),
        }
        polled
    }

    fn leave(&mut self) {
        if let Some((source, key)) = self.place.take() {
            source.leave(self.direction, key);
        }
    }
}

impl Drop for ReadinessWait {
    fn drop(&mut self) {
        self.leave();
    }
}
