//! `Retention`: deletes the machines that ended a time ago.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use async_io::Timer;

use crate::error::Result;
use crate::store::Store;

/// The largest number of machines in one deletion, so that other operations do not wait for long.
const BATCH: usize = 1_000;

/// The longest and the shortest time between two deletions.
const LONGEST_PAUSE: Duration = Duration::from_secs(3_600);
const SHORTEST_PAUSE: Duration = Duration::from_secs(1);

/// Deletes the machines that ended a time ago.
pub(super) struct Retention<S> {
    store: S,
    age: Duration,
    /// The time of the next deletion. The first one is at once.
    next: Timer,
    deleting: Option<Pin<Box<dyn Future<Output = Result<usize>> + Send>>>,
}

impl<S: Store + Clone> Retention<S> {
    pub(super) fn new(store: S, age: Duration) -> Self {
        Self {
            store,
            age,
            next: Timer::at(Instant::now()),
            deleting: None,
        }
    }

    /// Begins or ends a deletion. Returns its result at the end.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Result<()>> {
        let deleting = match &mut self.deleting {
            Some(deleting) => deleting,
            None => {
                if Pin::new(&mut self.next).poll(cx).is_pending() {
                    return Poll::Pending;
                }
                let (store, age) = (self.store.clone(), self.age);
                let delete = async move { store.delete_ended(age, BATCH).await };
                self.deleting.insert(Box::pin(delete))
            }
        };
        let Poll::Ready(deleted) = deleting.as_mut().poll(cx) else {
            return Poll::Pending;
        };
        self.deleting = None;
        let is_full = matches!(deleted, Ok(BATCH));
        let pause = (self.age / 8).clamp(SHORTEST_PAUSE, LONGEST_PAUSE);
        self.next = Timer::after(if is_full { Duration::ZERO } else { pause });
        Poll::Ready(deleted.map(|_| ()))
    }
}
