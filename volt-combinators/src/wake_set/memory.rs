//! Who owns a block, and how it ends.
//!
//! A [`Block`] is the owner's hold on it. When it goes, it closes each group with one transition,
//! and counts those that are not gone by that, and the threads that are waking just then. Both sums
//! are kept as what the owner found less what went since, so that whoever brings one to zero is the
//! last, be it the owner or another. The last one who is waking drops the parent's waker; who
//! leaves the last group frees the block.
//!
//! # Invariants
//!
//! - I1 to I3 of `block`.
//! - I4: There is one `Block` of a block; `&mut Block` makes its bearer the owner that `parents`
//!   speaks of.
//! - I5: The parents' wakers are looked at by the owner and by those who count as waking, and
//!   dropped when no one counts as waking who may be looking.

use core::fmt;
#[cfg(feature = "alloc")]
use core::mem::ManuallyDrop;
use core::ops::Deref;
use core::ptr::{self, NonNull};
use core::task::Waker;

use super::block::{Group, Head};
#[cfg(feature = "alloc")]
use super::heap;
#[cfg(feature = "alloc")]
use super::word::CHILDREN;
use super::word::Word;
#[cfg(feature = "alloc")]
use crate::loom::sync::atomic::AtomicPtr;
use crate::loom::sync::atomic::{Ordering, fence};
use crate::loom::thread;

/// The owner's hold on a block.
pub(super) struct Block(NonNull<Head>);

// SAFETY: a block is made of atomics, and of `Parents`, which is thread-safe.
unsafe impl Send for Block {}
// SAFETY: as above.
unsafe impl Sync for Block {}

impl Deref for Block {
    type Target = Head;

    #[inline]
    fn deref(&self) -> &Head {
        // SAFETY: I1: the owner holds it.
        unsafe { self.0.as_ref() }
    }
}

impl Block {
    /// # Safety
    ///
    /// - The head is settled, and nobody else has a `Block` of it.
    #[inline]
    unsafe fn from_raw(head: NonNull<Head>) -> Self {
        Self(head)
    }

    /// Gives up the hold; it has to be taken up again.
    #[cfg(feature = "alloc")]
    fn into_raw(self) -> NonNull<Head> {
        ManuallyDrop::new(self).0
    }

    /// Allocates a block for `len` children. One that `is_solo` has one group, and does not grow.
    #[cfg(feature = "alloc")]
    pub(super) fn allocate(len: usize, is_solo: bool, parent: &Waker) -> Self {
        let groups = len.div_ceil(CHILDREN).max(1) as u32;
        // SAFETY: settled just now.
        let mut block = unsafe { Self::from_raw(heap::new(groups, is_solo)) };
        block.register(parent);
        block
    }

    /// Adds groups to a block that was allocated and is not solo.
    #[cfg(feature = "alloc")]
    pub(super) fn grow(&mut self, groups: u32) {
        // SAFETY: I4.
        unsafe { heap::grow(self.0, groups) };
    }

    /// Takes a block in a static, unless somebody has it; `more` has room for all groups but one.
    #[cfg(not(loom))]
    pub(super) fn in_static(
        head: &'static Head,
        more: &'static [Group],
        groups: usize,
    ) -> Option<Self> {
        let groups = groups.max(1);
        assert!(groups <= more.len() + 1, "room for all groups");
        // ORDERING: Acquire pairs with the Release of who had it last.
        if head.is_taken.swap(true, Ordering::Acquire) {
            return None;
        }
        let this = NonNull::from(head);
        let more = ptr::from_ref(more).cast::<Group>().cast_mut();
        // SAFETY: it is static; nobody has it, and there is room.
        unsafe { Head::settle(this.as_ptr(), more, groups as u32, groups == 1) };
        // SAFETY: settled, and taken by us alone.
        Some(unsafe { Self::from_raw(this) })
    }

    /// Leaves a clone of the parent's waker, unless one that wakes the same task is there. Returns
    /// false if there is no place for it.
    #[inline]
    pub(super) fn register(&mut self, waker: &Waker) -> bool {
        // SAFETY: I4.
        let is_same = unsafe { self.parents.is_same(waker) };
        is_same || self.replace(waker.clone())
    }

    /// The beginning of a pass on this thread: leaves the parent's waker for the children, and
    /// lets them take clones out of the owner's stock until [`leave`](Self::leave).
    #[inline(always)]
    pub(super) fn enter(&mut self, parent: &Waker) -> &Self {
        if !self.register(parent) {
            // There is no place for it as long as others are being called: asks again.
            parent.wake_by_ref();
        }
        // ORDERING: Relaxed: read by this thread only, see `Group::hand`.
        self.poller.store(thread::mark(), Ordering::Relaxed);
        self
    }

    /// The end of a pass.
    #[inline(always)]
    pub(super) fn leave(&self) {
        // ORDERING: Relaxed: as in `enter`.
        self.poller.store(0, Ordering::Relaxed);
    }

    /// Puts a waker in the place of another, which goes as soon as nobody can be looking at it.
    ///
    /// To look for those costs a step a group; so in large sets a few are kept before that is done.
    #[cold]
    fn replace(&mut self, waker: Waker) -> bool {
        let is_first = self.parents.is_empty();
        // SAFETY: I4.
        let is_there = unsafe { self.parents.replace(waker) };
        if is_first {
            return is_there;
        }
        // ORDERING: AcqRel: a step in the list's own order, as in `is_nobody_waking`: who puts the
        // first group there after it sees the new waker, and the owner looks there after this.
        self.list.fetch_add(0, Ordering::AcqRel);
        let retired = self.owner.retired.get() + 1;
        self.owner.retired.set(retired);
        let is_time = !is_there || retired * 8 >= self.owner.groups.get();
        if is_time && self.groups().all(Group::is_nobody_waking) {
            self.owner.retired.set(0);
            // SAFETY: I5: nobody was waking when the new one stood there already.
            unsafe { self.parents.drop_older() };
        }
        is_there
    }

    /// Drops the parent's waker if there is nobody who could wake it, or has.
    ///
    /// Looks at one group, mostly: the one that was found to have a waker before.
    #[inline]
    pub(super) fn rest(&mut self) {
        let reached = if self.is_solo() {
            0
        } else {
            self.owner.reached.get()
        };
        if self.group(reached).is_idle() {
            self.let_go(reached);
        }
    }

    /// As [`rest`](Self::rest), of which one group is known to be idle.
    #[cold]
    #[inline(never)]
    fn let_go(&mut self, idle: u32) {
        let groups = self.owner.groups.get();
        let others = (idle + 1..groups).chain(0..idle);
        for number in others {
            if !self.group(number).is_idle() {
                self.owner.reached.set(number);
                return;
            }
        }
        self.owner.retired.set(0);
        // SAFETY: I5: nobody is waking, and without a waker nobody begins. I4: we are the owner.
        unsafe { self.parents.drop_all() };
    }

    /// Wakes the parent.
    #[cfg(feature = "alloc")]
    pub(super) fn wake_parent(&self) {
        // SAFETY: I4: who replaces and drops its waker needs `&mut`, or has none of these.
        unsafe { self.parents.wake() };
    }

    /// Closes the groups. Returns how many of them others still reach, and how many threads are
    /// waking.
    fn close(&self) -> (usize, usize) {
        let (mut held, mut mourners) = (0, 0);
        for group in self.groups() {
            let handed = group.handed.get();
            // ORDERING: Acquire pairs with the Release of those who left.
            if Word::from_raw(group.word.load(Ordering::Acquire)).is_quiet(handed) {
                continue;
            }
            let closing = Word::closing(handed);
            // ORDERING: AcqRel: acquires from those who left, and tells those who stay.
            let before = Word::from_raw(group.word.fetch_add(closing, Ordering::AcqRel));
            mourners += before.waking() as usize;
            held += usize::from(!before.plus(closing).is_gone());
        }
        (held, mourners)
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        let (held, mourners) = self.close();
        let _release = Release(self.0, held);
        // ORDERING: AcqRel: as in `mourn`. The sum is zero when all are done.
        let before = |mourners| self.mourners.fetch_add(mourners, Ordering::AcqRel);
        if mourners == 0 || before(mourners).wrapping_add(mourners) == 0 {
            // SAFETY: I5: nobody is waking, and after the close nobody begins.
            unsafe { self.parents.drop_all() };
        }
    }
}

/// Gives the owner's hold back, even if a waker panics when it is dropped.
struct Release(NonNull<Head>, usize);

impl Drop for Release {
    #[inline]
    fn drop(&mut self) {
        let Self(head, groups) = *self;
        // SAFETY: I1: the owner's hold is given back here.
        let held = unsafe { &(*head.as_ptr()).held };
        // ORDERING: AcqRel: as in `leave`. The sum is zero when all are gone.
        if groups == 0
            || held
                .fetch_add(groups, Ordering::AcqRel)
                .wrapping_add(groups)
                == 0
        {
            // SAFETY: I1: closed, and all groups are gone.
            unsafe { free(head) };
        }
    }
}

/// One that was waking when its group was closed is done.
#[cold]
pub(super) fn mourn(head: &Head) {
    // ORDERING: AcqRel: our wake is before the drop of the parent's waker.
    if head.mourners.fetch_sub(1, Ordering::AcqRel) == 1 {
        // SAFETY: I5: nobody else is waking, and after the close nobody begins.
        unsafe { head.parents.drop_all() };
    }
}

/// One more has left the group, and was the last: it, or the whole block, is gone.
///
/// # Safety
///
/// - The caller's transition brought the word to `is_gone`.
#[cold]
pub(super) unsafe fn leave(group: NonNull<Group>) {
    fence(Ordering::Acquire);
    // SAFETY: I1: the block waits for this group.
    let head = NonNull::from(unsafe { group.as_ref() }.head());
    // SAFETY: I1, as above.
    let held = unsafe { &(*head.as_ptr()).held };
    // ORDERING: AcqRel: our uses are before, and the others' are seen by, the deallocation.
    if held.fetch_sub(1, Ordering::AcqRel) == 1 {
        // SAFETY: I1: that was the last group.
        unsafe { free(head) };
    }
}

/// # Safety
///
/// - I1: the block is closed, and all groups are gone.
unsafe fn free(this: NonNull<Head>) {
    // SAFETY: nobody else is left.
    let head = unsafe { this.as_ref() };
    #[cfg(feature = "alloc")]
    if !head.allocation.get().is_null() {
        // SAFETY: as above; it has a allocation.
        unsafe { heap::free(this) };
        return;
    }
    // ORDERING: Release pairs with the Acquire of who takes it next.
    head.is_taken.store(false, Ordering::Release);
}

impl fmt::Debug for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Block").finish_non_exhaustive()
    }
}

/// A block that is allocated when it is first needed, by whoever needs it.
#[cfg(feature = "alloc")]
#[derive(Debug)]
pub(super) struct LateBlock(AtomicPtr<Head>);

#[cfg(feature = "alloc")]
impl LateBlock {
    #[inline]
    pub(super) fn new() -> Self {
        Self(AtomicPtr::new(ptr::null_mut()))
    }

    #[inline]
    pub(super) fn get(&self) -> Option<&Head> {
        // ORDERING: Acquire pairs with the Release in `get_or_place`.
        let head = self.0.load(Ordering::Acquire);
        // SAFETY: I1: we hold the block.
        unsafe { head.as_ref() }
    }

    /// Puts the block there, unless somebody was faster.
    pub(super) fn get_or_place(&self, block: Block) -> &Head {
        let head = block.into_raw();
        // ORDERING: AcqRel: publishes the block, or acquires the other's.
        let placed = self.0.compare_exchange(
            ptr::null_mut(),
            head.as_ptr(),
            Ordering::AcqRel,
            Ordering::Acquire,
        );
        if placed.is_err() {
            // SAFETY: given up above.
            drop(unsafe { Block::from_raw(head) });
        }
        self.get().expect("one of us has placed it")
    }

    /// The block, if there is one, for its owner.
    #[inline]
    pub(super) fn take(&mut self) -> Option<Block> {
        // ORDERING: Acquire as in `get`; Relaxed: nobody else is left.
        let head = NonNull::new(self.0.load(Ordering::Acquire))?;
        self.0.store(ptr::null_mut(), Ordering::Relaxed);
        // SAFETY: given up in `get_or_place`, and not there any more.
        Some(unsafe { Block::from_raw(head) })
    }
}

#[cfg(feature = "alloc")]
impl Drop for LateBlock {
    #[inline]
    fn drop(&mut self) {
        drop(self.take());
    }
}
