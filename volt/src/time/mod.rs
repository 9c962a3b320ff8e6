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
mod timers;
mod timeout_ext;
mod paused_clock;

pub use self::elapsed::Elapsed;
pub use self::instant::Instant;
pub use self::now::now;
pub use self::paused_clock::{Advance, advance, pause, resume};
pub use self::timeout_ext::TimeoutExt;
pub use self::timers::{
    Interval, MissedTickBehavior, Sleep, Tick, Timeout, interval, interval_at, sleep, sleep_until,
    timeout, timeout_at,
};
