//! What ends a wait from another thread, where shuttle runs the threads: no wait may be the
//! system's, as it would stop them all.

use std::io;
use std::time::Duration;

use super::reactor::{Reactor, Registry};
use crate::loom::sync::atomic::{AtomicBool, Ordering};
use crate::loom::sync::{Condvar, Mutex};
use crate::loom::thread;

/// Ends the wait, or the next one.
#[derive(Debug)]
pub(crate) struct Interrupt {
    called: Mutex<bool>,
    bell: Condvar,
    ended: AtomicBool,
}

impl Interrupt {
    #[expect(clippy::unnecessary_wraps, reason = "the other one asks the system")]
    pub(crate) fn new(_: &Registry) -> io::Result<Self> {
        Ok(Self {
            called: Mutex::new(false),
            bell: Condvar::new(),
            ended: AtomicBool::new(false),
        })
    }

    pub(crate) fn call(&self) {
        *self.called.lock() = true;
        self.bell.notify_all();
    }

    /// Waits for a call. Where there is a timeout, it has passed already.
    pub(crate) fn wait(&self, reactor: &mut Reactor, timeout: Option<Duration>) -> io::Result<()> {
        if timeout.is_some() {
            thread::yield_now();
        }
        let mut called = self.called.lock();
        while !*called && timeout.is_none() {
            called = self.bell.wait(called, None);
        }
        let ended = std::mem::take(&mut *called);
        self.ended.store(ended, Ordering::Relaxed);
        reactor.wait(Some(Duration::ZERO))
    }

    /// Whether the last wait was ended by a call.
    pub(crate) fn was_called(&self) -> bool {
        self.ended.swap(false, Ordering::Relaxed)
    }
}
