//! Workloads that measure wakes: of tasks, of idle workers, and next to blocked workers.

mod wake_signal;

mod blocking;
mod latency;
mod ping_pong;
mod self_wake;
mod yield_many;

pub(crate) use self::blocking::{SleepBesideBlocker, WokenByBlocker};
pub(crate) use self::latency::{BusySpawnLatency, SpawnLatency, WakeLatency};
pub(crate) use self::ping_pong::PingPong;
pub(crate) use self::self_wake::{SelfWake, SelfWakeMany};
pub(crate) use self::yield_many::YieldMany;
