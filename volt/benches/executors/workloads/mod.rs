//! The workloads: those of tokio's own `rt_multi_threaded` benchmark.

mod chained_spawn;
mod ping_pong;
mod spawn_many_local;
mod spawn_many_remote;
mod yield_many;

pub(crate) use self::chained_spawn::ChainedSpawn;
pub(crate) use self::ping_pong::PingPong;
pub(crate) use self::spawn_many_local::SpawnManyLocal;
pub(crate) use self::spawn_many_remote::{
    SpawnManyRemoteBusy1, SpawnManyRemoteBusy2, SpawnManyRemoteIdle,
};
pub(crate) use self::yield_many::YieldMany;
