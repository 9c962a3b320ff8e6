//! Workloads that measure the driver: timers and sockets.

mod sleeps;
mod tcp_echo;
mod timers;

pub(crate) use self::sleeps::{ShortSleep, TimeoutOfReady, TimeoutOfYield};
pub(crate) use self::tcp_echo::{EchoLarge, EchoSmall};
pub(crate) use self::timers::{CancelTimers, FireTimers, InsertTimers};
