//! `SuspectPlace`: the place in memory for one machine that may end the process.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use event_listener::{Event, EventListener};

/// The place in memory for a suspect. A worker has one, so the machines beside a suspect are those
/// that did not end a process, and their attempts do not increase again and again.
#[derive(Clone, Debug, Default)]
pub(super) struct SuspectPlace(Arc<Place>);

#[derive(Debug, Default)]
struct Place {
    /// The number of machines that have the place. A machine whose last failure was reported may
    /// have it too.
    machines: AtomicUsize,
    freed: Event,
}

impl SuspectPlace {
    /// Returns `true` if no suspect has the place.
    pub(super) fn is_free(&self) -> bool {
        self.0.machines.load(Ordering::SeqCst) == 0
    }

    /// Waits until the place is free again.
    pub(super) fn freed(&self) -> EventListener {
        self.0.freed.listen()
    }

    /// Takes the place.
    pub(super) fn take(&self) -> Suspicion {
        self.0.machines.fetch_add(1, Ordering::SeqCst);
        Suspicion(self.clone())
    }
}

/// The place of a suspect, until its first save or the end of its claim.
#[derive(Debug)]
pub(super) struct Suspicion(SuspectPlace);

impl Drop for Suspicion {
    fn drop(&mut self) {
        let place = &self.0.0;
        place.machines.fetch_sub(1, Ordering::SeqCst);
        place.freed.notify(usize::MAX);
    }
}
