//! The futures that a durable machine awaits outside of steps: timers and signals.
//!
//! A snapshot contains these futures, so the machine waits in the store and not in memory. They
//! reach the clock and the messages of their machine by a thread-local, which the worker sets
//! during each poll (`poll_context`).

mod poll_context;
mod sleep;
mod signal;

pub(crate) use poll_context::PollContext;
pub use signal::{Signal, SignalWithin, signal};
pub use sleep::{Sleep, sleep, sleep_until};
