//! The watch over the others, by the worker that sits in the driver: see [`seat`](super::seat).

use crate::loom::sync::atomic::Ordering::{Relaxed, SeqCst};
use crate::loom::sync::atomic::fence;

use super::seat::{Seat, Slots};
use super::shared::{Remote, Shared};

impl Shared {
    /// Sees to it that the wait in the seat ends in time for another look at the others, if any
    /// of them is awake.
    pub(super) fn keep_watch(&self, seat: &mut Seat) -> bool {
        self.watching.store(false, Relaxed);
        // ORDERING: SeqCst, pairs with the fence in `Idle::stop_searching`.
        fence(SeqCst);
        let watches = !self.idle.is_everybody_asleep();
        if watches {
            self.watching.store(true, Relaxed);
            if seat.watch(&self.bell, self.look_at_slots(seat)) {
                self.note_polls();
                self.dozing.store(seat.dozes(), Relaxed);
            }
        }
        watches
    }

    fn look_at_slots(&self, seat: &Seat) -> Slots {
        let hits = self.remotes.iter().map(|it| it.counters.lifo_hits.get());
        Slots {
            roused: seat.dozes() && !self.dozing.load(Relaxed),
            filled: self.remotes.iter().any(|it| it.lifo.has_loot()),
            hits: hits.fold(0, u64::wrapping_add),
        }
    }

    /// A slot was filled that had been empty.
    #[inline]
    pub(super) fn rouse_watch(&self) {
        // ORDERING: Relaxed: a hint, the lack of which makes the watch late by one look.
        if self.dozing.load(Relaxed) {
            self.end_doze();
        }
    }

    #[cold]
    fn end_doze(&self) {
        self.dozing.store(false, Relaxed);
        self.bell.unpark();
    }

    /// Whether somebody sleeps in the driver without a watch, as all slept when it lay down.
    pub(super) fn is_unwatched(&self) -> bool {
        !self.watching.load(Relaxed) && self.idle.sleepers() > 0
    }

    fn note_polls(&self) {
        #[cfg(test)]
        self.looks.fetch_add(1, Relaxed);
        for remote in &self.remotes {
            remote.watched.store(remote.counters.polled.get(), Relaxed);
        }
    }

    pub(super) fn is_any_stalled(&self) -> bool {
        self.remotes.iter().any(Remote::is_stalled)
    }
}
