//! Workers and senders with random operations.

use std::time::Duration;

use super::super::fixture::{Fixture, NEXT_STATE};
use super::random::Random;
use super::simulated_store::SimulatedStore;
use crate::store::{
    AfterFailure, ClaimToken, Claimed, Continuation, Failure, Family, Save, Store, Timestamp, Wait,
};

const KEYS: [&str; 5] = ["a", "b", "c", "d", "e"];
const SIGNALS: [&str; 2] = ["paid", "parcel"];
const OPERATIONS: usize = 120;
const MAX_ATTEMPTS: u32 = 4;

/// Twelve simulations have the results of the model.
pub async fn random_operations_have_the_results_of_the_model<F: Fixture>(fixture: &F) {
    for seed in 0..12 {
        simulate(fixture, seed).await;
    }
}

/// Runs the simulation of a seed on a new store. Each seed has its own sequence of operations.
///
/// # Panics
///
/// Panics if a result differs from the model, or if a machine does not end.
pub async fn simulate<F: Fixture>(fixture: &F, seed: u64) {
    let mut simulation = Simulation {
        store: SimulatedStore::new(fixture.open().await),
        random: Random::new(seed),
        claims: Vec::new(),
    };
    for _ in 0..OPERATIONS {
        simulation.operate().await;
        simulation.store.check().await;
    }
    simulation.end().await;
}

/// The workers have the claims. A claim stays after another worker has claimed the machine, as for
/// a worker that was stopped for longer than its lease.
struct Simulation<S> {
    store: SimulatedStore<S>,
    random: Random,
    claims: Vec<Claimed>,
}

impl<S: Store> Simulation<S> {
    async fn operate(&mut self) {
        let key = self.random.one_of(&KEYS);
        match self.random.below(20) {
            0..=2 => self.store.start(key).await,
            3..=6 => self.send(key).await,
            7..=9 => {
                let limit = 1 + self.random.below(4);
                let suspects = self.random.below(2);
                let claimed = self.store.claim(limit, MAX_ATTEMPTS, suspects).await;
                self.claims.extend(claimed);
            }
            10..=14 => self.save().await,
            15 => self.store.retry(key).await,
            16 if self.random.once_in(3) => self.store.cancel(key).await,
            16 => self.store.start(key).await,
            number => self.use_claim(number).await,
        }
    }

    async fn send(&mut self, key: &str) {
        let id = self.random.below(12).to_string();
        let name = self.random.one_of(&SIGNALS);
        self.store.send(key, name, &id).await;
    }

    /// Renews, releases or ends a claim.
    async fn use_claim(&mut self, number: usize) {
        if self.claims.is_empty() {
            return;
        }
        let index = self.random.below(self.claims.len());
        let held = self.claims[index].held;
        match number {
            17 => {
                let expires = self.random.once_in(2);
                self.store.renew(&[held], expires).await;
            }
            18 => self.store.release(held).await,
            _ => {
                let after = Duration::ZERO;
                let failure = Failure {
                    held,
                    error: "broken".into(),
                    then: self
                        .random
                        .one_of(&[AfterFailure::Retry { after }, AfterFailure::Park]),
                };
                self.store.fail(&failure).await;
            }
        }
        // A worker that was stopped may have the claim for longer.
        if self.random.once_in(2) {
            self.claims.swap_remove(index);
        }
    }

    /// Writes saves of one to three machines in one operation.
    async fn save(&mut self) {
        let count = 1 + self.random.below(3);
        let (mut saves, mut bodies) = (Vec::<Save>::new(), Vec::new());
        for _ in 0..count {
            if self.claims.is_empty() {
                return;
            }
            let index = self.random.below(self.claims.len());
            let id = self.claims[index].held.id;
            if saves.iter().all(|save| save.held.id != id) {
                saves.push(self.save_of(index, &mut bodies));
            }
        }
        let lost = self.store.save(&saves, &bodies).await;
        // The outcome of one in four is unknown to the worker, which then repeats the number.
        if self.random.once_in(4) {
            return;
        }
        for save in saves.iter().filter(|save| !lost.contains(&save.held.id)) {
            let claim = self.claims.iter_mut().find(|claim| claim.held == save.held);
            let claim = claim.expect("the claim of the save");
            claim.seq = save.seq;
            claim
                .messages
                .retain(|message| !save.taken.contains(&message.nr));
        }
    }

    /// Returns the next save of a claim. It takes each message with a probability of one half.
    fn save_of(&mut self, index: usize, bodies: &mut Vec<String>) -> Save {
        let claim = &self.claims[index];
        let mut taken = Vec::new();
        for message in &claim.messages {
            if self.random.once_in(2) {
                taken.push(message.nr);
                bodies.push(message.body.clone());
            }
        }
        let number = claim.seq + 1;
        Save {
            held: claim.held,
            seq: number,
            next_step: number,
            state: NEXT_STATE.into(),
            snapshot: format!(
                "{{\"{NEXT_STATE}\":{{\"n\":{number},\"f\":{}}}}}",
                claim.held.fence
            ),
            taken,
            family: Family::default(),
            then: continuation(&mut self.random),
        }
    }

    /// Ends all machines. Each claimable machine is claimed, and each waiting one has a message.
    async fn end(mut self) {
        for round in 0.. {
            assert!(round < 20, "a machine does not end");
            let keys: Vec<String> = self.store.rows.keys().cloned().collect();
            for key in &keys {
                self.store.retry(key).await;
                let row = &self.store.rows[key];
                let signal = row.signals().first().cloned();
                if let Some(signal) = signal {
                    let id = format!("last {round}");
                    self.store.send(key, &signal, &id).await;
                }
            }
            self.expire_all().await;
            self.claims = self.store.claim(100, u32::MAX, 100).await;
            for claim in std::mem::take(&mut self.claims) {
                let bodies = claim.messages.iter().map(|message| message.body.clone());
                let bodies: Vec<String> = bodies.collect();
                let save = Save {
                    held: claim.held,
                    seq: claim.seq + 1,
                    next_step: 1,
                    state: NEXT_STATE.into(),
                    snapshot: claim.snapshot,
                    taken: claim.messages.iter().map(|message| message.nr).collect(),
                    family: Family::default(),
                    then: Continuation::Ends {
                        outcome: "1".into(),
                    },
                };
                assert_eq!(self.store.save(&[save], &bodies).await, []);
            }
            self.store.check().await;
            if self.store.rows.values().all(|row| row.status.is_final()) {
                return;
            }
        }
    }

    async fn expire_all(&mut self) {
        let rows = self.store.rows.values();
        let held = rows.filter_map(|row| {
            Some(ClaimToken {
                id: row.id,
                fence: row.holder()?,
            })
        });
        let held: Vec<_> = held.collect();
        self.store.renew(&held, true).await;
    }
}

fn continuation(random: &mut Random) -> Continuation {
    let signals = SIGNALS.map(String::from);
    match random.below(6) {
        0..=2 => Continuation::Runs,
        3 => Continuation::Waits(Wait {
            wake: random.once_in(2).then(Timestamp::default),
            signals: signals.to_vec(),
        }),
        4 => Continuation::Waits(Wait {
            wake: None,
            signals: vec![random.one_of(&SIGNALS).to_owned()],
        }),
        _ => Continuation::Ends {
            outcome: "0".into(),
        },
    }
}
