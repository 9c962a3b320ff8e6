//! The values of columns.

use std::time::Duration;

use crate::store::row::Status;
use crate::store::timestamp::Timestamp;

/// The time of the current transaction, in milliseconds since the beginning of 1970.
macro_rules! now {
    () => {
        "floor(extract(epoch from now()) * 1000)::bigint"
    };
}
pub(super) use now;

/// Returns the status with this number. The table allows no number without one.
pub(super) fn status(number: i16) -> Status {
    Status::of_number(number.into()).unwrap_or(Status::Cancelled)
}

/// Returns a fence or another counter as a column value. Counters never become so large that the
/// value is not exact.
pub(super) fn column(counter: u64) -> i64 {
    i64::try_from(counter).unwrap_or(i64::MAX)
}

/// Returns the counter of a column, which is never negative.
pub(super) fn counter(column: i64) -> u64 {
    column.unsigned_abs()
}

/// Returns a duration in milliseconds, rounded up. The sum of it and a time does not overflow.
pub(super) fn millis(duration: Duration) -> i64 {
    let millis = Timestamp::default().after(duration).as_millis();
    millis.min(i64::MAX / 2)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{millis, status};
    use crate::store::row::Status;

    #[test]
    fn numbers_of_statuses_are_read_back() {
        use Status::{Cancelled, Done, Parked, Runnable, Waiting};
        for each in [Runnable, Waiting, Parked, Done, Cancelled] {
            assert_eq!(status(each.number()), each);
            assert_eq!(each.is_final(), each.number() >= 3);
        }
    }

    #[test]
    fn long_durations_leave_room_for_a_time() {
        assert_eq!(millis(Duration::from_nanos(1)), 1);
        assert_eq!(millis(Duration::MAX), i64::MAX / 2);
    }
}
