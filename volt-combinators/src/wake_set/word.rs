//! The word of a group: woken children, references by wakers, and wakes in progress.
//!
//! ```text
//!            closed  rewake  waking     refs        woken
//!   64 bit   │ 1 │   1   │    8     │   22   │       32       │
//!   32 bit   │ 1 │   1   │    5     │   17   │       8        │
//! ```
//!
//! - *woken*: one bit for each child, set by wakers, cleared by the owner;
//! - *refs*: cloned wakers, plus the owner's reserve. The owner clones wakers out of its reserve
//!   without touching the word, and counts them in `reserve_used`;
//! - *waking*: threads that wake the parent or are about to. The block and the parent's waker must
//!   stay valid until they have finished;
//! - *rewake*: the last waking thread must wake the parent once more;
//! - *closed*: the owner has dropped the set.
//!
//! Every event of a group is one transition of this word, and so one atomic operation. The
//! functions here are pure: they compute the next word.
//!
//! The predicates, for an owner that has used `n` of its reserve:
//!
//! | predicate | closed | rewake | waking | refs | woken |
//! | --- | --- | --- | --- | --- | --- |
//! | [`is_gone`](Word::is_gone) | 1 | any | 0 | 0 | any |
//! | [`has_only_owner`](Word::has_only_owner) | any | any | 0 | reserve − n | any |
//! | [`has_no_waker`](Word::has_no_waker) | any | any | any | reserve − n | any |
//! | [`is_unused`](Word::is_unused) | any | any | any | reserve − n | 0 |
//! | [`is_open_without_rewake`](Word::is_open_without_rewake) | 0 | 0 | any | any | any |

#[cfg(target_has_atomic = "64")]
mod raw {
    pub(in super::super) use crate::loom::sync::atomic::AtomicU64 as AtomicWord;
    pub(in super::super) type Raw = u64;
    pub(super) const WOKEN: u32 = 32;
    pub(super) const REFS: u32 = 22;
    pub(super) const ACTIVE_WAKES: u32 = 8;
}

#[cfg(not(target_has_atomic = "64"))]
mod raw {
    pub(in super::super) use crate::loom::sync::atomic::AtomicU32 as AtomicWord;
    pub(in super::super) type Raw = u32;
    pub(super) const WOKEN: u32 = 8;
    pub(super) const REFS: u32 = 17;
    pub(super) const ACTIVE_WAKES: u32 = 5;
}

pub(super) use self::raw::{AtomicWord, Raw};

/// Children in a group.
pub(crate) const CHILDREN: usize = raw::WOKEN as usize;

/// Wakers that the owner can clone in a group without counting them in its word.
///
/// Zero without `std`, because the current thread cannot be identified.
pub(super) const WAKER_RESERVE: u32 = if cfg!(feature = "std") {
    1 << (raw::REFS - 2)
} else {
    0
};

const REF: Raw = 1 << raw::WOKEN;
const ACTIVE_WAKE: Raw = REF << raw::REFS;
const REWAKE: Raw = ACTIVE_WAKE << raw::ACTIVE_WAKES;
const CLOSED: Raw = REWAKE << 1;
const MAX_REFS: u32 = (1 << raw::REFS) - 1;
const MAX_ACTIVE_WAKES: u32 = (1 << raw::ACTIVE_WAKES) - 1;

/// A value of a group's word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Word(Raw);

/// The duty of the thread that has woken a child or dropped a waker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wake {
    /// Nothing: another thread wakes the parent, or the owner has dropped the set.
    Done,
    /// The thread counts as waking, and must wake the parent.
    NotifyParent,
    /// The thread has removed the last reference to the group.
    Free,
}

impl Word {
    /// A group that only its owner can reach, with these children woken.
    pub(super) const fn new(woken: u32) -> Self {
        Self((WAKER_RESERVE as Raw * REF) | woken as Raw)
    }

    pub(super) const fn from_raw(raw: Raw) -> Self {
        Self(raw)
    }

    pub(super) const fn raw(self) -> Raw {
        self.0
    }

    #[inline]
    pub(super) const fn woken(self) -> u32 {
        (self.0 & (REF - 1)) as u32
    }

    const fn refs(self) -> u32 {
        (self.0 >> raw::WOKEN) as u32 & MAX_REFS
    }

    pub(super) const fn active_wakes(self) -> u32 {
        (self.0 / ACTIVE_WAKE) as u32 & MAX_ACTIVE_WAKES
    }

    pub(super) const fn is_closed(self) -> bool {
        self.0 & CLOSED != 0
    }

    /// Returns `true` if no waker, no waking thread and no owner can reach the group.
    pub(super) const fn is_gone(self) -> bool {
        self.is_closed() && self.refs() == 0 && self.active_wakes() == 0
    }

    /// Returns `true` if only the owner can reach the group.
    pub(super) const fn has_only_owner(self, reserve_used: u32) -> bool {
        self.refs() == WAKER_RESERVE - reserve_used && self.active_wakes() == 0
    }

    /// Wakes a child. If the waker is consumed (`owned`), its reference is removed.
    ///
    /// # Panics
    ///
    /// Panics if too many threads are waking.
    #[inline(always)]
    pub(super) fn wake(self, child: u32, owned: bool) -> (Self, Wake) {
        let left = if owned { self.0 - REF } else { self.0 };
        if self.is_closed() {
            let next = Self(left);
            let last = owned && next.is_gone();
            return (next, if last { Wake::Free } else { Wake::Done });
        }
        let next = left | 1 << child;
        if self.woken() != 0 {
            return (Self(next), Wake::Done);
        }
        assert!(
            self.active_wakes() < MAX_ACTIVE_WAKES,
            "too many threads in one wake"
        );
        (Self(next + ACTIVE_WAKE), Wake::NotifyParent)
    }

    /// Removes the reference of a dropped waker.
    ///
    /// If the group then has no waker and no woken child, the thread counts as waking, because the
    /// parent may wait for a wake that can no longer come.
    #[inline]
    pub(super) fn drop_waker(self, reserve_used: u32) -> (Self, Wake) {
        let next = Self(self.0 - REF);
        if self.is_closed() {
            let wake = if next.is_gone() {
                Wake::Free
            } else {
                Wake::Done
            };
            return (next, wake);
        }
        if next.is_unused(reserve_used) && self.active_wakes() < MAX_ACTIVE_WAKES {
            return (Self(next.0 + ACTIVE_WAKE), Wake::NotifyParent);
        }
        (next, Wake::Done)
    }

    /// The fields `woken` and `refs` of a group without a waker and without a woken child.
    #[inline]
    const fn unused(reserve_used: u32) -> Raw {
        (WAKER_RESERVE.wrapping_sub(reserve_used) as Raw).wrapping_mul(REF)
    }

    /// Returns `true` if no child is woken and there is no waker.
    #[inline]
    pub(super) const fn is_unused(self, reserve_used: u32) -> bool {
        self.0 % ACTIVE_WAKE == Self::unused(reserve_used)
    }

    /// Returns `true` if the group has no waker.
    pub(super) const fn has_no_waker(self, reserve_used: u32) -> bool {
        self.refs() == WAKER_RESERVE.wrapping_sub(reserve_used) & MAX_REFS
    }

    /// Returns `true` if one more waker can be counted, with room for threads that clone at the
    /// same time. Otherwise the program is aborted: see the limits in the crate's documentation.
    #[inline]
    pub(super) const fn has_room(self) -> bool {
        self.refs() < MAX_REFS - MAX_REFS / 8
    }

    /// The value that a clone adds to the word, and that the drop of one subtracts.
    pub(super) const ONE_REF: Raw = REF;

    /// The value that a thread subtracts when it stops waking in a closed group.
    pub(super) const ONE_WAKE: Raw = ACTIVE_WAKE;

    /// The value that the owner adds to request a [further wake](Self::needs_rewake).
    pub(super) const REWAKE: Raw = REWAKE;

    /// Returns `true` if the group is open and no further wake is requested.
    #[inline]
    pub(super) const fn is_open_without_rewake(self) -> bool {
        self.0 < REWAKE
    }

    /// Returns `true` if the last waking thread must wake the parent once more before it stops.
    #[inline]
    pub(super) const fn needs_rewake(self) -> bool {
        self.0 & REWAKE != 0 && self.active_wakes() == 1
    }

    /// Removes one waking thread.
    #[inline]
    pub(super) const fn stop_waking(self) -> Self {
        let request = if self.needs_rewake() { REWAKE } else { 0 };
        self.minus(ACTIVE_WAKE + request)
    }

    /// The value that the owner adds to close the group. It also removes the unused reserve.
    pub(super) const fn closing(reserve_used: u32) -> Raw {
        CLOSED.wrapping_sub((WAKER_RESERVE - reserve_used) as Raw * REF)
    }

    pub(super) const fn plus(self, raw: Raw) -> Self {
        Self(self.0.wrapping_add(raw))
    }

    pub(super) const fn minus(self, raw: Raw) -> Self {
        Self(self.0.wrapping_sub(raw))
    }
}

impl core::fmt::Debug for Word {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Word")
            .field("woken", &self.woken())
            .field("refs", &self.refs())
            .field("active_wakes", &self.active_wakes())
            .field("closed", &self.is_closed())
            .finish()
    }
}

/// Returns the first set bit at or after `start`, wrapping around. The word must not be zero.
#[inline]
pub(super) const fn next_set_bit(woken: u32, start: u32) -> u32 {
    let ahead = woken & (u32::MAX << start);
    if ahead != 0 {
        ahead.trailing_zeros()
    } else {
        woken.trailing_zeros()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A group with some clones, all of them counted in the word.
    fn word(woken: u32, refs: u32, active_wakes: u32, closed: bool) -> Word {
        let closed = if closed { CLOSED } else { 0 };
        let active_wakes = Raw::from(active_wakes) * ACTIVE_WAKE;
        Word(Raw::from(woken) | (Raw::from(refs) * REF) | active_wakes | closed)
    }

    /// An open group that only its owner can reach, without a cloned waker.
    fn idle(reserve_used: u32) -> Word {
        Word::new(0).minus(Word::ONE_REF * Raw::from(reserve_used))
    }

    fn all() -> impl Iterator<Item = Word> {
        let woken = [0, 1, 2, 3, 1 << (CHILDREN - 1), (REF - 1) as u32];
        woken.into_iter().flat_map(|woken| {
            [1, 2, MAX_REFS / 2].into_iter().flat_map(move |refs| {
                [0, 1, 2].into_iter().flat_map(move |active_wakes| {
                    [false, true].map(|closed| word(woken, refs, active_wakes, closed))
                })
            })
        })
    }

    #[test]
    fn fields_fill_the_word() {
        assert_eq!(CLOSED, 1 << (Raw::BITS - 1));
        let word = word(5, 7, 3, true);
        assert_eq!((word.woken(), word.refs(), word.active_wakes()), (5, 7, 3));
        assert!(word.is_closed() && !word.is_gone());
    }

    #[test]
    fn wake_of_an_open_group_sets_the_bit() {
        for before in all().filter(|word| !word.is_closed()) {
            for owned in [false, true] {
                let (after, wake) = before.wake(1, owned);
                assert_eq!(after.woken(), before.woken() | 2);
                assert_eq!(after.refs(), before.refs() - u32::from(owned));
                let first = before.woken() == 0;
                assert_eq!(wake == Wake::NotifyParent, first);
                assert_eq!(
                    after.active_wakes(),
                    before.active_wakes() + u32::from(first)
                );
                assert_ne!(wake, Wake::Free);
            }
        }
    }

    #[test]
    fn wake_of_a_closed_group_sets_no_bit() {
        for before in all().filter(|word| word.is_closed()) {
            assert_eq!(before.wake(1, false), (before, Wake::Done));
            let (after, wake) = before.wake(1, true);
            assert_eq!(after, before.minus(Word::ONE_REF));
            assert_eq!(
                wake == Wake::Free,
                before.refs() == 1 && before.active_wakes() == 0
            );
        }
    }

    #[test]
    fn waking_thread_keeps_the_group() {
        let (waking, wake) = word(0, 1, 0, false).wake(0, true);
        assert_eq!(
            (wake, waking.refs(), waking.active_wakes()),
            (Wake::NotifyParent, 0, 1)
        );
        let closed = waking.plus(CLOSED);
        assert!(!closed.is_gone());
        assert!(closed.minus(Word::ONE_WAKE).is_gone());
    }

    #[test]
    fn closing_subtracts_unused_waker_reserve() {
        let reserve_used = WAKER_RESERVE / 2;
        let word = Word::new(3);
        assert_eq!(word.woken(), 3);
        assert!(word.has_only_owner(0));
        assert_eq!(word.plus(Word::closing(reserve_used)).refs(), reserve_used);
        assert!(word.plus(Word::closing(0)).is_gone());
        let returned = word.minus(Word::ONE_REF * Raw::from(reserve_used));
        assert!(returned.has_only_owner(reserve_used));
        assert!(returned.plus(Word::closing(reserve_used)).is_gone());
    }

    #[test]
    fn last_waker_of_an_open_group_counts_as_waking() {
        let some = if cfg!(feature = "std") { 3 } else { 0 };
        for reserve_used in [0, some] {
            let one = idle(reserve_used).plus(Word::ONE_REF);
            let (after, next) = one.drop_waker(reserve_used);
            assert_eq!((next, after.active_wakes()), (Wake::NotifyParent, 1));
            assert!(after.has_no_waker(reserve_used));
            let (two, next) = one.plus(Word::ONE_REF).drop_waker(reserve_used);
            assert_eq!((two, next), (one, Wake::Done));
            let woken = one.plus(1);
            assert_eq!(
                woken.drop_waker(reserve_used),
                (woken.minus(Word::ONE_REF), Wake::Done)
            );
        }
    }

    #[test]
    fn last_waking_thread_clears_the_rewake_request() {
        let two = word(0, 1, 2, false).plus(Word::REWAKE);
        assert!(!two.needs_rewake());
        let one = two.stop_waking();
        assert!(one.needs_rewake());
        assert_eq!(one.stop_waking(), word(0, 1, 0, false));
    }

    #[test]
    fn last_waker_of_a_closed_group_frees_it() {
        let one = word(0, 1, 0, true);
        assert_eq!(one.drop_waker(0), (one.minus(Word::ONE_REF), Wake::Free));
        let waking = word(0, 1, 1, true);
        assert_eq!(waking.drop_waker(0).1, Wake::Done);
    }

    #[test]
    fn next_set_bit_wraps_around() {
        let woken = 0b1000_0110;
        let found: std::vec::Vec<_> = (0..9).map(|start| next_set_bit(woken, start)).collect();
        assert_eq!(found, [1, 1, 2, 7, 7, 7, 7, 7, 1]);
    }
}
