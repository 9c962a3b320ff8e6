//! Standby: where the sleeper waits who takes the driver slot if it stays empty for too long.
//!
//! Whoever leaves the driver for work leaves nobody there. If its poll is short, it is back at once. If the
//! poll blocks, nobody serves timers and sockets. To wake another sleeper each time would answer that, but
//! costs two thread switches for each timer that fires on an idle runtime.
//!
//! # Protocol
//!
//! 1. A worker that goes to sleep and finds the driver slot taken goes on *standby*, if nobody is. It waits
//!    for its unpark as others do, or until a countdown runs out.
//! 2. The last searcher that finds work while nobody sits in the driver *starts* the countdown. If nobody is
//!    on standby, or the system has no countdown, it wakes a sleeper.
//! 3. Whoever takes the driver slot *stops* the countdown.
//! 4. If it runs out, the worker on standby notes that it does not run any more, and takes the driver slot. It
//!    still counts as asleep: it searches nothing, and monitors the others from there, as whoever sits in
//!    the driver does.
//!
//! A lock is held to start the countdown, to stop it, and to note that it has run out, so that the note says
//! what the system does. The driver slot is left before step 2 and tried after the note of step 4. So if
//! step 2 finds a countdown that runs, whoever it wakes finds the slot empty.
//!
//! A worker that is claimed while it is on standby is a searcher: it takes the driver slot when it lies down
//! again, and is bound by step 2 if it finds work. If a countdown is started just as the slot is taken, it wakes
//! the worker on standby once without need.
//!
//! The countdown goes by the system's clock, also where that of the runtime is paused.
//!
//! Models: `standby_models.rs`.

use std::sync::OnceLock;
use std::time::Duration;

use crate::driver::Countdown;
use crate::loom::sync::Mutex;
use crate::loom::sync::atomic::AtomicUsize;
use crate::loom::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

use super::park::Wait;

/// How long the driver slot may be empty while a worker polls.
const LIMIT: Duration = Duration::from_micros(100);

/// Nobody, as the index of a worker.
const NOBODY: usize = usize::MAX;

/// The place for one worker.
#[derive(Debug)]
pub(super) struct Standby {
    worker: AtomicUsize,
    /// The countdown was started, and was not stopped and has not woken anybody since.
    runs: Mutex<bool>,
    /// Made when somebody first comes here; `None` where there is none.
    countdown: OnceLock<Option<Countdown>>,
}

/// A worker is on standby until this is dropped.
#[derive(Debug)]
pub(super) struct OnStandby<'a> {
    place: &'a Standby,
    countdown: &'a Countdown,
}

impl Standby {
    pub(super) fn new() -> Self {
        Self {
            worker: AtomicUsize::new(NOBODY),
            runs: Mutex::new(false),
            countdown: OnceLock::new(),
        }
    }

    /// Puts the worker on standby, if nobody is.
    pub(super) fn enter(&self, worker: usize) -> Option<OnStandby<'_>> {
        let countdown = self.countdown.get_or_init(|| Countdown::new().ok());
        let countdown = countdown.as_ref()?;
        let entered = self
            .worker
            .compare_exchange(NOBODY, worker, AcqRel, Relaxed);
        entered.ok()?;
        Some(OnStandby {
            place: self,
            countdown,
        })
    }

    /// The worker on standby, at a moment that may be over.
    pub(super) fn worker(&self) -> usize {
        self.worker.load(Relaxed)
    }

    /// Sees to it that the worker on standby takes the driver slot if nobody else does soon. False if
    /// nobody is there.
    pub(super) fn start(&self) -> bool {
        // ORDERING: Acquire, pairs with `enter`: who is there has announced itself.
        if self.worker.load(Acquire) == NOBODY {
            return false;
        }
        let Some(Some(countdown)) = self.countdown.get() else {
            return false;
        };
        let mut runs = self.runs.lock();
        // One that runs already runs out before ours would.
        *runs = *runs || countdown.start(LIMIT);
        *runs
    }

    /// The driver slot was taken.
    pub(super) fn stop(&self) {
        let Some(Some(countdown)) = self.countdown.get() else {
            return;
        };
        let mut runs = self.runs.lock();
        if std::mem::take(&mut *runs) {
            countdown.stop();
        }
    }

    /// Ends the wait of whoever is there.
    pub(super) fn call(&self) {
        if let Some(Some(countdown)) = self.countdown.get() {
            countdown.call();
        }
    }
}

impl Wait for OnStandby<'_> {
    fn wait(&mut self) {
        if self.countdown.wait() {
            *self.place.runs.lock() = false;
        }
    }
}

impl Drop for OnStandby<'_> {
    fn drop(&mut self) {
        // ORDERING: Release, as in all locks.
        self.place.worker.store(NOBODY, Release);
    }
}

#[cfg(all(test, loom))]
#[path = "standby_models.rs"]
mod models;
