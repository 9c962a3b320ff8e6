//! The end of a block: its owner goes, and then all who still reach it.
//!
//! The owner closes each group with one transition, and counts those that are not gone by it, and
//! the threads that are waking just then. Both sums are kept as what the owner found less what went
//! since, so that whoever brings one to zero is the last, be it the owner or another.

use core::ptr::NonNull;

use super::block::{Group, Head, Segment};
use super::word::Word;
use crate::loom::alloc::dealloc;
use crate::loom::sync::atomic::Ordering;

/// The owner goes: closes the groups, drops the parent's waker, and frees the block if nobody else
/// reaches it.
///
/// # Safety
///
/// - The caller is the owner, and does not use the block again.
pub(super) unsafe fn close(this: NonNull<Head>) {
    // SAFETY: I1: the owner holds the block.
    let head = unsafe { this.as_ref() };
    let (mut held, mut mourners) = (0, 0);
    // SAFETY: the owner.
    for group in unsafe { head.groups() } {
        // SAFETY: I3: the owner, and it does not poll.
        let handed = group.handed.with_mut(|handed| unsafe { *handed });
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
    // ORDERING: AcqRel: as in `mourn`. The sum is zero when all are done.
    let _release = Release(this, held);
    if mourners == 0
        || head
            .mourners
            .fetch_add(mourners, Ordering::AcqRel)
            .wrapping_add(mourners)
            == 0
    {
        // SAFETY: I4: nobody is waking, and after the close nobody begins.
        unsafe { head.parents.drop_all() };
    }
}

/// Gives the owner's hold back, even if a waker panics when it is dropped.
struct Release(NonNull<Head>, usize);

impl Drop for Release {
    fn drop(&mut self) {
        let Self(head, held) = *self;
        // SAFETY: I1: the owner's hold is given back here.
        let counter = unsafe { &(*head.as_ptr()).held };
        // ORDERING: AcqRel: as in `Group::leave`. The sum is zero when all are gone.
        if held == 0 || counter.fetch_add(held, Ordering::AcqRel).wrapping_add(held) == 0 {
            // SAFETY: I1: closed, and all groups are gone.
            unsafe { free(head) };
        }
    }
}

/// # Safety
///
/// - I1: closed, and all groups are gone.
unsafe fn free(head: NonNull<Head>) {
    // SAFETY: I3: nobody else is left.
    let owner = unsafe { &(*head.as_ptr()).owner };
    // SAFETY: as above.
    let mut segment = owner.with_mut(|owner| unsafe { (*owner).segments });
    while !segment.is_null() {
        // SAFETY: read out before it goes. The last one holds the head, which owns nothing now.
        let Segment {
            older,
            start,
            layout,
            ..
        } = unsafe { segment.read() };
        // SAFETY: allocated by `allocate` with this layout.
        unsafe { dealloc(start, layout) };
        segment = older;
    }
}

/// One more has left the group, and was the last: it, or the whole block, is gone.
///
/// # Safety
///
/// - The caller's transition brought the word to `is_gone`.
#[cold]
pub(super) unsafe fn leave(this: NonNull<Group>) {
    // SAFETY: I1: the block waits for this group.
    let head = unsafe { this.as_ref() }.head;
    // SAFETY: I1, as above.
    let held = unsafe { &(*head.as_ptr()).held };
    // ORDERING: AcqRel: our uses are before, and the others' are seen by, the deallocation.
    if held.fetch_sub(1, Ordering::AcqRel) == 1 {
        // SAFETY: I1: that was the last group.
        unsafe { free(head) };
    }
}
