//! The futures that a durable machine awaits outside of steps: timers, signals and other machines,
//! and combinations of them.
//!
//! A snapshot contains these futures, so the machine waits in the store and not in memory. They
//! reach the clock and the messages of their machine by a thread-local, which the worker sets
//! during each poll (`poll_context`).

mod poll_context;
mod now;
mod sleep_future;
mod signal_future;
mod child_future;
mod race_future;
mod join_part;
mod join_future;
mod join_all_future;
mod cancellable_future;

pub use cancellable_future::{Cancellable, Cancelled, cancellable};
pub use child_future::{Child, ChildError, child};
pub use join_all_future::{JoinAll, join_all};
pub use join_future::{Join, join};
pub use now::now;
pub(crate) use poll_context::PollContext;
pub use race_future::{Race, Raced, Timeout, race, timeout};
pub use signal_future::{Signal, SignalWithin, signal};
pub use sleep_future::{Sleep, sleep, sleep_until};
