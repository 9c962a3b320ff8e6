//! Timers: sleeps, intervals, and deadlines for other futures.
//!
//! A timer is registered with the driver at the first poll that has to wait. So a
//! [`timeout`](timeout()) around a future that is ready at once takes no lock, and reads only the
//! coarse clock of the system. Deadlines are exact to about 20 µs on Linux and to a millisecond on
//! other systems. A timer never fires early.
//!
//! ```text
//!   sleep(100 ms)        ──►  Sleep          Output = ()
//!   timeout(1 s, future) ──►  Timeout<F>     Output = Result<F::Output, Elapsed>
//!   interval(1 s)        ──►  Interval       tick() each second
//! ```
//!
//! A test can [`pause`] the clock, so that timers take no time, and [`advance`](advance()) it.

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
