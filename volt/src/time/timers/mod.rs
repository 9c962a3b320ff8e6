//! Timers: sleeps, timeouts and intervals, as futures.

mod sleep_future;
mod lazy_deadline;
mod timeout_future;
mod interval;

pub use self::interval::{Interval, MissedTickBehavior, Tick, interval, interval_at};
pub use self::sleep_future::{Sleep, sleep, sleep_until};
pub use self::timeout_future::{Timeout, timeout, timeout_at};
