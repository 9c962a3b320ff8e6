//! The interrupt that ends a wait from another thread.

use std::io;
use std::time::Duration;

use super::reactor::{IoRegistry, Reactor, UNPARK};

/// Ends the reactor's wait, or the next one.
#[derive(Debug)]
pub(crate) struct Interrupt(mio::Waker);

impl Interrupt {
    pub(crate) fn new(registry: &IoRegistry) -> io::Result<Self> {
        Ok(Self(mio::Waker::new(registry.system(), UNPARK)?))
    }

    pub(crate) fn interrupt(&self) {
        // This fails only if the system's poll fails, and a broken wait reads the flag.
        let _ = self.0.wake();
    }

    /// Waits for reports, including an interrupt.
    pub(crate) fn wait(&self, reactor: &mut Reactor, timeout: Option<Duration>) -> io::Result<()> {
        reactor.wait(timeout)
    }

    /// Returns `true` if an interrupt without a report ended the last wait.
    pub(crate) fn was_interrupted(&self) -> bool {
        false
    }
}
