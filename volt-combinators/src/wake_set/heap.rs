//! Blocks in allocations of their own.
//!
//! Their layout is that of `block`. They are aligned by hand, because allocators answer plain
//! requests much faster.

use alloc::alloc::{Layout, handle_alloc_error};
use core::ptr::NonNull;
use core::task::Waker;

use super::block::{ALIGN, Group, Head, Segment};
use super::memory::Block;
use super::word::CHILDREN;
use crate::loom::alloc::{alloc, dealloc};
use crate::loom::sync::atomic::{AtomicPtr, Ordering};

/// What an allocation is aligned to before it is aligned by hand.
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
    let home = unsafe { alloc(layout) };
    if home.is_null() {
        handle_alloc_error(layout);
    }
    let header = home.map_addr(|addr| addr.next_multiple_of(ALIGN));
    let first = header.wrapping_add(size_of::<H>().next_multiple_of(ALIGN));
    let first = first.cast::<Group>();
    for n in 0..groups as usize {
        // SAFETY: the allocation has room for them behind the header, aligned.
        unsafe { first.wrapping_add(n).write(Group::new()) };
    }
    (home, header.cast::<H>(), first)
}

impl Block {
    /// Allocates a block for `len` children. One that `is_solo` has one group, and does not grow.
    pub(super) fn allocate(len: usize, is_solo: bool, parent: &Waker) -> Self {
        let groups = len.div_ceil(CHILDREN).max(1) as u32;
        let (home, head, more) = allocate::<Head>(groups - 1);
        // SAFETY: the allocation begins with room for it.
        unsafe { head.write(Head::new()) };
        // SAFETY: just written.
        unsafe { &*head }.home.set(home);
        // SAFETY: fresh, with that many groups.
        unsafe { Head::settle(head, more, groups, is_solo) };
        // SAFETY: not null, as the allocation is not.
        let head = unsafe { NonNull::new_unchecked(head) };
        // SAFETY: settled above.
        let mut block = unsafe { Self::from_raw(head) };
        block.register(parent);
        block
    }

    /// Adds groups to a block that is not solo.
    pub(super) fn grow(&mut self, groups: u32) {
        debug_assert!(!self.is_solo());
        let first = self.owner.groups.get();
        let (home, segment, place) = allocate::<Segment>(groups);
        let value = Segment {
            older: self.segments.get(),
            home,
            groups: place,
            first,
            len: groups,
        };
        // SAFETY: the allocation begins with room for it.
        unsafe { segment.write(value) };
        self.segments.set(segment);
        self.owner.groups.set(first + groups);
        let head = self.0.as_ptr();
        for number in first..first + groups {
            // SAFETY: I1: our own groups, fresh.
            unsafe { self.group(number).settle(head, number) };
        }
    }
}

/// Frees a block.
///
/// # Safety
///
/// - It was allocated here, and is not used again by anybody.
pub(super) unsafe fn free(this: NonNull<Head>) {
    // SAFETY: by contract it is ours.
    let head = unsafe { this.as_ref() };
    let (home, following, mut segment) = (head.home.get(), head.following(), head.segments.get());
    while !segment.is_null() {
        // SAFETY: read out before it goes.
        let found = unsafe { segment.read() };
        let layout = layout(size_of::<Segment>(), found.len);
        // SAFETY: allocated with this layout.
        unsafe { dealloc(found.home, layout) };
        segment = found.older;
    }
    let layout = layout(size_of::<Head>(), following);
    // SAFETY: allocated with this layout.
    unsafe { dealloc(home, layout) };
}

/// A block that is allocated when it is first needed, by whoever needs it.
#[derive(Debug)]
pub(super) struct LateBlock(AtomicPtr<Head>);

impl LateBlock {
    #[inline]
    pub(super) fn new() -> Self {
        Self(AtomicPtr::new(core::ptr::null_mut()))
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
            core::ptr::null_mut(),
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
        self.0.store(core::ptr::null_mut(), Ordering::Relaxed);
        // SAFETY: given up in `get_or_place`, and not there any more.
        Some(unsafe { Block::from_raw(head) })
    }
}

impl Drop for LateBlock {
    #[inline]
    fn drop(&mut self) {
        drop(self.take());
    }
}
