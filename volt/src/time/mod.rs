//! Waiting for a moment: sleeps, and deadlines for other futures.
//!
//! A timer is told to the driver when its future first has to wait, so a [`timeout`](timeout())
//! around something that is ready at once costs two looks at most at the clock and takes no lock. Deadlines are
//! exact to about 20 µs on Linux and to a millisecond elsewhere, and nothing ever fires early.
//!
//! ```text
//!   sleep(100 ms)        ──►  Sleep          Output = ()
//!   timeout(1 s, future) ──►  Timeout<F>     Output = Result<F::Output, Elapsed>
//! ```

mod now;
mod elapsed;
mod sleeping;
mod deadline;

pub use self::deadline::{Timeout, timeout, timeout_at};
pub use self::elapsed::Elapsed;
pub use self::sleeping::{Sleep, sleep, sleep_until};
