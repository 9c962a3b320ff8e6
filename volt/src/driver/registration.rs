//! A descriptor that a driver watches.

use std::io;
use std::task::{Poll, Waker};

use super::driver_handle::DriverHandle;
use super::readiness::{Direction, IoSource, ReadyEvent, WakerPlace};
use super::slab::Key;
use crate::loom::sync::Arc;

/// The entry of a descriptor in the driver, without the descriptor itself.
///
/// Its owner calls [`deregister`](Self::deregister) before it closes the descriptor.
#[derive(Debug)]
pub(crate) struct Registration {
    driver: DriverHandle,
    key: Key,
    source: Arc<IoSource>,
}

impl Registration {
    /// Registers a descriptor with the driver.
    ///
    /// # Errors
    ///
    /// Returns an error if the system cannot watch the descriptor, or if the driver was dropped.
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

    /// Removes the descriptor from the driver.
    pub(crate) fn deregister(&self, descriptor: &mut impl mio::event::Source) {
        self.driver.deregister(self.key, descriptor);
    }

    /// Returns the readiness of the half, or stores the waker until it is ready.
    ///
    /// All callers of this share one waker for each half; [`ReadinessWait`] has a waker of its own.
    #[inline]
    pub(crate) fn poll_ready(&self, direction: Direction, waker: &Waker) -> Poll<ReadyEvent> {
        self.source.poll_ready(direction, WakerPlace::Shared, waker)
    }
}

/// The wait of one future, among any number, for the same half of a descriptor.
///
/// It shares the source from its first wait on, so it may be stored apart from the descriptor.
/// Dropping it removes its waker.
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

    /// Returns the readiness of the half, or stores the waker until it is ready.
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
        let is_same = |(stored, _): &(Arc<IoSource>, Key)| Arc::ptr_eq(stored, source);
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
            source.remove_waker(self.direction, key);
        }
    }
}

impl Drop for ReadinessWait {
    fn drop(&mut self) {
        self.leave();
    }
}
