//! The owner of a block, and the end of a block.
//!
//! A [`Block`] is the owner's handle. Its drop closes each group with one transition. It counts the
//! groups that are still referenced and the threads that are waking. Each of the two sums is stored
//! as the owner's count minus the ends since then. So the thread that brings a sum to zero is the
//! last one, be it the owner or another thread. The last waking thread drops the parent's waker;
//! the thread that leaves the last group frees the block.
//!
//! # Invariants
//!
//! - I1 to I3 of `block`.
//! - I4: A block has one `Block`. A `&mut Block` is exclusive access as the owner, in the sense of
//!   `parent_waker`.
//! - I5: The parent's wakers are used by the owner and by waking threads. They are dropped when no
//!   waking thread can be using them.

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

/// The owner's handle of a block.
pub(super) struct Block(NonNull<Head>);

// SAFETY: a block is made of atomics, and of `ParentWaker`, which is thread-safe.
unsafe impl Send for Block {}
// SAFETY: as above.
unsafe impl Sync for Block {}

impl Deref for Block {
    type Target = Head;

    #[inline]
    fn deref(&self) -> &Head {
        // SAFETY: I1: the owner keeps the block alive.
        unsafe { self.0.as_ref() }
    }
}

impl Block {
    /// # Safety
    ///
    /// - The head is initialized, and has no other `Block`.
    #[inline]
    unsafe fn from_raw(head: NonNull<Head>) -> Self {
        Self(head)
    }

    /// Returns the pointer; the caller must pass it to `from_raw`.
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

    /// Takes a block in a static, unless it is in use; `more` has room for all groups but one.
    #[cfg(not(loom))]
    pub(super) fn in_static(
        head: &'static Head,
        more: &'static [Group],
        groups: usize,
    ) -> Option<Self> {
        let groups = groups.max(1);
        assert!(groups <= more.len() + 1, "room for all groups");
        // ORDERING: Acquire pairs with the Release of the last user.
        if head.is_taken.swap(true, Ordering::Acquire) {
            return None;
        }
        let this = NonNull::from(head);
        let more = ptr::from_ref(more).cast::<Group>().cast_mut();
        // SAFETY: it is static and not in use, and there is room.
        unsafe { Head::initialize(this.as_ptr(), more, groups as u32, groups == 1) };
        // SAFETY: initialized, and taken by this thread alone.
        Some(unsafe { Self::from_raw(this) })
    }

    /// Stores a clone of the parent's waker, unless the current one wakes the same task. Returns
    /// `false` if there is no place for it.
    #[inline]
    pub(super) fn register(&mut self, waker: &Waker) -> bool {
        // SAFETY: I4.
        let is_same = unsafe { self.parent.is_same(waker) };
        is_same || self.replace(waker.clone())
    }

    /// Begins a pass on this thread: stores the parent's waker, and lets children clone wakers out
    /// of the owner's reserve until [`end_pass`](Self::end_pass).
    #[inline(always)]
    pub(super) fn begin_pass(&mut self, parent: &Waker) -> &Self {
        if !self.register(parent) {
            // There is no place while other wakers are being called: the task polls again.
            parent.wake_by_ref();
        }
        // ORDERING: Relaxed: read by this thread only, see `Group::hand`.
        self.poller.store(thread::mark(), Ordering::Relaxed);
        self
    }

    /// Ends a pass.
    #[inline(always)]
    pub(super) fn end_pass(&self) {
        // ORDERING: Relaxed: as in `enter`.
        self.poller.store(0, Ordering::Relaxed);
    }

    /// Replaces the waker. The previous one is dropped as soon as no thread can be using it.
    ///
    /// The check for that costs a step for each group. So large sets keep a few replaced wakers
    /// before they check.
    #[cold]
    fn replace(&mut self, waker: Waker) -> bool {
        let is_first = self.parent.is_empty();
        #[cfg(all(feature = "std", target_pointer_width = "64", not(loom)))]
        self.parent_data.set(waker.data().addr());
        // SAFETY: I4.
        let is_there = unsafe { self.parent.replace(waker) };
        if is_first {
            return is_there;
        }
        // ORDERING: AcqRel: a thread that pushes the first group after this step sees the new
        // waker; the owner reads the list after this step.
        self.list.fetch_add(0, Ordering::AcqRel);
        let retired = self.owner.retired.get() + 1;
        self.owner.retired.set(retired);
        let is_time = !is_there || retired * 8 >= self.owner.groups.get();
        if is_time && self.groups().all(Group::has_no_active_wake) {
            self.owner.retired.set(0);
            // SAFETY: I5: no thread was waking when the new one was already stored.
            unsafe { self.parent.drop_older() };
        }
        is_there
    }

    /// Drops the parent's waker if no child has a waker and no thread is waking.
    ///
    /// Mostly checks one group: the one that had a waker in the last check.
    #[inline]
    pub(super) fn drop_parent_if_unreachable(&mut self) {
        let reached = if self.is_solo() {
            0
        } else {
            self.owner.reached.get()
        };
        if self.group(reached).is_idle() {
            self.drop_parent_if_idle(reached);
        }
    }

    /// Drops the parent's waker if all groups are idle, of which one is known to be.
    #[cold]
    #[inline(never)]
    fn drop_parent_if_idle(&mut self, idle: u32) {
        let groups = self.owner.groups.get();
        let others = (idle + 1..groups).chain(0..idle);
        for number in others {
            if !self.group(number).is_idle() {
                self.owner.reached.set(number);
                return;
            }
        }
        self.owner.retired.set(0);
        #[cfg(all(feature = "std", target_pointer_width = "64", not(loom)))]
        self.parent_data.set(0);
        // SAFETY: I5: no thread is waking, and without a waker none begins. I4: this is the owner.
        unsafe { self.parent.drop_all() };
    }

    /// Wakes the parent.
    #[cfg(feature = "alloc")]
    pub(super) fn wake_parent(&self) {
        // SAFETY: I4: replacing and dropping the waker needs `&mut`, or that no `Block` exists.
        unsafe { self.parent.wake() };
    }

    /// Closes the groups. Returns the number of groups that are still referenced, and of waking
    /// threads.
    fn close(&self) -> (usize, usize) {
        let (mut live_groups, mut waking_at_close) = (0, 0);
        for group in self.groups() {
            let reserve_used = group.reserve_used.get();
            // ORDERING: Acquire pairs with the Release of the threads that left.
            if Word::from_raw(group.word.load(Ordering::Acquire)).has_only_owner(reserve_used) {
                continue;
            }
            let closing = Word::closing(reserve_used);
            // ORDERING: AcqRel: acquires from the threads that left, and releases to those that
            // stay.
            let before = Word::from_raw(group.word.fetch_add(closing, Ordering::AcqRel));
            waking_at_close += before.active_wakes() as usize;
            live_groups += usize::from(!before.plus(closing).is_gone());
        }
        (live_groups, waking_at_close)
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        let (live_groups, waking_at_close) = self.close();
        let _release = ReleaseBlock(self.0, live_groups);
        // ORDERING: AcqRel: as in `finish_wake_after_close`. The sum is zero when all are done.
        let before = |waking_at_close| {
            self.waking_at_close
                .fetch_add(waking_at_close, Ordering::AcqRel)
        };
        if waking_at_close == 0 || before(waking_at_close).wrapping_add(waking_at_close) == 0 {
            // SAFETY: I5: no thread is waking, and none begins after the close.
            unsafe { self.parent.drop_all() };
        }
    }
}

/// Releases the owner's handle, even if a waker panics when it is dropped.
struct ReleaseBlock(NonNull<Head>, usize);

impl Drop for ReleaseBlock {
    #[inline]
    fn drop(&mut self) {
        let Self(head, groups) = *self;
        // SAFETY: I1: the owner's handle is released below.
        let live_groups = unsafe { &(*head.as_ptr()).live_groups };
        // ORDERING: AcqRel: as in `leave`. The sum is zero when all are gone.
        if groups == 0
            || live_groups
                .fetch_add(groups, Ordering::AcqRel)
                .wrapping_add(groups)
                == 0
        {
            // SAFETY: I1: closed, and all groups are gone.
            unsafe { free(head) };
        }
    }
}

/// Records that a thread has finished, which was waking when its group was closed.
#[cold]
pub(super) fn finish_wake_after_close(head: &Head) {
    // ORDERING: AcqRel: our wake is before the drop of the parent's waker.
    if head.waking_at_close.fetch_sub(1, Ordering::AcqRel) == 1 {
        // SAFETY: I5: no other thread is waking, and none begins after the close.
        unsafe { head.parent.drop_all() };
    }
}

/// Records that a group is gone. The last one frees the block.
///
/// # Safety
///
/// - The caller's transition brought the word to `is_gone`.
#[cold]
pub(super) unsafe fn leave_group(group: NonNull<Group>) {
    fence(Ordering::Acquire);
    // SAFETY: I1: the block lives until this group is gone.
    let head = NonNull::from(unsafe { group.as_ref() }.head());
    // SAFETY: I1, as above.
    let live_groups = unsafe { &(*head.as_ptr()).live_groups };
    // ORDERING: AcqRel: our uses are before, and the others' are seen by, the deallocation.
    if live_groups.fetch_sub(1, Ordering::AcqRel) == 1 {
        // SAFETY: I1: that was the last group.
        unsafe { free(head) };
    }
}

/// # Safety
///
/// - I1: the block is closed, and all groups are gone.
unsafe fn free(this: NonNull<Head>) {
    // SAFETY: no other thread is left.
    let head = unsafe { this.as_ref() };
    #[cfg(feature = "alloc")]
    if !head.allocation.get().is_null() {
        // SAFETY: as above; it was allocated.
        unsafe { heap::free(this) };
        return;
    }
    // ORDERING: Release pairs with the Acquire of the next user.
    head.is_taken.store(false, Ordering::Release);
}

impl fmt::Debug for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Block").finish_non_exhaustive()
    }
}

/// A block that is allocated by the first thread that needs it.
#[cfg(feature = "alloc")]
#[derive(Debug)]
pub(super) struct LazyBlock(AtomicPtr<Head>);

#[cfg(feature = "alloc")]
impl LazyBlock {
    #[inline]
    pub(super) fn new() -> Self {
        Self(AtomicPtr::new(ptr::null_mut()))
    }

    #[inline]
    pub(super) fn get(&self) -> Option<&Head> {
        // ORDERING: Acquire pairs with the Release in `get_or_insert`.
        let head = self.0.load(Ordering::Acquire);
        // SAFETY: I1: this type keeps the block alive.
        unsafe { head.as_ref() }
    }

    /// Stores the block, unless another thread was faster.
    pub(super) fn get_or_insert(&self, block: Block) -> &Head {
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

    /// Takes the block, if there is one.
    #[inline]
    pub(super) fn take(&mut self) -> Option<Block> {
        // ORDERING: Acquire as in `get`; Relaxed: no other thread is left.
        let head = NonNull::new(self.0.load(Ordering::Acquire))?;
        self.0.store(ptr::null_mut(), Ordering::Relaxed);
        // SAFETY: stored by `get_or_insert`, and no longer in place.
        Some(unsafe { Block::from_raw(head) })
    }
}

#[cfg(feature = "alloc")]
impl Drop for LazyBlock {
    #[inline]
    fn drop(&mut self) {
        drop(self.take());
    }
}
