//! When to try again, and how long to wait before that.

use std::time::Duration;

/// Decides after each attempt whether there is another. Each call has a copy of its own.
pub trait Policy<Request, Response, Error> {
    /// Returns the time to wait before the next attempt. Zero requests an attempt at once, `None`
    /// ends the call with `result`.
    fn retry(&mut self, request: &Request, result: &Result<Response, Error>) -> Option<Duration>;
}

/// Tries again after every error: a few times, and after pauses that grow by a factor.
#[derive(Debug, Clone, Copy)]
pub struct Backoff {
    retries_left: u32,
    pause: Duration,
    factor: u32,
    longest: Duration,
}

impl Backoff {
    /// Makes `attempts` at most, and doubles the pause, from `first_pause` on.
    #[must_use]
    pub fn new(attempts: u32, first_pause: Duration) -> Self {
        Self {
            retries_left: attempts.saturating_sub(1),
            pause: first_pause,
            factor: 2,
            longest: Duration::MAX,
        }
    }

    /// Multiplies the pause by `factor` instead.
    #[must_use]
    pub fn factor(self, factor: u32) -> Self {
        Self { factor, ..self }
    }

    /// Never pauses for longer than this.
    #[must_use]
    pub fn longest(self, longest: Duration) -> Self {
        Self { longest, ..self }
    }
}

impl<Request, Response, Error> Policy<Request, Response, Error> for Backoff {
    fn retry(&mut self, _: &Request, result: &Result<Response, Error>) -> Option<Duration> {
        if result.is_ok() {
            return None;
        }
        self.retries_left = self.retries_left.checked_sub(1)?;
        let pause = self.pause.min(self.longest);
        self.pause = pause.saturating_mul(self.factor);
        Some(pause)
    }
}
