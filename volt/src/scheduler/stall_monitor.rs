//! The checks of the stall monitor; see the driver slot in [`idle`](super::idle).

use crate::loom::sync::atomic::Ordering::{Relaxed, SeqCst};
use crate::loom::sync::atomic::fence;

use super::idle::{DriverSlot, SlotUsage};
use super::shared::{Remote, Shared};

impl Shared {
    /// Limits the next wait in the driver so that the other workers are checked again, if any of
    /// them is awake. Returns `true` if so.
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
        // A task that a timer woke while its worker slept did not wait for a poll, so it does not
        // count.
        let hits_during_polls = |remote: &Remote| {
            let counters = &remote.counters;
            let hits = counters.lifo_hits.get();
            hits.wrapping_sub(counters.lifo_after_wakeup.get())
        };
        let hits = self.remotes.iter().map(hits_during_polls);
        SlotUsage {
            was_woken: driver_slot.is_backed_off() && !self.monitor_backed_off.load(Relaxed),
            filled: self.remotes.iter().any(Remote::holds_tasks),
            hits: hits.fold(0, u64::wrapping_add),
        }
    }

    /// Wakes the monitor from its back-off; an empty slot was filled.
    #[inline]
    pub(super) fn wake_monitor(&self) {
        // ORDERING: Relaxed: a hint. If it is missed, the monitor is late by one check.
        if self.monitor_backed_off.load(Relaxed) {
            self.end_backoff();
        }
    }

    #[cold]
    fn end_backoff(&self) {
        self.monitor_backed_off.store(false, Relaxed);
        self.driver_handle.unpark();
    }

    /// Returns `true` if a worker sleeps and none monitors, because all slept when it entered the
    /// driver.
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
