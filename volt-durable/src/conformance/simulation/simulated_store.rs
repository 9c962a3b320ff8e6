//! `SimulatedStore`: a store, and the model with which each result is compared.

use std::collections::BTreeMap;
use std::time::Duration;

use super::super::fixture::{LONG, claim_with, message, new_machine};
use super::expected_row::ExpectedRow;
use crate::store::{
    Claim, ClaimToken, Claimed, Failure, Filter, MachineId, Row, Save, Status, Store,
};

/// A store, and the model with which each result is compared.
pub(super) struct SimulatedStore<S> {
    store: S,
    /// The rows by the key of the machine.
    pub(super) rows: BTreeMap<String, ExpectedRow>,
}

impl<S: Store> SimulatedStore<S> {
    pub(super) fn new(store: S) -> Self {
        Self {
            store,
            rows: BTreeMap::new(),
        }
    }

    fn row(&mut self, id: MachineId) -> &mut ExpectedRow {
        let row = self.rows.values_mut().find(|row| row.id == id);
        row.expect("a machine that was started")
    }

    pub(super) async fn start(&mut self, key: &str) {
        let new = new_machine(key);
        let started = self.store.start(&new).await.expect("a machine");
        assert_eq!(started.is_new, !self.rows.contains_key(key));
        let row = self.rows.entry(key.to_owned());
        let row = row.or_insert_with(|| ExpectedRow::new(started.id, &new.snapshot));
        assert_eq!(row.id, started.id);
    }

    /// Sends a message whose body has the key and the id.
    pub(super) async fn send(&mut self, key: &str, name: &str, id: &str) {
        let Some(row) = self.rows.get_mut(key) else {
            return;
        };
        let message = message(key, name, id, &format!("\"{key} {id}\""));
        let expected = row.send(&message);
        assert_eq!(self.store.send(&message).await.expect("a result"), expected);
    }

    /// Claims machines, and compares them with the rows that can be claimed.
    pub(super) async fn claim(
        &mut self,
        limit: usize,
        max_attempts: u32,
        suspects: usize,
    ) -> Vec<Claimed> {
        let claim = Claim {
            max_attempts,
            suspects,
            ..claim_with(limit, LONG)
        };
        let mut claimed_suspects = 0;
        let claimed = self.store.claim(&claim).await.expect("machines");
        assert!(claimed.len() <= limit);
        for claimed in &claimed {
            assert!(claimed.attempts <= max_attempts, "{claimed:#?}");
            let row = self.row(claimed.held.id);
            claimed_suspects += usize::from(row.is_suspect(claim.suspect_attempts()));
            row.claim(claimed);
        }
        assert!(claimed_suspects <= suspects);
        let is_all = claimed.len() < limit;
        for stored in self.list().await {
            let row = self.row(stored.id);
            let has_attempts = row.attempts < max_attempts;
            if !has_attempts && row.is_claimable() && stored.status == Status::Parked {
                row.park();
            }
            let may_be_left =
                claimed_suspects == suspects && row.is_suspect(claim.suspect_attempts());
            let is_left = row.is_claimable() && !may_be_left;
            assert!(!is_all || !is_left, "left: {stored:#?}");
        }
        claimed
    }

    /// Writes saves, and returns those that are lost. `bodies` are those of the taken messages.
    pub(super) async fn save(&mut self, saves: &[Save], bodies: &[String]) -> Vec<MachineId> {
        let lost = self.store.save(saves).await.expect("a result");
        let mut lost: Vec<_> = lost.iter().map(|lost| lost.id).collect();
        lost.sort_unstable();
        let mut expected = Vec::new();
        for save in saves {
            if !self.row(save.held.id).save(save, bodies) {
                expected.push(save.held.id);
            }
        }
        expected.sort_unstable();
        assert_eq!(lost, expected, "{saves:#?}");
        lost
    }

    /// Renews claims, or ends their leases.
    pub(super) async fn renew(&mut self, held: &[ClaimToken], expires: bool) {
        let lease = if expires { Duration::ZERO } else { LONG };
        let lost = self.store.renew(held, lease).await.expect("a result");
        for held in held {
            let is_held = self.row(held.id).renew(held.fence, expires);
            let is_lost = lost.iter().any(|lost| lost.id == held.id);
            assert_ne!(is_held, is_lost, "{held:?}");
        }
    }

    pub(super) async fn release(&mut self, held: ClaimToken) {
        self.store.release(&[held]).await.expect("a result");
        self.row(held.id).release(held.fence);
    }

    pub(super) async fn fail(&mut self, failure: &Failure) {
        let lost = self.store.fail(failure).await.expect("a result");
        let is_recorded = self.row(failure.held.id).fail(failure);
        assert_eq!(lost.is_none(), is_recorded, "{failure:?}");
    }

    pub(super) async fn retry(&mut self, key: &str) {
        if let Some(row) = self.rows.get_mut(key) {
            let is_retried = self.store.retry(row.id).await.expect("a result");
            assert_eq!(is_retried, row.retry());
        }
    }

    pub(super) async fn cancel(&mut self, key: &str) {
        if let Some(row) = self.rows.get_mut(key) {
            let is_cancelled = self.store.cancel(row.id).await.expect("a result");
            assert_eq!(is_cancelled, row.cancel());
        }
    }

    async fn list(&self) -> Vec<Row> {
        self.store.list(&Filter::default()).await.expect("rows")
    }

    /// Compares all rows.
    pub(super) async fn check(&mut self) {
        let stored = self.list().await;
        assert_eq!(stored.len(), self.rows.len());
        for stored in stored {
            let row = self.row(stored.id);
            // A store may change the status at the message or at the claim that follows.
            let is_waiting = |status| matches!(status, Status::Runnable | Status::Waiting);
            let is_equal =
                stored.status == row.status || is_waiting(stored.status) && is_waiting(row.status);
            assert!(is_equal, "{:?} expected: {stored:#?}", row.status);
            assert_eq!(
                (stored.seq, stored.fence, stored.attempts),
                (row.seq, row.fence, row.attempts)
            );
            assert_eq!(stored.snapshot, row.snapshot);
            assert_eq!(stored.outcome, row.outcome);
            assert_eq!(stored.lease.is_some(), row.holder().is_some());
        }
    }
}
