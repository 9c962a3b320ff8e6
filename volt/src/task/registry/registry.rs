//! The list of all tasks that are alive.
//!
//! A table of places, eight bytes each. A task's place is part of its [`TaskId`], so it is found
//! without a search, and no links are kept in the task. The registry holds no references: a task
//! leaves it before it gives up its life reference (I7), so that what is found there is alive.
//!
//! Nobody locks anything for a task. Each worker has a [`LocalFreeList`] of vacant places, which
//! are its own: it enters a task by a store, and takes one out by one step of its [`Entry`], after
//! which the place is in its free list. Places that pile up in one free list go to the others in
//! [`CHUNK`]s. Whoever is no worker comes to a [`FreeListShard`], a free list under a lock: that of the global queue,
//! which a task from outside needs anyway, or one that few others share.
//!
//! The places are those of [`slot_table`](super::slot_table).
//!
//! Tests: `tests/registry.rs`, and under loom `models/registry.rs`.

use super::registry_entry::Entry;
use super::slot_table::{self, CHUNK, ChunkOwner};
use crate::loom::sync::Mutex;
use crate::loom::sync::atomic::AtomicBool;
use crate::loom::sync::atomic::Ordering::Relaxed;
use crate::machine::limit_awaits_if;
use crate::task::coop::is_limited;
use crate::task::current_task;
use crate::task::handle::TaskRef;
use crate::task::id::TaskId;
use crate::task::inspect;
use crate::task::reference::Runnable;
use crossbeam_utils::CachePadded;
use std::fmt;

/// All living tasks of one scheduler.
pub(crate) struct Registry {
    slots: slot_table::SlotTableRef,
    owner: ChunkOwner,
    shared_free_list: Mutex<SharedFreeList>,
    /// For those who have no free list.
    shards: Box<[CachePadded<Mutex<FreeListShard>>]>,
    closed: AtomicBool,
}

/// The registry takes no more tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Closed;

/// Vacant places that are one party's own.
#[derive(Default)]
pub(crate) struct LocalFreeList(Vec<u32>);

/// Vacant places of the registry that no free list has, in chunks.
struct SharedFreeList {
    vacant: Vec<u32>,
}

/// Where those without a free list are served, one at a time.
#[derive(Debug, Default)]
pub(crate) struct FreeListShard {
    free_list: LocalFreeList,
    closed: bool,
    inserted: u64,
    removed: u64,
}

/// A free list holds no more than this.
const FULL: usize = 2 * CHUNK as usize;

impl Registry {
    /// A registry where so many threads that have no free list of their own hardly ever meet.
    pub(crate) fn new(shards: usize) -> Self {
        inspect::install_hook();
        limit_awaits_if(is_limited);
        let shards = shards.max(1).next_power_of_two();
        let shards = (0..shards).map(|_| CachePadded::new(Mutex::new(FreeListShard::default())));
        Self {
            slots: slot_table::slot_table(),
            owner: ChunkOwner::new(),
            shared_free_list: Mutex::new(SharedFreeList { vacant: Vec::new() }),
            shards: shards.collect(),
            closed: AtomicBool::new(false),
        }
    }

    /// Enters a task that has just been spawned and that no other thread has seen, and gives it
    /// its id.
    ///
    /// One that comes while another thread closes the registry may still be let in. So a free
    /// list's owner that spawns must be waited for before the last walk.
    ///
    /// # Errors
    ///
    /// [`Closed`]; the task is as it was.
    #[inline]
    pub(crate) fn insert(
        &self,
        free_list: &mut LocalFreeList,
        task: &Runnable,
    ) -> Result<TaskId, Closed> {
        if self.closed.load(Relaxed) {
            return Err(Closed);
        }
        Ok(self.enter(free_list, task))
    }

    /// As [`insert`](Self::insert), for those without a free list. Nobody comes in after
    /// [`close`](Self::close).
    pub(crate) fn insert_at_shard(&self, task: &Runnable) -> Result<TaskId, Closed> {
        self.insert_at(&mut self.shard().lock(), task)
    }

    /// As [`insert_at_shard`](Self::insert_at_shard), at a shard of the caller's. Nobody comes in after
    /// [`FreeListShard::close`].
    #[inline]
    pub(crate) fn insert_at(
        &self,
        shard: &mut FreeListShard,
        task: &Runnable,
    ) -> Result<TaskId, Closed> {
        if shard.closed {
            return Err(Closed);
        }
        shard.inserted += 1;
        Ok(self.enter(&mut shard.free_list, task))
    }

    #[inline(always)]
    fn enter(&self, free_list: &mut LocalFreeList, task: &Runnable) -> TaskId {
        let slot = match free_list.0.pop() {
            Some(slot) => slot,
            None => self.refill(free_list),
        };
        let entry = self.entry(slot);
        let id = TaskId::registered(slot, entry.next_generation());
        let task = task.raw_task();
        task.header().set_id(id);
        entry.occupy(task.as_raw());
        id
    }

    /// Takes a task out. For [`Schedule::release`](crate::task::Schedule::release) only: once for each
    /// task that was inserted, by anybody.
    #[inline]
    pub(crate) fn remove(&self, free_list: &mut LocalFreeList, id: TaskId) {
        let Some(slot) = id.slot() else { return };
        self.entry(slot).vacate(id.generation());
        free_list.0.push(slot);
        if free_list.0.len() > FULL {
            self.return_chunk(free_list);
        }
    }

    /// As [`remove`](Self::remove), for those without a free list. Answers whether the registry is
    /// closed: if not, whoever has closed it will not find the task.
    #[must_use = "somebody may wait for the last tasks to go"]
    pub(crate) fn remove_at_shard(&self, id: TaskId) -> bool {
        let mut shard = self.shard().lock();
        shard.removed += 1;
        self.remove(&mut shard.free_list, id);
        shard.closed
    }

    /// Takes no more tasks from here on. Desks elsewhere are closed by whoever has them.
    pub(crate) fn close(&self) {
        self.closed.store(true, Relaxed);
        for shard in &self.shards {
            shard.lock().close();
        }
    }

    /// How many tasks came in and how many left without a free list, up to some moment each.
    pub(crate) fn counts(&self) -> (u64, u64) {
        self.shards
            .iter()
            .fold((0, 0), |(inserted, removed), shard| {
                let counts = shard.lock().counts();
                (inserted + counts.0, removed + counts.1)
            })
    }

    /// Calls `visit` with each living task. Nothing is locked meanwhile, so that `visit` may spawn
    /// and end tasks; those that come or go during the walk may or may not be seen.
    pub(crate) fn for_each(&self, mut visit: impl FnMut(&TaskRef)) {
        for task in self.entries().filter_map(Entry::get) {
            visit(&task);
        }
    }

    /// Stops all tasks that are not running elsewhere, shielded or not, on this thread; the
    /// others are stopped after their polls. Answers with the number of those.
    pub(crate) fn shutdown_all(&self) -> usize {
        let mut running = 0;
        self.for_each(|task| running += usize::from(!task.shutdown()));
        running
    }

    /// The number of tasks alive, found by a walk.
    pub(crate) fn len(&self) -> usize {
        self.entries().filter(|entry| entry.is_occupied()).count()
    }

    fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.slots.of(self.owner)
    }

    #[inline]
    fn entry(&self, slot: u32) -> &Entry {
        self.slots.entry(slot)
    }

    /// Each thread comes to the same one, and few others do.
    fn shard(&self) -> &Mutex<FreeListShard> {
        &self.shards[current_task::thread_hint() & (self.shards.len() - 1)]
    }

    /// Brings a chunk, and takes one place of it.
    #[cold]
    fn refill(&self, free_list: &mut LocalFreeList) -> u32 {
        let mut shared_free_list = self.shared_free_list.lock();
        match shared_free_list.vacant.len().checked_sub(CHUNK as usize) {
            Some(rest) => free_list.0.extend(shared_free_list.vacant.drain(rest..)),
            None => free_list.0.extend(self.slots.open(self.owner).rev()),
        }
        free_list.0.pop().expect("a chunk was brought")
    }

    /// Leaves a chunk to others.
    #[cold]
    fn return_chunk(&self, free_list: &mut LocalFreeList) {
        let rest = free_list.0.len() - CHUNK as usize;
        self.shared_free_list
            .lock()
            .vacant
            .extend(free_list.0.drain(rest..));
    }
}

impl FreeListShard {
    /// Lets no more tasks in.
    pub(crate) fn close(&mut self) {
        self.closed = true;
    }

    /// How many tasks came in here, and how many left.
    pub(crate) fn counts(&self) -> (u64, u64) {
        (self.inserted, self.removed)
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        self.slots.close(self.owner);
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registry")
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for LocalFreeList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LocalFreeList").field(&self.0.len()).finish()
    }
}
