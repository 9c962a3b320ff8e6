//! `Wait`: the event for which a leaf future waits.

use core::fmt::{self, Debug, Display};
use core::time::Duration;

use crate::node::Place;

/// The direction of an operation on a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Direction {
    /// The operation waits until the descriptor can be read.
    Read,
    /// The operation waits until the descriptor can be written.
    Write,
}

/// The event for which a leaf future waits.
///
/// Ids are plain integers, so that crates without a runtime can report them.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Wait<'a> {
    /// A timer.
    Timer {
        /// The time until the deadline. It is zero if the deadline has passed.
        left: Duration,
    },
    /// An operation on a descriptor.
    Io {
        /// The operation, such as `accept` or `read`.
        operation: &'static str,
        /// The direction for which the operation waits.
        direction: Direction,
        /// The address of the peer, or the local address of a listener.
        address: Option<&'a dyn Debug>,
        /// The number of the descriptor.
        descriptor: Option<u64>,
    },
    /// The end of another task.
    Task {
        /// The id of that task in its runtime.
        id: u64,
    },
    /// A lock.
    Lock {
        /// The address of the lock.
        address: usize,
        /// The id of the task that holds the lock.
        holder: Option<u64>,
        /// The place at which the lock was acquired.
        place: Option<Place>,
        /// The number of waiting futures.
        waiters: Option<usize>,
    },
    /// Permits of a semaphore.
    Permits {
        /// The address of the semaphore.
        address: usize,
        /// The number of permits that are available.
        available: usize,
        /// The number of permits that the future needs.
        wanted: usize,
    },
    /// A message, or room for one, in a channel.
    Channel {
        /// The address of the channel.
        address: usize,
        /// The number of messages in the channel.
        len: usize,
        /// The number of messages for which the channel has room, or `None` if it is unbounded.
        capacity: Option<usize>,
        /// The number of senders.
        senders: Option<usize>,
        /// The number of receivers.
        receivers: Option<usize>,
    },
    /// A job on a thread that may block.
    Job {
        /// The id of that job in its runtime.
        id: Option<u64>,
    },
    /// The exit of a child process.
    Process {
        /// The id of that process.
        id: u32,
    },
    /// A signal of the system.
    Signal,
    /// The budget of the task, which is spent in this poll.
    Budget,
    /// Any other event.
    Other(&'a dyn Debug),
}

impl Display for Wait<'_> {
    /// Writes `a timer in 2.5s`, `a timer in 30.0 days` or `read (192.0.2.1:80)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Timer { left } if left.is_zero() => f.write_str("a timer that is due"),
            Self::Timer { left } => {
                f.write_str("a timer in ")?;
                write_duration(*left, f)
            }
            Self::Io {
                operation,
                address: Some(address),
                ..
            } => write!(f, "{operation} ({address:?})"),
            Self::Io { operation, .. } => f.write_str(operation),
            Self::Task { id } => write!(f, "task {id}"),
            Self::Lock {
                address,
                holder,
                place,
                ..
            } => {
                write!(f, "the lock at {address:#x}")?;
                if let Some(holder) = holder {
                    write!(f, ", held by task {holder}")?;
                }
                match place {
                    Some(place) => write!(f, ", acquired at {place}"),
                    None => Ok(()),
                }
            }
            Self::Permits {
                address,
                available,
                wanted,
            } => write!(
                f,
                "{wanted} permits of the semaphore at {address:#x}, which has {available}"
            ),
            Self::Channel { address, len, .. } => {
                write!(f, "the channel at {address:#x} with {len} messages")
            }
            Self::Job { id: None } => f.write_str("a blocking job"),
            Self::Job { id: Some(id) } => write!(f, "blocking job {id}"),
            Self::Process { id } => write!(f, "the exit of process {id}"),
            Self::Signal => f.write_str("a signal"),
            Self::Budget => f.write_str("the budget of the task"),
            Self::Other(event) => event.fmt(f),
        }
    }
}

/// Writes a duration to the millisecond if it is short, else rounded to a tenth of its unit.
///
/// Timers of runtimes are not exact to the nanosecond.
fn write_duration(duration: Duration, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    const MINUTE: u64 = 60;
    const HOUR: u64 = 60 * MINUTE;
    const DAY: u64 = 24 * HOUR;
    // A duration of less than two units has the next smaller unit.
    const TWO_MINUTES: u64 = 2 * MINUTE;
    const TWO_HOURS: u64 = 2 * HOUR;
    const TWO_DAYS: u64 = 2 * DAY;
    let seconds = duration.as_secs();
    let (unit, name) = match seconds {
        0..TWO_MINUTES => {
            // No overflow: these are at most 120,000 milliseconds.
            let millis = seconds * 1000 + u64::from(duration.subsec_millis());
            return write!(f, "{:?}", Duration::from_millis(millis));
        }
        TWO_MINUTES..TWO_HOURS => (MINUTE, "min"),
        TWO_HOURS..TWO_DAYS => (HOUR, "h"),
        _ => (DAY, "days"),
    };
    let unit = u128::from(unit) * 1000;
    let tenths = (duration.as_millis() * 10 + unit / 2) / unit;
    write!(f, "{}.{} {name}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::string::ToString;

    use super::*;

    #[test]
    fn time_left_has_the_unit_of_its_size() {
        let text = |left| Wait::Timer { left }.to_string();
        let second = Duration::from_secs(1);
        assert_eq!(text(Duration::ZERO), "a timer that is due");
        assert_eq!(text(Duration::from_nanos(2_500_000_900)), "a timer in 2.5s");
        assert_eq!(text(90 * second), "a timer in 90s");
        assert_eq!(text(150 * second), "a timer in 2.5 min");
        assert_eq!(text(7200 * second), "a timer in 2.0 h");
        assert_eq!(text(2_591_996 * second), "a timer in 30.0 days");
        assert_eq!(text(Duration::MAX), "a timer in 213503982334601.3 days");
    }
}
