//! The time of a worker: its ticks, the duration of its polls, and its sleeps.

use std::time::{Duration, Instant};

use crate::scheduler::idle::{BriefSleeps, Load};

/// The timer of one worker.
#[derive(Debug)]
pub(crate) struct PollTimer {
    /// Polls until the next tick.
    until_tick: u32,
    /// The start of the polls that have not been sampled yet.
    since: Option<Instant>,
    /// The number of those polls.
    polls: u32,
    brief_sleeps: BriefSleeps,
}

impl PollTimer {
    /// Returns a timer whose first tick is over after `tick` polls.
    pub(crate) fn new(tick: u32) -> Self {
        Self {
            until_tick: tick,
            since: None,
            polls: 0,
            brief_sleeps: BriefSleeps::default(),
        }
    }

    /// Counts a poll.
    #[inline]
    pub(crate) fn count_poll(&mut self) {
        self.polls += 1;
        self.until_tick = self.until_tick.saturating_sub(1);
    }

    /// Returns `true` if the worker must read the clock and check the driver.
    #[inline]
    pub(crate) fn is_tick_over(&self) -> bool {
        self.until_tick == 0
    }

    /// Begins a tick of `tick` polls.
    pub(crate) fn begin_tick(&mut self, tick: u32) {
        self.until_tick = tick;
    }

    /// Records that the worker has slept until `now`.
    pub(crate) fn end_sleep(&mut self, now: Instant) {
        self.brief_sleeps.end(now);
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

    /// Records that the worker polls from `now` on.
    pub(crate) fn start(&mut self, now: Instant) {
        self.since = Some(now);
        self.polls = 0;
    }

    /// Records that the worker continues to poll, without a pause since it stopped.
    pub(crate) fn resume(&mut self) {
        if self.since.is_none() {
            self.since = self.brief_sleeps.since();
            self.polls = 0;
        }
    }

    /// Records that the worker has polled until `now`; returns the time and the number of polls
    /// since the start.
    pub(crate) fn stop(&mut self, now: Instant) -> Option<(Duration, u32)> {
        self.brief_sleeps.begin(now);
        let since = self.since.take()?;
        Some((now.saturating_duration_since(since), self.polls))
    }
}
