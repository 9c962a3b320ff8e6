//! The interrupt of a wait in tests under shuttle. No thread may wait in the system there, because
//! that would stop all threads.

use std::io;
use std::time::Duration;

use super::reactor::{IoRegistry, Reactor};
use crate::loom::sync::atomic::{AtomicBool, Ordering};
use crate::loom::sync::{Condvar, Mutex};
use crate::loom::thread;

/// Ends the wait, or the next one.
#[derive(Debug)]
pub(crate) struct Interrupt {
    requested: Mutex<bool>,
    changed: Condvar,
    ended: AtomicBool,
}

impl Interrupt {
    #[expect(
        clippy::unnecessary_wraps,
        reason = "the other implementation can fail"
    )]
    pub(crate) fn new(_: &IoRegistry) -> io::Result<Self> {
        Ok(Self {
            requested: Mutex::new(false),
            changed: Condvar::new(),
            ended: AtomicBool::new(false),
        })
    }

    pub(crate) fn interrupt(&self) {
        *self.requested.lock() = true;
        self.changed.notify_all();
    }

    /// Waits for an interrupt. A timeout counts as passed at once.
    pub(crate) fn wait(&self, reactor: &mut Reactor, timeout: Option<Duration>) -> io::Result<()> {
        if timeout.is_some() {
            thread::yield_now();
        }
        let mut requested = self.requested.lock();
        while !*requested && timeout.is_none() {
            requested = self.changed.wait(requested, None);
        }
        let ended = std::mem::take(&mut *requested);
        self.ended.store(ended, Ordering::Relaxed);
        reactor.wait(Some(Duration::ZERO))
    }

    /// Returns `true` if an interrupt ended the last wait.
    pub(crate) fn was_interrupted(&self) -> bool {
        self.ended.swap(false, Ordering::Relaxed)
    }
}
