//! The memory that children's wakers share with their combinator.
//!
//! # Layout
//!
//! One allocation, its groups aligned by hand because allocators answer plain requests much faster:
//!
//! ```text
//!  start                          32-aligned
//!    │                                │
//!    ▼                                ▼
//!    ┌───────────────┬─────────┬ gap ─┬─────────┬─────────┬───┐
//!    │ Head          │ Segment │      │ Group 0 │ Group 1 │ … │
//!    └───────────────┴─────────┴──────┴─────────┴─────────┴───┘
//! ```
//!
//! A set that grows adds segments: the same without a head. A child's waker is one pointer: the
//! address of its group, and in the low bits that the alignment leaves free, its number there.
//!
//! # Invariants
//!
//! - I1: The block lives until its owner has closed it and each group is gone: nobody counts in its
//!   word, as a waker or as waking. While it lives every group in it may be reached.
//! - I2: `head`, `first` of a group and the segments' contents are not written after creation.
//! - I3: Fields under [`Owner`], and the list of segments, are touched by the owner only; `handed`
//!   by whoever runs on the thread that the owner polls on, while it polls, and by the owner.
//! - I4: The parents' wakers are looked at by the owner and by those who are waking, and dropped
//!   when no one is waking who may be looking; see `parents`.
//!
//! What the words mean, and the protocol, stand in `word` and `waking`; how it ends, in `closing`.

use alloc::alloc::{Layout, handle_alloc_error};
use core::ptr::{self, NonNull};
use core::task::Waker;

use super::parents::Parents;
use super::word::{AtomicWord, CHILDREN, Word};
use crate::loom::alloc::alloc;
use crate::loom::cell::UnsafeCell;
use crate::loom::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// Leaves as many low bits of a group's address free as it has children to number.
pub(super) const ALIGN: usize = 32;
const _: () = assert!(ALIGN >= CHILDREN && align_of::<Group>() == ALIGN);

/// What all groups of a set share.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) parents: Parents,
    /// The woken groups, the last one first.
    pub(super) list: AtomicPtr<Group>,
    /// Where the owner polls just now; see `crate::loom::thread::mark`.
    pub(super) poller: AtomicUsize,
    /// Groups that were not gone when the owner closed them, less those that went since.
    pub(super) held: AtomicUsize,
    /// Threads that were waking when the owner closed their groups, less those that are done.
    pub(super) mourners: AtomicUsize,
    /// There is one group and will be: it needs no list.
    pub(super) is_solo: bool,
    pub(super) owner: UnsafeCell<Owner>,
}

/// What only the owner knows.
#[derive(Debug)]
pub(super) struct Owner {
    /// Groups that were taken from the list and not looked at.
    pub(super) first: *mut Group,
    pub(super) last: *mut Group,
    /// Where the next scan starts, as a number in a group.
    pub(super) cursor: u32,
    /// Parents' wakers that were replaced and not dropped yet.
    retired: usize,
    groups: usize,
    pub(super) segments: *mut Segment,
}

/// The wake word of some children.
#[repr(C, align(32))]
#[derive(Debug)]
pub(super) struct Group {
    pub(super) word: AtomicWord,
    pub(super) head: NonNull<Head>,
    /// The next in a list, for whoever is putting this one there or has taken it from there.
    pub(super) next: AtomicPtr<Group>,
    /// The number of the first child.
    pub(super) first: u32,
    /// Wakers out of the owner's stock.
    pub(super) handed: UnsafeCell<u32>,
}

/// An allocation of groups.
#[derive(Debug)]
pub(super) struct Segment {
    pub(super) older: *mut Segment,
    pub(super) start: *mut u8,
    pub(super) layout: Layout,
    groups: *mut Group,
    len: u32,
    /// The number of the first child.
    first: usize,
}

struct Root {
    head: Head,
    segment: Segment,
}

/// Allocates a header and groups; returns where each begins.
fn allocate<H>(first: usize, groups: usize) -> (*mut H, Segment) {
    let gap = ALIGN - align_of::<H>().min(ALIGN);
    let size = size_of::<H>() + gap + groups * size_of::<Group>();
    let layout = Layout::from_size_align(size, align_of::<H>());
    let layout = layout.expect("the number of children is limited");
    // SAFETY: the layout has the header's size at least.
    let start = unsafe { alloc(layout) };
    if start.is_null() {
        handle_alloc_error(layout);
    }
    let header = start.wrapping_add(size_of::<H>());
    let groups_at = header.map_addr(|addr| addr.next_multiple_of(ALIGN));
    let segment = Segment {
        older: ptr::null_mut(),
        start,
        layout,
        groups: groups_at.cast::<Group>(),
        len: groups as u32,
        first,
    };
    (start.cast::<H>(), segment)
}

impl Segment {
    /// Writes the groups.
    ///
    /// # Safety
    ///
    /// - The segment is fresh from `allocate`.
    unsafe fn init(&self, head: NonNull<Head>) {
        for n in 0..self.len as usize {
            let group = Group {
                word: AtomicWord::new(Word::new(0).raw()),
                head,
                next: AtomicPtr::new(ptr::null_mut()),
                first: (self.first + n * CHILDREN) as u32,
                handed: UnsafeCell::new(0),
            };
            // SAFETY: the allocation has room for `len` groups, aligned by `allocate`.
            unsafe { self.groups.wrapping_add(n).write(group) };
        }
    }
}

/// Allocates a block for `len` children. One that `is_solo` has one group, and does not grow.
pub(super) fn new(len: usize, is_solo: bool, parent: Waker) -> NonNull<Head> {
    let groups = len.div_ceil(CHILDREN);
    let (root, segment) = allocate::<Root>(0, groups);
    // SAFETY: only the address is taken.
    let head = unsafe { &raw mut (*root).head };
    // SAFETY: not null, see `allocate`.
    let head = unsafe { NonNull::new_unchecked(head) };
    // SAFETY: fresh.
    unsafe { segment.init(head) };
    // SAFETY: only the address is taken.
    let segments = unsafe { &raw mut (*root).segment };
    let head_value = Head {
        parents: Parents::new(parent),
        list: AtomicPtr::new(ptr::null_mut()),
        poller: AtomicUsize::new(0),
        held: AtomicUsize::new(0),
        mourners: AtomicUsize::new(0),
        is_solo,
        owner: UnsafeCell::new(Owner {
            first: ptr::null_mut(),
            last: ptr::null_mut(),
            cursor: 0,
            retired: 0,
            groups,
            segments,
        }),
    };
    let value = Root {
        head: head_value,
        segment,
    };
    // SAFETY: the allocation begins with room for it.
    unsafe { root.write(value) };
    // SAFETY: just written, and will not move.
    unsafe { head.as_ref() }.parents.settle();
    head
}

impl Group {
    pub(super) fn head(&self) -> &Head {
        // SAFETY: I1: the head lives as long as the group.
        unsafe { self.head.as_ref() }
    }

    /// A child's waker, as the pointer that it is.
    #[inline]
    pub(super) fn tag(this: NonNull<Self>, child: u32) -> *const () {
        let group = this.as_ptr().map_addr(|addr| addr | child as usize);
        group.cast::<()>()
    }

    /// The group and the child's number in it.
    ///
    /// # Safety
    ///
    /// - `data` was made by [`tag`](Self::tag).
    #[inline]
    pub(super) unsafe fn untag(data: *const ()) -> (NonNull<Self>, u32) {
        let group = data.map_addr(|addr| addr & !(ALIGN - 1)).cast_mut();
        // SAFETY: by contract it was not null.
        let group = unsafe { NonNull::new_unchecked(group.cast::<Self>()) };
        (group, (data.addr() % ALIGN) as u32)
    }
}

impl Head {
    /// Wakes the parent.
    ///
    /// # Safety
    ///
    /// - The caller counts as waking in one of the groups.
    #[inline]
    pub(super) unsafe fn wake_parent(&self) {
        // SAFETY: I4 of `parents`: we are waking.
        unsafe { self.parents.wake() };
    }

    /// One that was waking when its group was closed is done.
    #[cold]
    pub(super) fn mourn(&self) {
        // ORDERING: AcqRel: our wake is before the drop of the parent's waker.
        if self.mourners.fetch_sub(1, Ordering::AcqRel) == 1 {
            // SAFETY: I4: nobody else is waking, and after the close nobody begins.
            unsafe { self.parents.drop_all() };
        }
    }

    /// Leaves a clone of the parent's waker, unless one that wakes the same task is there.
    ///
    /// # Safety
    ///
    /// - The caller is the owner.
    #[inline]
    pub(super) unsafe fn register(&self, waker: &Waker) {
        // SAFETY: I4: we are the owner.
        if !unsafe { self.parents.is_same(waker) } {
            // SAFETY: forwarded contract.
            unsafe { self.replace(waker.clone()) };
        }
    }

    /// Puts a waker in the place of another, which goes as soon as nobody can be looking at it.
    ///
    /// To look for those costs a step a group; so in large sets a few are kept before that is done.
    ///
    /// # Safety
    ///
    /// - The caller is the owner.
    #[cold]
    unsafe fn replace(&self, waker: Waker) {
        // SAFETY: I4: we are the owner.
        unsafe { self.parents.replace(waker) };
        let is_time = self.owner.with_mut(|owner| {
            // SAFETY: I3: the owner.
            let owner = unsafe { &mut *owner };
            owner.retired += 1;
            owner.retired * 8 >= owner.groups
        });
        // SAFETY: forwarded contract.
        if is_time && unsafe { self.is_nobody_waking() } {
            // SAFETY: I3: the owner.
            self.owner.with_mut(|owner| unsafe { (*owner).retired = 0 });
            // SAFETY: I4: nobody was waking when the new one stood there already.
            unsafe { self.parents.drop_older() };
        }
    }

    /// Whether nobody who began to wake before this is still at it.
    ///
    /// # Safety
    ///
    /// - The caller is the owner.
    unsafe fn is_nobody_waking(&self) -> bool {
        let waking = |group: &Group| {
            // ORDERING: AcqRel: a transition of its own, so that who begins to wake after it sees
            // the new waker; Acquire: those who have finished are done with the old one.
            Word::from_raw(group.word.fetch_add(0, Ordering::AcqRel)).waking()
        };
        // SAFETY: forwarded contract.
        unsafe { self.groups() }.all(|group| waking(group) == 0)
    }

    /// All groups, the newest segment's first.
    ///
    /// # Safety
    ///
    /// - The caller is the owner, and keeps its hold on the block while it looks.
    pub(super) unsafe fn groups(&self) -> impl Iterator<Item = &Group> {
        // SAFETY: I3: the owner.
        let mut segment = self.owner.with_mut(|owner| unsafe { (*owner).segments });
        let mut n = 0;
        core::iter::from_fn(move || {
            // SAFETY: I2: segments live as long as the block, and are not written.
            while unsafe { segment.as_ref() }?.len == n {
                // SAFETY: as above.
                segment = unsafe { (*segment).older };
                n = 0;
            }
            // SAFETY: as above.
            let groups = unsafe { (*segment).groups };
            n += 1;
            // SAFETY: I1: initialised, and in range.
            unsafe { groups.wrapping_add(n as usize - 1).as_ref() }
        })
    }

    /// The group of a child.
    ///
    /// # Safety
    ///
    /// - The caller is the owner, and the child is one of those that there is room for.
    #[inline]
    pub(super) unsafe fn group_of(&self, child: usize) -> NonNull<Group> {
        // SAFETY: I3: the owner.
        let mut segment = self.owner.with_mut(|owner| unsafe { (*owner).segments });
        loop {
            // SAFETY: I2: by contract one of the segments has the child.
            let found = unsafe { &*segment };
            if child >= found.first {
                let group = found.groups.wrapping_add((child - found.first) / CHILDREN);
                // SAFETY: in the allocation, so not null.
                return unsafe { NonNull::new_unchecked(group) };
            }
            segment = found.older;
        }
    }
}

/// Adds a segment for the children from `first` on.
///
/// # Safety
///
/// - The caller is the owner, the set is not solo, and `first` children have room.
pub(super) unsafe fn grow(this: NonNull<Head>, first: usize, groups: usize) {
    let (place, mut segment) = allocate::<Segment>(first, groups);
    // SAFETY: fresh.
    unsafe { segment.init(this) };
    // SAFETY: I1: the owner holds the block.
    let owner = unsafe { &(*this.as_ptr()).owner };
    // SAFETY: I3: the owner.
    segment.older = owner.with_mut(|owner| unsafe { (*owner).segments });
    // SAFETY: the allocation begins with room for it.
    unsafe { place.write(segment) };
    // SAFETY: I3: the owner.
    let owner = owner.with_mut(|owner| unsafe { &mut *owner });
    owner.segments = place;
    owner.groups += groups;
}
