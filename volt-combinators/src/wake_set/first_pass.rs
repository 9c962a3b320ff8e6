//! The first pass, before a child has cloned its waker.
//!
//! A child that is ready at once never clones its waker. So the block is allocated when the first
//! child clones the waker of its poll. Until then that waker points to a value on the stack of the
//! poll.

use core::fmt;
use core::task::Waker;

use super::block::{Group, Head};
use super::memory::{Block, LazyBlock};
use super::set::WakeSet;
use super::waker::{BorrowedWaker, WakerSource};
use super::word::CHILDREN;
use crate::loom::sync::atomic::{AtomicUsize, Ordering};
use crate::loom::thread;

/// The first pass over the children; allocates the wake set on demand.
pub(crate) struct FirstPass<'a> {
    place: &'a mut Option<WakeSet>,
    state: FirstPassState<'a>,
}

/// The data of the wakers of a first pass.
struct FirstPassState<'a> {
    parent: &'a Waker,
    len: usize,
    /// The thread that polls.
    mark: usize,
    /// The child that is polled.
    child: AtomicUsize,
    block: LazyBlock,
}

impl<'a> FirstPass<'a> {
    /// Begins the first pass over `len` children; `place` is empty, and filled at the end.
    #[inline]
    pub(crate) fn new(place: &'a mut Option<WakeSet>, parent: &'a Waker, len: usize) -> Self {
        debug_assert!(place.is_none());
        let state = FirstPassState {
            parent,
            len,
            mark: thread::mark(),
            child: AtomicUsize::new(0),
            block: LazyBlock::new(),
        };
        Self { place, state }
    }

    /// Returns `true` if no child has cloned its waker.
    #[inline]
    pub(crate) fn is_unused(&self) -> bool {
        self.state.block.get().is_none()
    }

    /// Returns the waker of the child that was [set](Self::set_child) last.
    #[inline]
    pub(crate) fn waker(&self) -> BorrowedWaker<'_> {
        BorrowedWaker::from_source(&self.state)
    }

    /// Sets the child that is polled next.
    #[inline]
    pub(crate) fn set_child(&self, child: usize) {
        // ORDERING: Relaxed: a thread that reads it was started by the child.
        self.state.child.store(child, Ordering::Relaxed);
    }

    /// Returns the waker of any child, once the block is allocated.
    #[inline]
    pub(crate) fn waker_of(&self, child: usize) -> BorrowedWaker<'_> {
        let (group, child) = self.state.head().place_of(child);
        BorrowedWaker::new(group, child)
    }
}

impl FirstPassState<'_> {
    #[inline]
    fn head(&self) -> &Head {
        self.block.get().unwrap_or_else(|| self.make())
    }

    #[cold]
    fn make(&self) -> &Head {
        let block = Block::allocate(self.len, self.len <= CHILDREN, self.parent);
        // ORDERING: Relaxed: published with the block.
        block.poller.store(self.mark, Ordering::Relaxed);
        self.block.get_or_insert(block)
    }
}

impl WakerSource for FirstPassState<'_> {
    fn child(&self) -> (&Group, u32) {
        // ORDERING: Relaxed: as in `set_child`.
        self.head().place_of(self.child.load(Ordering::Relaxed))
    }
}

impl Drop for FirstPass<'_> {
    #[inline]
    fn drop(&mut self) {
        if let Some(block) = self.state.block.take() {
            block.end_pass();
            *self.place = Some(WakeSet::new(block));
        }
    }
}

impl fmt::Debug for FirstPass<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FirstPass").finish_non_exhaustive()
    }
}
