//! Moments of the clock that the timers go by.

use std::ops::{Add, AddAssign, Sub, SubAssign};
use std::time::{self, Duration};

use super::now::now;

/// A moment, by the clock that [`sleep`](fn@super::sleep) and the other timers go by.
///
/// It is [`std::time::Instant`], except that [`now`](Self::now) and [`elapsed`](Self::elapsed) follow a
/// clock that a test has [paused](super::pause). Wherever this module takes a deadline it takes either.
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
    /// The present: by the clock of this thread's runtime, or the system's outside a runtime.
    #[must_use]
    pub fn now() -> Self {
        Self(now())
    }

    /// The same moment, for the standard library.
    #[must_use]
    pub fn into_std(self) -> time::Instant {
        self.0
    }

    /// How much time has passed since then; zero if it is yet to come.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        now().saturating_duration_since(self.0)
    }

    /// How much later this is than `earlier`; zero if it is not.
    #[must_use]
    pub fn duration_since(&self, earlier: Self) -> Duration {
        self.0.saturating_duration_since(earlier.0)
    }

    /// How much later this is than `earlier`; `None` if it is earlier.
    #[must_use]
    pub fn checked_duration_since(&self, earlier: Self) -> Option<Duration> {
        self.0.checked_duration_since(earlier.0)
    }

    /// The moment so much later; `None` if no clock counts that far.
    #[must_use]
    pub fn checked_add(&self, duration: Duration) -> Option<Self> {
        self.0.checked_add(duration).map(Self)
    }

    /// The moment so much earlier; `None` if no clock counts that far.
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
/// If no clock counts that far.
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
/// If no clock counts that far.
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

/// How much later the left one is; zero if it is not.
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
