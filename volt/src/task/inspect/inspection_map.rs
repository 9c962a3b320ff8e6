//! Futures that a task holds behind types of others, and that a dump inspects all the same.
//!
//! A framework boxes the futures of its handlers, so no walk from the task's own future comes to
//! them. Such a future registers itself with the task that polls it. The map is sharded by the
//! task's address, and has a lock for each shard.
//!
//! # Invariants
//!
//! - I1: an entry leads to a pinned future, which removes the entry before it is dropped.
//! - I2: a future whose entry names one task is polled by no other: it removes the entry first.
//!
//! An inspector has claimed the task, so that nothing polls it, and holds the lock of the shard. So
//! by I1 and I2 the futures are there, and are not polled meanwhile.

use super::erased_future::{ErasedFuture, position};
use crate::loom::{IdCounter, PerProcess};
use crate::machine::State;
use std::collections::HashMap;

const SHARDS: usize = 16;

/// The entries of some tasks, by the addresses of the tasks.
type Shard = HashMap<usize, Vec<(u64, ErasedFuture)>>;

static SHARDED: [PerProcess<Shard>; SHARDS] = [const { PerProcess::new() }; SHARDS];

/// The registration of one future, which ends when this is dropped.
#[derive(Debug)]
pub(super) struct InspectionEntry {
    task: usize,
    key: u64,
}

fn shard(task: usize) -> &'static PerProcess<Shard> {
    // Tasks are allocated with an alignment of at least 16 bytes as a rule.
    &SHARDED[(task >> 6) % SHARDS]
}

impl InspectionEntry {
    /// Registers a future with the task at that address.
    ///
    /// # Safety
    ///
    /// - The future is pinned, and drops the result before it is dropped itself.
    /// - Nothing but that task polls it while the result is there.
    pub(in crate::task) unsafe fn new(task: usize, root: ErasedFuture) -> Self {
        static NEXT_ID: IdCounter = IdCounter::new();
        let key = NEXT_ID.next();
        shard(task)
            .lock()
            .entry(task)
            .or_default()
            .push((key, root));
        Self { task, key }
    }

    /// The address of the task.
    pub(in crate::task) fn task(&self) -> usize {
        self.task
    }
}

impl Drop for InspectionEntry {
    fn drop(&mut self) {
        let mut shard = shard(self.task).lock();
        if let Some(entries) = shard.get_mut(&self.task) {
            entries.retain(|(key, _)| *key != self.key);
            if entries.is_empty() {
                shard.remove(&self.task);
            }
        }
    }
}

/// The states of the machines that are registered with the task at that address, a list each.
///
/// # Safety
///
/// - The caller has claimed the task.
pub(super) unsafe fn positions(task: usize) -> Vec<Vec<&'static State>> {
    let shard = shard(task).lock();
    let entries = shard.get(&task).map_or(&[][..], Vec::as_slice);
    let positions = entries.iter().map(|(_, root)| {
        // SAFETY: I1, I2: the future is in its place, and its task, which the caller has, is the
        // only one to poll it.
        unsafe { position(*root) }
    });
    positions.filter(|states| !states.is_empty()).collect()
}
