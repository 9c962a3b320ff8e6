//! A map of the inspected futures of each task.
//!
//! A framework boxes the futures of its handlers, so a walk from the future of the task does not
//! reach them. Such a future registers itself with the task that polls it. The map is sharded by
//! the address of the task, and each shard has a lock.
//!
//! # Invariants
//!
//! - M1: an entry points to a pinned future, which removes the entry before it is dropped.
//! - M2: only the task of its entry polls a future. A poll by another task first removes the entry.
//!
//! An inspector has claimed the task, so that no thread polls it, and holds the lock of the shard.
//! By M1 and M2 the futures are then valid, and are not polled.

use super::erased_future::{ErasedFuture, position};
use crate::loom::{IdCounter, PerProcess};
use crate::machine::State;
use std::collections::HashMap;

const SHARDS: usize = 16;

/// The entries of some tasks, by the address of the task.
type Shard = HashMap<usize, Vec<(u64, ErasedFuture)>>;

static SHARDED: [PerProcess<Shard>; SHARDS] = [const { PerProcess::new() }; SHARDS];

/// The registration of one future, which ends when the entry is dropped.
#[derive(Debug)]
pub(super) struct InspectionEntry {
    task: usize,
    key: u64,
}

fn shard(task: usize) -> &'static PerProcess<Shard> {
    // The lowest bits of the addresses of allocations are equal.
    &SHARDED[(task >> 6) % SHARDS]
}

impl InspectionEntry {
    /// Registers a future with the task at an address.
    ///
    /// # Safety
    ///
    /// - The future is pinned, and the result is dropped before the future.
    /// - Only that task polls the future while the result exists.
    pub(in crate::task) unsafe fn new(task: usize, future: ErasedFuture) -> Self {
        static NEXT_ID: IdCounter = IdCounter::new();
        let key = NEXT_ID.next();
        shard(task)
            .lock()
            .entry(task)
            .or_default()
            .push((key, future));
        Self { task, key }
    }

    /// Returns the address of the task.
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

/// Returns the states of each machine that is registered with the task at an address.
///
/// # Safety
///
/// - The caller has claimed the task.
pub(super) unsafe fn positions(task: usize) -> Vec<Vec<&'static State>> {
    let shard = shard(task).lock();
    let entries = shard.get(&task).map_or(&[][..], Vec::as_slice);
    let positions = entries.iter().map(|(_, future)| {
        // SAFETY: M1, M2: the future is valid, and only its task polls it, which the caller has
        // claimed.
        unsafe { position(*future) }
    });
    positions.filter(|states| !states.is_empty()).collect()
}
