//! Standby: where the sleeper waits who takes the driver slot if it stays empty for too long.
//!
//! Whoever leaves the driver for work leaves nobody there. If its poll is short, it is back at
//! once. If the poll blocks, nobody suffices timers and sockets. To wake another sleeper each time
//! would answer that, but costs two thread switches for each timer that fires on an idle runtime.
//!
//! # Protocol
//!
//! 1. A worker that goes to sleep and finds the driver slot taken goes on *standby*, if nobody is.
//!    It waits for its unpark as others do, or until a countdown runs out.
//! 2. The last searcher that finds work while nobody sits in the driver *starts* the countdown. If
//!    nobody is on standby, or the system has no countdown, it wakes a sleeper.
//! 3. Whoever takes the driver slot *stops* the countdown. A busy worker, which has been back from
//!    its last waits at once, only notes that the countdown is *outdated*: it will leave again in a
//!    moment. To set the system's timer costs as much as a short poll, and would be due twice for
//!    each event. The next start goes on with an outdated countdown, or sets it anew when half of
//!    its time has passed.
//! 4. If it runs out, the worker on standby notes that it does not run any more, and takes the
//!    driver slot. It still counts as block_worker: it searches nothing, and monitors the others
//!    from there, as whoever sits in the driver does.
//!
//! A lock is held to start the countdown, to stop it, and to note that it has run out, so that the
//! note says what the system does. The driver slot is left before step 2 and tried after the note
//! of step 4. So if step 2 finds a countdown that runs, whoever it wakes finds the slot empty.
//!
//! A worker that is claimed while it is on standby is a searcher: it takes the driver slot when it
//! lies down again, and is bound by step 2 if it finds work. If a countdown is started just as the
//! slot is taken, or is outdated when the events cease, it wakes the worker on standby once without
//! need.
//!
//! The countdown goes by the system's clock, also where that of the runtime is paused.
//!
//! Models: `standby_models.rs`.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::driver::Countdown;
use crate::loom::sync::Mutex;
use crate::loom::sync::atomic::AtomicUsize;
use crate::loom::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

use super::park::WaitPlace;

/// How long the driver slot may be empty while a worker polls.
const LIMIT: Duration = Duration::from_micros(100);
/// The same for a busy worker.
const BUSY_LIMIT: Duration = Duration::from_micros(400);

/// Nobody, as the index of a worker.
const NO_WORKER: usize = usize::MAX;

/// The place for one worker.
#[derive(Debug)]
pub(crate) struct Standby {
    worker: AtomicUsize,
    /// The countdown that was started, and was not stopped and has not woken anybody since.
    running: Mutex<Option<RunningCountdown>>,
    /// Made when somebody first comes here; `None` where there is none.
    countdown: OnceLock<Option<Countdown>>,
}

#[derive(Clone, Copy, Debug)]
struct RunningCountdown {
    until: Instant,
    /// The driver slot was taken since.
    outdated: bool,
}

impl RunningCountdown {
    /// Whether it does as well as one that begins now and lasts for `limit`.
    fn suffices(self, now: Instant, limit: Duration) -> bool {
        !self.outdated || (now + limit / 2..=now + limit).contains(&self.until)
    }
}

/// A worker is on standby until this is dropped.
#[derive(Debug)]
pub(crate) struct OnStandby<'a> {
    standby: &'a Standby,
    countdown: &'a Countdown,
}

impl Standby {
    pub(crate) fn new() -> Self {
        Self {
            worker: AtomicUsize::new(NO_WORKER),
            running: Mutex::new(None),
            countdown: OnceLock::new(),
        }
    }

    /// Puts the worker on standby, if nobody is.
    pub(crate) fn enter(&self, worker: usize) -> Option<OnStandby<'_>> {
        let countdown = self.countdown.get_or_init(|| Countdown::new().ok());
        let countdown = countdown.as_ref()?;
        let entered = self
            .worker
            .compare_exchange(NO_WORKER, worker, AcqRel, Relaxed);
        entered.ok()?;
        Some(OnStandby {
            standby: self,
            countdown,
        })
    }

    /// The worker on standby, at a moment that may be over.
    pub(crate) fn worker(&self) -> usize {
        self.worker.load(Relaxed)
    }

    /// Sees to it that the worker on standby takes the driver slot if nobody else does soon. False
    /// if nobody is there. The caller has read the clock a moment ago.
    pub(crate) fn start(&self, now: Instant, is_busy: bool) -> bool {
        // ORDERING: Acquire, pairs with `enter`: who is there has announced itself.
        if self.worker.load(Acquire) == NO_WORKER {
            return false;
        }
        let Some(Some(countdown)) = self.countdown.get() else {
            return false;
        };
        let limit = if is_busy { BUSY_LIMIT } else { LIMIT };
        let mut running = self.running.lock();
        if let Some(running) = running.as_mut().filter(|it| it.suffices(now, limit)) {
            running.outdated = false;
            return true;
        }
        *running = countdown.start(limit).then(|| RunningCountdown {
            until: now + limit,
            outdated: false,
        });
        running.is_some()
    }

    /// The driver slot was taken.
    pub(crate) fn stop(&self, is_busy: bool) {
        let Some(Some(countdown)) = self.countdown.get() else {
            return;
        };
        let mut running = self.running.lock();
        match running.as_mut() {
            Some(running) if is_busy => running.outdated = true,
            Some(_) => {
                *running = None;
                countdown.stop();
            }
            None => {}
        }
    }

    /// Ends the wait of whoever is there.
    pub(crate) fn wake(&self) {
        if let Some(Some(countdown)) = self.countdown.get() {
            countdown.interrupt();
        }
    }
}

impl WaitPlace for OnStandby<'_> {
    fn wait(&mut self) {
        if self.countdown.wait() {
            *self.standby.running.lock() = None;
        }
    }
}

impl Drop for OnStandby<'_> {
    fn drop(&mut self) {
        // ORDERING: Release, as in all locks.
        self.standby.worker.store(NO_WORKER, Release);
    }
}

#[cfg(all(test, target_os = "linux", not(any(loom, shuttle))))]
mod tests {
    use super::{BUSY_LIMIT, Standby};
    use std::time::{Duration, Instant};

    const LITTLE: Duration = Duration::from_micros(10);

    impl Standby {
        fn until(&self) -> Option<Instant> {
            self.running.lock().map(|running| running.until)
        }
    }

    #[test]
    fn countdown_of_a_busy_worker_is_set_anew_when_half_of_it_has_passed() {
        let place = Standby::new();
        let _sleeper = place.enter(1).expect("nobody is there");
        let begun = Instant::now();
        let mut sets = Vec::new();
        for turn in 0..200 {
            assert!(place.start(begun + LITTLE * turn, true));
            place.stop(true);
            sets.push(place.until());
        }
        sets.dedup();
        // In two milliseconds, after 210 microseconds each.
        assert_eq!(sets.len(), 10);
        place.stop(false);
        assert_eq!(place.until(), None);
    }

    #[test]
    fn countdown_is_put_off_only_by_those_who_have_taken_the_slot() {
        let place = Standby::new();
        let _sleeper = place.enter(1).expect("nobody is there");
        let begun = Instant::now();
        assert!(place.start(begun, true));
        let until = place.until();
        assert!(place.start(begun + BUSY_LIMIT * 3 / 4, true));
        assert_eq!(place.until(), until);
        place.stop(true);
        assert!(place.start(begun + BUSY_LIMIT * 3 / 4, true));
        assert!(place.until() > until);
    }

    #[test]
    fn countdown_of_a_busy_worker_is_too_long_for_one_that_is_not() {
        let place = Standby::new();
        let _sleeper = place.enter(1).expect("nobody is there");
        let begun = Instant::now();
        assert!(place.start(begun, true));
        let until = place.until();
        place.stop(true);
        assert!(place.start(begun, false));
        assert!(place.until() < until);
    }
}

#[cfg(all(test, loom))]
#[path = "standby_models.rs"]
mod models;
