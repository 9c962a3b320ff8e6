//! The owner's end of a wake set.

use core::fmt;
use core::task::Waker;

use super::block::{Group, Head, Link, NOBODY};
use super::chain;
use super::memory::Block;
use super::waker::Lent;
use super::word::{CHILDREN, first_from};
use crate::loom::sync::atomic::Ordering;

/// The owner's end of a set of wakers, one for each child.
pub(crate) struct WakeSet {
    pub(super) block: Block,
}

impl WakeSet {
    pub(super) fn new(block: Block) -> Self {
        Self { block }
    }

    /// Makes a set for `len` children.
    #[cfg(all(test, feature = "alloc"))]
    pub(super) fn of(len: usize, parent: &Waker) -> Self {
        Self::new(Block::allocate(len, len <= CHILDREN, parent))
    }

    /// Makes a set for the children of one group, that can grow.
    #[cfg(feature = "alloc")]
    pub(crate) fn new_growing(parent: &Waker) -> Self {
        Self::new(Block::allocate(CHILDREN, false, parent))
    }

    /// Makes room for the children of some groups more.
    #[cfg(feature = "alloc")]
    pub(crate) fn grow(&mut self, groups: usize) {
        self.block.grow(groups as u32);
    }

    /// The waker of a child.
    #[cfg(all(test, feature = "alloc"))]
    pub(super) fn waker(&self, child: usize) -> Lent<'_> {
        let (group, child) = self.block.place_of(child);
        Lent::new(group, child)
    }

    /// Starts a pass: leaves the parent's waker for the children, then takes down who was woken.
    ///
    /// Children left over from a pass that was cut short come first. If it is `biased`, that is so
    /// only after one that [gave way](Self::give_way).
    #[inline(always)]
    pub(crate) fn begin(&mut self, parent: &Waker, biased: bool) -> Pass<'_> {
        let rewinds = biased && !self.gave_way();
        let mut pass = self.go_on(parent, rewinds);
        let block = pass.block;
        if block.is_solo() {
            pass.woken = pass.group.take();
        } else {
            take_list(block, biased && !rewinds);
            if rewinds {
                sort_all(block);
            }
        }
        pass
    }

    /// Goes on with a pass that was cut short, and takes down nobody who was woken since.
    #[inline(always)]
    pub(crate) fn go_on(&mut self, parent: &Waker, rewinds: bool) -> Pass<'_> {
        let block = self.block.enter(parent);
        block.owner.gave_way.set(false);
        let group = block.first_group();
        Pass {
            block,
            group,
            first: 0,
            woken: 0,
            cursor: if rewinds { 0 } else { group.cursor.get() },
            rewinds,
        }
    }

    /// The last pass gave way with children left: the next one goes on after those who had their
    /// turn, even if it is biased.
    #[cold]
    pub(crate) fn give_way(&self) {
        self.block.owner.gave_way.set(true);
    }

    /// Whether the last pass gave way.
    #[inline]
    pub(crate) fn gave_way(&self) -> bool {
        self.block.owner.gave_way.get()
    }

    /// Whether a pass was cut short before it came to all groups.
    #[inline]
    #[cfg(feature = "alloc")]
    pub(crate) fn has_left(&self) -> bool {
        self.block.owner.first.get() != NOBODY
    }
}

impl fmt::Debug for WakeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WakeSet").finish_non_exhaustive()
    }
}

/// A pass over the children that were woken before it.
///
/// Those whom it did not come to are kept for the next one when it is dropped.
pub(crate) struct Pass<'a> {
    block: &'a Block,
    /// Where the scan is.
    group: &'a Group,
    /// The number of the first child there.
    first: u32,
    /// Who is left there.
    woken: u32,
    /// Where the scan of this group goes on.
    cursor: u32,
    /// The scan of each group starts with its first child.
    rewinds: bool,
}

impl<'a> Pass<'a> {
    /// The next child, its number and its waker.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Option<(usize, Lent<'a>)> {
        if self.woken == 0 {
            self.advance()?;
        }
        let child = first_from(self.woken, self.cursor);
        self.woken ^= 1 << child;
        self.cursor = (child + 1) % CHILDREN as u32;
        let waker = Lent::new(self.group, child);
        Some(((self.first + child) as usize, waker))
    }

    /// The waker of any child, as [`next`](Self::next) returns it.
    #[inline]
    pub(crate) fn waker(&self, child: usize) -> Lent<'a> {
        let (group, child) = self.block.place_of(child);
        Lent::new(group, child)
    }

    /// Gives way, as [`WakeSet::give_way`]: wakes the parent.
    #[cold]
    #[cfg(feature = "alloc")]
    pub(crate) fn give_way(&self) {
        self.block.owner.gave_way.set(true);
        self.block.wake_parent();
    }

    /// Wakes the parent if others have been woken, whose wake it may have seen before it went on
    /// with this pass.
    #[cold]
    #[cfg(feature = "alloc")]
    pub(crate) fn wake_parent_if_woken(&self) {
        // ORDERING: Relaxed: as in `take_list`.
        if self.block.list.load(Ordering::Relaxed) != NOBODY {
            self.block.wake_parent();
        }
    }

    /// Whether all have had their turn.
    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.woken == 0 && self.block.owner.first.get() == NOBODY
    }

    /// Goes on to the next group.
    #[inline(always)]
    fn advance(&mut self) -> Option<()> {
        if self.block.is_solo() {
            return None;
        }
        let owner = &self.block.owner;
        let group = self.block.linked(owner.first.get())?;
        let next = group.next.get();
        owner.first.set(next);
        if next == NOBODY {
            owner.last.set(NOBODY);
        }
        self.group = group;
        self.first = group.first();
        self.woken = group.take();
        if self.rewinds {
            group.cursor.set(0);
        }
        self.cursor = group.cursor.get();
        Some(())
    }
}

/// Moves the list to the end of the owner's own, sorted if it is to be.
#[inline]
fn take_list(head: &Head, sorted: bool) {
    // ORDERING: Relaxed: one that comes later finds the list empty, and wakes the parent.
    if head.list.load(Ordering::Relaxed) != NOBODY {
        // ORDERING: AcqRel: acquires the links; see the table in `waking`.
        let newest = head.list.swap(NOBODY, Ordering::AcqRel);
        let (first, last) = if sorted {
            sort(head, newest)
        } else {
            (chain::reverse(head, newest), newest)
        };
        append(head, first, last);
    }
}

/// Sorts the owner's chain.
fn sort_all(head: &Head) {
    let (first, last) = sort(head, head.owner.first.get());
    head.owner.first.set(first);
    head.owner.last.set(last);
}

#[inline(never)]
fn sort(head: &Head, chain: Link) -> (Link, Link) {
    chain::sort(head, chain)
}

/// Puts groups at the end of the owner's chain.
#[inline]
fn append(head: &Head, first: Link, last: Link) {
    let old = head.owner.last.replace(last);
    match head.linked(old) {
        None => head.owner.first.set(first),
        Some(old) => old.next.set(first),
    }
}

/// Keeps children that were not polled for the next pass, at the head of the chain.
#[cold]
fn put_back(head: &Head, group: &Group, woken: u32) {
    // If it had bits, it is in the chain, or a waker puts it on the list.
    if !group.put_back(woken) || head.is_solo() {
        return;
    }
    let first = head.owner.first.replace(group.link());
    group.next.set(first);
    if first == NOBODY {
        head.owner.last.set(group.link());
    }
}

impl Drop for Pass<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        if self.woken != 0 {
            put_back(self.block, self.group, self.woken);
        }
        self.group.cursor.set(self.cursor);
        self.block.leave();
    }
}

impl fmt::Debug for Pass<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pass").finish_non_exhaustive()
    }
}
