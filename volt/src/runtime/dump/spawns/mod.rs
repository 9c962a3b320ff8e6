//! The numbers of live tasks by the place of their spawn.

mod spawn_count;

pub use self::spawn_count::SpawnCount;
pub(super) use self::spawn_count::spawn_counts;
