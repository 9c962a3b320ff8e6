//! The time of a worker: its ticks, the duration of its polls, and its sleeps.
//!
//! A tick is a number of polls between two readings of the clock. The first poll of a tick is a
//! *sample*: the clock is read again after it, so its duration is known. The timer treats the
//! sample as a tick of one poll, so polls between the readings cost nothing for it.
//!
//! ```text
//!   polls   | s |        rest of the tick        | s |       rest ...
//!   clock   ^   ^                                ^   ^
//! ```

use std::time::{Duration, Instant};

use crate::scheduler::idle::{BriefSleeps, Load};

/// The most polls by which a tick is shorter than it may be.
const MOST_JITTER: u32 = 8;

/// The part of a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The next poll is the sample, or the last one was.
    Sample {
        /// The number of polls in the rest of the tick.
        rest: u32,
    },
    /// The sample is over, or the tick has none.
    Rest,
}

/// The timer of one worker.
#[derive(Debug)]
pub(crate) struct PollTimer {
    /// Polls until the end of the phase. A poll changes no other field.
    polls_left: u32,
    /// The value of `polls_left` at the begin of the phase, or at the start if that was later.
    polls_left_before: u32,
    phase: Phase,
    /// `true` if ticks begin with a sample.
    has_samples: bool,
    /// The last number of the sequence that varies the length of ticks.
    jitter: u32,
    /// The start of the current polls.
    since: Option<Instant>,
    /// The number of polls between the start and the begin of the phase.
    polls_before: u32,
    /// The number of polls since the start that a sample has counted.
    counted: u32,
    /// The number of polls before the start that no sample has counted yet.
    uncounted: u32,
    /// The time in nanoseconds and the number of the polls before the start.
    last_run: (u64, u32),
    brief_sleeps: BriefSleeps,
}

/// The time of one poll in nanoseconds, and the number of polls for which it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PollSample {
    pub(crate) nanos: u64,
    pub(crate) polls: u32,
}

impl PollTimer {
    /// Returns a timer whose first tick is over after `tick` polls. Without samples it counts no
    /// poll times.
    pub(crate) fn new(tick: u32, has_samples: bool) -> Self {
        Self {
            polls_left: tick,
            polls_left_before: tick,
            phase: Phase::Rest,
            has_samples,
            jitter: 1,
            since: None,
            polls_before: 0,
            counted: 0,
            uncounted: 0,
            last_run: (0, 0),
            brief_sleeps: BriefSleeps::default(),
        }
    }

    /// Counts a poll of a phase that is not over.
    #[inline]
    pub(crate) fn count_poll(&mut self) {
        debug_assert!(self.polls_left > 0, "the phase is over");
        // Not saturating, because each poll would pay for the check.
        self.polls_left = self.polls_left.wrapping_sub(1);
    }

    /// Returns the number of polls since the start.
    fn polls(&self) -> u32 {
        self.polls_before + (self.polls_left_before - self.polls_left)
    }

    /// Begins a phase of `polls` polls.
    fn begin_phase(&mut self, phase: Phase, polls: u32) {
        self.polls_before = self.polls();
        self.phase = phase;
        (self.polls_left, self.polls_left_before) = (polls, polls);
    }

    /// Returns `true` if the phase is over: the worker must read the clock, and at the end of the
    /// tick also check the driver.
    #[inline]
    pub(crate) fn is_phase_over(&self) -> bool {
        self.polls_left == 0
    }

    /// Returns `true` if a sample is over, and the tick is not.
    pub(crate) fn is_sample_over(&self) -> bool {
        self.is_phase_over() && self.phase != Phase::Rest
    }

    /// Ends the sample at `now`, and continues with the rest of the tick.
    pub(crate) fn end_sample(&mut self, now: Instant) -> Option<PollSample> {
        let Phase::Sample { rest } = self.phase else {
            return None;
        };
        self.begin_phase(Phase::Rest, rest);
        let time = nanos(now.saturating_duration_since(self.since?));
        let polls = self.polls();
        self.uncounted = self.uncounted.saturating_add(polls - self.counted);
        self.counted = polls;
        self.take_uncounted(time, polls)
    }

    /// Begins a tick of at most `tick` polls, the first of which is a sample.
    ///
    /// The length varies a little. Tasks that take turns would otherwise meet the samples in a
    /// fixed pattern.
    pub(crate) fn begin_tick(&mut self, tick: u32) {
        // A linear congruential generator, of whose numbers the upper half is used.
        self.jitter = self
            .jitter
            .wrapping_mul(1_664_525)
            .wrapping_add(1_013_904_223);
        let choices = (tick / 8).min(MOST_JITTER) + 1;
        let length = tick - (((self.jitter >> 16) * choices) >> 16);
        if self.has_samples && length > 1 {
            self.begin_phase(Phase::Sample { rest: length - 1 }, 1);
        } else {
            self.begin_phase(Phase::Rest, tick);
        }
    }

    /// Records that the worker has slept until `now`, and begins a tick of `tick` polls.
    ///
    /// The tick has no sample: most workers that wake up poll few tasks, and their mean is enough.
    pub(crate) fn end_sleep(&mut self, now: Instant, tick: u32) {
        self.brief_sleeps.end(now);
        self.begin_phase(Phase::Rest, tick);
        self.start(now);
    }

    /// Returns the load that the last sleeps of the worker show.
    pub(crate) fn load(&self) -> Load {
        self.brief_sleeps.load()
    }

    /// Returns the start of the current polls.
    pub(crate) fn polling_since(&self) -> Instant {
        self.since.unwrap_or_else(Instant::now)
    }

    /// Returns the time at which the worker last stopped to poll.
    pub(crate) fn stopped_at(&self) -> Instant {
        self.brief_sleeps.since().unwrap_or_else(Instant::now)
    }

    /// Records that the worker polls from `now` on.
    pub(crate) fn start(&mut self, now: Instant) {
        self.since = Some(now);
        self.forget_polls();
    }

    fn forget_polls(&mut self) {
        (self.polls_before, self.counted) = (0, 0);
        self.polls_left_before = self.polls_left;
    }

    /// Records that the worker continues to poll, without a pause since it stopped.
    pub(crate) fn resume(&mut self) {
        if self.since.is_none() {
            self.since = self.brief_sleeps.since();
            self.forget_polls();
        }
    }

    /// Records that the worker has polled until `now`; returns the time in nanoseconds and the
    /// number of polls since the start.
    pub(crate) fn stop(&mut self, now: Instant) -> Option<(u64, u32)> {
        self.brief_sleeps.begin(now);
        let time = nanos(now.saturating_duration_since(self.since.take()?));
        let polls = self.polls();
        if polls > 0 {
            self.uncounted = self.uncounted.saturating_add(polls - self.counted);
            self.last_run = (time, polls);
        }
        Some((time, polls))
    }

    /// Returns `true` if no sample has counted some of the polls before the start.
    #[inline]
    pub(crate) fn has_uncounted(&self) -> bool {
        self.uncounted > 0
    }

    /// Returns the polls that no sample has counted, with their mean time, when the worker runs out
    /// of tasks.
    pub(crate) fn take_rest(&mut self) -> Option<PollSample> {
        let (time, polls) = self.last_run;
        self.take_uncounted(time, polls)
    }

    /// Returns the polls that no sample has counted, with the mean time of `polls` polls.
    fn take_uncounted(&mut self, nanos: u64, polls: u32) -> Option<PollSample> {
        let uncounted = std::mem::take(&mut self.uncounted);
        if uncounted == 0 || !self.has_samples {
            return None;
        }
        Some(PollSample {
            // A division costs more than the rest of the function.
            nanos: if polls > 1 {
                nanos / u64::from(polls)
            } else {
                nanos
            },
            polls: uncounted,
        })
    }
}

/// Returns the nanoseconds of a duration. In 64 bits they last for 584 years.
#[inline]
pub(crate) fn nanos(time: Duration) -> u64 {
    time.as_nanos() as u64
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{PollSample, PollTimer, nanos};
    use std::time::{Duration, Instant};

    const TICK: u32 = 128;
    const SHORT: Duration = Duration::from_micros(1);
    const LONG: Duration = Duration::from_millis(200);

    /// A worker with a clock of its own, in which polls take a given time.
    struct Polls {
        timer: PollTimer,
        now: Instant,
        samples: Vec<PollSample>,
    }

    impl Polls {
        fn new(has_samples: bool) -> Self {
            let (mut timer, now) = (PollTimer::new(TICK, has_samples), Instant::now());
            timer.start(now);
            let samples = Vec::new();
            Self {
                timer,
                now,
                samples,
            }
        }

        /// Does the same as the worker's loop for one poll.
        fn poll(&mut self, time: Duration) {
            if self.timer.is_sample_over() {
                self.samples.extend(self.timer.end_sample(self.now));
            } else if self.timer.is_phase_over() {
                self.timer.stop(self.now);
                self.timer.begin_tick(TICK);
                self.timer.start(self.now);
            }
            self.timer.count_poll();
            self.now += time;
        }

        fn end(mut self) -> Vec<PollSample> {
            self.timer.stop(self.now);
            self.samples.extend(self.timer.take_rest());
            self.samples
        }
    }

    fn count(samples: &[PollSample]) -> u32 {
        samples.iter().map(|sample| sample.polls).sum()
    }

    #[test]
    fn each_poll_is_counted_once() {
        for polls in [0, 1, 127, 128, 129, 130, 10_000] {
            let mut worker = Polls::new(true);
            (0..polls).for_each(|_| worker.poll(SHORT));
            let samples = worker.end();
            assert_eq!(count(&samples), polls);
            assert!(samples.iter().all(|sample| sample.nanos == nanos(SHORT)));
        }
    }

    #[test]
    fn only_poll_has_its_own_time() {
        let mut worker = Polls::new(true);
        worker.poll(LONG);
        let whole = PollSample {
            nanos: nanos(LONG),
            polls: 1,
        };
        assert_eq!(worker.end(), [whole]);
    }

    #[test]
    fn samples_estimate_the_share_of_long_polls() {
        // The periods have common divisors with the length of a tick.
        for period in [2, 3, 4, 16, 100, 128] {
            let mut worker = Polls::new(true);
            let polls = 2_000_000;
            for nth in 0..polls {
                worker.poll(if nth % period == 0 { LONG } else { SHORT });
            }
            let samples = worker.end();
            let long: Vec<_> = samples
                .iter()
                .copied()
                .filter(|sample| sample.nanos == nanos(LONG))
                .collect();
            let expected = f64::from(polls / period);
            let ratio = f64::from(count(&long)) / expected;
            assert!((0.7..1.3).contains(&ratio), "one in {period}: {ratio}");
        }
    }

    #[test]
    fn timer_without_samples_counts_nothing() {
        let mut worker = Polls::new(false);
        (0..1000).for_each(|_| worker.poll(SHORT));
        assert_eq!(worker.end(), []);
    }
}
