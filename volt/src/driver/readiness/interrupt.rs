//! What ends a wait from another thread.

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
        // It fails only with the system's poll, and a broken wait looks at the flag.
        let _ = self.0.wake();
    }

    /// Waits for reports, a call among them.
    pub(crate) fn wait(&self, reactor: &mut Reactor, timeout: Option<Duration>) -> io::Result<()> {
        reactor.wait(timeout)
    }

    /// Whether a wait was ended by a call that was no report.
    pub(crate) fn was_interrupted(&self) -> bool {
        false
    }
}
