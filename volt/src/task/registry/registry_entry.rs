//! One entry of the registry: a task, or a vacant slot.
//!
//! ```text
//! occupied   the address of the task, with bit 0 set
//! pinned     the same, with bit 1 set too: a reader clones a reference
//! vacant     generation of the last task in the slot << 1
//! ```
//!
//! An entry that never had a task is zero. So the pages of a new table use no physical memory
//! before they are written.
//!
//! # Protocol
//!
//! 1. The owner of a vacant entry occupies it by a plain store.
//! 2. A reader pins an occupied entry, clones a reference to the task, and unpins the entry. The
//!    unpin is a plain store, because no other thread writes a pinned entry.
//! 3. The thread that completes the task vacates the entry in one step from *occupied*, and then
//!    owns it. It waits while the entry is pinned. It drops the life reference later, so a pinned
//!    task is alive.
//!
//! A pin lasts for two instructions of its thread, and none of them is user code.

use crate::loom::sync::atomic::AtomicPtr;
use crate::loom::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use crate::loom::thread;
use crate::task::handle::TaskRef;
use crate::task::reference::{Erased, RawTask};
use std::ptr::{self, NonNull};

const OCCUPIED: usize = 1;
const PINNED: usize = 2;

/// An entry for one task.
#[repr(transparent)]
pub(in crate::task) struct Entry(AtomicPtr<()>);

fn vacant(generation: u32) -> *mut () {
    ptr::without_provenance_mut((generation as usize) << 1)
}

fn occupied(task: Erased) -> *mut () {
    task.as_ptr()
        .cast::<()>()
        .map_addr(|address| address | OCCUPIED)
}

/// Returns the task of an occupied entry.
fn occupant(word: *mut ()) -> Option<Erased> {
    NonNull::new(
        word.map_addr(|address| address & !(OCCUPIED | PINNED))
            .cast(),
    )
}

fn is(word: *mut (), tag: usize) -> bool {
    word.addr() & tag != 0
}

impl Entry {
    /// Creates vacant entries of generation zero.
    #[cfg(not(any(loom, all(test, shuttle))))]
    pub(in crate::task) fn page(entries: usize) -> Box<[Self]> {
        let page = Box::new_zeroed_slice(entries);
        // SAFETY: An atomic pointer may be null, which is the value of `vacant(0)`.
        unsafe { page.assume_init() }
    }

    /// Creates vacant entries of generation zero.
    #[cfg(any(loom, all(test, shuttle)))]
    pub(in crate::task) fn page(entries: usize) -> Box<[Self]> {
        let new = || Self(AtomicPtr::new(vacant(0)));
        std::iter::repeat_with(new).take(entries).collect()
    }

    /// Returns the generation of the next task, for the owner of a vacant entry.
    #[inline]
    pub(super) fn next_generation(&self) -> u32 {
        let word = self.0.load(Relaxed);
        debug_assert!(!is(word, OCCUPIED), "the entry is occupied");
        ((word.addr() >> 1) as u32).wrapping_add(1)
    }

    /// Stores a task in a vacant entry that the caller owns.
    #[inline]
    pub(in crate::task) fn occupy(&self, task: Erased) {
        // ORDERING: Release, pairs with the pin: a reader of the task sees its id.
        self.0.store(occupied(task), Release);
    }

    /// Removes the task of a generation. The caller owns the entry afterwards.
    #[inline]
    pub(in crate::task) fn vacate(&self, generation: u32) {
        loop {
            let seen = self.0.load(Relaxed);
            debug_assert!(is(seen, OCCUPIED), "a task was removed twice");
            // ORDERING: Acquire, pairs with the unpin: the reference of the reader is counted
            // before the life reference is dropped.
            if !is(seen, PINNED)
                && self
                    .0
                    .compare_exchange(seen, vacant(generation), Acquire, Relaxed)
                    .is_ok()
            {
                return;
            }
            thread::yield_now();
        }
    }

    /// Returns a reference to the task, if there is one.
    pub(in crate::task) fn get(&self) -> Option<TaskRef> {
        let task = self.pin()?;
        // SAFETY: I7: a pinned task is alive, and its life reference is borrowed here.
        let found = TaskRef::new(&unsafe { RawTask::from_raw(task) });
        // ORDERING: Release, pairs with `vacate`.
        self.0.store(occupied(task), Release);
        Some(found)
    }

    fn pin(&self) -> Option<Erased> {
        loop {
            let seen = self.0.load(Relaxed);
            if !is(seen, OCCUPIED) {
                return None;
            }
            let pinned = seen.map_addr(|address| address | PINNED);
            // ORDERING: Acquire, pairs with `occupy`.
            if !is(seen, PINNED)
                && self
                    .0
                    .compare_exchange(seen, pinned, Acquire, Relaxed)
                    .is_ok()
            {
                return occupant(seen);
            }
            thread::yield_now();
        }
    }

    /// Returns `true` if there is a task.
    pub(super) fn is_occupied(&self) -> bool {
        is(self.0.load(Relaxed), OCCUPIED)
    }
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use super::Entry;

    #[test]
    fn new_entry_is_vacant() {
        let page = Entry::page(100);
        assert_eq!(page.len(), 100);
        let is_new = |entry: &Entry| !entry.is_occupied() && entry.next_generation() == 1;
        assert!(page.iter().all(is_new));
    }

    #[test]
    #[cfg(all(target_os = "linux", not(miri)))]
    fn new_page_uses_no_physical_memory() {
        const ENTRIES: usize = 1 << 25;
        let resident = || {
            let text = std::fs::read_to_string("/proc/self/statm").expect("/proc is mounted");
            let pages = text
                .split_whitespace()
                .nth(1)
                .and_then(|field| field.parse::<usize>().ok());
            pages.expect("a number of pages") * 4096
        };
        let before = resident();
        let page = Entry::page(ENTRIES);
        // Other tests may run at the same time.
        let grown = resident().saturating_sub(before);
        assert!(grown < size_of_val(&*page) / 2, "{grown} bytes");
    }
}
