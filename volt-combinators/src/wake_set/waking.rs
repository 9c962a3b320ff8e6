//! What happens to a group: each of its transitions, one atomic operation.
//!
//! # Protocol
//!
//! A wake is one transition of the word of the child's group:
//!
//! 1. It sets the child's bit. If others were set, that is all: who set the first one sees to the
//!    rest. A waker that is consumed gives its count back in the same transition.
//! 2. If it was the first, it counts as waking, in the same transition. The group goes to the list
//!    of woken groups, unless it is the only one of its set.
//! 3. If the list was empty, it wakes the parent.
//! 4. It stops counting as waking.
//!
//! The owner takes the list, and then the bits of each group in it. A wake that comes after is
//! first again; one that comes before is seen. While somebody counts as waking, neither the block
//! nor the waker that he may be looking at goes.
//!
//! A waker that is dropped does nothing of this, unless it was the last of its set: children that
//! nobody can wake would keep their parent's waker, and whoever looks for tasks that nobody can wake
//! would not find it. So the owner drops the parent's waker at the end of a poll that leaves nobody a
//! waker; if somebody is waking just then, he is asked to wake the parent once more when he stops. Who
//! drops the last waker of a group counts as waking, and wakes the parent if the other groups have none
//! either. Both do so by a clone of its waker, when they have stopped. What is not found: a waker that another thread drops in the same
//! moment in which children drop theirs while they are polled. To see that too would take one atomic
//! operation more for each poll.
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
use super::word::{STOCK, Wake, Word};
use crate::loom::sync::atomic::Ordering;
use crate::loom::thread;

/// Whether one has stopped counting as waking.
pub(super) enum Stop {
    Done,
    /// It has not: the group was closed.
    Closed,
    /// It has not: it has to wake the parent once more. The word is this.
    Asked(Word),
}

impl Group {
    /// Sets a child's bit, and gives a count back if it is `owned`. Returns the word as it is after.
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

    /// Puts the group on the list of woken ones. Returns whether it is the first there.
    pub(super) fn push(&self) -> bool {
        let list = &self.head().list;
        // ORDERING: Relaxed: the links behind it are published by who took the list, not by us.
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
                Ok(before) => return before == super::block::NOBODY,
                Err(now) => first = now,
            }
        }
    }

    /// Stops counting as waking, unless the group was closed, or the parent is to be woken once more
    /// and the caller `may_wake` it.
    ///
    /// `word` is what the word was when that began: it mostly still is, and so is not loaded again.
    #[inline(always)]
    pub(super) fn stop_waking(&self, word: Word, may_wake: bool) -> Stop {
        let (before, after) = (word.raw(), word.minus(Word::WOKE).raw());
        let is_done = word.is_plain()
            && self
                .word
                // ORDERING: as below.
                .compare_exchange(before, after, Ordering::Release, Ordering::Relaxed)
                .is_ok();
        if is_done {
            return Stop::Done;
        }
        self.stop_waking_slowly(may_wake)
    }

    #[cold]
    fn stop_waking_slowly(&self, may_wake: bool) -> Stop {
        // ORDERING: Relaxed: as below.
        let mut word = Word::from_raw(self.word.load(Ordering::Relaxed));
        while !word.is_closed() {
            if may_wake && word.is_asked() {
                return Stop::Asked(word);
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

    /// Stops counting as waking in a group that was closed. Returns whether it is gone by that.
    pub(super) fn stop_waking_closed(&self) -> bool {
        // ORDERING: Release: our uses are before the deallocation.
        let before = Word::from_raw(self.word.fetch_sub(Word::WOKE, Ordering::Release));
        before.minus(Word::WOKE).is_gone()
    }

    /// Whether nobody who began to wake before this is still at it.
    pub(super) fn is_nobody_waking(&self) -> bool {
        // ORDERING: AcqRel: a transition of its own, so that who begins to wake after it sees the
        // new waker; Acquire: those who have finished are done with the old one.
        Word::from_raw(self.word.fetch_add(0, Ordering::AcqRel)).waking() == 0
    }

    /// Counts one more waker. Returns false if there are too many.
    #[inline]
    pub(super) fn count(&self) -> bool {
        let handed = self.hand(|handed| (handed != STOCK).then(|| handed + 1));
        // ORDERING: Relaxed: the clone is made from a waker that exists.
        let before = || self.word.fetch_add(Word::CLONE, Ordering::Relaxed);
        handed || Word::from_raw(before()).has_room()
    }

    /// Counts one waker less. Returns the word as it is after if there is more to do.
    #[inline]
    pub(super) fn uncount(&self) -> (Word, Wake) {
        if self.hand(|handed| handed.checked_sub(1)) {
            return (Word::new(0), Wake::Done);
        }
        // ORDERING: Acquire: who dropped another waker knew what the owner had handed out for it.
        let mut before = self.word.load(Ordering::Acquire);
        loop {
            let (after, next) = Word::from_raw(before).drop_waker(self.handed.get());
            // ORDERING: AcqRel: our uses are before the deallocation; who wakes acquires the waker.
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

    /// Whether the group has no waker. It may have one by the time of the answer, unless its owner
    /// asks, or nobody else has one in the set.
    pub(super) fn has_no_waker(&self) -> bool {
        // ORDERING: Acquire: as in `uncount`.
        let word = Word::from_raw(self.word.load(Ordering::Acquire));
        word.has_no_waker(self.handed.get())
    }

    /// Whether nobody is woken or waking in the group, and it has no waker, for the owner: so it stays.
    ///
    /// If somebody is just waking, it is not, and the parent is woken when it may be.
    #[inline]
    pub(super) fn is_idle(&self) -> bool {
        let handed = self.handed.get();
        // ORDERING: Acquire: those who were waking are done with the parent's waker.
        let word = Word::from_raw(self.word.load(Ordering::Acquire));
        word.is_unused(handed) && (word.waking() == 0 || self.ask(word))
    }

    /// Has the last of those who are waking wake the parent once more. Returns whether there is nobody.
    #[cold]
    fn ask(&self, mut word: Word) -> bool {
        while word.woken() == 0 && word.waking() != 0 {
            let asked = word.raw() | Word::ASKED;
            // ORDERING: AcqRel: as of any transition.
            match self.word.compare_exchange_weak(
                word.raw(),
                asked,
                Ordering::AcqRel,
                Ordering::Acquire,
            ) {
                Ok(_) => return false,
                Err(now) => word = Word::from_raw(now),
            }
        }
        // Who was woken meanwhile has woken the parent.
        word.woken() == 0
    }

    /// Takes out of the owner's stock, or puts back, if the owner polls on this thread just now and
    /// `change` says what is handed out then.
    #[inline]
    fn hand(&self, change: impl FnOnce(u32) -> Option<u32>) -> bool {
        // ORDERING: Relaxed: only this thread can have stored its own mark, and not cleared it
        // since.
        if STOCK == 0 || self.head().poller.load(Ordering::Relaxed) != thread::mark() {
            return false;
        }
        let changed = change(self.handed.get());
        changed.is_some_and(|handed| {
            self.handed.set(handed);
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
            // Who takes bits that are set subtracts them; who clears them has to try again.
            let before = self.word.fetch_sub(now.into(), Ordering::AcqRel);
            now = Word::from_raw(before).woken() & !now;
        }
        woken
    }

    /// Adds woken children, in the owner's name. Returns whether there were none: the group is in
    /// no list then.
    pub(super) fn put_back(&self, woken: u32) -> bool {
        // ORDERING: AcqRel: passes on what the wakers released.
        let before = self.word.fetch_or(woken.into(), Ordering::AcqRel);
        Word::from_raw(before).woken() == 0
    }
}
