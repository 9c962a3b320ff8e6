//! `Timestamp`: a time of a store's clock.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// A time of a store's clock, in milliseconds since the beginning of 1970 in UTC.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Timestamp(i64);

impl Timestamp {
    /// Returns the time of the system's clock, which is rounded down.
    pub(super) fn now() -> Self {
        let elapsed = SystemTime::now().duration_since(UNIX_EPOCH);
        let millis = elapsed.unwrap_or_default().as_millis();
        Self(i64::try_from(millis).unwrap_or(i64::MAX))
    }

    /// Returns the time of this number of milliseconds since the beginning of 1970.
    #[must_use]
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Returns the number of milliseconds since the beginning of 1970.
    #[must_use]
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// Returns the time after this duration, which is rounded up to milliseconds.
    #[must_use]
    pub fn after(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(round_up(duration)))
    }

    /// Returns the time before this duration, which is rounded up to milliseconds.
    #[must_use]
    pub fn before(self, duration: Duration) -> Self {
        Self(self.0.saturating_sub(round_up(duration)))
    }

    /// Returns the duration since an earlier time, or zero if that time is later.
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        let millis = self.0.saturating_sub(earlier.0);
        Duration::from_millis(u64::try_from(millis).unwrap_or_default())
    }
}

/// Rounds up to milliseconds, so a timer is never early.
impl From<SystemTime> for Timestamp {
    fn from(time: SystemTime) -> Self {
        match time.duration_since(UNIX_EPOCH) {
            Ok(after) => Self(round_up(after)),
            Err(before) => {
                let millis = before.duration().as_millis();
                Self(i64::try_from(millis).map_or(i64::MIN, |millis| -millis))
            }
        }
    }
}

impl From<Timestamp> for SystemTime {
    fn from(time: Timestamp) -> Self {
        let millis = Duration::from_millis(time.0.unsigned_abs());
        if time.0 < 0 {
            UNIX_EPOCH - millis
        } else {
            UNIX_EPOCH + millis
        }
    }
}

fn round_up(duration: Duration) -> i64 {
    let millis = duration.as_nanos().div_ceil(1_000_000);
    i64::try_from(millis).unwrap_or(i64::MAX)
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime, UNIX_EPOCH};

    use super::Timestamp;

    #[test]
    fn times_are_rounded_up() {
        let nanosecond = Duration::from_nanos(1);
        assert_eq!(Timestamp::default().after(nanosecond).as_millis(), 1);
        assert_eq!(Timestamp::from(UNIX_EPOCH + nanosecond).as_millis(), 1);
        let before = UNIX_EPOCH - Duration::from_micros(1_500);
        assert_eq!(Timestamp::from(before).as_millis(), -1);
    }

    #[test]
    fn times_of_the_system_have_the_same_milliseconds() {
        for millis in [-1_500, -1, 0, 1, 1_700_000_000_123, i64::MIN, i64::MAX] {
            let time = Timestamp::from_millis(millis);
            assert_eq!(Timestamp::from(SystemTime::from(time)), time);
        }
    }

    #[test]
    fn durations_saturate() {
        let (early, late) = (Timestamp::from_millis(5), Timestamp::from_millis(8));
        assert_eq!(late.since(early), Duration::from_millis(3));
        assert_eq!(early.since(late), Duration::ZERO);
        assert_eq!(early.after(Duration::MAX).as_millis(), i64::MAX);
        assert_eq!(late.before(Duration::from_micros(2_001)), early);
    }
}
