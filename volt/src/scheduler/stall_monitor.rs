//! How the worker in the driver slot monitors the others: see [`driver_slot`](super::idle).

use crate::loom::sync::atomic::Ordering::{Relaxed, SeqCst};
use crate::loom::sync::atomic::fence;

use super::idle::{DriverSlot, SlotUsage};
use super::shared::{Remote, Shared};

impl Shared {
    /// Sees to it that the wait in the driver slot ends in time for another look at the others, if
    /// any of them is awake.
    pub(super) fn monitor_stalls(&self, driver_slot: &mut DriverSlot) -> bool {
        self.has_monitor.store(false, Relaxed);
        // ORDERING: SeqCst, pairs with the fence in `IdleSet::stop_searching`.
        fence(SeqCst);
        let monitors = !self.idle.are_all_asleep();
        if monitors {
            self.has_monitor.store(true, Relaxed);
            if driver_slot.monitor(&self.driver_handle, self.inspect_slots(driver_slot)) {
                self.record_polls();
                self.monitor_backed_off
                    .store(driver_slot.is_backed_off(), Relaxed);
            }
        }
        monitors
    }

    fn inspect_slots(&self, driver_slot: &DriverSlot) -> SlotUsage {
        // A task that a timer woke while its worker slept was in the slot behind nobody.
        let behind = |it: &Remote| {
            it.counters
                .lifo_hits
                .get()
                .wrapping_sub(it.counters.lifo_after_wakeup.get())
        };
        let hits = self.remotes.iter().map(behind);
        SlotUsage {
            was_woken: driver_slot.is_backed_off() && !self.monitor_backed_off.load(Relaxed),
            filled: self.remotes.iter().any(Remote::holds_tasks),
            hits: hits.fold(0, u64::wrapping_add),
        }
    }

    /// A slot was filled that had been empty.
    #[inline]
    pub(super) fn wake_monitor(&self) {
        // ORDERING: Relaxed: a hint, the lack of which makes the monitor late by one look.
        if self.monitor_backed_off.load(Relaxed) {
            self.end_backoff();
        }
    }

    #[cold]
    fn end_backoff(&self) {
        self.monitor_backed_off.store(false, Relaxed);
        self.driver_handle.unpark();
    }

    /// Whether somebody sleeps in the driver without a monitor, as all slept when it lay down.
    pub(super) fn lacks_monitor(&self) -> bool {
        !self.has_monitor.load(Relaxed) && self.idle.sleepers() > 0
    }

    fn record_polls(&self) {
        #[cfg(test)]
        self.monitor_rounds.fetch_add(1, Relaxed);
        for remote in &self.remotes {
            remote
                .monitored_poll
                .store(remote.counters.polled.get(), Relaxed);
        }
    }

    pub(super) fn is_any_stalled(&self) -> bool {
        self.remotes.iter().any(Remote::is_stalled)
    }
}
