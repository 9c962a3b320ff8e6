//! Workers and senders with random operations.

use std::time::Duration;

use super::super::fixture::{Fixture, NEXT_STATE, new_machine};
use super::expected_family::{children, is_reported};
use super::expected_row::{SIGNALS, Taken, compact};
use super::random::Random;
use super::simulated_store::SimulatedStore;
use crate::store::{
    AfterFailure, CANCEL, ChildReport, ClaimToken, Claimed, Continuation, Failure, Family,
    NewChild, Save, Store, Timestamp, Wait,
};

const KEYS: [&str; 5] = ["a", "b", "c", "d", "e"];
/// The largest number of machines, children included.
const MAX_MACHINES: usize = 14;
const OPERATIONS: usize = 120;
/// The numbers of attempts of different workers.
const MAX_ATTEMPTS: [u32; 3] = [1, 3, 4];

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
        let key = self.key();
        match self.random.below(20) {
            0..=2 => self.store.start(self.random.one_of(&KEYS)).await,
            3..=6 => self.send(&key).await,
            7..=9 => {
                let limit = 1 + self.random.below(4);
                let suspects = self.random.below(2);
                let max_attempts = self.random.one_of(&MAX_ATTEMPTS);
                let claimed = self.store.claim(limit, max_attempts, suspects).await;
                self.claims.extend(claimed);
            }
            10..=14 => self.save().await,
            15 => self.store.retry(&key).await,
            16 if self.random.once_in(3) => self.store.cancel(&key).await,
            16 => self.store.start(self.random.one_of(&KEYS)).await,
            number => self.use_claim(number).await,
        }
    }

    /// Returns the key of a machine, which may not exist yet.
    fn key(&mut self) -> String {
        let index = self.random.below(2 * KEYS.len());
        match (KEYS.get(index), self.store.rows.keys().nth(index)) {
            (Some(key), _) => (*key).to_owned(),
            (None, Some(key)) => key.clone(),
            (None, None) => KEYS[0].to_owned(),
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
        // A store may report the end of a child before or after another save of the same operation
        // that drops the child.
        let drops = self.random.once_in(4);
        let count = if drops { 1 } else { 1 + self.random.below(3) };
        let (mut saves, mut taken) = (Vec::<Save>::new(), Vec::new());
        for _ in 0..count {
            if self.claims.is_empty() {
                return;
            }
            let index = self.random.below(self.claims.len());
            let id = self.claims[index].held.id;
            if saves.iter().all(|save| save.held.id != id) {
                saves.push(self.save_of(index, drops, &mut taken));
            }
        }
        let lost = self.store.save(&saves, &taken).await;
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
    fn save_of(&mut self, index: usize, drops: bool, taken: &mut Vec<Taken>) -> Save {
        let claim = &self.claims[index];
        let (held, number, parent) = (claim.held, claim.seq + 1, claim.parent);
        let mut numbers = Vec::new();
        for message in &claim.messages {
            if self.random.once_in(2) {
                numbers.push(message.nr);
                taken.push((held.id, message.name.clone(), compact(&message.body)));
            }
        }
        let children = children(&self.store.rows, held.id);
        let started = self.new_child(held, number);
        let dropped = children.get(self.random.below(children.len().max(1)));
        Save {
            held,
            seq: number,
            next_step: number,
            state: NEXT_STATE.into(),
            snapshot: format!(
                "{{\"{NEXT_STATE}\":{{\"n\":{number},\"f\":{}}}}}",
                held.fence
            ),
            taken: numbers,
            family: Family {
                parent,
                started: started.into_iter().collect(),
                dropped: dropped.filter(|_| drops).into_iter().cloned().collect(),
            },
            then: continuation(&mut self.random, &children),
        }
    }

    /// Returns a child of a save, or nothing. Some have the key of a machine that exists.
    fn new_child(&mut self, parent: ClaimToken, save: u64) -> Option<NewChild> {
        if self.store.rows.len() >= MAX_MACHINES || !self.random.once_in(3) {
            return None;
        }
        let (used, own) = (self.key(), format!("volt.child/{}/{save}", parent.id.0));
        let is_used = self.random.once_in(6) && self.store.rows.contains_key(&used);
        Some(NewChild {
            machine: new_machine(if is_used { &used } else { &own }),
            is_detached: self.random.once_in(3),
        })
    }

    /// Ends all machines. Each claimable machine is claimed, and each waiting one has a message or
    /// the report of a child.
    async fn end(mut self) {
        for round in 0.. {
            assert!(round < 3 * MAX_MACHINES, "a machine does not end");
            let keys: Vec<String> = self.store.rows.keys().cloned().collect();
            for key in &keys {
                self.store.retry(key).await;
                let (rows, row) = (&self.store.rows, &self.store.rows[key]);
                let mut signals = row.signals().iter();
                if signals.any(|signal| is_reported(rows, row.id, signal)) {
                    continue;
                }
                if let Some(signal) = row.signals().first().cloned() {
                    let id = format!("last {round}");
                    self.store.send(key, &signal, &id).await;
                }
            }
            self.expire_all().await;
            self.claims = self.store.claim(100, u32::MAX, 100).await;
            for claim in std::mem::take(&mut self.claims) {
                let taken = claim.messages.iter();
                let taken = taken.map(|message| {
                    let (name, body) = (message.name.clone(), compact(&message.body));
                    (claim.held.id, name, body)
                });
                let taken: Vec<Taken> = taken.collect();
                let save = Save {
                    held: claim.held,
                    seq: claim.seq + 1,
                    next_step: 1,
                    state: NEXT_STATE.into(),
                    snapshot: claim.snapshot,
                    taken: claim.messages.iter().map(|message| message.nr).collect(),
                    family: Family {
                        parent: claim.parent,
                        ..Family::default()
                    },
                    then: Continuation::Ends {
                        outcome: "1".into(),
                    },
                };
                assert_eq!(self.store.save(&[save], &taken).await, []);
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

fn continuation(random: &mut Random, children: &[String]) -> Continuation {
    let signals = SIGNALS.map(String::from);
    match random.below(7) {
        0..=2 => Continuation::Runs,
        6 => Continuation::Yields,
        3 => Continuation::Waits(Wait {
            wake: random.once_in(2).then(Timestamp::default),
            signals: signals.to_vec(),
        }),
        4 => Continuation::Waits(Wait {
            wake: None,
            signals: match random.below(3) {
                0 => vec![random.one_of(&SIGNALS).to_owned()],
                _ if children.is_empty() => vec![CANCEL.to_owned()],
                1 => children.to_vec(),
                _ => vec![ChildReport::parked(&children[0], "").name],
            },
        }),
        _ => Continuation::Ends {
            outcome: "0".into(),
        },
    }
}
