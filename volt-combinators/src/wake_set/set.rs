//! The wake set, as its owner uses it.

use core::fmt;
use core::task::Waker;

use super::block::{Group, Head, Link, NO_LINK};
use super::chain;
use super::memory::Block;
use super::waker::BorrowedWaker;
use super::word::{CHILDREN, Word, next_set_bit};
use crate::loom::sync::atomic::Ordering;

/// The wakers of a combinator's children, as the owner uses them.
pub(crate) struct WakeSet {
    pub(super) block: Block,
}

impl WakeSet {
    pub(super) fn new(block: Block) -> Self {
        Self { block }
    }

    /// Creates a set for `len` children.
    #[cfg(all(test, feature = "alloc"))]
    pub(super) fn of(len: usize, parent: &Waker) -> Self {
        Self::new(Block::allocate(len, len <= CHILDREN, parent))
    }

    /// Creates a set for the children of one group, which can grow.
    #[cfg(feature = "alloc")]
    pub(crate) fn new_growing(parent: &Waker) -> Self {
        Self::new(Block::allocate(CHILDREN, false, parent))
    }

    /// Reserves room for at least this number of groups. The set at least doubles if it grows.
    #[cfg(feature = "alloc")]
    pub(crate) fn reserve_groups(&mut self, groups: usize) {
        let now = self.block.owner.groups.get();
        if now < groups as u32 {
            self.block.grow(now.max(groups as u32 - now));
        }
    }

    /// Returns the waker of a child.
    pub(crate) fn waker(&self, child: usize) -> BorrowedWaker<'_> {
        let (group, child) = self.block.place_of(child);
        BorrowedWaker::new(group, child)
    }

    /// Returns `true` if a child was woken, and no pass has taken it since. Wakes on other threads
    /// may not be visible yet.
    pub(crate) fn is_woken(&self, child: usize) -> bool {
        let (group, child) = self.block.place_of(child);
        // ORDERING: Relaxed. The result is shown, and decides nothing.
        let word = Word::from_raw(group.word.load(Ordering::Relaxed));
        word.woken() & 1 << child != 0
    }

    /// Starts a pass: stores the parent's waker for the children, then takes the woken children.
    ///
    /// The remaining children of a pass that stopped early come first. A `biased` pass does so only
    /// if the last one [yielded](Self::yield_to_task).
    #[inline(always)]
    pub(crate) fn begin(&mut self, parent: &Waker, biased: bool) -> Pass<'_> {
        let rewinds = biased && !self.yielded();
        let mut pass = self.resume(parent, rewinds);
        if pass.block.is_solo() {
            pass.woken |= pass.group.take();
        } else if rewinds {
            pass.rewind();
        } else {
            take_list(pass.block, biased);
        }
        pass
    }

    /// Continues a pass that stopped early, without the children that were woken since.
    #[inline(always)]
    pub(crate) fn resume(&mut self, parent: &Waker, rewinds: bool) -> Pass<'_> {
        let block = self.block.begin_pass(parent);
        let owner = &block.owner;
        owner.yielded.set(false);
        let group = block.cut();
        Pass {
            block,
            group,
            first: group.first(),
            woken: owner.left.get(),
            cursor: if rewinds { 0 } else { group.cursor.get() },
            rewinds,
        }
    }

    /// Takes all woken children, for a caller that polls each started child next.
    #[cold]
    pub(crate) fn take_all(&mut self, parent: &Waker) {
        let mut pass = self.begin(parent, false);
        while pass.next().is_some() {}
    }

    /// Drops the parent's waker at the end of a pending poll, if no child can wake it.
    #[inline]
    pub(crate) fn drop_parent_if_unreachable(&mut self) {
        self.block.drop_parent_if_unreachable();
    }

    /// Records that the last pass yielded with children left. The next pass continues after the
    /// children that were polled, even if it is biased.
    #[cold]
    pub(crate) fn yield_to_task(&self) {
        self.block.owner.yielded.set(true);
    }

    /// Returns `true` if the last pass yielded to the task.
    #[inline]
    pub(crate) fn yielded(&self) -> bool {
        self.block.owner.yielded.get()
    }

    /// Returns `true` if a pass stopped before it reached all groups.
    #[inline]
    #[cfg(feature = "alloc")]
    pub(crate) fn has_remaining(&self) -> bool {
        let owner = &self.block.owner;
        owner.left.get() != 0 || owner.first.get() != NO_LINK
    }
}

impl fmt::Debug for WakeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WakeSet").finish_non_exhaustive()
    }
}

/// A pass over the children that were woken before it.
///
/// The children that it did not reach are kept for the next pass when it is dropped.
pub(crate) struct Pass<'a> {
    block: &'a Block,
    /// The group that is scanned.
    group: &'a Group,
    /// The number of its first child.
    first: u32,
    /// Its woken children that remain.
    woken: u32,
    /// The child at which the scan of this group continues.
    cursor: u32,
    /// The scan of each group starts with its first child.
    rewinds: bool,
}

impl<'a> Pass<'a> {
    /// Returns the next child: its number and its waker.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Option<(usize, BorrowedWaker<'a>)> {
        if self.woken == 0 {
            self.advance()?;
        }
        let child = next_set_bit(self.woken, self.cursor);
        self.woken ^= 1 << child;
        self.cursor = (child + 1) % CHILDREN as u32;
        let waker = BorrowedWaker::new(self.group, child);
        Some(((self.first + child) as usize, waker))
    }

    /// Returns the waker of any child, as [`next`](Self::next) does.
    #[inline]
    pub(crate) fn waker(&self, child: usize) -> BorrowedWaker<'a> {
        let (group, child) = match child.wrapping_sub(self.first as usize) {
            near if near < CHILDREN => (self.group, near as u32),
            _ => self.block.place_of(child),
        };
        BorrowedWaker::new(group, child)
    }

    /// Yields to the task, as [`WakeSet::yield_to_task`] does, and wakes the parent.
    #[cold]
    #[cfg(feature = "alloc")]
    pub(crate) fn yield_to_task(&self) {
        self.block.owner.yielded.set(true);
        self.block.wake_parent();
    }

    /// Wakes the parent if other children have been woken. The parent may have consumed their wake
    /// before it continued this pass.
    #[cold]
    #[cfg(feature = "alloc")]
    pub(crate) fn wake_parent_if_woken(&self) {
        // ORDERING: Relaxed: as in `take_list`.
        if self.block.list.load(Ordering::Relaxed) != NO_LINK {
            self.block.wake_parent();
        }
    }

    /// Returns `true` if all children have been polled.
    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.woken == 0 && self.block.owner.first.get() == NO_LINK
    }

    /// Continues with the next group.
    #[inline(always)]
    fn advance(&mut self) -> Option<()> {
        if self.block.is_solo() {
            return None;
        }
        let group = pop(self.block)?;
        self.group = group;
        self.first = group.first();
        self.woken = group.take();
        self.cursor = if self.rewinds { 0 } else { group.cursor.get() };
        Some(())
    }

    /// Takes the list, and returns to the first woken child.
    #[inline(never)]
    fn rewind(&mut self) {
        merge_list(self.block);
        let first = self.block.owner.first.get();
        if self.woken == 0 || first == NO_LINK || first > self.group.link() {
            return;
        }
        if first == self.group.link() {
            pop(self.block);
            self.woken |= self.group.take();
        } else {
            // If the group had bits, it is in the chain, or a waker pushes it to the list.
            if self.group.put_back(self.woken) {
                self.group.next.set(NO_LINK);
                let link = self.group.link();
                merge_into_chain(self.block, (link, link));
            }
            self.woken = 0;
        }
    }
}

/// Removes the first group of the owner's chain.
#[inline(always)]
fn pop(head: &Head) -> Option<&Group> {
    let owner = &head.owner;
    let group = head.linked(owner.first.get())?;
    let next = group.next.get();
    owner.first.set(next);
    if next == NO_LINK {
        owner.last.set(NO_LINK);
    }
    Some(group)
}

/// Moves the list to the end of the owner's chain, sorted on request.
#[inline]
fn take_list(head: &Head, sorted: bool) {
    // ORDERING: Relaxed: a later wake finds the list empty, and wakes the parent.
    if head.list.load(Ordering::Relaxed) != NO_LINK {
        // ORDERING: AcqRel: acquires the links; see the table in `transitions`.
        let newest = head.list.swap(NO_LINK, Ordering::AcqRel);
        let (first, last) = if sorted {
            head.owner.is_sorted.set(false);
            chain::sort(head, newest)
        } else {
            (chain::reverse(head, newest), newest)
        };
        append(head, first, last);
    }
}

/// Appends groups to the owner's chain.
#[inline]
fn append(head: &Head, first: Link, last: Link) {
    let old = head.owner.last.replace(last);
    match head.linked(old) {
        None => head.owner.first.set(first),
        Some(old) => old.next.set(first),
    }
}

/// Moves the list into the owner's chain, in the order of the groups' numbers.
fn merge_list(head: &Head) {
    if !head.owner.is_sorted.get() {
        let (first, last) = chain::sort(head, head.owner.first.get());
        head.owner.first.set(first);
        head.owner.last.set(last);
        head.owner.is_sorted.set(true);
    }
    // ORDERING: as in `take_list`.
    if head.list.load(Ordering::Relaxed) != NO_LINK {
        let newest = head.list.swap(NO_LINK, Ordering::AcqRel);
        merge_into_chain(head, chain::sort(head, newest));
    }
}

/// Merges a sorted chain into the owner's, which is sorted.
fn merge_into_chain(head: &Head, (first, last): (Link, Link)) {
    let owner = &head.owner;
    owner
        .first
        .set(chain::merge(head, first, owner.first.get()));
    owner.last.set(last.max(owner.last.get()));
}

impl Drop for Pass<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        let owner = &self.block.owner;
        self.block.set_cut(self.group);
        owner.left.set(self.woken);
        self.group.cursor.set(self.cursor);
        self.block.end_pass();
    }
}

impl fmt::Debug for Pass<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pass").finish_non_exhaustive()
    }
}
