//! The first pass, before anybody has asked for a waker.
//!
//! A child that is ready at once never asks for one, so a set is not made before the first child
//! clones the waker that it is polled with. Until then that is a waker on the stack of the poll.

use core::fmt;
use core::mem::ManuallyDrop;
use core::ptr::{self, NonNull};
use core::task::{RawWaker, RawWakerVTable, Waker};

use super::block::{self, Group, Head};
use super::closing;
use super::set::WakeSet;
use super::waking;
use super::word::CHILDREN;
use crate::loom::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use crate::loom::thread;

/// Makes a wake set in its place when it is first needed.
pub(crate) struct Opening<'a> {
    place: &'a mut Option<WakeSet>,
    parent: &'a Waker,
    len: usize,
    /// The thread that polls.
    mark: usize,
    /// The child that is polled.
    child: AtomicUsize,
    head: AtomicPtr<Head>,
}

static VTABLE: RawWakerVTable = RawWakerVTable::new(clone, wake_by_ref, wake_by_ref, drop_waker);

impl<'a> Opening<'a> {
    /// Begins the first pass over `len` children; `place` is empty, and filled at the end.
    #[inline]
    pub(crate) fn new(place: &'a mut Option<WakeSet>, parent: &'a Waker, len: usize) -> Self {
        debug_assert!(place.is_none());
        Self {
            place,
            parent,
            len,
            mark: thread::mark(),
            child: AtomicUsize::new(0),
            head: AtomicPtr::new(ptr::null_mut()),
        }
    }

    /// The waker of every child that `turn_to` returns none for. It must not be dropped.
    #[inline]
    pub(crate) fn waker(&self) -> ManuallyDrop<Waker> {
        let data = ptr::from_ref(self).cast::<()>();
        // SAFETY: the functions of the table take a pointer to an `Opening`, and are thread-safe:
        // what they touch is atomic or never written. Callers use the waker under its borrow.
        ManuallyDrop::new(unsafe { Waker::new(data, &VTABLE) })
    }

    /// Turns to another child; returns its own waker, which must not be dropped, if it has one.
    #[inline]
    pub(crate) fn turn_to(&self, child: usize) -> Option<ManuallyDrop<Waker>> {
        // ORDERING: Relaxed: whoever reads it on another thread has been started by the child.
        self.child.store(child, Ordering::Relaxed);
        // ORDERING: Acquire pairs with the Release in `head`.
        let head = NonNull::new(self.head.load(Ordering::Acquire))?;
        let (group, child) = place(head, child);
        // SAFETY: the set lives longer than this pass.
        Some(unsafe { waking::waker(group, child) })
    }

    /// The block, which is made now if it was not.
    fn head(&self) -> NonNull<Head> {
        // ORDERING: Acquire pairs with the Release below.
        if let Some(head) = NonNull::new(self.head.load(Ordering::Acquire)) {
            return head;
        }
        let head = block::new(self.len, self.len <= CHILDREN, self.parent.clone());
        // SAFETY: just made.
        let poller = unsafe { &(*head.as_ptr()).poller };
        // ORDERING: Relaxed: published below.
        poller.store(self.mark, Ordering::Relaxed);
        let (empty, new) = (ptr::null_mut(), head.as_ptr());
        // ORDERING: AcqRel: publishes the block, or acquires the other's.
        match self
            .head
            .compare_exchange(empty, new, Ordering::AcqRel, Ordering::Acquire)
        {
            Ok(_) => head,
            Err(other) => {
                // SAFETY: ours alone.
                unsafe { closing::close(head) };
                // SAFETY: the exchange failed, so it is not null.
                unsafe { NonNull::new_unchecked(other) }
            }
        }
    }

    /// The child that is polled, in the block.
    fn child(&self) -> (NonNull<Group>, u32) {
        // ORDERING: Relaxed: as in `turn_to`.
        place(self.head(), self.child.load(Ordering::Relaxed))
    }
}

fn place(head: NonNull<Head>, child: usize) -> (NonNull<Group>, u32) {
    // SAFETY: the owner, or one that it waits for, during the first pass.
    let head = unsafe { head.as_ref() };
    // SAFETY: as above, and there is room for all children.
    let group = unsafe { head.group_of(child) };
    (group, (child % CHILDREN) as u32)
}

unsafe fn clone(data: *const ()) -> RawWaker {
    // SAFETY: the table's functions get what `Opening::waker` made.
    let opening = unsafe { &*data.cast::<Opening<'_>>() };
    let (group, child) = opening.child();
    // SAFETY: the block lives: its owner polls.
    unsafe { waking::counted(group, child) }
}

unsafe fn wake_by_ref(data: *const ()) {
    // SAFETY: as in `clone`.
    let opening = unsafe { &*data.cast::<Opening<'_>>() };
    let (group, child) = opening.child();
    // SAFETY: as in `clone`.
    unsafe { waking::set(group, child, false) };
}

fn drop_waker(_data: *const ()) {}

impl Drop for Opening<'_> {
    #[inline]
    fn drop(&mut self) {
        // ORDERING: Acquire: as in `turn_to`.
        if let Some(head) = NonNull::new(self.head.load(Ordering::Acquire)) {
            // SAFETY: I1: we hold it.
            let poller = unsafe { &(*head.as_ptr()).poller };
            // ORDERING: Relaxed: see `WakeSet::begin`.
            poller.store(0, Ordering::Relaxed);
            *self.place = Some(WakeSet::from_head(head));
        }
    }
}

impl fmt::Debug for Opening<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opening").finish_non_exhaustive()
    }
}
