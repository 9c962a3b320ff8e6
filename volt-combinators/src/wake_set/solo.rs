//! A pass over the only group of a set.
//!
//! It is what most combinators have: what it does between two polls of children stays in registers.

use core::fmt;
use core::mem;
use core::task::Waker;

use super::block::Group;
use super::memory::Block;
use super::set::WakeSet;
use super::waker::Lent;
use super::word::{CHILDREN, first_from};

/// A pass over the children of a set's only group that were woken before it.
///
/// Those whom it did not come to are kept for the next one.
pub(crate) struct SoloPass<'a> {
    block: &'a Block,
    group: &'a Group,
    /// Who is left.
    woken: u32,
    /// Where the scan goes on.
    cursor: u32,
}

impl WakeSet {
    /// As [`begin`](Self::begin), in a set for no more children than stand in a group.
    #[inline(always)]
    pub(crate) fn begin_solo(&mut self, parent: &Waker, biased: bool) -> SoloPass<'_> {
        let block = self.block.enter(parent);
        debug_assert!(block.is_solo());
        let group = block.first_group();
        SoloPass {
            block,
            group,
            woken: block.owner.left.get() | group.take(),
            cursor: if biased { 0 } else { group.cursor.get() },
        }
    }
}

impl<'a> SoloPass<'a> {
    /// The next child, its number and its waker.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Option<(usize, Lent<'a>)> {
        if self.woken == 0 {
            return None;
        }
        let child = first_from(self.woken, self.cursor);
        self.woken ^= 1 << child;
        self.cursor = (child + 1) % CHILDREN as u32;
        Some((child as usize, Lent::new(self.group, child)))
    }

    /// Ends the pass.
    #[inline(always)]
    pub(crate) fn end(self) {
        end(self.block, self.woken, self.cursor);
        mem::forget(self);
    }
}

#[inline(always)]
fn end(block: &Block, woken: u32, cursor: u32) {
    block.owner.left.set(woken);
    block.first_group().cursor.set(cursor);
    block.leave();
}

/// A child has panicked.
#[cold]
#[inline(never)]
fn end_early(block: &Block, woken: u32, cursor: u32) {
    end(block, woken, cursor);
}

impl Drop for SoloPass<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        end_early(self.block, self.woken, self.cursor);
    }
}

impl fmt::Debug for SoloPass<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SoloPass").finish_non_exhaustive()
    }
}
