//! Workloads: those of tokio's `rt_multi_threaded` benchmark, and volt's own.

mod driver;
mod dump;
pub(crate) mod footprint;
mod shutdown;
mod spawning;
mod waking;

pub(crate) use self::driver::{
    CancelTimers, EchoLarge, EchoSmall, FireTimers, InsertTimers, ShortSleep, TimeoutOfReady,
    TimeoutOfYield,
};
pub(crate) use self::dump::DumpOfIdle;
pub(crate) use self::footprint::{Allocations, Instructions, Resident};
pub(crate) use self::shutdown::Shutdown;
pub(crate) use self::spawning::{
    ChainedSpawn, FanOut, Fib16, Fib18, SpawnAwait, SpawnJoin, SpawnJoinOutside, SpawnManyLocal,
    SpawnManyRemoteBusy1, SpawnManyRemoteBusy2, SpawnManyRemoteIdle,
};
pub(crate) use self::waking::{
    BusySpawnLatency, PingPong, SelfWake, SelfWakeMany, SleepBesideBlocker, SpawnLatency,
    WakeLatency, WokenByBlocker, YieldMany,
};
