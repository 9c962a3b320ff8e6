//! `Settings`: the durations and limits of a worker.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::step_limits::{StepLimits, StepPlace};
use super::suspect_place::Suspicion;
use crate::error::Error;
use crate::resources::Provided;
use crate::store::Claimed;

/// A function that receives the errors of a worker.
pub(super) type ErrorHook = Arc<dyn Fn(&Error) + Send + Sync>;

/// The durations and limits of a worker.
#[derive(Clone)]
pub(super) struct Settings {
    pub(super) max_machines: usize,
    pub(super) lease: Duration,
    pub(super) poll_interval: Duration,
    pub(super) max_attempts: u32,
    pub(super) retry_delay: Duration,
    pub(super) retention: Option<Duration>,
    pub(super) step_limits: StepLimits,
    pub(super) on_error: ErrorHook,
    /// The resources that machines read.
    pub(super) provided: Arc<Provided>,
}

impl Settings {
    /// Returns the time between two renewals. A claim without a renewal for three of them
    /// is dropped one renewal before its lease expires.
    pub(super) fn renewal(&self) -> Duration {
        (self.lease / 4).max(Duration::from_millis(1))
    }

    /// Returns the time until the attempt after this one. It doubles with each attempt, up to 64
    /// times the first delay.
    pub(super) fn delay_after(&self, attempt: u32) -> Duration {
        let doublings = attempt.saturating_sub(1).min(6);
        self.retry_delay * 2_u32.pow(doublings)
    }

    /// Passes an error to the hook.
    pub(super) fn report(&self, error: &Error) {
        (self.on_error)(error);
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            max_machines: 1_000,
            lease: Duration::from_secs(30),
            poll_interval: Duration::from_millis(500),
            max_attempts: 8,
            retry_delay: Duration::from_secs(1),
            retention: None,
            step_limits: StepLimits::default(),
            provided: Arc::default(),
            on_error: Arc::new(|error| match std::error::Error::source(error) {
                Some(source) => eprintln!("volt-durable: {error}: {source}"),
                None => eprintln!("volt-durable: {error}"),
            }),
        }
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("max_machines", &self.max_machines)
            .field("lease", &self.lease)
            .field("poll_interval", &self.poll_interval)
            .field("max_attempts", &self.max_attempts)
            .field("retry_delay", &self.retry_delay)
            .field("retention", &self.retention)
            .field("step_limits", &self.step_limits)
            .field("provided", &self.provided)
            .finish_non_exhaustive()
    }
}

/// A claimed machine.
#[derive(Debug)]
pub(super) struct TimedClaim {
    pub(super) claimed: Claimed,
    /// An instant before the claim.
    pub(super) before: Instant,
    /// The place of the suspect, if the machine is one.
    pub(super) suspicion: Option<Suspicion>,
    /// The place of the machine, if its state is limited.
    pub(super) place: Option<StepPlace>,
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Settings;

    #[test]
    fn delay_doubles_up_to_64_times() {
        let settings = Settings::default();
        let delays = [1, 2, 3, 7, 8, u32::MAX].map(|attempt| settings.delay_after(attempt));
        assert_eq!(delays, [1, 2, 4, 64, 64, 64].map(Duration::from_secs));
    }
}
