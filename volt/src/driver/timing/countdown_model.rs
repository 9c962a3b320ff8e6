//! The countdown for models, in which no time has to pass: a started countdown has run out, unless
//! it is stopped before the next wait.

use std::io;
use std::time::Duration;

use loom::sync::Notify;

use crate::loom::sync::Mutex;

#[derive(Debug)]
pub(crate) struct Descriptors {
    is_due: Mutex<bool>,
    ends: Notify,
}

impl Descriptors {
    #[expect(
        clippy::unnecessary_wraps,
        reason = "the other implementation can fail"
    )]
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self {
            is_due: Mutex::new(false),
            ends: Notify::new(),
        })
    }

    pub(crate) fn wait(&self) -> bool {
        self.ends.wait();
        std::mem::take(&mut *self.is_due.lock())
    }

    #[expect(
        clippy::unnecessary_wraps,
        reason = "the other implementation can fail"
    )]
    pub(crate) fn set(&self, time: Duration) -> io::Result<()> {
        *self.is_due.lock() = !time.is_zero();
        if !time.is_zero() {
            self.ends.notify();
        }
        Ok(())
    }

    pub(crate) fn interrupt(&self) {
        self.ends.notify();
    }
}
