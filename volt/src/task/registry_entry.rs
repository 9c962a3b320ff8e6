//! One place of the registry: a task, or nobody.
//!
//! ```text
//! occupied   the address of the task, its two lowest bits clear
//! pinned     the same, with bit 1 set: somebody takes a reference
//! vacant     (generation of the last task there << 1) | 1
//! ```
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

use super::header::Erased;
use super::raw_task::RawTask;
use super::task_ref::TaskRef;
use crate::loom::sync::atomic::AtomicPtr;
use crate::loom::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use crate::loom::thread;
use std::ptr::{self, NonNull};

const VACANT: usize = 1;
const PINNED: usize = 2;

/// A place for one task.
pub(super) struct Entry(AtomicPtr<()>);

fn vacant(generation: u32) -> *mut () {
    ptr::without_provenance_mut(((generation as usize) << 1) | VACANT)
}

fn is(word: *mut (), tag: usize) -> bool {
    word.addr() & tag != 0
}

impl Entry {
    /// A place where no task was.
    pub(super) fn new() -> Self {
        Self(AtomicPtr::new(vacant(0)))
    }

    /// The generation of the next task here, for the owner of a vacant place.
    #[inline]
    pub(super) fn next_generation(&self) -> u32 {
        let word = self.0.load(Relaxed);
        debug_assert!(is(word, VACANT), "somebody is there");
        ((word.addr() >> 1) as u32).wrapping_add(1)
    }

    /// Puts a task into a vacant place, whose owner the caller is.
    #[inline]
    pub(super) fn occupy(&self, task: Erased) {
        // ORDERING: Release, pairs with the pin: who finds the task finds its id too.
        self.0.store(task.as_ptr().cast(), Release);
    }

    /// Takes the task out that was entered as that generation; the place is the caller's then.
    #[inline]
    pub(super) fn vacate(&self, generation: u32) {
        loop {
            let seen = self.0.load(Relaxed);
            debug_assert!(!is(seen, VACANT), "a task was removed twice");
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
    pub(super) fn look(&self) -> Option<TaskRef> {
        let task = self.pin()?;
        // SAFETY: I7: what is pinned is alive; this is a look at its life reference.
        let found = TaskRef::new(&unsafe { RawTask::from_raw(task) });
        // ORDERING: Release, pairs with `vacate`.
        self.0.store(task.as_ptr().cast(), Release);
        Some(found)
    }

    fn pin(&self) -> Option<Erased> {
        loop {
            let seen = self.0.load(Relaxed);
            if is(seen, VACANT) {
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
                return NonNull::new(seen.cast());
            }
            thread::yield_now();
        }
    }

    /// Whether there is a task.
    pub(super) fn is_occupied(&self) -> bool {
        !is(self.0.load(Relaxed), VACANT)
    }
}
