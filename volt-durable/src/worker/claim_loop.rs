//! `Claims`: waits for machines that can run, and claims them.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_io::Timer;
use event_listener::Event;
use volt::future::race;

use super::settings::{Settings, TimedClaim};
use super::step_limits::Reservation;
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
#[derive(Clone, Debug)]
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
        let claims = self.clone();
        Box::pin(async move {
            if !pause.is_zero() {
                wait(std::future::pending(), pause, &claims.stop).await;
            }
            loop {
                // A change during the claim ends the wait after it.
                let freed = race(claims.place.freed(), claims.settings.step_limits.freed());
                let changed = race(claims.store.changed(), freed);
                if claims.stop.is_stopped() {
                    return Ok(Vec::new());
                }
                let place_is_free = claims.place.is_free();
                let reserved = claims.settings.step_limits.reserve(limit);
                let open = claims.known(|state| reserved.has(state));
                let claimed = claims.claim_now(limit, reserved, &open).await?;
                if !claimed.is_empty() {
                    return Ok(claimed);
                }
                let mut pause = claims.settings.poll_interval;
                // The next machine may be a suspect that waits for its place.
                if place_is_free {
                    let known = [open, claims.unlimited()].concat();
                    let next = claims.store.next_wake(&known).await?;
                    pause = next.map_or(pause, |next| next.min(pause));
                }
                wait(changed, pause.max(SHORTEST_PAUSE), &claims.stop).await;
            }
        })
    }

    /// Claims machines: at first those in limited states that have places, then the others.
    async fn claim_now(
        &self,
        limit: usize,
        mut reserved: Reservation,
        open: &[KnownType],
    ) -> Result<Vec<TimedClaim>> {
        let mut claimed = self.claim_known(open, reserved.count()).await?;
        for claim in &mut claimed {
            claim.place = reserved.take(&claim.claimed.state);
        }
        drop(reserved);
        let room = limit.saturating_sub(claimed.len());
        match self.claim_known(&self.unlimited(), room).await {
            Ok(others) => claimed.extend(others),
            Err(error) if claimed.is_empty() => return Err(error),
            // The machines that are claimed run.
            Err(error) => self.settings.report(&error),
        }
        Ok(claimed)
    }

    /// Returns the known types with the states without a limit.
    fn unlimited(&self) -> Vec<KnownType> {
        self.known(|state| !self.settings.step_limits.has(state))
    }

    /// Returns the known types with some of their states.
    fn known(&self, has_state: impl Fn(&str) -> bool) -> Vec<KnownType> {
        let types = self.known.iter().map(|known| KnownType {
            name: known.name.clone(),
            states: known
                .states
                .iter()
                .filter(|state| has_state(state))
                .cloned()
                .collect(),
        });
        types.filter(|known| !known.states.is_empty()).collect()
    }

    async fn claim_known(&self, known: &[KnownType], limit: usize) -> Result<Vec<TimedClaim>> {
        if known.is_empty() || limit == 0 {
            return Ok(Vec::new());
        }
        let claim = Claim {
            known: known.to_vec(),
            limit,
            lease: self.settings.lease,
            max_attempts: self.settings.max_attempts,
            suspects: usize::from(self.place.is_free()),
        };
        let before = Instant::now();
        let claimed = self.store.claim(&claim).await?;
        let timed = claimed.into_iter().map(|claimed| {
            let is_suspect = claimed.attempts > claim.suspect_attempts();
            TimedClaim {
                claimed,
                before,
                suspicion: is_suspect.then(|| self.place.take()),
                place: None,
            }
        });
        Ok(timed.collect())
    }
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
