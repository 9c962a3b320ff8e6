//! The allocation that children's wakers share with their combinator.
//!
//! # Layout
//!
//! One block, aligned by hand to [`ALIGN`] because allocators answer plain requests much faster:
//!
//! ```text
//!  start      head                                                 owner's part
//!    │         │                                                    │
//!    ▼         ▼                                                    ▼
//!    ┌ gap ────┬──────┬─────────┬─────────┬───┬─────────────────────┬──────┬──────────────┐
//!    │ 0..56 B │ Head │ Group 0 │ Group 1 │ … │ summary words       │ Line │ Todo, Todo … │
//!    └─────────┴──────┴─────────┴─────────┴───┴─────────────────────┴──────┴──────────────┘
//! ```
//!
//! A child's waker is one pointer: the address of its [`Group`], and in the low bits that the
//! alignment leaves free, the child's number in the group. The pointer is derived from the block's
//! own, so it may reach all of it; the group's index leads back to the head.
//!
//! # Protocol
//!
//! A wake sets the child's bit and climbs as long as it was the first:
//!
//! 1. the bit of the child in its group's word; done if the word was not zero;
//! 2. the bit of the group in its summary word, if there is more than one group; as above;
//! 3. the bit of the summary word in the root, if there is more than one summary word; as above;
//! 4. the parent's waker.
//!
//! The owner arms the parent's waker, then takes the words from the top down: root, summaries,
//! groups. One that is first after the owner took a word climbs on; one that was not first is seen
//! together with the one that was.
//!
//! # Invariants
//!
//! - I1: The block lives while `refs` is not zero; the owner and every cloned waker count one.
//! - I2: `groups`, `owner`, `start` and each group's `index` are never written after creation.
//! - I3: Line and todos are touched only through the owner's `&mut WakeSet`.
//!
//! # Ordering
//!
//! | step | ordering | why |
//! | --- | --- | --- |
//! | a wake's `fetch_or` | AcqRel | releases the child's progress; acquires from the owner's `swap` that the parent is armed |
//! | the owner's `swap` | AcqRel | acquires the progress; releases the arming |
//! | `refs` down | Release, then an Acquire fence | all uses are before the deallocation |

use alloc::alloc::{Layout, handle_alloc_error};
use core::mem::ManuallyDrop;
use core::ptr::NonNull;
use core::task::{RawWaker, RawWakerVTable, Waker};

use super::agenda::{Agenda, Line, Todo};
use super::bits::WORD;
use crate::loom::alloc::{alloc, dealloc};
use crate::loom::sync::atomic::{AtomicUsize, Ordering, fence};
use crate::waker_cell::WakerCell;

/// Leaves as many low bits of a group's address free as a word has bits to number.
const ALIGN: usize = 64;
const _: () = assert!(ALIGN >= WORD && align_of::<Group>() == ALIGN);

/// What all wakers of a set share.
#[repr(C, align(64))]
#[derive(Debug)]
pub(super) struct Head {
    refs: AtomicUsize,
    pub(super) parent: WakerCell,
    pub(super) root: AtomicUsize,
    groups: usize,
    /// Where the owner's part lies, counted from the head.
    owner: usize,
    /// Where the allocator's block starts.
    start: *mut u8,
}

/// The wake bits of as many children as a word has bits.
#[repr(C, align(64))]
#[derive(Debug)]
pub(super) struct Group {
    pub(super) woken: AtomicUsize,
    index: usize,
}

/// Where each part of the block lies, counted from the head.
struct Plan {
    groups: usize,
    summaries: usize,
    owner: usize,
    todos: usize,
    size: usize,
}

impl Plan {
    /// Cannot overflow for a count of children that exist: each has at least a byte elsewhere,
    /// or the caller's limit on their number holds.
    const fn new(groups: usize) -> Self {
        let summaries = groups.div_ceil(WORD);
        let first_summary = size_of::<Head>() + groups * size_of::<Group>();
        let owner = first_summary + summaries * size_of::<AtomicUsize>();
        let todos = owner + size_of::<Line>();
        let size = todos + groups * size_of::<Todo>();
        Self {
            groups,
            summaries: first_summary,
            owner,
            todos,
            size,
        }
    }

    fn layout(&self) -> Layout {
        // The allocator keeps to the word's alignment; the rest is made up by the gap.
        let gap = ALIGN - align_of::<usize>();
        Layout::from_size_align(self.size + gap, align_of::<usize>())
            .expect("the number of children is limited")
    }
}

/// A reference to the block, as its owner or a waker holds it. It does not count by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Block(NonNull<Head>);

impl Block {
    /// Allocates a block with one reference, for as many groups as `len` children need.
    pub(super) fn new(len: usize) -> Self {
        let plan = Plan::new(len.div_ceil(WORD));
        let layout = plan.layout();
        // SAFETY: the layout has the head's size at least.
        let start = unsafe { alloc(layout) };
        if start.is_null() {
            handle_alloc_error(layout);
        }
        let gap = start.addr().wrapping_neg() % ALIGN;
        // SAFETY: the layout has room for the largest gap.
        let head = unsafe { start.add(gap) }.cast::<Head>();
        let block = Self(NonNull::new(head).expect("an offset within a block"));
        block.init(start, &plan);
        block
    }

    fn init(self, start: *mut u8, plan: &Plan) {
        let head = Head {
            refs: AtomicUsize::new(1),
            parent: WakerCell::new(),
            root: AtomicUsize::new(0),
            groups: plan.groups,
            owner: plan.owner,
            start,
        };
        // SAFETY: the plan's first part, aligned by `new`.
        unsafe { self.0.write(head) };
        for index in 0..plan.groups {
            let woken = AtomicUsize::new(0);
            // SAFETY: the plan has room for this group.
            unsafe { self.group_ptr(index).write(Group { woken, index }) };
        }
        for index in 0..plan.groups.div_ceil(WORD) {
            // SAFETY: the plan has room for this word.
            unsafe { self.summary_ptr(index).write(AtomicUsize::new(0)) };
        }
        // SAFETY: the plan has room for the line; word-aligned parts precede it.
        unsafe { self.at::<Line>(plan.owner).write(Line::EMPTY) };
        for index in 0..plan.groups {
            let todo = plan.todos + index * size_of::<Todo>();
            // SAFETY: the plan has room for this entry.
            unsafe { self.at::<Todo>(todo).write(Todo::EMPTY) };
        }
    }

    #[inline]
    fn at<T>(self, offset: usize) -> NonNull<T> {
        let base = self.0.as_ptr().cast::<u8>();
        // Wrapping, because only the reads and writes of callers promise to stay in the block.
        NonNull::new(base.wrapping_add(offset).cast()).expect("an offset within a block")
    }

    #[inline]
    fn group_ptr(self, index: usize) -> NonNull<Group> {
        self.at(size_of::<Head>() + index * size_of::<Group>())
    }

    fn summary_ptr(self, index: usize) -> NonNull<AtomicUsize> {
        self.at(Plan::new(self.head().groups).summaries + index * size_of::<AtomicUsize>())
    }

    #[inline]
    pub(super) fn head<'a>(self) -> &'a Head {
        // SAFETY: I1: whoever holds a block holds a count, or borrows from one who does.
        unsafe { self.0.as_ref() }
    }

    #[inline]
    pub(super) fn groups(self) -> usize {
        self.head().groups
    }

    pub(super) fn summaries(self) -> usize {
        self.groups().div_ceil(WORD)
    }

    #[inline]
    pub(super) fn group<'a>(self, index: usize) -> &'a Group {
        debug_assert!(index < self.groups());
        // SAFETY: I1, I2: initialised, and the index is in range.
        unsafe { self.group_ptr(index).as_ref() }
    }

    pub(super) fn summary<'a>(self, index: usize) -> &'a AtomicUsize {
        debug_assert!(index < self.summaries());
        // SAFETY: I1, I2: initialised, and the index is in range.
        unsafe { self.summary_ptr(index).as_ref() }
    }

    /// Lends the owner's part.
    ///
    /// # Safety
    ///
    /// - I3: only the owner may call it, and keep one result at a time.
    #[inline]
    pub(super) unsafe fn agenda<'a>(self) -> Agenda<'a> {
        let (groups, owner) = (self.head().groups, self.head().owner);
        let first = self.at::<Todo>(owner + size_of::<Line>());
        let mut todos = NonNull::slice_from_raw_parts(first, groups);
        Agenda {
            // SAFETY: initialised by `init`; exclusive by contract.
            line: unsafe { self.at::<Line>(owner).as_mut() },
            // SAFETY: as above, and the two do not overlap.
            todos: unsafe { todos.as_mut() },
        }
    }

    /// The waker of a child, without a count of its own.
    ///
    /// # Safety
    ///
    /// - The caller keeps its own count while the waker is used.
    #[inline]
    pub(super) unsafe fn waker(self, child: usize) -> ManuallyDrop<Waker> {
        let group = self.group_ptr(child / WORD);
        let data = group.as_ptr().map_addr(|addr| addr | (child % WORD));
        // SAFETY: the functions of the table take exactly such a pointer, and are thread-safe.
        ManuallyDrop::new(unsafe { Waker::new(data.cast::<()>(), &VTABLE) })
    }

    fn retain(self) {
        // ORDERING: Relaxed: the clone is made from a count that exists.
        let before = self.head().refs.fetch_add(1, Ordering::Relaxed);
        if before > isize::MAX as usize {
            // Leaked clones by the billion: wrapping to zero would free a block in use.
            abort();
        }
    }

    /// Gives one count back, and the block with the last.
    ///
    /// # Safety
    ///
    /// - The caller owns the count and does not use the block again.
    #[inline]
    pub(super) unsafe fn release(self) {
        // ORDERING: Release: our uses are before the deallocation.
        if self.head().refs.fetch_sub(1, Ordering::Release) == 1 {
            // ORDERING: Acquire pairs with the Release of the others.
            fence(Ordering::Acquire);
            // SAFETY: I1: that was the last count.
            unsafe { self.free() }
        }
    }

    /// # Safety
    ///
    /// - No count is left.
    unsafe fn free(self) {
        let start = self.head().start;
        let layout = Plan::new(self.groups()).layout();
        // Groups, words and todos own nothing. The head may hold a waker that its owner, which
        // closes before it goes, never does; dropping it costs nothing.
        // SAFETY: initialised, and nobody looks any more.
        unsafe { self.0.drop_in_place() };
        // SAFETY: allocated by `new` with this layout.
        unsafe { dealloc(start, layout) };
    }

    /// Marks one group as woken in the words above it, and wakes the parent if that was news.
    #[inline]
    fn climb(self, group: usize) {
        if self.groups() > 1 {
            if is_set_already(self.summary(group / WORD), group % WORD) {
                return;
            }
            // Beyond WORD summaries each root bit stands for several of them.
            if self.summaries() > 1 && is_set_already(&self.head().root, group / WORD % WORD) {
                return;
            }
        }
        self.head().parent.wake();
    }
}

/// Sets a bit; tells whether the word held any before.
#[inline]
fn is_set_already(word: &AtomicUsize, bit: usize) -> bool {
    // ORDERING: AcqRel: see the table above.
    word.fetch_or(1 << bit, Ordering::AcqRel) != 0
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

static VTABLE: RawWakerVTable = RawWakerVTable::new(clone, wake, wake_by_ref, drop_waker);

/// Takes a waker's pointer apart.
///
/// # Safety
///
/// - `data` was made by [`Block::waker`], and its block lives.
#[inline]
unsafe fn parts(data: *const ()) -> (Block, usize, usize) {
    let bit = data.addr() % ALIGN;
    let group = data.map_addr(|addr| addr & !(ALIGN - 1)).cast::<Group>();
    // SAFETY: by contract the pointer is a group's.
    let index = unsafe { (*group).index };
    let offset = size_of::<Head>() + index * size_of::<Group>();
    let head = group.cast::<u8>().wrapping_sub(offset).cast::<Head>();
    let block = Block(NonNull::new(head.cast_mut()).expect("an offset within a block"));
    (block, index, bit)
}

unsafe fn clone(data: *const ()) -> RawWaker {
    // SAFETY: the table's functions get what `Block::waker` made.
    let (block, ..) = unsafe { parts(data) };
    block.retain();
    RawWaker::new(data, &VTABLE)
}

unsafe fn wake(data: *const ()) {
    /// Gives the count back, even if the parent's waker panics.
    struct Release(*const ());
    impl Drop for Release {
        fn drop(&mut self) {
            // SAFETY: the count that `clone` took is ours.
            unsafe { drop_waker(self.0) };
        }
    }
    let _release = Release(data);
    // SAFETY: as in `clone`.
    unsafe { wake_by_ref(data) };
}

unsafe fn wake_by_ref(data: *const ()) {
    // SAFETY: as in `clone`.
    let (block, group, bit) = unsafe { parts(data) };
    if !is_set_already(&block.group(group).woken, bit) {
        block.climb(group);
    }
}

unsafe fn drop_waker(data: *const ()) {
    // SAFETY: as in `clone`.
    let (block, ..) = unsafe { parts(data) };
    // SAFETY: the count that `clone` took is ours.
    unsafe { block.release() };
}
