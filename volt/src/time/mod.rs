//! Waiting for a moment: sleeps, ticks, and deadlines for other futures.
//!
//! A timer is told to the driver when its future first has to wait, so a [`timeout`](timeout())
//! around something that is ready at once takes no lock, and reads no clock but the system's coarse one.
//! Deadlines are exact to about 20 µs on Linux and to a millisecond elsewhere, and nothing ever
//! fires early.
//!
//! ```text
//!   sleep(100 ms)        ──►  Sleep          Output = ()
//!   timeout(1 s, future) ──►  Timeout<F>     Output = Result<F::Output, Elapsed>
//!   interval(1 s)        ──►  Interval       tick() each second
//! ```
//!
//! Tests [`pause`] the clock, so that nothing has to be waited for, or
//! [`advance`](advance()) it by hand.

mod now;
mod instant;
mod elapsed;
mod sleeping;
mod limit;
mod deadline;
mod with_timeout;
mod interval;
mod pausing;

pub use self::deadline::{Timeout, timeout, timeout_at};
pub use self::elapsed::Elapsed;
pub use self::instant::Instant;
pub use self::interval::{Interval, MissedTickBehavior, Tick, interval, interval_at};
pub use self::now::now;
pub use self::pausing::{Advance, advance, pause, resume};
pub use self::sleeping::{Sleep, sleep, sleep_until};
pub use self::with_timeout::TimeoutExt;
