//! The memory that children's wakers share with their combinator.
//!
//! # Layout
//!
//! A block is a [`Head`], which begins with its first [`Group`], and the groups that follow:
//!
//! ```text
//!  allocation              32-aligned
//!    │                   │
//!    ▼                   ▼
//!    ┌──────── gap ──────┬──────────────────────────┬─────────┬─────────┬───┐
//!    │                   │ Head: Group 0 │ the rest │ Group 1 │ Group 2 │ … │
//!    └───────────────────┴──────────────────────────┴─────────┴─────────┴───┘
//! ```
//!
//! A set that grows adds segments: the same with a [`Segment`] in the place of the head. A child's
//! waker is one pointer: the address of its group, and in the low bits that the alignment leaves
//! free, its number there. Groups name each other by their numbers.
//!
//! # Invariants
//!
//! - I1: After `initialize`, a group's `head` points to the head of its block. Both live until the
//!   owner has closed the block and each group is gone: no waker and no waking thread is counted in
//!   its word.
//! - I2: Groups beyond the first are found by `more` and `segments`. These are written before
//!   another thread can reach the groups, and always point to as many groups as they count.
//!   `segments` is published, because other threads may visit all groups while the owner adds some.
//! - I3: All fields are atomics or `ParentWaker`, so that a reference to a block does not assert
//!   anything about its bytes while another thread frees it.
//!
//! `word` and `transitions` define the words and the protocol; `memory` defines the owner of a
//! block and when it is freed.

use core::ptr;

use super::parent_waker::ParentWaker;
use super::word::{AtomicWord, CHILDREN, Word};
#[cfg(all(feature = "std", target_pointer_width = "64", not(loom)))]
use crate::loom::UnracedUsize;
use crate::loom::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use crate::loom::{UnracedBool, UnracedPtr, UnracedU32, const_unless_loom};

/// Leaves as many low bits of a group's address free as it has children to number.
pub(super) const ALIGN: usize = 32;
const _: () = assert!(ALIGN >= CHILDREN && align_of::<Group>() == ALIGN);

/// The wake word of some children.
#[repr(C, align(32))]
#[derive(Debug)]
pub(super) struct Group {
    pub(super) word: AtomicWord,
    head: UnracedPtr<Head>,
    /// The next group in a list. Used by the thread that pushes this group, or has taken it.
    pub(super) next: UnracedU32,
    number: UnracedU32,
    /// Wakers cloned out of the owner's reserve. Used by the owner, and by code on the owner's
    /// thread while it polls.
    pub(super) reserve_used: UnracedU32,
    /// The child at which the next scan starts. Used by the owner only.
    pub(super) cursor: UnracedU32,
}

/// The name of a group in a list: its number and one, or [`NO_LINK`].
pub(super) type Link = u32;

/// The place of a set that is in no table of sets.
#[cfg(all(feature = "std", target_pointer_width = "64", not(loom)))]
pub(super) const NO_PLACE: u32 = u32::MAX;

/// The end of a list.
pub(super) const NO_LINK: Link = 0;

/// The data that all groups of a set share, and the first of them.
#[repr(C)]
#[derive(Debug)]
pub(super) struct Head {
    group: Group,
    pub(super) parent: ParentWaker,
    /// The thread on which the owner is polling; see `crate::loom::thread::mark`.
    pub(super) poller: AtomicUsize,
    /// The woken groups, latest first.
    pub(super) list: AtomicU32,
    /// The set has one group and does not grow, so it needs no list.
    is_solo: UnracedBool,
    pub(super) owner: Owner,
    /// The groups that follow the head.
    more: UnracedPtr<Group>,
    following: UnracedU32,
    pub(super) segments: UnracedPtr<Segment>,
    /// Groups that were not gone when the owner closed them, minus those gone since.
    pub(super) live_groups: AtomicUsize,
    /// Threads that were waking when the owner closed their groups, minus those that have finished.
    pub(super) waking_at_close: AtomicUsize,
    /// The allocation to free; null if the block is in a static.
    pub(super) allocation: UnracedPtr<u8>,
    /// The data of the parent's waker, or zero if it was dropped. Only compared.
    #[cfg(all(feature = "std", target_pointer_width = "64", not(loom)))]
    pub(super) parent_data: UnracedUsize,
    /// The place of the block in the table of all sets.
    #[cfg(all(feature = "std", target_pointer_width = "64", not(loom)))]
    pub(super) table_place: UnracedU32,
    /// A combinator or a waker uses the block, if it is in a static.
    pub(super) is_taken: AtomicBool,
}

/// Fields that only the owner uses.
#[derive(Debug)]
pub(super) struct Owner {
    /// Groups that were taken from the list and not scanned.
    pub(super) first: UnracedU32,
    pub(super) last: UnracedU32,
    /// These groups are in the order of their numbers.
    pub(super) is_sorted: UnracedBool,
    /// The group in which a pass stopped early, and its children that remain.
    cut: UnracedPtr<Group>,
    pub(super) left: UnracedU32,
    /// A group that had a waker in the last check.
    pub(super) reached: UnracedU32,
    /// The last pass yielded to the task: the next one continues it, even if biased.
    pub(super) yielded: UnracedBool,
    /// Wakers of the parent that were replaced and not dropped.
    pub(super) retired: UnracedU32,
    pub(super) groups: UnracedU32,
}

/// Groups that were added.
#[derive(Debug)]
pub(super) struct Segment {
    pub(super) older: *mut Segment,
    #[cfg(feature = "alloc")]
    pub(super) allocation: *mut u8,
    pub(super) groups: *mut Group,
    /// The number of its first group.
    pub(super) first: u32,
    pub(super) len: u32,
}

impl Group {
    const_unless_loom! {
        /// A group of no block.
        pub(super) fn new() -> Self {
            Self {
                word: AtomicWord::new(0),
                head: UnracedPtr::new(ptr::null_mut()),
                next: UnracedU32::new(NO_LINK),
                number: UnracedU32::new(0),
                reserve_used: UnracedU32::new(0),
                cursor: UnracedU32::new(0),
            }
        }
    }

    /// Initializes a group of a block, without woken children.
    ///
    /// # Safety
    ///
    /// - I1: the head stays in place until the block is freed, and no other thread has the group.
    pub(super) unsafe fn initialize(&self, head: *mut Head, number: u32) {
        // ORDERING: Relaxed: published with the first waker.
        self.word.store(Word::new(0).raw(), Ordering::Relaxed);
        self.head.set(head);
        self.next.set(NO_LINK);
        self.number.set(number);
        self.reserve_used.set(0);
        self.cursor.set(0);
    }

    #[inline]
    pub(super) fn head(&self) -> &Head {
        let head = self.head.get();
        // SAFETY: I1: a thread that reaches an initialized group is counted in it, or is the owner.
        unsafe { &*head }
    }

    /// The number of its first child.
    #[inline]
    pub(super) fn first(&self) -> u32 {
        self.number.get() * CHILDREN as u32
    }

    /// Returns `true` if this is the data of the waker of a child of the group.
    #[cfg(all(feature = "std", target_pointer_width = "64", not(loom)))]
    pub(super) fn is_of_waker(&self, data: usize) -> bool {
        ptr::from_ref(self).addr() == data & !(ALIGN - 1)
    }

    #[inline]
    pub(super) fn link(&self) -> Link {
        self.number.get() + 1
    }
}

impl Owner {
    const fn new(groups: u32) -> Self {
        Self {
            first: UnracedU32::new(NO_LINK),
            last: UnracedU32::new(NO_LINK),
            is_sorted: UnracedBool::new(true),
            cut: UnracedPtr::new(ptr::null_mut()),
            left: UnracedU32::new(0),
            reached: UnracedU32::new(0),
            yielded: UnracedBool::new(false),
            retired: UnracedU32::new(0),
            groups: UnracedU32::new(groups),
        }
    }

    #[cfg(not(loom))]
    fn initialize(&self, groups: u32) {
        self.first.set(NO_LINK);
        self.last.set(NO_LINK);
        self.is_sorted.set(true);
        self.cut.set(ptr::null_mut());
        self.left.set(0);
        self.reached.set(0);
        self.yielded.set(false);
        self.retired.set(0);
        self.groups.set(groups);
    }
}

impl Head {
    const_unless_loom! {
        /// The head of a block that is not initialized.
        pub(super) fn new() -> Self {
            Self {
                group: Group::new(),
                parent: ParentWaker::new(),
                poller: AtomicUsize::new(0),
                list: AtomicU32::new(NO_LINK),
                is_solo: UnracedBool::new(false),
                owner: Owner::new(0),
                more: UnracedPtr::new(ptr::null_mut()),
                following: UnracedU32::new(0),
                segments: UnracedPtr::new(ptr::null_mut()),
                live_groups: AtomicUsize::new(0),
                waking_at_close: AtomicUsize::new(0),
                allocation: UnracedPtr::new(ptr::null_mut()),
                #[cfg(all(feature = "std", target_pointer_width = "64", not(loom)))]
                parent_data: UnracedUsize::new(0),
                #[cfg(all(feature = "std", target_pointer_width = "64", not(loom)))]
                table_place: UnracedU32::new(NO_PLACE),
                is_taken: AtomicBool::new(false),
            }
        }
    }

    /// Returns the head of an allocated block, whose other groups are not initialized. It is the
    /// value that [`initialize`](Self::initialize) produces, without the detour.
    #[cfg(feature = "alloc")]
    pub(super) fn allocated(
        this: *mut Self,
        more: *mut Group,
        groups: u32,
        is_solo: bool,
        allocation: *mut u8,
    ) -> Self {
        let group = Group {
            word: AtomicWord::new(Word::new(0).raw()),
            head: UnracedPtr::new(this),
            ..Group::new()
        };
        Self {
            group,
            is_solo: UnracedBool::new(is_solo),
            owner: Owner::new(groups),
            more: UnracedPtr::new(more),
            following: UnracedU32::new(groups - 1),
            allocation: UnracedPtr::new(allocation),
            ..Self::new()
        }
    }

    /// Initializes the head and its groups.
    ///
    /// # Safety
    ///
    /// - `this` is the final address of the block, and no other thread can reach it.
    /// - `more` are that many groups less one, in the same memory.
    #[cfg(not(loom))]
    pub(super) unsafe fn initialize(this: *mut Self, more: *mut Group, groups: u32, is_solo: bool) {
        // SAFETY: by contract.
        let head = unsafe { &*this };
        // ORDERING: Relaxed: published with the first waker.
        head.list.store(NO_LINK, Ordering::Relaxed);
        head.is_solo.set(is_solo);
        head.owner.initialize(groups);
        head.more.set(more);
        head.following.set(groups - 1);
        for number in 0..groups {
            // SAFETY: by contract.
            unsafe { head.group(number).initialize(this, number) };
        }
    }

    #[inline]
    pub(super) fn is_solo(&self) -> bool {
        self.is_solo.get()
    }

    /// Returns the number of groups after the head.
    #[cfg(feature = "alloc")]
    pub(super) fn following(&self) -> u32 {
        self.following.get()
    }

    /// A group, by its number.
    ///
    /// # Panics
    ///
    /// Panics if there is no such group.
    #[inline]
    pub(super) fn group(&self, number: u32) -> &Group {
        if number == 0 {
            return &self.group;
        }
        if number > self.following.get() {
            return self.group_of_segment(number);
        }
        // SAFETY: I2: there are `following` groups.
        unsafe { &*self.more.get().wrapping_add(number as usize - 1) }
    }

    fn group_of_segment(&self, number: u32) -> &Group {
        let mut segment = self.segments.published();
        loop {
            // SAFETY: I2: segments live as long as the block, and are not written once published.
            let found = unsafe { segment.as_ref() }.expect("a group that is there");
            if number >= found.first {
                assert!(number - found.first < found.len, "a group that is there");
                let group = found.groups.wrapping_add((number - found.first) as usize);
                // SAFETY: I2: there are `len` groups.
                return unsafe { &*group };
            }
            segment = found.older;
        }
    }

    /// The first group.
    #[inline]
    pub(super) fn first_group(&self) -> &Group {
        &self.group
    }

    /// The group of a child, and the child's number in it.
    #[inline]
    pub(super) fn place_of(&self, child: usize) -> (&Group, u32) {
        let group = self.group((child / CHILDREN) as u32);
        (group, (child % CHILDREN) as u32)
    }

    /// The group that a link names.
    #[inline]
    pub(super) fn linked(&self, link: Link) -> Option<&Group> {
        Some(self.group(link.checked_sub(1)?))
    }

    /// All groups.
    pub(super) fn groups(&self) -> impl Iterator<Item = &Group> {
        (0..self.owner.groups.published()).map(|number| self.group(number))
    }

    /// Returns the number of children that were woken and not polled since, as any thread sees it.
    #[cfg(all(feature = "std", target_pointer_width = "64", not(loom)))]
    pub(super) fn woken_children(&self) -> u32 {
        // ORDERING: Relaxed. The result is shown, and decides nothing.
        let words = self
            .groups()
            .map(|group| group.word.load(Ordering::Relaxed));
        let woken = words.map(|word| Word::from_raw(word).woken().count_ones());
        woken.sum::<u32>() + self.owner.left.get().count_ones()
    }

    /// The group in which the last pass stopped.
    #[inline]
    pub(super) fn cut(&self) -> &Group {
        let cut = self.owner.cut.get();
        // SAFETY: I2: groups live as long as the block.
        unsafe { cut.as_ref() }.unwrap_or(&self.group)
    }

    /// Records the group in which a pass stopped.
    #[inline]
    pub(super) fn set_cut(&self, group: &Group) {
        debug_assert!(ptr::eq(group.head(), self));
        self.owner.cut.set(ptr::from_ref(group).cast_mut());
    }

    /// Returns `true` if no group has a waker; see [`Group::has_no_waker`].
    pub(super) fn has_no_waker(&self) -> bool {
        let reached = self.owner.reached.get();
        if reached < self.owner.groups.published() && !self.group(reached).has_no_waker() {
            return false;
        }
        self.groups().all(Group::has_no_waker)
    }
}
