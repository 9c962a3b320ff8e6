//! The word of a group: who was woken, who may still wake, and who is waking just now.
//!
//! ```text
//!            closed  asked  waking     refs        woken
//!   64 bit   │ 1 │   1   │    8     │   22   │       32       │
//!   32 bit   │ 1 │   1   │    5     │   17   │       8        │
//! ```
//!
//! - *woken*: one bit a child, set by wakers, cleared by the owner;
//! - *refs*: cloned wakers, and the stock of the owner, who hands clones out of it without touching
//!   the word;
//! - *waking*: threads that have to wake the parent, or are at it: what they touch must stay;
//! - *asked*: the last of those who are waking has to wake the parent once more;
//! - *closed*: the owner has gone.
//!
//! Everything that happens to a group is one transition of this word, and so one atomic operation.
//! The functions here are pure: they compute what follows.

#[cfg(target_has_atomic = "64")]
mod raw {
    pub(in super::super) use crate::loom::sync::atomic::AtomicU64 as AtomicWord;
    pub(in super::super) type Raw = u64;
    pub(super) const WOKEN: u32 = 32;
    pub(super) const REFS: u32 = 22;
    pub(super) const WAKING: u32 = 8;
}

#[cfg(not(target_has_atomic = "64"))]
mod raw {
    pub(in super::super) use crate::loom::sync::atomic::AtomicU32 as AtomicWord;
    pub(in super::super) type Raw = u32;
    pub(super) const WOKEN: u32 = 8;
    pub(super) const REFS: u32 = 17;
    pub(super) const WAKING: u32 = 5;
}

pub(super) use self::raw::{AtomicWord, Raw};

/// Children in a group.
pub(crate) const CHILDREN: usize = raw::WOKEN as usize;

/// Wakers that the owner may hand out of a group without counting them in its word.
///
/// None where threads cannot be told apart.
pub(super) const STOCK: u32 = if cfg!(feature = "std") {
    1 << (raw::REFS - 2)
} else {
    0
};

const REF: Raw = 1 << raw::WOKEN;
const WAKER: Raw = REF << raw::REFS;
const ASKED: Raw = WAKER << raw::WAKING;
const CLOSED: Raw = ASKED << 1;
const MOST_REFS: u32 = (1 << raw::REFS) - 1;
const MOST_WAKING: u32 = (1 << raw::WAKING) - 1;

/// A value of a group's word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Word(Raw);

/// What a wake, or the drop of a waker, has to do once its transition is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wake {
    /// Nothing: another one sees to the parent, or the owner has gone.
    Done,
    /// It counts as waking, and has to wake the parent.
    First,
    /// It counts as nothing any more, and was the last.
    Last,
}

impl Word {
    /// A group that nobody knows yet but its owner, with these children woken.
    pub(super) const fn new(woken: u32) -> Self {
        Self((STOCK as Raw * REF) | woken as Raw)
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
        (self.0 >> raw::WOKEN) as u32 & MOST_REFS
    }

    pub(super) const fn waking(self) -> u32 {
        (self.0 / WAKER) as u32 & MOST_WAKING
    }

    pub(super) const fn is_closed(self) -> bool {
        self.0 & CLOSED != 0
    }

    /// Whether nobody can reach the group any more.
    pub(super) const fn is_gone(self) -> bool {
        self.is_closed() && self.refs() == 0 && self.waking() == 0
    }

    /// Whether only the owner can reach the group, having handed out that many of its stock.
    pub(super) const fn is_quiet(self, handed: u32) -> bool {
        self.refs() == STOCK - handed && self.waking() == 0
    }

    /// A child wakes. If it does so by value (`owned`), it gives its count back.
    ///
    /// # Panics
    ///
    /// Panics if more threads than can be counted are waking.
    #[inline(always)]
    pub(super) fn wake(self, child: u32, owned: bool) -> (Self, Wake) {
        let left = if owned { self.0 - REF } else { self.0 };
        if self.is_closed() {
            let next = Self(left);
            let last = owned && next.is_gone();
            return (next, if last { Wake::Last } else { Wake::Done });
        }
        let next = left | 1 << child;
        if self.woken() != 0 {
            return (Self(next), Wake::Done);
        }
        assert!(self.waking() < MOST_WAKING, "too many threads in one wake");
        (Self(next + WAKER), Wake::First)
    }

    /// A waker is dropped of a group whose owner has handed out that many of its stock.
    ///
    /// The last one of a group in which nobody is woken counts as waking: the parent may wait for nobody,
    /// and has to look.
    #[inline]
    pub(super) fn drop_waker(self, handed: u32) -> (Self, Wake) {
        let next = Self(self.0 - REF);
        if self.is_closed() {
            let wake = if next.is_gone() {
                Wake::Last
            } else {
                Wake::Done
            };
            return (next, wake);
        }
        if next.is_unused(handed) && self.waking() < MOST_WAKING {
            return (Self(next.0 + WAKER), Wake::First);
        }
        (next, Wake::Done)
    }

    /// The lower fields of a group in which nobody is woken, and that has no waker, its owner having
    /// handed out that many of its stock.
    #[inline]
    const fn unused(handed: u32) -> Raw {
        (STOCK.wrapping_sub(handed) as Raw).wrapping_mul(REF)
    }

    /// Whether nobody is woken, and there is no waker.
    #[inline]
    pub(super) const fn is_unused(self, handed: u32) -> bool {
        self.0 % WAKER == Self::unused(handed)
    }

    /// Whether there is no waker of the group, its owner having handed out that many of its stock.
    pub(super) const fn has_no_waker(self, handed: u32) -> bool {
        self.refs() == STOCK.wrapping_sub(handed) & MOST_REFS
    }

    /// Whether one more waker can be counted, with room for threads that ask at the same time. If
    /// not, the program ends: see the limits in the crate's documentation.
    #[inline]
    pub(super) const fn has_room(self) -> bool {
        self.refs() < MOST_REFS - MOST_REFS / 8
    }

    /// What a clone adds to the word, and what the drop of one subtracts.
    pub(super) const CLONE: Raw = REF;

    /// What one that was waking subtracts from the word of a closed group.
    pub(super) const WOKE: Raw = WAKER;

    /// What the owner adds to [ask](Self::is_asked).
    pub(super) const ASKED: Raw = ASKED;

    /// Whether it is open, and nobody is asked.
    #[inline]
    pub(super) const fn is_plain(self) -> bool {
        self.0 < ASKED
    }

    /// Whether one that is waking has to wake the parent once more before it stops.
    #[inline]
    pub(super) const fn is_asked(self) -> bool {
        self.0 & ASKED != 0 && self.waking() == 1
    }

    /// One that was waking has stopped.
    #[inline]
    pub(super) const fn stop_waking(self) -> Self {
        let asked = if self.is_asked() { ASKED } else { 0 };
        self.minus(WAKER + asked)
    }

    /// What the owner adds to go, having handed out that many of its stock.
    pub(super) const fn closing(handed: u32) -> Raw {
        CLOSED.wrapping_sub((STOCK - handed) as Raw * REF)
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
            .field("waking", &self.waking())
            .field("closed", &self.is_closed())
            .finish()
    }
}

/// The first set bit at or after `start`, round the end of a word that is not zero.
#[inline]
pub(super) const fn first_from(woken: u32, start: u32) -> u32 {
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

    /// A group with some clones out, all of them counted in the word.
    fn word(woken: u32, refs: u32, waking: u32, closed: bool) -> Word {
        let closed = if closed { CLOSED } else { 0 };
        let waking = Raw::from(waking) * WAKER;
        Word(Raw::from(woken) | (Raw::from(refs) * REF) | waking | closed)
    }

    /// An open group that only its owner can reach, who has handed out that many of its stock.
    fn idle(handed: u32) -> Word {
        Word::new(0).minus(Word::CLONE * Raw::from(handed))
    }

    fn all() -> impl Iterator<Item = Word> {
        let woken = [0, 1, 2, 3, 1 << (CHILDREN - 1), (REF - 1) as u32];
        woken.into_iter().flat_map(|woken| {
            [1, 2, MOST_REFS / 2].into_iter().flat_map(move |refs| {
                [0, 1, 2].into_iter().flat_map(move |waking| {
                    [false, true].map(|closed| word(woken, refs, waking, closed))
                })
            })
        })
    }

    #[test]
    fn fields_fill_the_word() {
        assert_eq!(CLOSED, 1 << (Raw::BITS - 1));
        let word = word(5, 7, 3, true);
        assert_eq!((word.woken(), word.refs(), word.waking()), (5, 7, 3));
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
                assert_eq!(wake == Wake::First, first);
                assert_eq!(after.waking(), before.waking() + u32::from(first));
                assert_ne!(wake, Wake::Last);
            }
        }
    }

    #[test]
    fn wake_of_a_closed_group_only_leaves() {
        for before in all().filter(|word| word.is_closed()) {
            assert_eq!(before.wake(1, false), (before, Wake::Done));
            let (after, wake) = before.wake(1, true);
            assert_eq!(after, before.minus(Word::CLONE));
            assert_eq!(
                wake == Wake::Last,
                before.refs() == 1 && before.waking() == 0
            );
        }
    }

    #[test]
    fn one_that_wakes_keeps_the_group() {
        let (waking, wake) = word(0, 1, 0, false).wake(0, true);
        assert_eq!((wake, waking.refs(), waking.waking()), (Wake::First, 0, 1));
        let closed = waking.plus(CLOSED);
        assert!(!closed.is_gone());
        assert!(closed.minus(Word::WOKE).is_gone());
    }

    #[test]
    fn owner_takes_its_stock_along() {
        let handed = STOCK / 2;
        let word = Word::new(3);
        assert_eq!(word.woken(), 3);
        assert!(word.is_quiet(0));
        assert_eq!(word.plus(Word::closing(handed)).refs(), handed);
        assert!(word.plus(Word::closing(0)).is_gone());
        let given_back = word.minus(Word::CLONE * Raw::from(handed));
        assert!(given_back.is_quiet(handed));
        assert!(given_back.plus(Word::closing(handed)).is_gone());
    }

    #[test]
    fn last_waker_of_an_open_group_counts_as_waking() {
        let some = if cfg!(feature = "std") { 3 } else { 0 };
        for handed in [0, some] {
            let one = idle(handed).plus(Word::CLONE);
            let (after, next) = one.drop_waker(handed);
            assert_eq!((next, after.waking()), (Wake::First, 1));
            assert!(after.has_no_waker(handed));
            let (two, next) = one.plus(Word::CLONE).drop_waker(handed);
            assert_eq!((two, next), (one, Wake::Done));
            let woken = one.plus(1);
            assert_eq!(
                woken.drop_waker(handed),
                (woken.minus(Word::CLONE), Wake::Done)
            );
        }
    }

    #[test]
    fn last_of_those_who_are_waking_takes_the_question_along() {
        let two = word(0, 1, 2, false).plus(Word::ASKED);
        assert!(!two.is_asked());
        let one = two.stop_waking();
        assert!(one.is_asked());
        assert_eq!(one.stop_waking(), word(0, 1, 0, false));
    }

    #[test]
    fn last_waker_of_a_closed_group_is_its_end() {
        let one = word(0, 1, 0, true);
        assert_eq!(one.drop_waker(0), (one.minus(Word::CLONE), Wake::Last));
        let waking = word(0, 1, 1, true);
        assert_eq!(waking.drop_waker(0).1, Wake::Done);
    }

    #[test]
    fn scan_goes_round() {
        let woken = 0b1000_0110;
        let found: std::vec::Vec<_> = (0..9).map(|start| first_from(woken, start)).collect();
        assert_eq!(found, [1, 1, 2, 7, 7, 7, 7, 7, 1]);
    }
}
