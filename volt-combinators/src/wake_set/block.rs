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
//! - I1: A group's `head` points to the head of its block from its settling on, and both live until
//!   the block's owner has closed it and each group is gone: nobody counts in its word, as a waker
//!   or as waking.
//! - I2: Groups beyond the first are found by `more` and `segments`, which are written before
//!   anybody knows of those groups, and never point to fewer than they say. `segments` is published,
//!   as others may look through all groups while the owner adds some.
//! - I3: All fields are atomics or `Parents`, so that a reference to a block that somebody else
//!   frees says nothing about its bytes.
//!
//! What the words mean, and the protocol, stand in `word` and `waking`; who owns a block and how it
//! ends, in `memory`.

use core::ptr;

use super::parents::Parents;
use super::word::{AtomicWord, CHILDREN, Word};
use crate::loom::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use crate::loom::{SettledBool, SettledPtr, SettledU32, const_unless_loom};

/// Leaves as many low bits of a group's address free as it has children to number.
pub(super) const ALIGN: usize = 32;
const _: () = assert!(ALIGN >= CHILDREN && align_of::<Group>() == ALIGN);

/// The wake word of some children.
#[repr(C, align(32))]
#[derive(Debug)]
pub(super) struct Group {
    pub(super) word: AtomicWord,
    head: SettledPtr<Head>,
    /// The next in a list, for whoever is putting this one there or has taken it from there.
    pub(super) next: SettledU32,
    number: SettledU32,
    /// Wakers out of the owner's stock; for whoever runs on the thread that the owner polls on,
    /// while it polls, and for the owner.
    pub(super) handed: SettledU32,
    /// Where the next scan of its children starts; the owner's.
    pub(super) cursor: SettledU32,
}

/// The name of a group in a list: its number and one, or [`NOBODY`].
pub(super) type Link = u32;

/// The end of a list.
pub(super) const NOBODY: Link = 0;

/// What all groups of a set share, and the first of them.
#[repr(C)]
#[derive(Debug)]
pub(super) struct Head {
    group: Group,
    pub(super) parents: Parents,
    /// Where the owner polls just now; see `crate::loom::thread::mark`.
    pub(super) poller: AtomicUsize,
    /// The woken groups, the last one first.
    pub(super) list: AtomicU32,
    /// There is one group and will be: it needs no list.
    is_solo: SettledBool,
    pub(super) owner: Owner,
    /// The groups that follow the head.
    more: SettledPtr<Group>,
    following: SettledU32,
    pub(super) segments: SettledPtr<Segment>,
    /// Groups that were not gone when the owner closed them, less those that went since.
    pub(super) held: AtomicUsize,
    /// Threads that were waking when the owner closed their groups, less those that are done.
    pub(super) mourners: AtomicUsize,
    /// What to free at the end; null if the block lies in a static.
    pub(super) allocation: SettledPtr<u8>,
    /// Somebody uses the block, if it lies in a static.
    pub(super) is_taken: AtomicBool,
}

/// What only the owner looks at.
#[derive(Debug)]
pub(super) struct Owner {
    /// Groups that were taken from the list and not looked at.
    pub(super) first: SettledU32,
    pub(super) last: SettledU32,
    /// These stand in the order of their numbers.
    pub(super) is_sorted: SettledBool,
    /// Where a pass was cut short: the group, and the children there that it did not come to.
    cut: SettledPtr<Group>,
    pub(super) left: SettledU32,
    /// A group that had a waker when it was last looked for one.
    pub(super) reached: SettledU32,
    /// The last pass gave way: the next one goes on with it, even if biased.
    pub(super) gave_way: SettledBool,
    /// Parents' wakers that were replaced and not dropped yet.
    pub(super) retired: SettledU32,
    pub(super) groups: SettledU32,
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
                head: SettledPtr::new(ptr::null_mut()),
                next: SettledU32::new(NOBODY),
                number: SettledU32::new(0),
                handed: SettledU32::new(0),
                cursor: SettledU32::new(0),
            }
        }
    }

    /// Makes it a group of a block, whose children nobody has woken.
    ///
    /// # Safety
    ///
    /// - I1: the head stays where it is until the block is freed, and nobody else has the group.
    pub(super) unsafe fn settle(&self, head: *mut Head, number: u32) {
        // ORDERING: Relaxed: published with the first waker.
        self.word.store(Word::new(0).raw(), Ordering::Relaxed);
        self.head.set(head);
        self.next.set(NOBODY);
        self.number.set(number);
        self.handed.set(0);
        self.cursor.set(0);
    }

    #[inline]
    pub(super) fn head(&self) -> &Head {
        let head = self.head.get();
        // SAFETY: I1: whoever reaches a group that was settled counts in it, or is the owner.
        unsafe { &*head }
    }

    /// The number of its first child.
    #[inline]
    pub(super) fn first(&self) -> u32 {
        self.number.get() * CHILDREN as u32
    }

    #[inline]
    pub(super) fn link(&self) -> Link {
        self.number.get() + 1
    }
}

impl Owner {
    fn settle(&self, groups: u32) {
        self.first.set(NOBODY);
        self.last.set(NOBODY);
        self.is_sorted.set(true);
        self.cut.set(ptr::null_mut());
        self.left.set(0);
        self.reached.set(0);
        self.gave_way.set(false);
        self.retired.set(0);
        self.groups.set(groups);
    }
}

impl Head {
    const_unless_loom! {
        /// The head of a block that nobody has settled.
        pub(super) fn new() -> Self {
            Self {
                group: Group::new(),
                parents: Parents::new(),
                poller: AtomicUsize::new(0),
                list: AtomicU32::new(NOBODY),
                is_solo: SettledBool::new(false),
                owner: Owner {
                    first: SettledU32::new(NOBODY),
                    last: SettledU32::new(NOBODY),
                    is_sorted: SettledBool::new(true),
                    cut: SettledPtr::new(ptr::null_mut()),
                    left: SettledU32::new(0),
                    reached: SettledU32::new(0),
                    gave_way: SettledBool::new(false),
                    retired: SettledU32::new(0),
                    groups: SettledU32::new(0),
                },
                more: SettledPtr::new(ptr::null_mut()),
                following: SettledU32::new(0),
                segments: SettledPtr::new(ptr::null_mut()),
                held: AtomicUsize::new(0),
                mourners: AtomicUsize::new(0),
                allocation: SettledPtr::new(ptr::null_mut()),
                is_taken: AtomicBool::new(false),
            }
        }
    }

    /// Gives the head its groups.
    ///
    /// # Safety
    ///
    /// - `this` is where the block stays; nobody else knows it, or nobody any more.
    /// - `more` are that many groups less one, in the same memory.
    pub(super) unsafe fn settle(this: *mut Self, more: *mut Group, groups: u32, is_solo: bool) {
        // SAFETY: by contract.
        let head = unsafe { &*this };
        // ORDERING: Relaxed: published with the first waker.
        head.list.store(NOBODY, Ordering::Relaxed);
        head.is_solo.set(is_solo);
        head.owner.settle(groups);
        head.more.set(more);
        head.following.set(groups - 1);
        for number in 0..groups {
            // SAFETY: by contract.
            unsafe { head.group(number).settle(this, number) };
        }
    }

    #[inline]
    pub(super) fn is_solo(&self) -> bool {
        self.is_solo.get()
    }

    /// How many groups follow the head.
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
        // SAFETY: I2: `following` groups stand there.
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
                // SAFETY: I2: `len` groups stand there.
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

    /// The group where a pass was cut short, or ended.
    #[inline]
    pub(super) fn cut(&self) -> &Group {
        let cut = self.owner.cut.get();
        // SAFETY: I2: groups live as long as the block.
        unsafe { cut.as_ref() }.unwrap_or(&self.group)
    }

    /// A pass was cut short in one of the groups.
    #[inline]
    pub(super) fn set_cut(&self, group: &Group) {
        debug_assert!(ptr::eq(group.head(), self));
        self.owner.cut.set(ptr::from_ref(group).cast_mut());
    }

    /// Whether no group has a waker; see [`Group::has_no_waker`].
    pub(super) fn has_no_waker(&self) -> bool {
        let reached = self.owner.reached.get();
        if reached < self.owner.groups.published() && !self.group(reached).has_no_waker() {
            return false;
        }
        self.groups().all(Group::has_no_waker)
    }
}
