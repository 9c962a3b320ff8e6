//! The wakers of children.
//!
//! # Protocol
//!
//! A wake is one transition of the word of the child's group:
//!
//! 1. It sets the child's bit. If others were set, that is all: who set the first one sees to the
//!    rest. A waker that is consumed gives its count back in the same transition.
//! 2. If it was the first, it counts as waking, in the same transition. The group goes to the list
//!    of woken groups, unless it is the only one of its set.
//! 3. If the list was empty, it wakes the parent.
//! 4. It stops counting as waking.
//!
//! The owner takes the list, and then the bits of each group in it. A wake that comes after is
//! first again; one that comes before is seen. While somebody counts as waking, neither the block
//! nor the waker that he may be looking at goes.
//!
//! # Ordering
//!
//! | step | ordering | why |
//! | --- | --- | --- |
//! | a wake's transition | AcqRel | releases the child's progress to the owner; acquires the waker |
//! | a push to the list | Release | publishes the link |
//! | the owner's takes | Acquire, AcqRel | acquire the links and the children's progress |
//! | a drop | Release, then an Acquire fence | all uses are before the deallocation |

use core::mem::ManuallyDrop;
use core::ptr::NonNull;
use core::task::{RawWaker, RawWakerVTable, Waker};

use super::block::{Group, Head};
use super::closing;
use super::word::{STOCK, Wake, Word};
use crate::loom::sync::atomic::{Ordering, fence};
use crate::loom::thread;

static VTABLE: RawWakerVTable = RawWakerVTable::new(clone, wake, wake_by_ref, drop_waker);

/// The waker of a child, without a count of its own.
///
/// # Safety
///
/// - The block lives as long as the waker is used, and the group has that child.
#[inline]
pub(super) unsafe fn waker(group: NonNull<Group>, child: u32) -> ManuallyDrop<Waker> {
    let data = Group::tag(group, child);
    // SAFETY: the functions of the table take exactly such a pointer, and are thread-safe.
    ManuallyDrop::new(unsafe { Waker::new(data, &VTABLE) })
}

/// A counted waker of a child.
///
/// # Safety
///
/// - As for [`waker`].
pub(super) unsafe fn counted(group: NonNull<Group>, child: u32) -> RawWaker {
    // SAFETY: forwarded contract.
    unsafe { clone(Group::tag(group, child)) }
}

/// Takes out of the owner's stock, or puts back, if the owner polls on this thread just now.
#[inline]
fn hand(group: &Group, change: impl FnOnce(&mut u32) -> bool) -> bool {
    // ORDERING: Relaxed: only this thread can have stored its own mark, and not cleared it since.
    if STOCK == 0 || group.head().poller.load(Ordering::Relaxed) != thread::mark() {
        return false;
    }
    // SAFETY: I3: on the owner's thread, while it polls; nothing of the user's is called here.
    group
        .handed
        .with_mut(|handed| change(unsafe { &mut *handed }))
}

unsafe fn clone(data: *const ()) -> RawWaker {
    // SAFETY: the table's functions get what `waker` made.
    let (group, _) = unsafe { Group::untag(data) };
    // SAFETY: the caller has a waker: the block lives.
    let group = unsafe { group.as_ref() };
    let handed = hand(group, |handed| {
        let some = *handed != STOCK;
        *handed += u32::from(some);
        some
    });
    if !handed {
        // ORDERING: Relaxed: the clone is made from a waker that exists.
        let before = group.word.fetch_add(Word::CLONE, Ordering::Relaxed);
        if !Word::from_raw(before).has_room() {
            // Leaked clones by the million: wrapping would free a block in use.
            abort();
        }
    }
    RawWaker::new(data, &VTABLE)
}

unsafe fn wake(data: *const ()) {
    // SAFETY: as in `clone`.
    let (group, child) = unsafe { Group::untag(data) };
    // SAFETY: the count is ours to give back.
    unsafe { set(group, child, true) };
}

unsafe fn wake_by_ref(data: *const ()) {
    // SAFETY: as in `clone`.
    let (group, child) = unsafe { Group::untag(data) };
    // SAFETY: the caller keeps its count.
    unsafe { set(group, child, false) };
}

unsafe fn drop_waker(data: *const ()) {
    // SAFETY: as in `clone`.
    let (this, _) = unsafe { Group::untag(data) };
    // SAFETY: the count that we give back holds the block.
    let group = unsafe { this.as_ref() };
    let taken_back = hand(group, |handed| {
        let some = *handed > 0;
        *handed -= u32::from(some);
        some
    });
    if taken_back {
        return;
    }
    // ORDERING: Release: our uses are before the deallocation.
    let before = group.word.fetch_sub(Word::CLONE, Ordering::Release);
    if Word::from_raw(before).minus(Word::CLONE).is_gone() {
        fence(Ordering::Acquire);
        // SAFETY: that was the last count.
        unsafe { closing::leave(this) };
    }
}

/// Sets a child's bit, and sees to what follows.
///
/// # Safety
///
/// - The caller holds a count, which is given back if it is `owned`, or the owner calls.
#[inline]
pub(super) unsafe fn set(this: NonNull<Group>, child: u32, owned: bool) {
    // SAFETY: the caller's count holds the block.
    let group = unsafe { this.as_ref() };
    // ORDERING: Relaxed: the exchange acquires.
    let mut before = group.word.load(Ordering::Relaxed);
    let next = loop {
        let (after, next) = Word::from_raw(before).wake(child, owned);
        let raw = after.raw();
        // ORDERING: AcqRel: see the table.
        match group
            .word
            .compare_exchange_weak(before, raw, Ordering::AcqRel, Ordering::Relaxed)
        {
            Ok(_) => break next,
            Err(now) => before = now,
        }
    };
    match next {
        Wake::Done => {}
        // SAFETY: our transition brought the word there.
        Wake::Last => unsafe { closing::leave(this) },
        Wake::First => {
            let waking = Waking(this);
            if group.head().is_solo || push(group.head(), this) {
                // SAFETY: we count as waking.
                unsafe { group.head().wake_parent() };
            }
            drop(waking);
        }
    }
}

/// Puts a group on the list of woken ones. Returns whether it is the first there.
fn push(head: &Head, this: NonNull<Group>) -> bool {
    // SAFETY: we count as waking, or are the owner: the block lives.
    let group = unsafe { this.as_ref() };
    // ORDERING: Relaxed: the links behind it are published by who took the list, not by us.
    let mut first = head.list.load(Ordering::Relaxed);
    loop {
        // ORDERING: Relaxed: the group is ours to link until the exchange.
        group.next.store(first, Ordering::Relaxed);
        let new = this.as_ptr();
        // ORDERING: AcqRel: publishes the link, and all pushes before it through the chain of
        // exchanges; acquires the arming of the parent's waker.
        match head
            .list
            .compare_exchange_weak(first, new, Ordering::AcqRel, Ordering::Relaxed)
        {
            Ok(before) => return before.is_null(),
            Err(now) => first = now,
        }
    }
}

/// Counts as waking until it is dropped, be it by a panic of the parent's waker.
struct Waking(NonNull<Group>);

impl Drop for Waking {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: what counts as waking holds the block.
        let group = unsafe { self.0.as_ref() };
        // ORDERING: Relaxed: the exchange, or what follows, orders.
        let mut before = group.word.load(Ordering::Relaxed);
        while !Word::from_raw(before).is_closed() {
            let after = Word::from_raw(before).minus(Word::WOKE).raw();
            // ORDERING: Release: our use of the parent's waker is before its drop.
            match group.word.compare_exchange_weak(
                before,
                after,
                Ordering::Release,
                Ordering::Relaxed,
            ) {
                Ok(_) => return,
                Err(now) => before = now,
            }
        }
        // SAFETY: the group was closed, and we were counted then.
        unsafe { last_wake(self.0) };
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
    group.head().mourn();
    // ORDERING: Release: our uses are before the deallocation.
    let before = Word::from_raw(group.word.fetch_sub(Word::WOKE, Ordering::Release));
    if before.minus(Word::WOKE).is_gone() {
        fence(Ordering::Acquire);
        // SAFETY: that was the last count.
        unsafe { closing::leave(this) };
    }
}

#[cold]
fn abort() -> ! {
    struct PanicInDrop;
    impl Drop for PanicInDrop {
        fn drop(&mut self) {
            panic!("too many wakers");
        }
    }
    let _second = PanicInDrop;
    panic!("too many wakers");
}
