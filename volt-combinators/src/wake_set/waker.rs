//! The wakers of children.
//!
//! A child's waker is the address of its group with the child's number in its low bits. Until a
//! block has been allocated it is the address of who can tell the group: a [`Lender`], on the stack
//! of the poll.
//!
//! # Invariants
//!
//! - I1: The data of a waker with the table `CHILD` is what `tag` made of a group of a block. A
//!   [`Lent`] one borrows the group; each other one counts in the group's word, and so keeps the
//!   block.
//! - I2: The data of a waker with a table of `Lending` is a reference to a lender. All of these
//!   wakers are `Lent`, and borrow it: a clone of one is a child's waker.

use core::fmt;
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::ops::Deref;
use core::ptr::{self, NonNull};
use core::task::{RawWaker, RawWakerVTable, Waker};

use super::block::{ALIGN, Group};
use super::memory::{leave, mourn};
use super::waking::Stop;
use super::word::{CHILDREN, Wake, Word};
use crate::abort::abort;
use crate::loom::sync::atomic::{Ordering, fence};

/// A child's waker, which counts when it is cloned, and is not dropped.
pub(crate) struct Lent<'a> {
    waker: ManuallyDrop<Waker>,
    _lender: PhantomData<&'a Group>,
}

impl Deref for Lent<'_> {
    type Target = Waker;

    #[inline]
    fn deref(&self) -> &Waker {
        &self.waker
    }
}

impl<'a> Lent<'a> {
    /// The waker of a child.
    #[inline]
    pub(super) fn new(group: &'a Group, child: u32) -> Self {
        debug_assert!((child as usize) < CHILDREN);
        // SAFETY: I1, and the functions of the table are thread-safe.
        Self::from(unsafe { Waker::new(tag(group, child), &CHILD) })
    }

    /// The waker of whatever child the lender says.
    #[inline]
    #[cfg(feature = "alloc")]
    pub(super) fn by<L: Lender>(lender: &'a L) -> Self {
        let data = ptr::from_ref(lender).cast::<()>();
        // SAFETY: I2, and the functions of the table are thread-safe, as lenders are `Sync`.
        Self::from(unsafe { Waker::new(data, L::TABLE) })
    }

    #[inline]
    fn from(waker: Waker) -> Self {
        Self {
            waker: ManuallyDrop::new(waker),
            _lender: PhantomData,
        }
    }
}

impl fmt::Debug for Lent<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lent").finish_non_exhaustive()
    }
}

static CHILD: RawWakerVTable = RawWakerVTable::new(clone, wake, wake_by_ref, drop_waker);

#[inline]
fn tag(group: &Group, child: u32) -> *const () {
    let tagged = ptr::from_ref(group).map_addr(|addr| addr | child as usize);
    tagged.cast::<()>()
}

/// The group and the child's number in it.
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
        // Leaked clones by the million: wrapping would free a block in use.
        abort("too many wakers");
    }
}

unsafe fn wake(data: *const ()) {
    // SAFETY: I1: the count is ours to give back.
    unsafe { set(data, true) };
}

unsafe fn wake_by_ref(data: *const ()) {
    // SAFETY: I1: the caller keeps its count.
    unsafe { set(data, false) };
}

unsafe fn drop_waker(data: *const ()) {
    // SAFETY: I1.
    let (group, _) = unsafe { untag(data) };
    // SAFETY: I1: the count that we give back holds the block until then.
    match unsafe { group.as_ref() }.uncount() {
        (_, Wake::Done) => {}
        // SAFETY: that was the last count.
        (_, Wake::Last) => unsafe { leave(group) },
        // SAFETY: we count as waking.
        (word, Wake::First) => unsafe { last_waker(group, word) },
    }
}

/// Sees to the parent after the last waker of a group was dropped.
///
/// # Safety
///
/// - The caller counts as waking, in a group whose word was this.
#[cold]
unsafe fn last_waker(this: NonNull<Group>, word: Word) {
    let waking = Waking(this, word);
    // ORDERING: SeqCst: of two that look at each other's group after this, one sees the other.
    fence(Ordering::SeqCst);
    // SAFETY: what counts as waking holds the block.
    if unsafe { this.as_ref() }.head().has_no_waker() {
        waking.stop_then_wake();
    } else {
        waking.stop();
    }
}

/// Sets a child's bit, and sees to what follows.
///
/// # Safety
///
/// - I1. The caller's count is given back if it is `owned`.
#[inline(always)]
unsafe fn set(data: *const (), owned: bool) {
    // SAFETY: I1.
    let (this, child) = unsafe { untag(data) };
    // SAFETY: I1: the caller's waker holds the block.
    let group = unsafe { this.as_ref() };
    match group.wake(child, owned) {
        (_, Wake::Done) => {}
        // SAFETY: our transition brought the word there.
        (_, Wake::Last) => unsafe { leave(this) },
        (word, Wake::First) => {
            let waking = Waking(this, word);
            let head = group.head();
            if head.is_solo() || group.push() {
                // SAFETY: we count as waking, so that nothing is dropped that is current.
                unsafe { head.parents.wake() };
            }
            waking.stop();
        }
    }
}

/// Counts as waking until it is stopped or dropped, be it by a panic of the parent's waker.
struct Waking(NonNull<Group>, Word);

impl Waking {
    /// Stops counting as waking, then wakes the parent, so that its owner finds nobody waking.
    #[cold]
    #[inline(never)]
    fn stop_then_wake(self) {
        // SAFETY: what counts as waking holds the block.
        let head = unsafe { self.0.as_ref() }.head();
        // SAFETY: we count as waking, so that nothing is dropped that is current.
        let parent = unsafe { head.parents.current() };
        drop(self);
        if let Some(parent) = parent {
            parent.wake();
        }
    }

    /// Stops counting as waking, and wakes the parent if it was asked for that.
    #[inline(always)]
    fn stop(self) {
        let Self(this, word) = *ManuallyDrop::new(self);
        // SAFETY: what counts as waking holds the block.
        let group = unsafe { this.as_ref() };
        match group.stop_waking(word, true) {
            Stop::Done => {}
            // SAFETY: the group was closed, and we were counted then.
            Stop::Closed => unsafe { last_wake(this) },
            Stop::Asked(word) => Self(this, word).stop_then_wake(),
        }
    }
}

impl Drop for Waking {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: what counts as waking holds the block.
        let group = unsafe { self.0.as_ref() };
        if !matches!(group.stop_waking(self.1, false), Stop::Done) {
            // SAFETY: the group was closed, and we were counted then.
            unsafe { last_wake(self.0) };
        }
    }
}

/// Stops counting as waking in a group that was closed meanwhile.
///
/// # Safety
///
/// - The caller counts as waking, and does not use the group again.
#[cold]
unsafe fn last_wake(this: NonNull<Group>) {
    // SAFETY: what counts as waking holds the block.
    let group = unsafe { this.as_ref() };
    mourn(group.head());
    if group.stop_waking_closed() {
        // SAFETY: that was the last count.
        unsafe { leave(this) };
    }
}

/// Can tell a child's group.
#[cfg(feature = "alloc")]
pub(super) trait Lender: Sync {
    /// A group of a block that lives longer than this call, and the child's number in it.
    fn child(&self) -> (&Group, u32);
}

/// The table of a lender's wakers.
#[cfg(feature = "alloc")]
trait Lending: Lender + Sized {
    const TABLE: &'static RawWakerVTable = &RawWakerVTable::new(
        clone_of::<Self>,
        wake_of::<Self>,
        wake_of::<Self>,
        drop_nothing,
    );
}

#[cfg(feature = "alloc")]
impl<L: Lender> Lending for L {}

#[cfg(feature = "alloc")]
unsafe fn clone_of<L: Lender>(data: *const ()) -> RawWaker {
    // SAFETY: I2.
    let (group, child) = unsafe { &*data.cast::<L>() }.child();
    count(group);
    RawWaker::new(tag(group, child), &CHILD)
}

#[cfg(feature = "alloc")]
unsafe fn wake_of<L: Lender>(data: *const ()) {
    // SAFETY: I2.
    let (group, child) = unsafe { &*data.cast::<L>() }.child();
    // SAFETY: I1: the group's block lives, and no count is given back.
    unsafe { set(tag(group, child), false) };
}

#[cfg(feature = "alloc")]
fn drop_nothing(_data: *const ()) {}
