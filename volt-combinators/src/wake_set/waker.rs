//! The wakers of children.
//!
//! A child's waker is the address of its group, with the child's number in the low bits. Until a
//! block is allocated, it is the address of a [`WakerSource`] on the stack of the poll, which can
//! find the group.
//!
//! # Invariants
//!
//! - I1: The data of a waker with the table `CHILD` is a tagged pointer to a group of a block. A
//!   [`BorrowedWaker`] borrows the group. Every other waker is counted in the word of the group,
//!   and so keeps the block.
//! - I2: The data of a waker with a table of `SourceVtable` is a reference to a source. All these
//!   wakers are `BorrowedWaker`s, and borrow it: a clone of one is a child's waker.

use core::fmt;
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::ops::Deref;
use core::ptr::{self, NonNull};
use core::task::{RawWaker, RawWakerVTable, Waker};

use super::block::{ALIGN, Group};
use super::memory::{finish_wake_after_close, leave_group};
use super::transitions::Stop;
use super::word::{CHILDREN, Wake, Word};
use crate::abort::abort;
use crate::loom::sync::atomic::{Ordering, fence};

/// A child's waker that is not counted. Its clones are counted.
pub(crate) struct BorrowedWaker<'a> {
    waker: ManuallyDrop<Waker>,
    _source: PhantomData<&'a Group>,
}

impl Deref for BorrowedWaker<'_> {
    type Target = Waker;

    #[inline]
    fn deref(&self) -> &Waker {
        &self.waker
    }
}

impl<'a> BorrowedWaker<'a> {
    /// Returns the waker of a child.
    #[inline]
    pub(super) fn new(group: &'a Group, child: u32) -> Self {
        debug_assert!((child as usize) < CHILDREN);
        // SAFETY: I1, and the functions of the table are thread-safe.
        Self::from(unsafe { Waker::new(tag(group, child), &CHILD) })
    }

    /// Returns the waker of the child that the source selects.
    #[inline]
    #[cfg(feature = "alloc")]
    pub(super) fn from_source<L: WakerSource>(source: &'a L) -> Self {
        let data = ptr::from_ref(source).cast::<()>();
        // SAFETY: I2, and the functions of the table are thread-safe, as sources are `Sync`.
        Self::from(unsafe { Waker::new(data, L::TABLE) })
    }

    #[inline]
    fn from(waker: Waker) -> Self {
        Self {
            waker: ManuallyDrop::new(waker),
            _source: PhantomData,
        }
    }
}

impl fmt::Debug for BorrowedWaker<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BorrowedWaker").finish_non_exhaustive()
    }
}

static CHILD: RawWakerVTable = RawWakerVTable::new(clone, wake, wake_by_ref, drop_waker);

#[inline]
fn tag(group: &Group, child: u32) -> *const () {
    let tagged = ptr::from_ref(group).map_addr(|addr| addr | child as usize);
    tagged.cast::<()>()
}

/// Returns the group and the number of the child in it.
///
/// # Safety
///
/// - `data` was made by [`tag`].
#[inline]
unsafe fn untag(data: *const ()) -> (NonNull<Group>, u32) {
    let group = data.map_addr(|addr| addr & !(ALIGN - 1)).cast_mut();
    // SAFETY: by contract it was not null.
    let group = unsafe { NonNull::new_unchecked(group.cast::<Group>()) };
    (group, (data.addr() % ALIGN) as u32)
}

unsafe fn clone(data: *const ()) -> RawWaker {
    // SAFETY: I1.
    let (group, _) = unsafe { untag(data) };
    // SAFETY: I1: the caller has a waker.
    count(unsafe { group.as_ref() });
    RawWaker::new(data, &CHILD)
}

#[inline]
fn count(group: &Group) {
    if !group.count() {
        // Only leaked clones reach this limit. A wrapped count would free a block in use.
        abort("too many wakers");
    }
}

unsafe fn wake(data: *const ()) {
    // SAFETY: I1: the reference of this waker is consumed.
    unsafe { set(data, true) };
}

unsafe fn wake_by_ref(data: *const ()) {
    // SAFETY: I1: the caller keeps its waker.
    unsafe { set(data, false) };
}

unsafe fn drop_waker(data: *const ()) {
    // SAFETY: I1.
    let (group, _) = unsafe { untag(data) };
    // SAFETY: I1: the reference keeps the block until it is removed.
    match unsafe { group.as_ref() }.uncount() {
        (_, Wake::Done) => {}
        // SAFETY: that was the last reference.
        (_, Wake::Free) => unsafe { leave_group(group) },
        // SAFETY: this thread counts as waking.
        (word, Wake::NotifyParent) => unsafe { wake_for_last_waker(group, word) },
    }
}

/// Wakes the parent after the drop of the last waker of a group.
///
/// # Safety
///
/// - The caller counts as waking, in a group with this word.
#[cold]
unsafe fn wake_for_last_waker(this: NonNull<Group>, word: Word) {
    let active_wake = ActiveWake(this, word);
    // ORDERING: SeqCst: if two threads drop the last wakers of two groups, at least one sees the
    // drop of the other.
    fence(Ordering::SeqCst);
    // SAFETY: a waking thread keeps the block alive.
    if unsafe { this.as_ref() }.head().has_no_waker() {
        active_wake.stop_then_wake();
    } else {
        active_wake.stop();
    }
}

/// Sets a child's bit, and wakes the parent if required.
///
/// # Safety
///
/// - I1. The caller's reference is consumed if the waker is `owned`.
#[inline(always)]
unsafe fn set(data: *const (), owned: bool) {
    // SAFETY: I1.
    let (this, child) = unsafe { untag(data) };
    // SAFETY: I1: the caller's waker holds the block.
    let group = unsafe { this.as_ref() };
    match group.wake(child, owned) {
        (_, Wake::Done) => {}
        // SAFETY: the transition of this thread brought the word to `is_gone`.
        (_, Wake::Free) => unsafe { leave_group(this) },
        (word, Wake::NotifyParent) => {
            let active_wake = ActiveWake(this, word);
            let head = group.head();
            if head.is_solo() || group.push() {
                // SAFETY: this thread counts as waking, so the current waker is not dropped.
                unsafe { head.parent.wake() };
            }
            active_wake.stop();
        }
    }
}

/// The guard of a thread that counts as waking. Its drop ends that, for example if the parent's
/// waker panics.
struct ActiveWake(NonNull<Group>, Word);

impl ActiveWake {
    /// Stops counting as waking, then wakes the parent. The owner then no longer finds this thread
    /// waking.
    #[cold]
    #[inline(never)]
    fn stop_then_wake(self) {
        // SAFETY: a waking thread keeps the block alive.
        let head = unsafe { self.0.as_ref() }.head();
        // SAFETY: this thread counts as waking, so the current waker is not dropped.
        let parent = unsafe { head.parent.current() };
        drop(self);
        if let Some(parent) = parent {
            parent.wake();
        }
    }

    /// Stops counting as waking, and wakes the parent if a further wake was requested.
    #[inline(always)]
    fn stop(self) {
        let Self(this, word) = *ManuallyDrop::new(self);
        // SAFETY: a waking thread keeps the block alive.
        let group = unsafe { this.as_ref() };
        match group.stop_waking(word, true) {
            Stop::Done => {}
            // SAFETY: the group is closed, and this thread was counted at the close.
            Stop::Closed => unsafe { stop_closed_wake(this) },
            Stop::Rewake(word) => Self(this, word).stop_then_wake(),
        }
    }
}

impl Drop for ActiveWake {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: a waking thread keeps the block alive.
        let group = unsafe { self.0.as_ref() };
        if !matches!(group.stop_waking(self.1, false), Stop::Done) {
            // SAFETY: the group is closed, and this thread was counted at the close.
            unsafe { stop_closed_wake(self.0) };
        }
    }
}

/// Stops counting as waking in a group that was closed meanwhile.
///
/// # Safety
///
/// - The caller counts as waking, and does not use the group again.
#[cold]
unsafe fn stop_closed_wake(this: NonNull<Group>) {
    // SAFETY: a waking thread keeps the block alive.
    let group = unsafe { this.as_ref() };
    finish_wake_after_close(group.head());
    if group.stop_waking_closed() {
        // SAFETY: that was the last count.
        unsafe { leave_group(this) };
    }
}

/// Finds the group of a child.
#[cfg(feature = "alloc")]
pub(super) trait WakerSource: Sync {
    /// Returns a group of a block that outlives this call, and the number of the child in it.
    fn child(&self) -> (&Group, u32);
}

/// The vtable of a source's wakers.
#[cfg(feature = "alloc")]
trait SourceVtable: WakerSource + Sized {
    const TABLE: &'static RawWakerVTable = &RawWakerVTable::new(
        clone_of::<Self>,
        wake_of::<Self>,
        wake_of::<Self>,
        drop_nothing,
    );
}

#[cfg(feature = "alloc")]
impl<L: WakerSource> SourceVtable for L {}

#[cfg(feature = "alloc")]
unsafe fn clone_of<L: WakerSource>(data: *const ()) -> RawWaker {
    // SAFETY: I2.
    let (group, child) = unsafe { &*data.cast::<L>() }.child();
    count(group);
    RawWaker::new(tag(group, child), &CHILD)
}

#[cfg(feature = "alloc")]
unsafe fn wake_of<L: WakerSource>(data: *const ()) {
    // SAFETY: I2.
    let (group, child) = unsafe { &*data.cast::<L>() }.child();
    // SAFETY: I1: the block lives, and no reference is consumed.
    unsafe { set(tag(group, child), false) };
}

#[cfg(feature = "alloc")]
fn drop_nothing(_data: *const ()) {}
