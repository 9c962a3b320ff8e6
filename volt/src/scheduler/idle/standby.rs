//! Standby: the worker that takes the driver slot if it is empty for too long.
//!
//! A worker that leaves the driver for work leaves the driver slot empty. If its poll is short, it
//! is back at once. If the poll blocks, no worker serves timers and sockets. Waking another worker
//! each time would solve that, but costs two thread switches for each timer that fires on an idle
//! runtime.
//!
//! # Protocol
//!
//! 1. A worker that goes to sleep and finds the driver slot taken goes on *standby*, if no other
//!    worker is. It waits for an unpark, as the others do, or until a countdown runs out.
//! 2. The last searcher that finds work while the driver slot is empty *starts* the countdown. If
//!    no worker is on standby, or the system has no countdown, it wakes a sleeper.
//! 3. A worker that takes the driver slot *stops* the countdown. If the last waits in the driver
//!    were brief, it only marks the countdown as *outdated*, because a worker will leave the slot
//!    again soon. Setting the timer of the system costs as much as a short poll, and on a virtual
//!    machine as much as several; it would happen twice for each event. The next start reuses an
//!    outdated countdown, or sets it anew if half of its time has passed.
//! 4. If the countdown runs out, the worker on standby records that it does not run any more, and
//!    takes the driver slot. It still counts as a sleeper: it does not search. From the slot it
//!    monitors the other workers.
//!
//! Starting, stopping and running out happen under a lock, so that the record matches the state of
//! the system's timer. The driver slot is left before step 2, and tried after the record of step 4.
//! So if step 2 finds a running countdown, the worker that it wakes finds the slot empty.
//!
//! A worker that is claimed while it is on standby is a searcher. It takes the driver slot when it
//! goes to sleep again, and follows step 2 if it finds work. If a countdown starts just as the slot
//! is taken, or is outdated when the events cease, it wakes the worker on standby once without
//! need.
//!
//! The countdown uses the clock of the system, also while the clock of the runtime is paused.
//!
//! Models: `standby_models.rs`.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::driver::Countdown;
use crate::loom::sync::Mutex;
use crate::loom::sync::atomic::AtomicUsize;
use crate::loom::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

use super::brief_sleeps::{BriefSleeps, Load};
use super::park::WaitPlace;

/// The longest time for which the driver slot may be empty while a worker polls.
const LIMIT: Duration = Duration::from_micros(100);
/// The same after brief waits in the driver.
const BUSY_LIMIT: Duration = Duration::from_micros(400);

/// The index that means no worker.
const NO_WORKER: usize = usize::MAX;

/// The place for one worker on standby.
#[derive(Debug)]
pub(crate) struct Standby {
    worker: AtomicUsize,
    state: Mutex<State>,
    /// Created by the first worker on standby; `None` if the system has no countdown.
    countdown: OnceLock<Option<Countdown>>,
}

#[derive(Debug, Default)]
struct State {
    /// The countdown, from its start until it is stopped or has woken a worker.
    running: Option<RunningCountdown>,
    /// The last waits in the driver, of all workers.
    waits: BriefSleeps,
    /// The driver slot was taken since the last start.
    was_taken: bool,
}

#[derive(Clone, Copy, Debug)]
struct RunningCountdown {
    until: Instant,
    /// The driver slot was taken since the start.
    outdated: bool,
}

impl RunningCountdown {
    /// Returns `true` if this countdown can replace one that begins now and lasts for `limit`.
    fn suffices(self, now: Instant, limit: Duration) -> bool {
        !self.outdated || (now + limit / 2..=now + limit).contains(&self.until)
    }
}

impl State {
    /// Records that the driver slot was left, and returns the time for which it may be empty.
    fn end_wait(&mut self, now: Instant) -> Duration {
        if std::mem::take(&mut self.was_taken) {
            self.waits.end(now);
        }
        match self.waits.load() {
            Load::Busy => BUSY_LIMIT,
            Load::Light => LIMIT,
        }
    }
}

/// A guard that keeps a worker on standby until it is dropped.
#[derive(Debug)]
pub(crate) struct OnStandby<'a> {
    standby: &'a Standby,
    countdown: &'a Countdown,
}

impl Standby {
    pub(crate) fn new() -> Self {
        Self {
            worker: AtomicUsize::new(NO_WORKER),
            state: Mutex::new(State::default()),
            countdown: OnceLock::new(),
        }
    }

    /// Returns a place whose last waits in the driver were all brief.
    #[cfg(all(test, not(shuttle)))]
    fn after_brief_waits() -> Self {
        let standby = Self::new();
        standby.state.lock().waits = BriefSleeps::many();
        standby
    }

    /// Puts the worker on standby, if no other worker is.
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

    /// Returns the worker on standby at a recent moment.
    pub(crate) fn worker(&self) -> usize {
        self.worker.load(Relaxed)
    }

    /// Starts the countdown after which the worker on standby takes the driver slot. Returns
    /// `false` if no worker is on standby. `now` is a recent time.
    pub(crate) fn start(&self, now: Instant) -> bool {
        // ORDERING: Acquire, pairs with `enter`: the worker on standby has announced itself.
        if self.worker.load(Acquire) == NO_WORKER {
            return false;
        }
        let Some(Some(countdown)) = self.countdown.get() else {
            return false;
        };
        let mut state = self.state.lock();
        let limit = state.end_wait(now);
        if let Some(running) = state
            .running
            .as_mut()
            .filter(|running| running.suffices(now, limit))
        {
            running.outdated = false;
            return true;
        }
        state.running = countdown.start(limit).then(|| RunningCountdown {
            until: now + limit,
            outdated: false,
        });
        state.running.is_some()
    }

    /// Records that the driver slot was taken at the time `now`.
    pub(crate) fn stop(&self, now: Instant) {
        let Some(Some(countdown)) = self.countdown.get() else {
            return;
        };
        let mut state = self.state.lock();
        state.was_taken = true;
        state.waits.begin(now);
        let load = state.waits.load();
        match state.running.as_mut() {
            Some(running) if load == Load::Busy => running.outdated = true,
            Some(_) => {
                state.running = None;
                countdown.stop();
            }
            None => {}
        }
    }

    /// Ends the wait of the worker on standby.
    pub(crate) fn wake(&self) {
        if let Some(Some(countdown)) = self.countdown.get() {
            countdown.interrupt();
        }
    }
}

impl WaitPlace for OnStandby<'_> {
    fn wait(&mut self) {
        if self.countdown.wait() {
            self.standby.state.lock().running = None;
        }
    }
}

impl Drop for OnStandby<'_> {
    fn drop(&mut self) {
        // ORDERING: Release, as for an unlock.
        self.standby.worker.store(NO_WORKER, Release);
    }
}

#[cfg(all(test, target_os = "linux", not(any(loom, shuttle))))]
mod tests {
    use super::{BUSY_LIMIT, LIMIT, Standby};
    use std::time::{Duration, Instant};

    const LITTLE: Duration = Duration::from_micros(10);

    impl Standby {
        fn until(&self) -> Option<Instant> {
            self.state.lock().running.map(|running| running.until)
        }
    }

    #[test]
    fn busy_countdown_is_reset_after_half_of_its_time() {
        let place = Standby::after_brief_waits();
        let _sleeper = place.enter(1).expect("no worker is on standby");
        let mut now = Instant::now();
        let mut sets = Vec::new();
        for _ in 0..200 {
            assert!(place.start(now));
            place.stop(now);
            sets.push(place.until());
            now += LITTLE;
        }
        sets.dedup();
        // In two milliseconds, after 210 microseconds each.
        assert_eq!(sets.len(), 10);
    }

    #[test]
    fn long_wait_in_the_driver_stops_the_countdown() {
        let place = Standby::after_brief_waits();
        let _sleeper = place.enter(1).expect("no worker is on standby");
        let begun = Instant::now();
        assert!(place.start(begun));
        place.stop(begun);
        assert!(place.until().is_some());
        let late = begun + BUSY_LIMIT;
        assert!(place.start(late));
        assert_eq!(place.until(), Some(late + LIMIT));
        place.stop(late);
        assert_eq!(place.until(), None);
    }

    #[test]
    fn countdown_is_postponed_only_after_slot_was_taken() {
        let place = Standby::after_brief_waits();
        let _sleeper = place.enter(1).expect("no worker is on standby");
        let begun = Instant::now();
        let late = begun + BUSY_LIMIT * 3 / 4;
        assert!(place.start(begun));
        let until = place.until();
        assert!(place.start(late));
        assert_eq!(place.until(), until);
        place.stop(late);
        assert!(place.start(late));
        assert!(place.until() > until);
    }
}

#[cfg(all(test, loom))]
#[path = "standby_models.rs"]
mod models;
