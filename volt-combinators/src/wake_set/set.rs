//! The owner's end of a wake set.

use core::fmt;
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::ptr::{self, NonNull};
use core::task::Waker;

use super::block::{self, Group, Head, Owner};
use super::chain;
use super::closing;
use super::waking;
use super::word::{CHILDREN, Word, first_from};
use crate::loom::sync::atomic::Ordering;
use crate::loom::thread;

/// The owner's end of a set of wakers, one for each child.
pub(crate) struct WakeSet {
    head: NonNull<Head>,
}

// SAFETY: the shared part is made of atomics, and of wakers, which are thread-safe; the owner's
// part goes with the owner, whose methods that touch it take `&mut self`.
unsafe impl Send for WakeSet {}
// SAFETY: as above; `&WakeSet` reaches only what is never written.
unsafe impl Sync for WakeSet {}

impl WakeSet {
    /// Makes a set for `len` children, none of them woken.
    #[cfg(test)]
    pub(super) fn new(len: usize, parent: Waker) -> Self {
        Self {
            head: block::new(len, len <= CHILDREN, parent),
        }
    }

    /// Makes a set for the children of one group, that can grow.
    pub(crate) fn new_growing(parent: Waker) -> Self {
        Self {
            head: block::new(CHILDREN, false, parent),
        }
    }

    /// Makes room for the children of some groups more, from the number `first` on, which is where
    /// the room ended.
    pub(crate) fn grow(&mut self, first: usize, groups: usize) {
        // SAFETY: the owner, of a set that is not solo.
        unsafe { block::grow(self.head, first, groups) };
    }

    /// The waker of a child, which counts when cloned and is not dropped.
    #[cfg(test)]
    pub(super) fn waker(&self, child: usize) -> ManuallyDrop<Waker> {
        // SAFETY: I1: we hold the block.
        let head = unsafe { self.head.as_ref() };
        // SAFETY: the tests, on the owner's thread.
        let group = unsafe { head.group_of(child) };
        // SAFETY: used under the borrow.
        unsafe { waking::waker(group, (child % CHILDREN) as u32) }
    }

    pub(super) fn from_head(head: NonNull<Head>) -> Self {
        Self { head }
    }

    /// Starts a pass: leaves the parent's waker for the children, then takes down who was woken.
    ///
    /// Children left over from a pass that was cut short come first.
    #[inline]
    pub(crate) fn begin(&mut self, parent: &Waker, biased: bool) -> Pass<'_> {
        // SAFETY: I1: we hold the block.
        let head = unsafe { self.head.as_ref() };
        // SAFETY: `&mut self`: we are the owner.
        unsafe { head.register(parent) };
        // ORDERING: Relaxed: read by this thread only, see `waking::hand`.
        head.poller.store(thread::mark(), Ordering::Relaxed);
        let mut pass = Pass {
            head,
            group: NonNull::dangling(),
            first: 0,
            woken: 0,
            cursor: 0,
            _owner: PhantomData,
        };
        if head.is_solo {
            // SAFETY: the owner, and a set has a child at least.
            pass.enter(unsafe { head.group_of(0) });
        } else {
            pass.take_list();
        }
        if biased {
            pass.rewind();
        }
        pass
    }
}

impl Drop for WakeSet {
    fn drop(&mut self) {
        // SAFETY: the owner goes.
        unsafe { closing::close(self.head) };
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
    head: &'a Head,
    /// Where the scan is; dangling until the first group is entered.
    group: NonNull<Group>,
    first: u32,
    /// Who is left in this group.
    woken: u32,
    /// Where the scan of this group goes on.
    cursor: u32,
    _owner: PhantomData<&'a mut WakeSet>,
}

impl Pass<'_> {
    #[inline]
    fn owner<R>(&mut self, with: impl FnOnce(&mut Owner) -> R) -> R {
        // SAFETY: I3: the pass borrows its owner, and `with` calls nothing of the user's.
        self.head
            .owner
            .with_mut(|owner| with(unsafe { &mut *owner }))
    }

    /// The next child, its number and its waker. The waker counts when cloned, and is not dropped.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<(usize, ManuallyDrop<Waker>)> {
        if self.woken == 0 {
            self.advance()?;
        }
        let child = first_from(self.woken, self.cursor);
        self.woken ^= 1 << child;
        self.cursor = (child + 1) % CHILDREN as u32;
        // SAFETY: the owner holds the block, and callers use it under the borrow of a poll.
        let waker = unsafe { waking::waker(self.group, child) };
        Some(((self.first + child) as usize, waker))
    }

    /// The waker of any child, as [`next`](Self::next) returns it.
    #[inline]
    pub(crate) fn waker(&self, child: usize) -> ManuallyDrop<Waker> {
        // SAFETY: the owner, whose children have room.
        let group = unsafe { self.head.group_of(child) };
        // SAFETY: as in `next`.
        unsafe { waking::waker(group, (child % CHILDREN) as u32) }
    }

    /// Wakes the parent: the pass gives way, and has to be gone on with.
    #[cold]
    pub(crate) fn wake_parent(&self) {
        // SAFETY: the owner, who replaces the waker before a pass only.
        unsafe { self.head.wake_parent() };
    }

    /// Whether all have had their turn.
    #[inline]
    pub(crate) fn is_over(&mut self) -> bool {
        self.woken == 0 && self.owner(|owner| owner.first.is_null())
    }

    /// Goes on to the next group.
    #[inline]
    fn advance(&mut self) -> Option<()> {
        if self.head.is_solo {
            return None;
        }
        let group = self.owner(|owner| {
            let group = NonNull::new(owner.first)?;
            // SAFETY: I1: a group of ours.
            let next = unsafe { group.as_ref() }.next.load(Ordering::Relaxed);
            owner.first = next;
            if next.is_null() {
                owner.last = ptr::null_mut();
            }
            Some(group)
        })?;
        self.enter(group);
        Some(())
    }

    /// Takes the woken children of a group.
    #[inline]
    fn enter(&mut self, this: NonNull<Group>) {
        // SAFETY: I1: a group of ours.
        let group = unsafe { this.as_ref() };
        self.group = this;
        self.first = group.first;
        // ORDERING: Acquire, AcqRel: see the table in `waking`.
        let mut now = Word::from_raw(group.word.load(Ordering::Acquire)).woken();
        while now != 0 {
            self.woken |= now;
            // Who takes bits that are set subtracts them; who clears them has to try again.
            let before = group.word.fetch_sub(now.into(), Ordering::AcqRel);
            now = Word::from_raw(before).woken() & !now;
        }
        let cursor = self.owner(|owner| owner.cursor);
        self.cursor = cursor.saturating_sub(self.first);
        if self.cursor >= CHILDREN as u32 {
            self.cursor = 0;
        }
    }

    /// Moves the list to the end of the owner's own.
    #[inline]
    fn take_list(&mut self) {
        // ORDERING: Relaxed: one that comes later finds the list empty, and wakes the parent.
        if self.head.list.load(Ordering::Relaxed).is_null() {
            return;
        }
        // ORDERING: AcqRel: acquires the links; see the table in `waking`.
        let newest = self.head.list.swap(ptr::null_mut(), Ordering::AcqRel);
        // SAFETY: groups of ours, whose links are ours until we take their bits.
        let oldest = unsafe { chain::reverse(newest) };
        // SAFETY: the owner; as above.
        unsafe { append(self.head, oldest, newest) };
    }

    /// Brings all that is to be done in the order of the children.
    #[cold]
    fn rewind(&mut self) {
        self.cursor = 0;
        let first = self.owner(|owner| {
            owner.cursor = 0;
            owner.first
        });
        // SAFETY: groups of ours, whose links are ours until we take their bits.
        let (first, last) = unsafe { chain::sort(first) };
        self.owner(|owner| (owner.first, owner.last) = (first, last));
    }
}

/// Adds children to the woken ones of a group, in the owner's name. Returns whether the group is
/// the owner's to put into the chain.
///
/// # Safety
///
/// - The caller is the owner.
unsafe fn add(head: &Head, group: NonNull<Group>, woken: u32) -> bool {
    // SAFETY: I1: a group of ours.
    let word = unsafe { &(*group.as_ptr()).word };
    // ORDERING: AcqRel: passes on what the wakers released.
    let before = word.fetch_or(woken.into(), Ordering::AcqRel);
    // If it had bits, it is in the chain, or a waker puts it on the list.
    !head.is_solo && Word::from_raw(before).woken() == 0
}

/// Puts groups at the end of the owner's chain.
///
/// # Safety
///
/// - The caller is the owner, and has the groups' links.
#[inline]
unsafe fn append(head: &Head, first: *mut Group, last: *mut Group) {
    head.owner.with_mut(|owner| {
        // SAFETY: I3: the owner.
        let owner = unsafe { &mut *owner };
        match NonNull::new(owner.last) {
            None => owner.first = first,
            // SAFETY: I1: a group of ours.
            Some(old) => unsafe { chain::link(old.as_ptr(), first) },
        }
        owner.last = last;
    });
}

/// Keeps children that were not polled for the next pass, at the head of the chain.
///
/// # Safety
///
/// - The caller is the owner, and took them down.
#[cold]
unsafe fn put_back(head: &Head, group: NonNull<Group>, woken: u32) {
    // SAFETY: forwarded contract.
    if !unsafe { add(head, group, woken) } {
        return;
    }
    head.owner.with_mut(|owner| {
        // SAFETY: I3: the owner.
        let owner = unsafe { &mut *owner };
        // SAFETY: the group had no bits, so its link is ours.
        unsafe { chain::link(group.as_ptr(), owner.first) };
        owner.first = group.as_ptr();
        if owner.last.is_null() {
            owner.last = owner.first;
        }
    });
}

impl Drop for Pass<'_> {
    #[inline]
    fn drop(&mut self) {
        if self.woken != 0 {
            // SAFETY: the owner; the group is the one that this pass is at.
            unsafe { put_back(self.head, self.group, self.woken) };
        }
        let cursor = self.first + self.cursor;
        self.owner(|owner| owner.cursor = cursor);
        // ORDERING: Relaxed: as in `begin`.
        self.head.poller.store(0, Ordering::Relaxed);
    }
}

impl fmt::Debug for Pass<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pass").finish_non_exhaustive()
    }
}
