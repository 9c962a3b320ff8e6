//! One descriptor that a driver watches.

use std::io;
use std::task::{Poll, Waker};

use super::driver::DriverHandle;
use super::slab::Key;
use super::source::{Direction, Place, Ready, Source};
use crate::loom::sync::Arc;

/// A descriptor's entry in the driver, without the descriptor itself.
///
/// Its owner calls [`deregister`](Self::deregister) before it closes the descriptor.
#[derive(Debug)]
pub(crate) struct Registration {
    driver: DriverHandle,
    key: Key,
    source: Arc<Source>,
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

    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    /// Ends the watch.
    pub(crate) fn deregister(&self, descriptor: &mut impl mio::event::Source) {
        self.driver.deregister(self.key, descriptor);
    }

    /// Returns the half's readiness, or has the waker called when it comes.
    ///
    /// One waker a half is kept for all callers of this; see [`Waiting`] for the others.
    #[inline]
    pub(crate) fn poll_ready(&self, direction: Direction, waker: &Waker) -> Poll<Ready> {
        self.source.poll_ready(direction, Place::Shared, waker)
    }
}

/// One of any number of futures that wait for the same half of a descriptor.
///
/// Dropping it takes its waker back.
#[derive(Debug)]
pub(crate) struct Waiting<'a> {
    source: &'a Source,
    direction: Direction,
    key: Option<Key>,
}

impl<'a> Waiting<'a> {
    pub(crate) fn new(registration: &'a Registration, direction: Direction) -> Self {
        Self {
            source: &registration.source,
            direction,
            key: None,
        }
    }

    pub(crate) fn direction(&self) -> Direction {
        self.direction
    }

    /// Returns the half's readiness, or has the waker called when it comes.
    #[inline]
    pub(crate) fn poll_ready(&mut self, waker: &Waker) -> Poll<Ready> {
        let place = Place::Own(&mut self.key);
        self.source.poll_ready(self.direction, place, waker)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if let Some(key) = self.key {
            self.source.leave(self.direction, key);
        }
    }
}
