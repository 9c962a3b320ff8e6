//! Allocated blocks, and a table of them.
//!
//! `block` describes their layout. They are aligned by hand, because allocators serve requests with
//! the default alignment much faster.

use alloc::alloc::{Layout, handle_alloc_error};
use core::ptr::NonNull;

#[cfg(all(feature = "std", target_pointer_width = "64", not(loom)))]
use super::block::NO_PLACE;
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
    let value = Head::allocated(head, more, groups, is_solo, allocation);
    // SAFETY: the allocation begins with room for it.
    unsafe { head.write(value) };
    for number in 1..groups {
        // SAFETY: just written.
        let group = unsafe { &*head }.group(number);
        // SAFETY: fresh, and in the same memory.
        unsafe { group.initialize(head, number) };
    }
    #[cfg(all(feature = "std", target_pointer_width = "64", not(loom)))]
    {
        // SAFETY: just written.
        let place = &unsafe { &*head }.table_place;
        place.set(set_table::enter(head));
    }
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
    #[cfg(all(feature = "std", target_pointer_width = "64", not(loom)))]
    if !set_table::leave(this.as_ptr(), head.table_place.get()) {
        return;
    }
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

#[cfg(all(feature = "std", target_pointer_width = "64", not(loom)))]
pub use self::set_table::{WakeSetInfo, for_each_wake_set, parent_of_child_waker};

#[cfg(all(feature = "std", target_pointer_width = "64", not(loom)))]
mod set_table {
    //! `SetTable`: the wake sets of the process, so that a runtime finds woken children that their
    //! task does not poll.
    //!
    //! A combinator within an `async` block cannot be inspected, because the type of the block is
    //! not known. But its set knows the task that polls it, by the data of the task's waker.
    //!
    //! Each allocated set enters one place of a table of fixed size, if one of a few places is
    //! free. So a program with more sets has some that are not in the table.
    //!
    //! ```text
    //!   0                free
    //!   address          a set
    //!   address | 1      a set that another thread reads
    //! ```
    //!
    //! A set is freed only after it has left its place, and that waits for the reader. A reader
    //! calls no foreign code, so the wait is short. It has a limit, because the process may have
    //! been forked while another thread was reading: then the set is not freed.

    use core::ptr;

    use super::{Head, NO_PLACE};
    use crate::loom::sync::atomic::{AtomicPtr, Ordering};

    /// The number of places.
    const PLACES: usize = 4_096;

    /// The number of places that a set tries.
    const TRIES: usize = 4;

    /// The number of attempts after which a set that is being read is not freed.
    const MAX_WAITS: u32 = 1 << 26;

    static TABLE: [AtomicPtr<Head>; PLACES] = [const { AtomicPtr::new(ptr::null_mut()) }; PLACES];

    /// A wake set, as other threads see it.
    #[doc(hidden)]
    #[derive(Clone, Copy, Debug)]
    #[non_exhaustive]
    pub struct WakeSetInfo {
        /// The data of the waker that polled the set last.
        pub parent: usize,
        /// The number of children that were woken and not polled since.
        pub woken: u32,
    }

    /// Enters a set in the table, and returns its place.
    #[inline]
    pub(super) fn enter(head: *mut Head) -> u32 {
        let first = head.addr() >> 6;
        for place in first..first + TRIES {
            let place = place % PLACES;
            // ORDERING: Release pairs with the Acquire in `read`: the set is initialized.
            if change(&TABLE[place], ptr::null_mut(), head, Ordering::Release) {
                return place as u32;
            }
        }
        NO_PLACE
    }

    /// Removes a set from its place. Returns `false` if another thread still reads it.
    #[inline]
    pub(super) fn leave(head: *mut Head, place: u32) -> bool {
        // No entry has the number `NO_PLACE`.
        let Some(entry) = TABLE.get(place as usize) else {
            return true;
        };
        // ORDERING: Acquire pairs with the Release in `read`: the reads are over.
        change(entry, head, ptr::null_mut(), Ordering::Acquire) || leave_after_read(head, entry)
    }

    #[cold]
    #[inline(never)]
    fn leave_after_read(head: *mut Head, entry: &AtomicPtr<Head>) -> bool {
        for _ in 0..MAX_WAITS {
            // ORDERING: as in `leave`.
            if change(entry, head, ptr::null_mut(), Ordering::Acquire) {
                return true;
            }
            core::hint::spin_loop();
        }
        false
    }

    #[inline]
    fn change(entry: &AtomicPtr<Head>, from: *mut Head, to: *mut Head, order: Ordering) -> bool {
        let changed = entry.compare_exchange(from, to, order, Ordering::Relaxed);
        changed.is_ok()
    }

    /// Calls `visit` with each set that is in the table.
    #[doc(hidden)]
    pub fn for_each_wake_set(mut visit: impl FnMut(WakeSetInfo)) {
        for entry in &TABLE {
            let info = read(entry, |head| WakeSetInfo {
                parent: head.parent_data.get(),
                woken: head.woken_children(),
            });
            // The set may be freed from here on.
            info.into_iter().for_each(&mut visit);
        }
    }

    /// Returns the data of the waker that polled the set of a child last, by the data of the waker
    /// of this child. Returns `None` if it is no such waker, or if the set is in no table.
    #[doc(hidden)]
    #[must_use]
    pub fn parent_of_child_waker(data: usize) -> Option<usize> {
        let parent = |head: &Head| {
            let is_of_set = head.groups().any(|group| group.is_of_waker(data));
            is_of_set.then(|| head.parent_data.get())
        };
        TABLE.iter().find_map(|entry| read(entry, parent)?)
    }

    /// Reads the set at a place, unless the place is free or another thread reads it.
    fn read<R>(entry: &AtomicPtr<Head>, read: impl FnOnce(&Head) -> R) -> Option<R> {
        let head = entry.load(Ordering::Relaxed);
        if head.is_null() || head.addr() & 1 != 0 {
            return None;
        }
        let reading = head.map_addr(|address| address | 1);
        // ORDERING: Acquire pairs with the Release in `enter`.
        let begun = entry.compare_exchange(head, reading, Ordering::Acquire, Ordering::Relaxed);
        begun.ok()?;
        // SAFETY: a set in the table is not freed, and it stays there while the place has the mark.
        let result = read(unsafe { &*head });
        // ORDERING: Release pairs with the Acquire in `leave`.
        entry.store(head, Ordering::Release);
        Some(result)
    }
}
