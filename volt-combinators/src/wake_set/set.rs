//! The owner's end of a wake set.

use core::fmt;
use core::mem::ManuallyDrop;
use core::task::Waker;

use super::agenda::Agenda;
use super::bits::{WORD, bits_from};
use super::shared::Block;
use crate::loom::sync::atomic::{AtomicUsize, Ordering};

/// The owner's end of a set of wakers, one for each child.
pub(crate) struct WakeSet {
    block: Block,
}

// SAFETY: the shared part is made of atomics and a `WakerCell`; the owner's part goes with the
// owner, whose methods that touch it take `&mut self`.
unsafe impl Send for WakeSet {}
// SAFETY: as above; `&WakeSet` reaches only the shared part.
unsafe impl Sync for WakeSet {}

impl WakeSet {
    /// Makes a set for `len` children, all of whom are due for a first poll.
    pub(crate) fn new(len: usize) -> Self {
        let mut set = Self {
            block: Block::new(len),
        };
        set.agenda().add_all(len);
        set
    }

    /// Starts a pass: leaves the parent's waker for the children, then takes down who was woken.
    ///
    /// Children left over from a pass that was cut short come first.
    #[inline]
    pub(crate) fn begin(&mut self, parent: &Waker, biased: bool) {
        // SAFETY: `&mut self`: we are the owner.
        unsafe { self.block.head().parent.register(parent) };
        let block = self.block;
        let mut agenda = self.agenda();
        if biased && agenda.is_empty() {
            agenda.rewind();
        }
        match block.summaries() {
            _ if block.groups() == 1 => take_group(block, &mut agenda, 0),
            1 => take_summary(block, &mut agenda, 0),
            _ => take_root(block, &mut agenda),
        }
    }

    /// The next child of this pass.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<usize> {
        self.agenda().next()
    }

    /// Whether the pass has come to its end.
    #[inline]
    pub(crate) fn is_idle(&mut self) -> bool {
        self.agenda().is_empty()
    }

    /// The waker of a child. Cloning it counts; the one returned must not be dropped.
    #[inline]
    pub(crate) fn waker(&self, child: usize) -> ManuallyDrop<Waker> {
        debug_assert!(child / WORD < self.block.groups());
        // SAFETY: callers use it under the borrow of a poll, and we hold a count until dropped.
        unsafe { self.block.waker(child) }
    }

    #[inline]
    fn agenda(&mut self) -> Agenda<'_> {
        // SAFETY: `&mut self`, for as long as the result lives.
        unsafe { self.block.agenda() }
    }
}

/// Takes down the woken summaries, then their groups, from the cursor's on.
fn take_root(block: Block, agenda: &mut Agenda<'_>) {
    let start = agenda.start() / WORD;
    for bit in bits_from(take(&block.head().root), start % WORD) {
        for summary in (bit..block.summaries()).step_by(WORD) {
            take_summary(block, agenda, summary);
        }
    }
}

fn take_summary(block: Block, agenda: &mut Agenda<'_>, summary: usize) {
    let start = agenda.start();
    let first = if start / WORD == summary {
        start % WORD
    } else {
        0
    };
    for bit in bits_from(take(block.summary(summary)), first) {
        take_group(block, agenda, summary * WORD + bit);
    }
}

#[inline]
fn take_group(block: Block, agenda: &mut Agenda<'_>, group: usize) {
    agenda.add(group, take(&block.group(group).woken));
}

#[inline]
fn take(word: &AtomicUsize) -> usize {
    // ORDERING: AcqRel: see the table in `shared`.
    word.swap(0, Ordering::AcqRel)
}

impl Drop for WakeSet {
    fn drop(&mut self) {
        let block = self.block;
        // A parent's waker may panic when it is dropped; the count must be given back regardless.
        struct Release(Block);
        impl Drop for Release {
            fn drop(&mut self) {
                // SAFETY: the owner's own count, given back once.
                unsafe { self.0.release() }
            }
        }
        let _release = Release(block);
        // SAFETY: `&mut self`: we are the owner.
        unsafe { block.head().parent.close() };
    }
}

impl fmt::Debug for WakeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WakeSet")
            .field("groups", &self.block.groups())
            .field("parent", &self.block.head().parent)
            .finish()
    }
}
