//! `SimulatedStore`: a store, and the model with which each result is compared.

use std::time::Duration;

use super::super::fixture::{LONG, claim_with, message, new_machine};
use super::expected_family::{self, Rows};
use super::expected_row::{ExpectedRow, Taken};
use crate::store::{
    AfterFailure, ChildReport, Claim, ClaimToken, Claimed, Failure, Filter, MachineId, Row, Save,
    Status, Store,
};

/// A store, and the model with which each result is compared.
pub(super) struct SimulatedStore<S> {
    store: S,
    pub(super) rows: Rows,
}

impl<S: Store> SimulatedStore<S> {
    pub(super) fn new(store: S) -> Self {
        Self {
            store,
            rows: Rows::new(),
        }
    }

    fn row(&mut self, id: MachineId) -> &mut ExpectedRow {
        expected_family::row(&mut self.rows, id)
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
        let claimed = self.store.claim(&claim).await.expect("machines");
        assert!(claimed.len() <= limit);
        let stored = self.list().await;
        self.park_exhausted(&stored, max_attempts);
        let mut claimed_suspects = 0;
        for claimed in &claimed {
            assert!(claimed.attempts <= max_attempts, "{claimed:#?}");
            let row = self.row(claimed.held.id);
            claimed_suspects += usize::from(row.is_suspect(claim.suspect_attempts()));
            row.claim(claimed);
        }
        assert!(claimed_suspects <= suspects);
        let is_all = claimed.len() < limit;
        for stored in stored {
            let row = self.row(stored.id);
            let may_be_left =
                claimed_suspects == suspects && row.is_suspect(claim.suspect_attempts());
            let may_be_left = row.end_claim() || may_be_left;
            let is_left = row.is_claimable() && !may_be_left;
            assert!(!is_all || !is_left, "left: {stored:#?}");
        }
        claimed
    }

    /// Records the rows that a claim has parked.
    fn park_exhausted(&mut self, stored: &[Row], max_attempts: u32) {
        for stored in stored {
            let row = self.row(stored.id);
            let has_attempts = row.attempts < max_attempts;
            if !has_attempts && row.is_claimable() && stored.status == Status::Parked {
                let error = stored.error.as_deref().expect("the error of a parked row");
                expected_family::park_during_a_claim(&mut self.rows, &stored.key, error);
            }
        }
    }

    /// Writes saves, and returns those that are lost.
    pub(super) async fn save(&mut self, saves: &[Save], taken: &[Taken]) -> Vec<MachineId> {
        let lost = self.store.save(saves).await.expect("a result");
        let mut lost: Vec<_> = lost.iter().map(|lost| lost.id).collect();
        lost.sort_unstable();
        let mut expected = Vec::new();
        for save in saves {
            if self.row(save.held.id).save(save, taken) {
                self.start_children(save).await;
                expected_family::change(&mut self.rows, save);
            } else {
                expected.push(save.held.id);
            }
        }
        expected.sort_unstable();
        assert_eq!(lost, expected, "{saves:#?}");
        lost
    }

    /// Records the children that a stored save has started. A used key starts no child.
    async fn start_children(&mut self, save: &Save) {
        for child in &save.family.started {
            let key = &child.machine.key;
            if self.rows.contains_key(key) {
                continue;
            }
            let stored = self.list().await.into_iter().find(|row| row.key == *key);
            let id = stored.expect("the row of the child").id;
            let mut row = ExpectedRow::new(id, &child.machine.snapshot);
            row.parent = Some(save.held.id);
            row.is_detached = child.is_detached;
            self.rows.insert(key.clone(), row);
        }
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
        if is_recorded && failure.then == AfterFailure::Park {
            let report = |key: &str| ChildReport::parked(key, &failure.error);
            expected_family::report(&mut self.rows, failure.held.id, report);
        }
    }

    pub(super) async fn retry(&mut self, key: &str) {
        if let Some(row) = self.rows.get_mut(key) {
            let is_retried = self.store.retry(row.id).await.expect("a result");
            assert_eq!(is_retried, row.retry());
        }
    }

    pub(super) async fn cancel(&mut self, key: &str) {
        if let Some(row) = self.rows.get_mut(key) {
            let (id, is_cancelled) = (row.id, row.cancel());
            assert_eq!(self.store.cancel(id).await.expect("a result"), is_cancelled);
            if is_cancelled {
                expected_family::report(&mut self.rows, id, ChildReport::cancelled);
                expected_family::drop_children(&mut self.rows, id, |_| true);
            }
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
            assert_eq!(stored.parent, row.parent);
            assert_eq!(stored.lease.is_some(), row.holder().is_some());
        }
    }
}
