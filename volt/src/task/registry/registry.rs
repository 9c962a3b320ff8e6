//! The registry of all live tasks of a scheduler.
//!
//! A task has a slot in a table, with eight bytes for each. The slot is part of its [`TaskId`], so
//! it is found without a search, and the task stores no links. The registry owns no references: a
//! task leaves it before it drops its life reference (I7), so all tasks in it are alive.
//!
//! Workers use no lock. Each worker has a [`LocalFreeList`] of vacant slots. It inserts a task by a
//! store. It removes a task by one step of its [`Entry`], and then owns the slot. If a free list
//! grows too long, a [`CHUNK`] of slots goes to the shared list. Other threads use a
//! [`FreeListShard`], a free list with a lock: the one of the global queue, which a task from
//! outside needs anyway, or one that few threads share.
//!
//! [`slot_table`] has the slots.
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

/// The live tasks of one scheduler.
pub(crate) struct Registry {
    slots: slot_table::SlotTableRef,
    owner: ChunkOwner,
    shared_free_list: Mutex<SharedFreeList>,
    /// The free lists for threads without one of their own.
    shards: Box<[CachePadded<Mutex<FreeListShard>>]>,
    closed: AtomicBool,
}

/// The error of an insertion into a closed registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Closed;

/// The vacant slots of one owner.
#[derive(Default)]
pub(crate) struct LocalFreeList(Vec<u32>);

/// The vacant slots of the registry that are in no free list, in chunks.
struct SharedFreeList {
    vacant: Vec<u32>,
}

/// A free list with a lock, and the counts of the tasks that were inserted and removed through it.
#[derive(Debug, Default)]
pub(crate) struct FreeListShard {
    free_list: LocalFreeList,
    closed: bool,
    inserted: u64,
    removed: u64,
}

/// The length above which a free list returns a chunk.
const FULL: usize = 2 * CHUNK as usize;

impl Registry {
    /// Creates a registry for about `shards` threads without a free list. They rarely contend for a
    /// lock.
    pub(crate) fn new(shards: usize) -> Self {
        inspect::install_hook();
        #[cfg(not(any(loom, all(test, shuttle))))]
        std::hint::black_box(&super::debugger_table::VOLT_INSPECT_V1);
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

    /// Inserts a task that was just spawned and is known to no other thread, and sets its id.
    ///
    /// An insertion may succeed while another thread closes the registry. So the scheduler waits
    /// for the owners of free lists before its last walk.
    ///
    /// # Errors
    ///
    /// Returns [`Closed`], and leaves the task unchanged, if the registry is closed.
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

    /// Inserts a task through a shard, for a thread without a free list. After
    /// [`close`](Self::close), no insertion succeeds.
    pub(crate) fn insert_at_shard(&self, task: &Runnable) -> Result<TaskId, Closed> {
        self.insert_at(&mut self.shard().lock(), task)
    }

    /// Inserts a task through a shard of the caller. After [`FreeListShard::close`], no insertion
    /// succeeds.
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

    /// Removes a task. [`Schedule::release`](crate::task::Schedule::release) calls it once for each
    /// inserted task, on any thread.
    #[inline]
    pub(crate) fn remove(&self, free_list: &mut LocalFreeList, id: TaskId) {
        let Some(slot) = id.slot() else { return };
        self.entry(slot).vacate(id.generation());
        free_list.0.push(slot);
        if free_list.0.len() > FULL {
            self.return_chunk(free_list);
        }
    }

    /// Removes a task through a shard, for a thread without a free list.
    ///
    /// Returns `true` if the registry is closed. If not, a thread that closes it later does not
    /// find the task.
    #[must_use = "a thread may wait for the removal of the last task"]
    pub(crate) fn remove_at_shard(&self, id: TaskId) -> bool {
        let mut shard = self.shard().lock();
        shard.removed += 1;
        self.remove(&mut shard.free_list, id);
        shard.closed
    }

    /// Closes the registry for insertions. The owners of other shards close them.
    pub(crate) fn close(&self) {
        self.closed.store(true, Relaxed);
        for shard in &self.shards {
            shard.lock().close();
        }
    }

    /// Returns the numbers of tasks that were inserted and removed through the shards. The shards
    /// are read one after another.
    pub(crate) fn counts(&self) -> (u64, u64) {
        self.shards
            .iter()
            .fold((0, 0), |(inserted, removed), shard| {
                let counts = shard.lock().counts();
                (inserted + counts.0, removed + counts.1)
            })
    }

    /// Returns the task with this id, if it is alive and is one of this registry.
    pub(crate) fn find(&self, id: TaskId) -> Option<TaskRef> {
        let task = self.entry(id.slot()?).get()?;
        Some(task).filter(|task| task.id() == id)
    }

    /// Calls `visit` with each live task. No lock is held, so `visit` may spawn and end tasks. A
    /// task that begins or ends during the walk may or may not be visited.
    pub(crate) fn for_each(&self, mut visit: impl FnMut(&TaskRef)) {
        for task in self.entries().filter_map(Entry::get) {
            visit(&task);
        }
    }

    /// Stops all tasks, shielded or not, on this thread. Tasks that run on other threads are
    /// stopped there at the end of their polls. Returns the number of these.
    pub(crate) fn shutdown_all(&self) -> usize {
        let mut running = 0;
        self.for_each(|task| running += usize::from(!task.shutdown()));
        running
    }

    /// Returns the number of live tasks, by a walk.
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

    /// Returns the shard of this thread, which few other threads share.
    fn shard(&self) -> &Mutex<FreeListShard> {
        &self.shards[current_task::thread_hint() & (self.shards.len() - 1)]
    }

    /// Adds a chunk to the free list, and takes one slot of it.
    #[cold]
    fn refill(&self, free_list: &mut LocalFreeList) -> u32 {
        let mut shared_free_list = self.shared_free_list.lock();
        match shared_free_list.vacant.len().checked_sub(CHUNK as usize) {
            Some(rest) => free_list.0.extend(shared_free_list.vacant.drain(rest..)),
            None => free_list.0.extend(self.slots.open(self.owner).rev()),
        }
        free_list.0.pop().expect("a chunk was added")
    }

    /// Moves a chunk to the shared list.
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
    /// Closes the shard for insertions.
    pub(crate) fn close(&mut self) {
        self.closed = true;
    }

    /// Returns the numbers of tasks that were inserted and removed.
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
