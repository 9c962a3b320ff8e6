//! The table of the slots of all tasks of the process, with eight bytes for each.
//!
//! The slot of a task is part of its id. All registries share one numbering, so live tasks have
//! different ids, even in different runtimes. A registry owns *chunks* of slots. When the registry
//! is dropped, its chunks may go to other registries. A slot keeps the generation of its last task,
//! so ids do not repeat then.
//!
//! ```text
//! slot     i; i + 64 = 1xx..x in binary: page = index of the leading bit, offset = the xx..x.
//!          Page p has 64 << p entries and never moves. A chunk has 64 of them.
//! ```
//!
//! Only the list of chunks without an owner has a lock. Each process has its own list, because a
//! fork may happen at any moment.

use super::registry_entry::Entry;
#[cfg(not(any(loom, all(test, shuttle))))]
use crate::loom::PerProcess;
use crate::loom::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use crate::loom::sync::atomic::{AtomicU32, AtomicU64};
use crate::loom::{IdCounter, LeakOnce};
#[cfg(not(any(loom, all(test, shuttle))))]
use std::mem::offset_of;
use std::num::NonZeroU64;
use std::ops::Range;

/// The number of slots in a chunk. Models use a small number, because they create all of them again
/// for each interleaving.
pub(super) const CHUNK: u32 = if cfg!(loom) { 2 } else { 64 };
const FIRST_PAGE: u32 = CHUNK;
const PAGES: usize = (u32::BITS - FIRST_PAGE.ilog2()) as usize;

/// The id of a registry, as the owner of chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::task) struct ChunkOwner(NonZeroU64);

/// The slots of the process. In a model, those of one registry.
pub(super) struct SlotTable {
    pages: [LeakOnce<Page>; PAGES],
    /// The number of slots that ever had an owner.
    used: AtomicU32,
}

struct Page {
    entries: Box<[Entry]>,
    /// The owners of the chunks, or zero for none.
    owners: Box<[AtomicU64]>,
}

#[cfg(not(any(loom, all(test, shuttle))))]
static SLOT_TABLE: SlotTable = SlotTable::new();

/// The slots, and the offsets of their fields, for debuggers.
#[cfg(not(any(loom, all(test, shuttle))))]
#[repr(C)]
pub(super) struct SlotTableLayout {
    pages: &'static [LeakOnce<Page>; PAGES],
    page_count: usize,
    /// The number of slots of the first page. Each page has twice as many as the one before.
    first_page: usize,
    /// The offset of the address of the slots in a page.
    entries: usize,
}

#[cfg(not(any(loom, all(test, shuttle))))]
impl SlotTableLayout {
    pub(super) const NEW: Self = Self {
        pages: &SLOT_TABLE.pages,
        page_count: PAGES,
        first_page: FIRST_PAGE as usize,
        entries: offset_of!(Page, entries),
    };
}

/// The first slots of the chunks without an owner.
#[cfg(not(any(loom, all(test, shuttle))))]
static VACANT: PerProcess<Vec<u32>> = PerProcess::new();

/// The reference of a registry to the table.
#[cfg(not(any(loom, all(test, shuttle))))]
pub(in crate::task) type SlotTableRef = &'static SlotTable;
#[cfg(any(loom, all(test, shuttle)))]
pub(in crate::task) type SlotTableRef = Box<SlotTable>;

/// Returns the table for a registry.
#[cfg(not(any(loom, all(test, shuttle))))]
pub(in crate::task) fn slot_table() -> SlotTableRef {
    &SLOT_TABLE
}

#[cfg(any(loom, all(test, shuttle)))]
pub(in crate::task) fn slot_table() -> SlotTableRef {
    Box::new(SlotTable::new())
}

impl ChunkOwner {
    /// Creates an owner without chunks.
    pub(in crate::task) fn new() -> Self {
        static NEXT_ID: IdCounter = IdCounter::new();
        Self(NonZeroU64::new(NEXT_ID.next()).expect("serial numbers begin at 1"))
    }
}

impl Page {
    fn new(number: usize) -> Self {
        let chunks = 1 << number;
        let owners = std::iter::repeat_with(|| AtomicU64::new(0)).take(chunks);
        Self {
            entries: Entry::page(chunks * CHUNK as usize),
            owners: owners.collect(),
        }
    }

    /// Returns the entries of a chunk, and its owner.
    fn chunk(&self, offset: usize) -> (&[Entry], &AtomicU64) {
        let entries = &self.entries[offset..offset + CHUNK as usize];
        (entries, &self.owners[offset / CHUNK as usize])
    }
}

impl SlotTable {
    // The atomics of a model are created at run time.
    #[cfg(not(loom))]
    const fn new() -> Self {
        Self {
            pages: [const { LeakOnce::new() }; PAGES],
            used: AtomicU32::new(0),
        }
    }

    #[cfg(loom)]
    fn new() -> Self {
        Self {
            pages: [const { LeakOnce::new() }; PAGES],
            used: AtomicU32::new(0),
        }
    }

    /// Returns the entry of a slot that has an owner.
    #[inline]
    pub(in crate::task) fn entry(&self, slot: u32) -> &Entry {
        let (page, offset) = locate(slot);
        let page = self.pages[page].get().expect("the slot has an owner");
        &page.entries[offset]
    }

    /// Assigns a chunk to a registry, and returns its slots.
    pub(in crate::task) fn open(&self, owner: ChunkOwner) -> Range<u32> {
        let first = take_vacant().unwrap_or_else(|| self.used.fetch_add(CHUNK, Relaxed));
        assert!(first <= u32::MAX - FIRST_PAGE - CHUNK, "too many tasks");
        let (number, offset) = locate(first);
        let page = self.pages[number].get_or_leak(|| Page::new(number));
        // ORDERING: Release, pairs with the walk, which sees the writes of the last owner.
        page.chunk(offset).1.store(owner.0.get(), Release);
        first..first + CHUNK
    }

    /// Returns the entries of a registry.
    pub(in crate::task) fn of(&self, owner: ChunkOwner) -> impl Iterator<Item = &Entry> {
        let used = self.used.load(Relaxed);
        let chunks = (0..used).step_by(CHUNK as usize);
        let owned = chunks.filter_map(move |first| {
            let (page, offset) = locate(first);
            let (entries, owned_by) = self.pages[page].get()?.chunk(offset);
            // ORDERING: Acquire, pairs with `open`.
            (owned_by.load(Acquire) == owner.0.get()).then_some(entries)
        });
        owned.flatten()
    }

    /// Releases the chunks of a registry that is dropped. A chunk with a live task is not reused.
    pub(in crate::task) fn close(&self, owner: ChunkOwner) {
        let used = self.used.load(Relaxed);
        for first in (0..used).step_by(CHUNK as usize) {
            let (page, offset) = locate(first);
            let Some(page) = self.pages[page].get() else {
                continue;
            };
            let (entries, owned_by) = page.chunk(offset);
            if owned_by.load(Relaxed) == owner.0.get() && !entries.iter().any(Entry::is_occupied) {
                owned_by.store(0, Relaxed);
                leave_vacant(first);
            }
        }
    }
}

#[cfg(not(any(loom, all(test, shuttle))))]
fn take_vacant() -> Option<u32> {
    VACANT.lock().pop()
}

#[cfg(any(loom, all(test, shuttle)))]
fn take_vacant() -> Option<u32> {
    None
}

#[cfg(not(any(loom, all(test, shuttle))))]
fn leave_vacant(first: u32) {
    VACANT.lock().push(first);
}

#[cfg(any(loom, all(test, shuttle)))]
fn leave_vacant(_: u32) {}

/// Returns the page of a slot, and the offset in the page.
#[inline]
fn locate(slot: u32) -> (usize, usize) {
    let shifted = slot + FIRST_PAGE;
    let leading = shifted.ilog2();
    let page = leading - FIRST_PAGE.ilog2();
    (page as usize, (shifted - (1 << leading)) as usize)
}
