//! Permits that are owned, and waited for by a machine.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use event_listener::{Event, EventListener};

/// A number of permits.
#[derive(Debug)]
pub struct Semaphore {
    free: AtomicUsize,
    returned: Event,
}

impl Semaphore {
    /// A semaphore with this many permits.
    #[must_use]
    pub fn new(permits: usize) -> Arc<Self> {
        Arc::new(Self {
            free: AtomicUsize::new(permits),
            returned: Event::new(),
        })
    }

    /// How many permits are free at the moment.
    #[must_use]
    pub fn free(&self) -> usize {
        self.free.load(Ordering::Relaxed)
    }

    fn try_acquire(self: &Arc<Self>) -> Option<Permit> {
        // ORDERING: Acquire, pairs with the Release in `Permit::drop`: what was done under the
        // permit comes before what is done under it next.
        let taken = self
            .free
            .fetch_update(Ordering::Acquire, Ordering::Relaxed, |free| {
                free.checked_sub(1)
            });
        taken.is_ok().then(|| Permit {
            semaphore: Arc::clone(self),
        })
    }
}

/// Waits for a permit.
///
/// One that is dropped while it waits passes its turn on.
#[volt::state_machine]
pub async fn acquire(semaphore: Arc<Semaphore>) -> Permit {
    loop {
        if let Some(permit) = semaphore.try_acquire() {
            return permit;
        }
        let returned: EventListener = semaphore.returned.listen();
        // It may have come back before anybody listened.
        if let Some(permit) = semaphore.try_acquire() {
            return permit;
        }
        returned.await;
    }
}

/// A permit, which goes back when it is dropped.
pub struct Permit {
    semaphore: Arc<Semaphore>,
}

impl Drop for Permit {
    fn drop(&mut self) {
        // ORDERING: Release, pairs with the Acquire in `Semaphore::try_acquire`.
        self.semaphore.free.fetch_add(1, Ordering::Release);
        self.semaphore.returned.notify(1);
    }
}

impl fmt::Debug for Permit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Permit").finish_non_exhaustive()
    }
}
