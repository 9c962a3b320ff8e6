//! Allocated blocks.
//!
//! `block` describes their layout. They are aligned by hand, because allocators serve requests with
//! the default alignment much faster.

use alloc::alloc::{Layout, handle_alloc_error};
use core::ptr::NonNull;

use super::block::{ALIGN, Group, Head, Segment};
use crate::loom::alloc::{alloc, dealloc};

/// The alignment of an allocation before it is aligned by hand.
const PLAIN: usize = align_of::<usize>();
const GAP: usize = ALIGN - PLAIN;

/// The layout of a header of that many bytes and some groups, gap included.
fn layout(header: usize, groups: u32) -> Layout {
    let size = GAP + header.next_multiple_of(ALIGN) + groups as usize * size_of::<Group>();
    let layout = Layout::from_size_align(size, PLAIN);
    layout.expect("the number of children is limited")
}

/// Allocates for a header and some groups, which are initialised. Returns what is to be freed, and
/// where each begins.
fn allocate<H>(groups: u32) -> (*mut u8, *mut H, *mut Group) {
    let layout = layout(size_of::<H>(), groups);
    // SAFETY: the layout has the header's size at least.
    let allocation = unsafe { alloc(layout) };
    if allocation.is_null() {
        handle_alloc_error(layout);
    }
    let header = allocation.map_addr(|addr| addr.next_multiple_of(ALIGN));
    let first = header.wrapping_add(size_of::<H>().next_multiple_of(ALIGN));
    let first = first.cast::<Group>();
    for n in 0..groups as usize {
        // SAFETY: the allocation has room for them behind the header, aligned.
        unsafe { first.wrapping_add(n).write(Group::new()) };
    }
    (allocation, header.cast::<H>(), first)
}

/// Allocates a block with that many groups. One that `is_solo` has one group, and does not grow.
pub(super) fn new(groups: u32, is_solo: bool) -> NonNull<Head> {
    let (allocation, head, more) = allocate::<Head>(groups - 1);
    // SAFETY: the allocation begins with room for it.
    unsafe { head.write(Head::new()) };
    // SAFETY: just written.
    unsafe { &*head }.allocation.set(allocation);
    // SAFETY: fresh, with that many groups.
    unsafe { Head::initialize(head, more, groups, is_solo) };
    // SAFETY: not null, as the allocation is not.
    unsafe { NonNull::new_unchecked(head) }
}

/// Adds groups to a block that is not solo.
///
/// # Safety
///
/// - It was allocated here, and the caller is its owner.
pub(super) unsafe fn grow(this: NonNull<Head>, groups: u32) {
    // SAFETY: by contract it lives.
    let head = unsafe { this.as_ref() };
    debug_assert!(!head.is_solo());
    let first = head.owner.groups.get();
    let (allocation, segment, place) = allocate::<Segment>(groups);
    let value = Segment {
        older: head.segments.get(),
        allocation,
        groups: place,
        first,
        len: groups,
    };
    // SAFETY: the allocation begins with room for it.
    unsafe { segment.write(value) };
    head.segments.publish(segment);
    for number in first..first + groups {
        // SAFETY: I1 of `block`: new, and not reachable by another thread.
        unsafe { head.group(number).initialize(this.as_ptr(), number) };
    }
    head.owner.groups.publish(first + groups);
}

/// Frees a block.
///
/// # Safety
///
/// - It was allocated here, and is not used again by anybody.
pub(super) unsafe fn free(this: NonNull<Head>) {
    // SAFETY: by contract it is ours.
    let head = unsafe { this.as_ref() };
    let (allocation, following, mut segment) =
        (head.allocation.get(), head.following(), head.segments.get());
    while !segment.is_null() {
        // SAFETY: read out before it goes.
        let found = unsafe { segment.read() };
        let layout = layout(size_of::<Segment>(), found.len);
        // SAFETY: allocated with this layout.
        unsafe { dealloc(found.allocation, layout) };
        segment = found.older;
    }
    let layout = layout(size_of::<Head>(), following);
    // SAFETY: allocated with this layout.
    unsafe { dealloc(allocation, layout) };
}
