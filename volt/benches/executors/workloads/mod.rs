//! The workloads: those of tokio's own `rt_multi_threaded` benchmark, and ours.

mod bell;

mod blocking;
mod chained_spawn;
mod dump;
mod fan_out;
mod fib;
pub(crate) mod footprint;
mod latency;
mod ping_pong;
mod self_wake;
mod shutdown;
mod sleeps;
mod spawn_join;
mod spawn_many_local;
mod spawn_many_remote;
mod tcp_echo;
mod timers;
mod yield_many;

pub(crate) use self::blocking::{SleepBesideBlocker, WokenByBlocker};
pub(crate) use self::chained_spawn::ChainedSpawn;
pub(crate) use self::dump::DumpOfIdle;
pub(crate) use self::fan_out::FanOut;
pub(crate) use self::fib::{Fib16, Fib18};
pub(crate) use self::footprint::{Allocations, Instructions, Resident};
pub(crate) use self::latency::{BusySpawnLatency, SpawnLatency, WakeLatency};
pub(crate) use self::ping_pong::PingPong;
pub(crate) use self::self_wake::{SelfWake, SelfWakeMany};
pub(crate) use self::shutdown::Shutdown;
pub(crate) use self::sleeps::{ShortSleep, TimeoutOfReady, TimeoutOfYield};
pub(crate) use self::spawn_join::{SpawnAwait, SpawnJoin, SpawnJoinOutside};
pub(crate) use self::spawn_many_local::SpawnManyLocal;
pub(crate) use self::spawn_many_remote::{
    SpawnManyRemoteBusy1, SpawnManyRemoteBusy2, SpawnManyRemoteIdle,
};
pub(crate) use self::tcp_echo::{EchoLarge, EchoSmall};
pub(crate) use self::timers::{CancelTimers, FireTimers, InsertTimers};
pub(crate) use self::yield_many::YieldMany;
