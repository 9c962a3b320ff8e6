//! How the worker in the driver slot monitors the others: see [`driver_slot`](super::idle).

use crate::loom::sync::atomic::Ordering::{Relaxed, SeqCst};
use crate::loom::sync::atomic::fence;

use super::idle::{DriverSlot, Slots};
use super::shared::{Remote, Shared};

impl Shared {
    /// Sees to it that the wait in the driver slot ends in time for another look at the others, if
    /// any of them is awake.
    pub(super) fn monitor_stalls(&self, driver_slot: &mut DriverSlot) -> bool {
        self.monitoring.store(false, Relaxed);
        // ORDERING: SeqCst, pairs with the fence in `Idle::stop_searching`.
        fence(SeqCst);
        let monitors = !self.idle.is_everybody_asleep();
        if monitors {
            self.monitoring.store(true, Relaxed);
            if driver_slot.monitor(&self.bell, self.look_at_slots(driver_slot)) {
                self.note_polls();
                self.dozing.store(driver_slot.dozes(), Relaxed);
            }
        }
        monitors
    }

    fn look_at_slots(&self, driver_slot: &DriverSlot) -> Slots {
        // A task that a timer woke while its worker slept was in the slot behind nobody.
        let behind = |it: &Remote| {
            it.counters
                .lifo_hits
                .get()
                .wrapping_sub(it.counters.rises.get())
        };
        let hits = self.remotes.iter().map(behind);
        Slots {
            roused: driver_slot.dozes() && !self.dozing.load(Relaxed),
            filled: self.remotes.iter().any(Remote::holds_tasks),
            hits: hits.fold(0, u64::wrapping_add),
        }
    }

    /// A slot was filled that had been empty.
    #[inline]
    pub(super) fn rouse_monitor(&self) {
        // ORDERING: Relaxed: a hint, the lack of which makes the monitor late by one look.
        if self.dozing.load(Relaxed) {
            self.end_doze();
        }
    }

    #[cold]
    fn end_doze(&self) {
        self.dozing.store(false, Relaxed);
        self.bell.unpark();
    }

    /// Whether somebody sleeps in the driver without a monitor, as all slept when it lay down.
    pub(super) fn is_unmonitored(&self) -> bool {
        !self.monitoring.load(Relaxed) && self.idle.sleepers() > 0
    }

    fn note_polls(&self) {
        #[cfg(test)]
        self.looks.fetch_add(1, Relaxed);
        for remote in &self.remotes {
            remote
                .monitored
                .store(remote.counters.polled.get(), Relaxed);
        }
    }

    pub(super) fn is_any_stalled(&self) -> bool {
        self.remotes.iter().any(Remote::is_stalled)
    }
}
