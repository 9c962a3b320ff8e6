//! A pass over the only group of a set.
//!
//! Most combinators have one group. The state between two polls of children stays in registers.

use core::fmt;
use core::mem;
use core::task::Waker;

use super::block::Group;
use super::memory::Block;
use super::set::WakeSet;
use super::waker::BorrowedWaker;
use super::word::{CHILDREN, next_set_bit};

/// A pass over the children of a set's only group that were woken before it.
///
/// The children that it did not reach are kept for the next pass.
pub(crate) struct SoloPass<'a> {
    block: &'a Block,
    group: &'a Group,
    /// The woken children that remain.
    woken: u32,
    /// The child at which the scan continues.
    cursor: u32,
}

impl WakeSet {
    /// Starts a pass, as [`begin`](Self::begin) does, over a set with one group.
    #[inline(always)]
    pub(crate) fn begin_solo(&mut self, parent: &Waker, biased: bool) -> SoloPass<'_> {
        let block = self.block.begin_pass(parent);
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
    /// Returns the next child: its number and its waker.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Option<(usize, BorrowedWaker<'a>)> {
        if self.woken == 0 {
            return None;
        }
        let child = next_set_bit(self.woken, self.cursor);
        self.woken ^= 1 << child;
        self.cursor = (child + 1) % CHILDREN as u32;
        Some((child as usize, BorrowedWaker::new(self.group, child)))
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
    block.end_pass();
}

/// Ends the pass after the panic of a child.
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
