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

    /// Makes room for the children of that many groups, if there is none: for twice as many as now at
    /// least.
    #[cfg(feature = "alloc")]
    pub(crate) fn cover(&mut self, groups: usize) {
        let now = self.block.owner.groups.get();
        if now < groups as u32 {
            self.block.grow(now.max(groups as u32 - now));
        }
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
        if pass.block.is_solo() {
            pass.woken |= pass.group.take();
        } else if rewinds {
            pass.rewind();
        } else {
            take_list(pass.block, biased);
        }
        pass
    }

    /// Goes on with a pass that was cut short, and takes down nobody who was woken since.
    #[inline(always)]
    pub(crate) fn go_on(&mut self, parent: &Waker, rewinds: bool) -> Pass<'_> {
        let block = self.block.enter(parent);
        let owner = &block.owner;
        owner.gave_way.set(false);
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

    /// The end of a poll that leaves the parent waiting: drops its waker if nobody can wake it.
    #[inline]
    pub(crate) fn rest(&mut self) {
        self.block.rest();
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
        let owner = &self.block.owner;
        owner.left.get() != 0 || owner.first.get() != NOBODY
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
        let (group, child) = match child.wrapping_sub(self.first as usize) {
            near if near < CHILDREN => (self.group, near as u32),
            _ => self.block.place_of(child),
        };
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
        let group = pop(self.block)?;
        self.group = group;
        self.first = group.first();
        self.woken = group.take();
        self.cursor = if self.rewinds { 0 } else { group.cursor.get() };
        Some(())
    }

    /// Takes the list, and goes back to the first child that was woken.
    #[inline(never)]
    fn rewind(&mut self) {
        merge_list(self.block);
        let first = self.block.owner.first.get();
        if self.woken == 0 || first == NOBODY || first > self.group.link() {
            return;
        }
        if first == self.group.link() {
            pop(self.block);
            self.woken |= self.group.take();
        } else {
            // If it had bits, it is in the chain, or a waker puts it on the list.
            if self.group.put_back(self.woken) {
                self.group.next.set(NOBODY);
                let link = self.group.link();
                merge_into_chain(self.block, (link, link));
            }
            self.woken = 0;
        }
    }
}

/// Takes the first group off the owner's chain.
#[inline(always)]
fn pop(head: &Head) -> Option<&Group> {
    let owner = &head.owner;
    let group = head.linked(owner.first.get())?;
    let next = group.next.get();
    owner.first.set(next);
    if next == NOBODY {
        owner.last.set(NOBODY);
    }
    Some(group)
}

/// Moves the list to the end of the owner's chain; if it is to be, the list is sorted.
#[inline]
fn take_list(head: &Head, sorted: bool) {
    // ORDERING: Relaxed: one that comes later finds the list empty, and wakes the parent.
    if head.list.load(Ordering::Relaxed) != NOBODY {
        // ORDERING: AcqRel: acquires the links; see the table in `waking`.
        let newest = head.list.swap(NOBODY, Ordering::AcqRel);
        let (first, last) = if sorted {
            head.owner.is_sorted.set(false);
            chain::sort(head, newest)
        } else {
            (chain::reverse(head, newest), newest)
        };
        append(head, first, last);
    }
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

/// Moves the list into the owner's chain, in the order of the groups' numbers.
fn merge_list(head: &Head) {
    if !head.owner.is_sorted.get() {
        let (first, last) = chain::sort(head, head.owner.first.get());
        head.owner.first.set(first);
        head.owner.last.set(last);
        head.owner.is_sorted.set(true);
    }
    // ORDERING: as in `take_list`.
    if head.list.load(Ordering::Relaxed) != NOBODY {
        let newest = head.list.swap(NOBODY, Ordering::AcqRel);
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
        self.block.leave();
    }
}

impl fmt::Debug for Pass<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pass").finish_non_exhaustive()
    }
}
