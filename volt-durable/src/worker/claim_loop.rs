//! `Claims`: waits for machines that can run, and claims them.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_io::Timer;
use event_listener::Event;
use volt::future::race;

use super::settings::{Settings, TimedClaim};
use crate::error::Result;
use crate::store::{Claim, KnownType, Store};

/// The shortest pause between two claims that find no machine.
const SHORTEST_PAUSE: Duration = Duration::from_millis(1);

/// The end of a worker, which no claim in progress may miss.
#[derive(Debug, Default)]
pub(super) struct Stop {
    is_stopped: AtomicBool,
    stopped: Event,
}

impl Stop {
    /// Ends the waits for machines.
    pub(super) fn stop(&self) {
        self.is_stopped.store(true, Ordering::SeqCst);
        self.stopped.notify(usize::MAX);
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::SeqCst)
    }
}

/// A claim in progress. Its output is empty only after a stop.
pub(super) type Claiming = Pin<Box<dyn Future<Output = Result<Vec<TimedClaim>>> + Send>>;

/// The claims of a worker.
#[derive(Debug)]
pub(super) struct Claims<S> {
    pub(super) store: S,
    pub(super) known: Vec<KnownType>,
    pub(super) settings: Settings,
    pub(super) stop: Arc<Stop>,
}

impl<S: Store + Clone> Claims<S> {
    /// Waits `pause`, then until machines can run, and claims at most `limit` of them.
    pub(super) fn claim(&self, limit: usize, pause: Duration) -> Claiming {
        let claim = Claim {
            known: self.known.clone(),
            limit,
            lease: self.settings.lease,
            max_attempts: self.settings.max_attempts,
        };
        let store = self.store.clone();
        let stop = Arc::clone(&self.stop);
        let longest = self.settings.poll_interval;
        Box::pin(async move {
            if !pause.is_zero() {
                wait(std::future::pending(), pause, &stop).await;
            }
            loop {
                // A change during the claim ends the wait after it.
                let changed = store.changed();
                if stop.is_stopped() {
                    return Ok(Vec::new());
                }
                let claimed = claim_now(&store, &claim).await?;
                if !claimed.is_empty() {
                    return Ok(claimed);
                }
                let next = store.next_wake(&claim.known).await?;
                let pause = next.map_or(longest, |next| next.min(longest));
                wait(changed, pause.max(SHORTEST_PAUSE), &stop).await;
            }
        })
    }
}

async fn claim_now<S: Store>(store: &S, claim: &Claim) -> Result<Vec<TimedClaim>> {
    let before = Instant::now();
    let claimed = store.claim(claim).await?;
    let timed = claimed.into_iter();
    Ok(timed
        .map(|claimed| TimedClaim { claimed, before })
        .collect())
}

/// Waits for a change, for a duration, or for the end of the worker.
async fn wait(changed: impl Future<Output = ()>, longest: Duration, stop: &Stop) {
    let stopped = stop.stopped.listen();
    if stop.is_stopped() {
        return;
    }
    let pause = async {
        Timer::after(longest).await;
    };
    race(changed, race(pause, stopped)).await;
}
