//! `Instant`: points in time, by the clock of the timers.

use std::ops::{Add, AddAssign, Sub, SubAssign};
use std::time::{self, Duration};

use super::now::now;

/// A point in time, by the clock of [`sleep`](fn@super::sleep) and the other timers.
///
/// It is like [`std::time::Instant`], but [`now`](Self::now) and [`elapsed`](Self::elapsed) follow
/// a clock that a test has [paused](super::pause). Functions of this module accept both types as
/// deadlines.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
/// use volt::time::{Instant, sleep};
///
/// #[volt::test(start_paused = true)]
/// async fn an_hour_passes() {
///     let begun = Instant::now();
///     sleep(Duration::from_secs(3600)).await;
///     assert_eq!(begun.elapsed(), Duration::from_secs(3600));
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(time::Instant);

impl Instant {
    /// Returns the current time by the clock of this thread's runtime. Outside a runtime, it is the
    /// time of the system.
    #[must_use]
    pub fn now() -> Self {
        Self(now())
    }

    /// Converts the instant to that of the standard library.
    #[must_use]
    pub fn into_std(self) -> time::Instant {
        self.0
    }

    /// Returns the time that has passed since this instant, or zero if it is in the future.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        now().saturating_duration_since(self.0)
    }

    /// Returns the time from `earlier` to this instant, or zero if `earlier` is later.
    #[must_use]
    pub fn duration_since(&self, earlier: Self) -> Duration {
        self.0.saturating_duration_since(earlier.0)
    }

    /// Returns the time from `earlier` to this instant, or `None` if `earlier` is later.
    #[must_use]
    pub fn checked_duration_since(&self, earlier: Self) -> Option<Duration> {
        self.0.checked_duration_since(earlier.0)
    }

    /// Returns the instant after `duration`, or `None` if it cannot be represented.
    #[must_use]
    pub fn checked_add(&self, duration: Duration) -> Option<Self> {
        self.0.checked_add(duration).map(Self)
    }

    /// Returns the instant before `duration`, or `None` if it cannot be represented.
    #[must_use]
    pub fn checked_sub(&self, duration: Duration) -> Option<Self> {
        self.0.checked_sub(duration).map(Self)
    }
}

impl From<time::Instant> for Instant {
    fn from(instant: time::Instant) -> Self {
        Self(instant)
    }
}

impl From<Instant> for time::Instant {
    fn from(instant: Instant) -> Self {
        instant.0
    }
}

/// # Panics
///
/// Panics if the result cannot be represented.
impl Add<Duration> for Instant {
    type Output = Self;

    fn add(self, duration: Duration) -> Self {
        Self(self.0 + duration)
    }
}

impl AddAssign<Duration> for Instant {
    fn add_assign(&mut self, duration: Duration) {
        self.0 += duration;
    }
}

/// # Panics
///
/// Panics if the result cannot be represented.
impl Sub<Duration> for Instant {
    type Output = Self;

    fn sub(self, duration: Duration) -> Self {
        Self(self.0 - duration)
    }
}

impl SubAssign<Duration> for Instant {
    fn sub_assign(&mut self, duration: Duration) {
        self.0 -= duration;
    }
}

/// Returns the time from `earlier` to `self`, or zero if `earlier` is later.
impl Sub for Instant {
    type Output = Duration;

    fn sub(self, earlier: Self) -> Duration {
        self.duration_since(earlier)
    }
}

#[cfg(all(test, not(shuttle)))]
mod tests {
    use std::time::Duration;

    use super::Instant;
    use crate::runtime::Builder;
    use crate::time::{advance, interval_at, sleep, sleep_until, timeout_at};

    const HOUR: Duration = Duration::from_secs(3600);

    #[test]
    fn instants_follow_a_paused_clock() {
        let runtime = Builder::new().start_paused(true).build_local();
        runtime.expect("a runtime").block_on(async {
            let begun = Instant::now();
            sleep(HOUR).await;
            assert_eq!(begun.elapsed(), HOUR);
            sleep_until(begun + 2 * HOUR).await;
            assert_eq!(Instant::now() - begun, 2 * HOUR);
            let late = timeout_at(begun + 3 * HOUR, std::future::pending::<()>()).await;
            assert!(late.is_err());
            advance(HOUR).await;
            assert_eq!(begun.elapsed(), 4 * HOUR);
            let mut ticks = interval_at(begun + 5 * HOUR, HOUR);
            ticks.tick().await;
            assert_eq!((begun + 5 * HOUR).elapsed(), Duration::ZERO);
            let mut timer = sleep(HOUR);
            timer.reset(begun + 9 * HOUR);
            timer.await;
            assert_eq!(begun.elapsed(), 9 * HOUR);
        });
    }

    #[test]
    fn instants_convert_to_and_from_std() {
        let moment = Instant::now();
        let later = moment + HOUR;
        assert_eq!(later.into_std() - moment.into_std(), HOUR);
        assert_eq!(Instant::from(moment.into_std()), moment);
        assert_eq!(
            (moment - later, moment.checked_duration_since(later)),
            (Duration::ZERO, None)
        );
        assert_eq!(later.checked_sub(HOUR), Some(moment));
        assert_eq!(moment.checked_add(Duration::MAX), None);
        let mut moved = later;
        moved -= HOUR;
        moved += HOUR;
        assert_eq!((moved, moved - HOUR), (later, moment));
    }
}
