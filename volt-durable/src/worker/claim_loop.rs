//! `Claims`: waits for machines that can run, and claims them.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_io::Timer;
use event_listener::Event;
use volt::future::race;

use super::settings::{Settings, TimedClaim};
use super::suspect_place::SuspectPlace;
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
    pub(super) place: SuspectPlace,
}

impl<S: Store + Clone> Claims<S> {
    /// Waits `pause`, then until machines can run, and claims at most `limit` of them.
    pub(super) fn claim(&self, limit: usize, pause: Duration) -> Claiming {
        let mut claim = Claim {
            known: self.known.clone(),
            limit,
            lease: self.settings.lease,
            max_attempts: self.settings.max_attempts,
            suspects: 0,
        };
        let place = self.place.clone();
        let store = self.store.clone();
        let stop = Arc::clone(&self.stop);
        let longest = self.settings.poll_interval;
        Box::pin(async move {
            if !pause.is_zero() {
                wait(std::future::pending(), pause, &stop).await;
            }
            loop {
                // A change during the claim ends the wait after it.
                let changed = race(store.changed(), place.freed());
                if stop.is_stopped() {
                    return Ok(Vec::new());
                }
                claim.suspects = usize::from(place.is_free());
                let claimed = claim_now(&store, &claim, &place).await?;
                if !claimed.is_empty() {
                    return Ok(claimed);
                }
                let mut pause = longest;
                // The next machine may be a suspect that waits for its place.
                if claim.suspects > 0 {
                    let next = store.next_wake(&claim.known).await?;
                    pause = next.map_or(longest, |next| next.min(longest));
                }
                wait(changed, pause.max(SHORTEST_PAUSE), &stop).await;
            }
        })
    }
}

async fn claim_now<S: Store>(
    store: &S,
    claim: &Claim,
    place: &SuspectPlace,
) -> Result<Vec<TimedClaim>> {
    let before = Instant::now();
    let claimed = store.claim(claim).await?;
    let timed = claimed.into_iter();
    let timed = timed.map(|claimed| {
        let is_suspect = claimed.attempts > claim.suspect_attempts();
        TimedClaim {
            claimed,
            before,
            suspicion: is_suspect.then(|| place.take()),
        }
    });
    Ok(timed.collect())
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
