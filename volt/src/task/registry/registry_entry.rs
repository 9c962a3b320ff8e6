//! One place of the registry: a task, or nobody.
//!
//! ```text
//! occupied   the address of the task, with bit 0 set
//! pinned     the same, with bit 1 set too: somebody takes a reference
//! vacant     generation of the last task there << 1
//! ```
//!
//! A place where no task was is all zeros. So a page of them is memory as the system gives it, which takes
//! none before it is written to.
//!
//! # Protocol
//!
//! 1. Whoever owns a vacant place may occupy it, by a plain store.
//! 2. Whoever looks pins what is there, takes a reference to it, and unpins it: by a plain store,
//!    as nobody else writes meanwhile.
//! 3. Whoever completes the task vacates the place, which it then owns, in one step from
//!    *occupied*; where it finds the task pinned, it lets the other go on first. The life
//!    reference is given up later. So what is pinned is alive.
//!
//! A pin lasts for two instructions of a thread, none of which is the user's.

use crate::loom::sync::atomic::AtomicPtr;
use crate::loom::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use crate::loom::thread;
use crate::task::handle::TaskRef;
use crate::task::reference::{Erased, RawTask};
use std::ptr::{self, NonNull};

const OCCUPIED: usize = 1;
const PINNED: usize = 2;

/// A place for one task.
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

/// The task in an occupied place.
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
    /// So many places where no task was.
    #[cfg(not(any(loom, all(test, shuttle))))]
    pub(in crate::task) fn page(entries: usize) -> Box<[Self]> {
        let page = Box::new_zeroed_slice(entries);
        // SAFETY: an atomic pointer that is null, which is what `vacant(0)` is.
        unsafe { page.assume_init() }
    }

    /// So many places where no task was.
    #[cfg(any(loom, all(test, shuttle)))]
    pub(in crate::task) fn page(entries: usize) -> Box<[Self]> {
        let new = || Self(AtomicPtr::new(vacant(0)));
        std::iter::repeat_with(new).take(entries).collect()
    }

    /// The generation of the next task here, for the owner of a vacant place.
    #[inline]
    pub(super) fn next_generation(&self) -> u32 {
        let word = self.0.load(Relaxed);
        debug_assert!(!is(word, OCCUPIED), "somebody is there");
        ((word.addr() >> 1) as u32).wrapping_add(1)
    }

    /// Puts a task into a vacant place, whose owner the caller is.
    #[inline]
    pub(in crate::task) fn occupy(&self, task: Erased) {
        // ORDERING: Release, pairs with the pin: who finds the task finds its id too.
        self.0.store(occupied(task), Release);
    }

    /// Takes the task out that was entered as that generation; the place is the caller's then.
    #[inline]
    pub(in crate::task) fn vacate(&self, generation: u32) {
        loop {
            let seen = self.0.load(Relaxed);
            debug_assert!(is(seen, OCCUPIED), "a task was removed twice");
            // ORDERING: Acquire, pairs with the unpin: the reference that was taken is counted
            // before the life reference is given up.
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

    /// A reference to the task that is here, if there is one.
    pub(in crate::task) fn get(&self) -> Option<TaskRef> {
        let task = self.pin()?;
        // SAFETY: I7: what is pinned is alive; this is a look at its life reference.
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

    /// Whether there is a task.
    pub(super) fn is_occupied(&self) -> bool {
        is(self.0.load(Relaxed), OCCUPIED)
    }
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use super::Entry;

    #[test]
    fn new_place_is_vacant() {
        let page = Entry::page(100);
        assert_eq!(page.len(), 100);
        let is_new = |entry: &Entry| !entry.is_occupied() && entry.next_generation() == 1;
        assert!(page.iter().all(is_new));
    }

    #[test]
    #[cfg(all(target_os = "linux", not(miri)))]
    fn page_takes_no_memory_before_it_is_written_to() {
        const ENTRIES: usize = 1 << 25;
        let resident = || {
            let said = std::fs::read_to_string("/proc/self/statm").expect("it is there");
            let pages = said
                .split_whitespace()
                .nth(1)
                .and_then(|it| it.parse::<usize>().ok());
            pages.expect("a number of pages") * 4096
        };
        let before = resident();
        let page = Entry::page(ENTRIES);
        // Other tests may run beside this one.
        let grown = resident().saturating_sub(before);
        assert!(grown < size_of_val(&*page) / 2, "{grown} bytes");
    }
}
