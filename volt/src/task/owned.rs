//! The list of all tasks that are alive.
//!
//! A sharded slab: a task costs eight bytes and one short lock when it is spawned, and the same
//! lock again when it is done. Its place is part of its [`TaskId`], so it is found without a
//! search, and no links are kept in the task. The registry holds no references: a task leaves
//! it before it gives up its life reference (I7), so that what is found under the shard's lock
//! is alive.
//!
//! ```text
//! slot     31            s             0        s = log2(number of shards)
//!          +-------------+-------------+
//!          | index       | shard       |
//!          +-------------+-------------+
//!
//! index    i + 32 = 1xx..x in binary: page = its leading bit's place, offset = the xx..x.
//!          Page p has 32 << p entries and never moves.
//!
//! entry    occupied: the address of the task, even
//!          vacant:   (next vacant index << 1) | 1
//! ```

use super::header::Erased;
use super::held::Held;
use super::id::TaskId;
use super::root;
use super::runnable::Runnable;
use super::task_ref::TaskRef;
use crate::loom::sync::Mutex;
use crossbeam_utils::CachePadded;
use std::fmt;
use std::ptr::{self, NonNull};

/// All living tasks of one scheduler.
pub(crate) struct Registry {
    shards: Box<[CachePadded<Mutex<Shard>>]>,
    /// log2 of the number of shards.
    shift: u32,
}

/// The registry takes no more tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Closed;

impl Registry {
    /// A registry of at least `shards` shards.
    pub(crate) fn new(shards: usize) -> Self {
        root::listen();
        let shards = shards.max(1).next_power_of_two();
        let shift = shards.trailing_zeros();
        let shards = (0..shards).map(|_| CachePadded::new(Mutex::new(Shard::new())));
        Self {
            shards: shards.collect(),
            shift,
        }
    }

    /// Enters a task that has just been spawned and that no other thread has seen, and gives it
    /// its id. `hint` chooses the shard: threads with different hints do not meet.
    ///
    /// # Errors
    ///
    /// [`Closed`]; the task is as it was.
    pub(crate) fn insert(&self, hint: usize, task: &Runnable) -> Result<TaskId, Closed> {
        let shard = hint & (self.shards.len() - 1);
        let task = task.held();
        let mut locked = self.shards[shard].lock();
        let (index, generation) = locked.insert(task.as_raw())?;
        assert!(index <= u32::MAX >> self.shift, "too many tasks");
        let slot = (index << self.shift) | shard as u32;
        let id = TaskId::registered(slot, generation);
        // Under the lock: whoever finds the task there finds its id too.
        task.header().set_id(id);
        Ok(id)
    }

    /// Takes a task out. For [`Schedule::release`](super::Schedule::release) only: once for each
    /// task that was entered.
    pub(crate) fn remove(&self, id: TaskId) {
        let Some(slot) = id.slot() else { return };
        self.shard_of(slot).lock().remove(slot >> self.shift);
    }

    /// Takes no more tasks from here on.
    pub(crate) fn close(&self) {
        for shard in &self.shards {
            shard.lock().closed = true;
        }
    }

    /// The number of tasks alive, each shard at its own moment.
    pub(crate) fn len(&self) -> usize {
        self.shards.iter().map(|shard| shard.lock().len).sum()
    }

    /// Calls `visit` with each living task. No lock is held meanwhile, so that `visit` may spawn
    /// and end tasks; those that come or go during the walk may or may not be seen.
    pub(crate) fn for_each(&self, mut visit: impl FnMut(&TaskRef)) {
        for shard in &self.shards {
            let tasks = shard.lock().tasks();
            for task in tasks {
                visit(&task);
            }
        }
    }

    /// Stops all tasks that are not running elsewhere, shielded or not, on this thread; the
    /// others are cancelled. Answers with the number of those.
    pub(crate) fn shutdown_all(&self) -> usize {
        let mut running = 0;
        self.for_each(|task| running += usize::from(!task.shutdown()));
        running
    }

    fn shard_of(&self, slot: u32) -> &Mutex<Shard> {
        &self.shards[slot as usize & (self.shards.len() - 1)]
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registry")
            .field("shards", &self.shards.len())
            .field("len", &self.len())
            .finish()
    }
}

/// One slab.
struct Shard {
    pages: Vec<Box<[Entry]>>,
    /// The first vacant index, or the number of entries that were ever used.
    vacant: u32,
    used: u32,
    len: usize,
    generation: u32,
    closed: bool,
}

// SAFETY: The addresses in it are of tasks, which may be looked at from any thread.
unsafe impl Send for Shard {}

const FIRST_PAGE: u32 = 32;

impl Shard {
    fn new() -> Self {
        Self {
            pages: Vec::new(),
            vacant: 0,
            used: 0,
            len: 0,
            generation: 0,
            closed: false,
        }
    }

    fn insert(&mut self, task: Erased) -> Result<(u32, u32), Closed> {
        if self.closed {
            return Err(Closed);
        }
        let index = self.vacant;
        if index == self.used {
            self.grow();
        }
        let entry = self.entry(index);
        let next = entry.next_vacant();
        *entry = Entry::occupied(task);
        self.vacant = next;
        self.len += 1;
        self.generation = self.generation.wrapping_add(1);
        Ok((index, self.generation))
    }

    /// Makes the entry `used` a vacant one that is followed by the next that was never used.
    fn grow(&mut self) {
        let (page, _) = place(self.used);
        if page == self.pages.len() {
            let entries = (FIRST_PAGE as usize) << page;
            self.pages.push(vec![Entry::vacant(0); entries].into());
        }
        let index = self.used;
        self.used += 1;
        *self.entry(index) = Entry::vacant(self.used);
    }

    fn remove(&mut self, index: u32) {
        let vacant = Entry::vacant(self.vacant);
        let entry = self.entry(index);
        debug_assert!(entry.task().is_some(), "a task was removed twice");
        *entry = vacant;
        self.vacant = index;
        self.len -= 1;
    }

    fn tasks(&self) -> Vec<TaskRef> {
        let mut tasks = Vec::with_capacity(self.len);
        let all = self.pages.iter().flatten().filter_map(|entry| entry.task());
        tasks.extend(all.map(reference));
        tasks
    }

    fn entry(&mut self, index: u32) -> &mut Entry {
        let (page, offset) = place(index);
        &mut self.pages[page][offset]
    }
}

/// A reference to a task that was found in a shard, by whoever has the lock.
fn reference(task: Erased) -> TaskRef {
    // SAFETY: I7: what the locked shard has is alive; this is a look at its life reference.
    TaskRef::new(&unsafe { Held::from_raw(task) })
}

/// The page of an index, and the offset there.
fn place(index: u32) -> (usize, usize) {
    let shifted = index + FIRST_PAGE;
    let leading = shifted.ilog2();
    let page = leading - FIRST_PAGE.ilog2();
    (page as usize, (shifted - (1 << leading)) as usize)
}

/// A task, or a link of the list of vacant entries: told apart by the lowest bit.
#[derive(Clone, Copy)]
struct Entry(*mut ());

impl Entry {
    fn occupied(task: Erased) -> Self {
        Self(task.as_ptr().cast())
    }

    fn vacant(next: u32) -> Self {
        Self(ptr::without_provenance_mut(((next as usize) << 1) | 1))
    }

    fn task(self) -> Option<Erased> {
        match self.0.addr() & 1 {
            0 => NonNull::new(self.0.cast()),
            _ => None,
        }
    }

    fn next_vacant(self) -> u32 {
        debug_assert!(self.task().is_none());
        (self.0.addr() >> 1) as u32
    }
}
