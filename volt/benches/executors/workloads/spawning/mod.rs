//! Workloads that measure spawns and joins.

mod chained_spawn;
mod fan_out;
mod fib;
mod spawn_join;
mod spawn_many_local;
mod spawn_many_remote;

pub(crate) use self::chained_spawn::ChainedSpawn;
pub(crate) use self::fan_out::FanOut;
pub(crate) use self::fib::{Fib16, Fib18};
pub(crate) use self::spawn_join::{SpawnAwait, SpawnJoin, SpawnJoinOutside};
pub(crate) use self::spawn_many_local::SpawnManyLocal;
pub(crate) use self::spawn_many_remote::{
    SpawnManyRemoteBusy1, SpawnManyRemoteBusy2, SpawnManyRemoteIdle,
};
