//! The futures that a durable machine awaits outside of steps: timers, signals and other machines,
//! and combinations of them.
//!
//! A snapshot contains these futures, so the machine waits in the store and not in memory. They
//! reach the clock and the messages of their machine by a thread-local, which the worker sets
//! during each poll (`poll_context`).

mod poll_context;
mod now;
mod sleep;
mod signal;
mod child;
mod race;
mod join_part;
mod join;
mod join_all;
mod cancellable;

pub use cancellable::{Cancellable, Cancelled, cancellable};
pub use child::{Child, ChildError, child};
pub use join::{Join, join};
pub use join_all::{JoinAll, join_all};
pub use now::now;
pub(crate) use poll_context::PollContext;
pub use race::{Race, Raced, Timeout, race, timeout};
pub use signal::{Signal, SignalWithin, signal};
pub use sleep::{Sleep, sleep, sleep_until};
