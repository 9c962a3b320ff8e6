//! The transitions of a group, each as one atomic operation.
//!
//! # Protocol
//!
//! A wake is one transition of the word of the child's group:
//!
//! 1. It sets the child's bit. If other bits were set, the wake is complete, because the thread
//!    that set the first bit wakes the parent. The reference of a consumed waker is removed in the
//!    same transition.
//! 2. If the bit is the first, the thread counts as waking, in the same transition. It pushes the
//!    group to the list of woken groups, unless the set has only one group.
//! 3. If the list was empty, the thread wakes the parent.
//! 4. The thread stops counting as waking.
//!
//! The owner takes the list, then the bits of each group in it. A wake before this is seen. A wake
//! after it sets a first bit again. While a thread counts as waking, neither the block nor the
//! parent's waker that the thread may use is dropped.
//!
//! The drop of a waker only removes a reference, unless it was the last waker of its set. Children
//! without a waker must not keep the waker of their parent, because a search for orphaned tasks
//! would then not find the task. So:
//!
//! - At the end of a poll that leaves no waker, the owner drops the parent's waker. If a thread is
//!   waking at that moment, the owner requests a further wake of the parent when it stops.
//! - A thread that drops the last waker of a group counts as waking. It wakes the parent if the
//!   other groups have no waker either.
//!
//! Both wakes use a clone of the parent's waker, after the thread has stopped counting as waking.
//! One case is not detected: another thread drops a waker while children drop theirs during their
//! poll. Detecting it would need one more atomic operation in each poll.
//!
//! # Ordering
//!
//! | step | ordering | why |
//! | --- | --- | --- |
//! | a wake's transition | AcqRel | releases the child's progress to the owner; acquires the waker |
//! | a push to the list | Release | publishes the link |
//! | the owner's takes | Acquire, AcqRel | acquire the links and the children's progress |
//! | a drop | Release, then an Acquire fence | all uses are before the deallocation |

use super::block::Group;
use super::word::{WAKER_RESERVE, Wake, Word};
use crate::loom::sync::atomic::Ordering;
use crate::loom::thread;

/// The result of an attempt to stop counting as waking.
pub(super) enum Stop {
    /// The thread no longer counts as waking.
    Done,
    /// The thread still counts as waking, and the group is closed.
    Closed,
    /// The thread still counts as waking, and must wake the parent once more.
    Rewake(Word),
}

impl Group {
    /// Sets a child's bit, and removes a reference if the waker is `owned`. Returns the next word.
    #[inline(always)]
    pub(super) fn wake(&self, child: u32, owned: bool) -> (Word, Wake) {
        // ORDERING: Relaxed: the exchange acquires.
        let mut before = self.word.load(Ordering::Relaxed);
        loop {
            let (after, next) = Word::from_raw(before).wake(child, owned);
            let raw = after.raw();
            // ORDERING: AcqRel: see the table.
            match self
                .word
                .compare_exchange_weak(before, raw, Ordering::AcqRel, Ordering::Relaxed)
            {
                Ok(_) => return (after, next),
                Err(now) => before = now,
            }
        }
    }

    /// Pushes the group to the list of woken groups. Returns `true` if the list was empty.
    pub(super) fn push(&self) -> bool {
        let list = &self.head().list;
        // ORDERING: Relaxed: the thread that takes the list acquires the links, not this one.
        let mut first = list.load(Ordering::Relaxed);
        loop {
            self.next.set(first);
            // ORDERING: AcqRel: publishes the link, and all pushes before it through the chain of
            // exchanges; acquires the arming of the parent's waker.
            match list.compare_exchange_weak(
                first,
                self.link(),
                Ordering::AcqRel,
                Ordering::Relaxed,
            ) {
                Ok(before) => return before == super::block::NO_LINK,
                Err(now) => first = now,
            }
        }
    }

    /// Stops counting as waking, unless the group is closed, or a further wake is requested and the
    /// caller `may_wake` the parent.
    ///
    /// `word` is the word when the thread began to wake. It is mostly unchanged, so it is not
    /// loaded again.
    #[inline(always)]
    pub(super) fn stop_waking(&self, word: Word, may_wake: bool) -> Stop {
        let (before, after) = (word.raw(), word.minus(Word::ONE_WAKE).raw());
        let is_done = word.is_open_without_rewake()
            && self
                .word
                // ORDERING: as below.
                .compare_exchange(before, after, Ordering::Release, Ordering::Relaxed)
                .is_ok();
        if is_done {
            return Stop::Done;
        }
        self.stop_waking_slow(may_wake)
    }

    #[cold]
    fn stop_waking_slow(&self, may_wake: bool) -> Stop {
        // ORDERING: Relaxed: as below.
        let mut word = Word::from_raw(self.word.load(Ordering::Relaxed));
        while !word.is_closed() {
            if may_wake && word.needs_rewake() {
                return Stop::Rewake(word);
            }
            let (before, after) = (word.raw(), word.stop_waking().raw());
            // ORDERING: Release: our use of the parent's waker is before its drop. Relaxed: what
            // follows orders.
            match self.word.compare_exchange_weak(
                before,
                after,
                Ordering::Release,
                Ordering::Relaxed,
            ) {
                Ok(_) => return Stop::Done,
                Err(now) => word = Word::from_raw(now),
            }
        }
        Stop::Closed
    }

    /// Stops counting as waking in a closed group. Returns `true` if the group is gone.
    pub(super) fn stop_waking_closed(&self) -> bool {
        // ORDERING: Release: our uses are before the deallocation.
        let before = Word::from_raw(self.word.fetch_sub(Word::ONE_WAKE, Ordering::Release));
        before.minus(Word::ONE_WAKE).is_gone()
    }

    /// Returns `true` if every thread that began to wake before this call has finished.
    pub(super) fn has_no_active_wake(&self) -> bool {
        // ORDERING: AcqRel: a thread that begins to wake after this transition sees the new waker.
        // Acquire: the threads that have finished no longer use the old waker.
        Word::from_raw(self.word.fetch_add(0, Ordering::AcqRel)).active_wakes() == 0
    }

    /// Counts one more waker. Returns `false` if there are too many.
    #[inline]
    pub(super) fn count(&self) -> bool {
        let reserve_used = self.change_reserve(|reserve_used| {
            (reserve_used != WAKER_RESERVE).then(|| reserve_used + 1)
        });
        // ORDERING: Relaxed: the clone is made from a waker that exists.
        let before = || self.word.fetch_add(Word::ONE_REF, Ordering::Relaxed);
        reserve_used || Word::from_raw(before()).has_room()
    }

    /// Removes a waker. Returns the next word and the duty of the caller.
    #[inline]
    pub(super) fn uncount(&self) -> (Word, Wake) {
        if self.change_reserve(|reserve_used| reserve_used.checked_sub(1)) {
            return (Word::new(0), Wake::Done);
        }
        // ORDERING: Acquire: a thread that dropped another waker had seen its entry in
        // `reserve_used`.
        let mut before = self.word.load(Ordering::Acquire);
        loop {
            let (after, next) = Word::from_raw(before).drop_waker(self.reserve_used.get());
            // ORDERING: AcqRel: the uses by this thread are before the deallocation; a thread that
            // wakes acquires the waker.
            match self.word.compare_exchange_weak(
                before,
                after.raw(),
                Ordering::AcqRel,
                Ordering::Acquire,
            ) {
                Ok(_) => return (after, next),
                Err(now) => before = now,
            }
        }
    }

    /// Returns `true` if the group has no waker. The result is stable only for the owner, or if no
    /// other group of the set has a waker.
    pub(super) fn has_no_waker(&self) -> bool {
        // ORDERING: Acquire: as in `uncount`.
        let word = Word::from_raw(self.word.load(Ordering::Acquire));
        word.has_no_waker(self.reserve_used.get())
    }

    /// Returns `true`, to the owner, if no child is woken, no thread is waking, and there is no
    /// waker. The group then stays in this state.
    ///
    /// If a thread is waking, returns `false`, and that thread wakes the parent when it stops.
    #[inline]
    pub(super) fn is_idle(&self) -> bool {
        let reserve_used = self.reserve_used.get();
        // ORDERING: Acquire: threads that were waking no longer use the parent's waker.
        let word = Word::from_raw(self.word.load(Ordering::Acquire));
        word.is_unused(reserve_used) && (word.active_wakes() == 0 || self.request_rewake(word))
    }

    /// Requests that the last waking thread wakes the parent once more. Returns `true` if no thread
    /// is waking.
    #[cold]
    fn request_rewake(&self, mut word: Word) -> bool {
        while word.woken() == 0 && word.active_wakes() != 0 {
            let requested = word.raw() | Word::REWAKE;
            // ORDERING: AcqRel: as of any transition.
            match self.word.compare_exchange_weak(
                word.raw(),
                requested,
                Ordering::AcqRel,
                Ordering::Acquire,
            ) {
                Ok(_) => return false,
                Err(now) => word = Word::from_raw(now),
            }
        }
        // A child woken meanwhile has woken the parent.
        word.woken() == 0
    }

    /// Changes `reserve_used` if the owner is polling on this thread and `change` returns a value.
    #[inline]
    fn change_reserve(&self, change: impl FnOnce(u32) -> Option<u32>) -> bool {
        // ORDERING: Relaxed: only this thread stores its own mark, and it clears the mark later.
        if WAKER_RESERVE == 0 || self.head().poller.load(Ordering::Relaxed) != thread::mark() {
            return false;
        }
        let changed = change(self.reserve_used.get());
        changed.is_some_and(|reserve_used| {
            self.reserve_used.set(reserve_used);
            true
        })
    }

    /// Takes the woken children, for the owner.
    #[inline(always)]
    pub(super) fn take(&self) -> u32 {
        let mut woken = 0;
        // ORDERING: Acquire, AcqRel: see the table.
        let mut now = Word::from_raw(self.word.load(Ordering::Acquire)).woken();
        while now != 0 {
            woken |= now;
            // Subtracting the bits just seen leaves the bits that are set meanwhile.
            let before = self.word.fetch_sub(now.into(), Ordering::AcqRel);
            now = Word::from_raw(before).woken() & !now;
        }
        woken
    }

    /// Marks children as woken, in the owner's name. Returns `true` if none was: the group is then
    /// in no list.
    pub(super) fn put_back(&self, woken: u32) -> bool {
        // ORDERING: AcqRel: passes on what the wakers released.
        let before = self.word.fetch_or(woken.into(), Ordering::AcqRel);
        Word::from_raw(before).woken() == 0
    }
}
