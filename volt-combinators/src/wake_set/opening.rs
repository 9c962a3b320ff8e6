//! The first pass, before anybody has asked for a waker.
//!
//! A child that is ready at once never asks for one, so a block is not allocated before the first
//! child clones the waker that it is polled with. Until then that is a waker on the stack of the
//! poll.

use core::fmt;
use core::task::Waker;

use super::block::{Group, Head};
use super::memory::{Block, LateBlock};
use super::set::WakeSet;
use super::waker::{Lender, Lent};
use super::word::CHILDREN;
use crate::loom::sync::atomic::{AtomicUsize, Ordering};
use crate::loom::thread;

/// Makes a wake set in its place when it is first needed.
pub(crate) struct Opening<'a> {
    place: &'a mut Option<WakeSet>,
    first: First<'a>,
}

/// What the wakers of a first pass need.
struct First<'a> {
    parent: &'a Waker,
    len: usize,
    /// The thread that polls.
    mark: usize,
    /// The child that is polled.
    child: AtomicUsize,
    block: LateBlock,
}

impl<'a> Opening<'a> {
    /// Begins the first pass over `len` children; `place` is empty, and filled at the end.
    #[inline]
    pub(crate) fn new(place: &'a mut Option<WakeSet>, parent: &'a Waker, len: usize) -> Self {
        debug_assert!(place.is_none());
        let first = First {
            parent,
            len,
            mark: thread::mark(),
            child: AtomicUsize::new(0),
            block: LateBlock::new(),
        };
        Self { place, first }
    }

    /// Whether nobody has asked for a waker to keep.
    #[inline]
    pub(crate) fn is_unused(&self) -> bool {
        self.first.block.get().is_none()
    }

    /// The waker of the child that was [turned to](Self::turn_to) last.
    #[inline]
    pub(crate) fn waker(&self) -> Lent<'_> {
        Lent::by(&self.first)
    }

    /// PollPass to another child.
    #[inline]
    pub(crate) fn turn_to(&self, child: usize) {
        // ORDERING: Relaxed: whoever reads it on another thread has been started by the child.
        self.first.child.store(child, Ordering::Relaxed);
    }

    /// The own waker of any child.
    #[inline]
    pub(crate) fn waker_of(&self, child: usize) -> Lent<'_> {
        let (group, child) = self.first.head().place_of(child);
        Lent::new(group, child)
    }
}

impl First<'_> {
    #[inline]
    fn head(&self) -> &Head {
        self.block.get().unwrap_or_else(|| self.make())
    }

    #[cold]
    fn make(&self) -> &Head {
        let block = Block::allocate(self.len, self.len <= CHILDREN, self.parent);
        // ORDERING: Relaxed: published with the block.
        block.poller.store(self.mark, Ordering::Relaxed);
        self.block.get_or_place(block)
    }
}

impl Lender for First<'_> {
    fn child(&self) -> (&Group, u32) {
        // ORDERING: Relaxed: as in `turn_to`.
        self.head().place_of(self.child.load(Ordering::Relaxed))
    }
}

impl Drop for Opening<'_> {
    #[inline]
    fn drop(&mut self) {
        if let Some(block) = self.first.block.take() {
            block.leave();
            *self.place = Some(WakeSet::new(block));
        }
    }
}

impl fmt::Debug for Opening<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opening").finish_non_exhaustive()
    }
}
