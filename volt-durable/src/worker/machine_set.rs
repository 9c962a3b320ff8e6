//! `MachineSet`: the running machines of a worker, and their leases.

use std::collections::{HashMap, HashSet};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use async_io::Timer;
use volt::future::{FutureGroup, FutureId};

use super::claim_loop::{Claiming, Claims};
use super::migration::Migrate;
use super::retention::Retention;
use super::running::{Run, RunningMachine};
use super::settings::TimedClaim;
use crate::error::Result;
use crate::store::{ClaimToken, Lost, MachineId, Store};

/// The number of rounds after which a worker yields to its task.
const MAX_ROUNDS: usize = 64;

/// The running machines of a worker, and their leases.
pub(super) struct MachineSet<S> {
    claims: Claims<S>,
    runs: HashMap<String, (Run<S>, Option<Migrate>)>,
    machines: FutureGroup<RunningMachine>,
    leases: HashMap<FutureId, Lease>,
    claiming: Option<Claiming>,
    renewing: Option<Renewing>,
    retention: Option<Retention<S>>,
    /// The time of the next renewal.
    tick: Timer,
}

/// The claim of a running machine, and the instant at which it expires at the earliest.
struct Lease {
    held: ClaimToken,
    expires: Instant,
}

/// A renewal in progress.
struct Renewing {
    held: Vec<ClaimToken>,
    expires: Instant,
    renewal: Pin<Box<dyn Future<Output = Result<Vec<Lost>>> + Send>>,
}

impl<S: Store + Clone> MachineSet<S> {
    pub(super) fn new(claims: Claims<S>, runs: HashMap<String, (Run<S>, Option<Migrate>)>) -> Self {
        let tick = Timer::interval(claims.settings.renewal());
        let retention = claims.settings.retention;
        let retention = retention.map(|age| Retention::new(claims.store.clone(), age));
        Self {
            claims,
            runs,
            machines: FutureGroup::new(),
            leases: HashMap::new(),
            claiming: None,
            renewing: None,
            retention,
            tick,
        }
    }

    /// Runs machines until nothing is ready, or until it is time to yield.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) {
        for _ in 0..MAX_ROUNDS {
            let claims = self.poll_claim(cx);
            let machines = self.poll_machines(cx);
            if !(claims | machines | self.poll_leases(cx) | self.poll_retention(cx)) {
                return;
            }
        }
        cx.waker().wake_by_ref();
    }

    /// Claims machines if the limit allows more. Returns `true` if a claim has ended.
    fn poll_claim(&mut self, cx: &mut Context<'_>) -> bool {
        let limit = self
            .claims
            .settings
            .max_machines
            .saturating_sub(self.leases.len());
        if self.claiming.is_none() && limit > 0 {
            self.claiming = Some(self.claims.claim(limit, Duration::ZERO));
        }
        let Some(claiming) = &mut self.claiming else {
            return false;
        };
        let Poll::Ready(claimed) = claiming.as_mut().poll(cx) else {
            return false;
        };
        self.claiming = None;
        match claimed {
            Ok(claimed) => claimed.into_iter().for_each(|claim| self.insert(claim)),
            Err(error) => {
                self.claims.settings.report(&error);
                let pause = self.claims.settings.poll_interval;
                self.claiming = Some(self.claims.claim(limit, pause));
            }
        }
        true
    }

    fn insert(&mut self, claim: TimedClaim) {
        let held = claim.claimed.held;
        let run = self.runs.get(&claim.claimed.machine_type);
        let (run, migrate) = run.expect("a machine of a type that was claimed");
        let expires = claim.before + self.claims.settings.lease;
        let (store, settings) = (self.claims.store.clone(), self.claims.settings.clone());
        let id = self.machines.insert(run(store, settings, claim, *migrate));
        self.leases.insert(id, Lease { held, expires });
    }

    /// Polls the machines. Returns `true` if some have ended their claims.
    ///
    /// The next claim has room for all of them, so machines that end together are replaced by one
    /// claim.
    fn poll_machines(&mut self, cx: &mut Context<'_>) -> bool {
        let mut has_ended = false;
        while let Poll::Ready(Some((id, ended))) = self.machines.poll_next(cx) {
            has_ended = true;
            self.leases.remove(&id);
            if let Err(error) = ended {
                self.claims.settings.report(&error);
            }
        }
        has_ended
    }

    /// Deletes machines that have ended. Returns `true` if a deletion has ended.
    fn poll_retention(&mut self, cx: &mut Context<'_>) -> bool {
        let polled = self.retention.as_mut().map(|retention| retention.poll(cx));
        let Some(Poll::Ready(deleted)) = polled else {
            return false;
        };
        if let Err(error) = deleted {
            self.claims.settings.report(&error);
        }
        true
    }

    /// Renews the leases. Returns `true` if there was a renewal or its time has come.
    fn poll_leases(&mut self, cx: &mut Context<'_>) -> bool {
        let is_done = self.poll_renewal(cx);
        let is_time = Pin::new(&mut self.tick).poll(cx).is_ready();
        if is_time {
            self.drop_expired();
            self.begin_renewal();
        }
        is_done || is_time
    }

    fn poll_renewal(&mut self, cx: &mut Context<'_>) -> bool {
        let Some(renewing) = &mut self.renewing else {
            return false;
        };
        let Poll::Ready(renewed) = renewing.renewal.as_mut().poll(cx) else {
            return false;
        };
        let expires = renewing.expires;
        let held = std::mem::take(&mut renewing.held);
        self.renewing = None;
        match renewed {
            Ok(lost) => self.set_renewed(&held, &lost, expires),
            Err(error) => self.claims.settings.report(&error),
        }
        true
    }

    fn set_renewed(&mut self, held: &[ClaimToken], lost: &[Lost], expires: Instant) {
        let lost: HashSet<MachineId> = lost.iter().map(|lost| lost.id).collect();
        let held: HashSet<ClaimToken> = held.iter().copied().collect();
        for lease in self.leases.values_mut() {
            if held.contains(&lease.held) && !lost.contains(&lease.held.id) {
                lease.expires = expires;
            }
        }
        self.remove(|lease| held.contains(&lease.held) && lost.contains(&lease.held.id));
    }

    /// Drops the machines whose lease expires before the next renewal. Another worker may claim
    /// them then.
    fn drop_expired(&mut self) {
        let next = Instant::now() + self.claims.settings.renewal();
        self.remove(|lease| lease.expires < next);
    }

    fn remove(&mut self, is_removed: impl Fn(&Lease) -> bool) {
        let machines = &mut self.machines;
        self.leases.retain(|id, lease| {
            let stays = !is_removed(lease);
            if !stays {
                machines.remove(*id);
            }
            stays
        });
    }

    fn begin_renewal(&mut self) {
        if self.renewing.is_some() || self.leases.is_empty() {
            return;
        }
        let held: Vec<ClaimToken> = self.leases.values().map(|lease| lease.held).collect();
        let lease = self.claims.settings.lease;
        let (store, renewed) = (self.claims.store.clone(), held.clone());
        self.renewing = Some(Renewing {
            held,
            expires: Instant::now() + lease,
            renewal: Box::pin(async move { store.renew(&renewed, lease).await }),
        });
    }

    /// Drops the machines, waits for a claim in progress, and releases all claims.
    pub(super) async fn end(mut self) {
        self.claims.stop.stop();
        let mut held: Vec<ClaimToken> = self.leases.values().map(|lease| lease.held).collect();
        self.machines = FutureGroup::new();
        if let Some(claiming) = self.claiming.take() {
            let claimed = claiming.await.unwrap_or_default();
            held.extend(claimed.iter().map(|claim| claim.claimed.held));
        }
        if held.is_empty() {
            return;
        }
        if let Err(error) = self.claims.store.release(&held).await {
            self.claims.settings.report(&error);
        }
    }
}
