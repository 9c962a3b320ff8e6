//! A weather station without an allocator or the standard library.
//!
//! Its program is [`station`](station()), a machine that any loop can poll. `by_hand` polls it in a
//! loop of its own. `on_embassy` runs it as a task of embassy's executor, in a static of the
//! machine's type.
#![no_std]
#![forbid(unsafe_code)]

mod clock;
mod program;

pub use clock::{Ticks, tick, ticks};
pub use program::{Pins, station, transmit};
#[cfg(not(feature = "plain"))]
pub use program::{Station, Transmit};
