//! `EncryptedStore`: a store whose values are encrypted.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::cipher::{Cipher, ValueKind};
use super::encrypted_save::{encrypted_machine, encrypted_save};
use super::encrypted_transaction::encrypted_transaction;
use super::envelope::{decrypted, decrypted_body, encrypted, is_report};
use crate::error::{Error, Result};
use crate::machine_id::MachineId;
use crate::store::claim::{Claim, ClaimToken, Claimed, KnownType};
use crate::store::message::{Message, Sent};
use crate::store::new_machine::{NewMachine, Started};
use crate::store::open_transaction::OpenTransaction;
use crate::store::row::{Filter, Row};
use crate::store::save::{Failure, Lost, Save};
use crate::store::store_trait::Store;
use crate::store::summary::Summary;
use crate::store::timestamp::Timestamp;

/// A store that encrypts snapshots, messages and outcomes by a [`Cipher`] before they reach another
/// store.
///
/// All workers and clients of the machines need the cipher. A machine whose snapshot or message
/// cannot be decrypted is parked, and its row stays as it is. [`list`](Store::list) returns the
/// encrypted values of such a row.
///
/// Names are not encrypted, because the store selects by them: types, keys, states and signals. The
/// errors of machines and the writes of `#[step(tx)]` are not encrypted either. A cipher does not
/// prevent that someone with access to the database copies a value into another row.
#[derive(Clone)]
pub struct EncryptedStore<S> {
    store: S,
    cipher: Arc<dyn Cipher>,
}

impl<S: Store> EncryptedStore<S> {
    /// Creates a store that stores encrypted values in `store`.
    pub fn new(store: S, cipher: impl Cipher) -> Self {
        Self {
            store,
            cipher: Arc::new(cipher),
        }
    }

    /// Returns the store with the encrypted values.
    pub fn inner(&self) -> &S {
        &self.store
    }

    fn new_machine(&self, new: &NewMachine) -> Result<NewMachine> {
        encrypted_machine(&*self.cipher, new)
    }

    /// Decrypts a claimed machine, or records the reason for which it cannot be read.
    fn claimed(&self, claimed: Claimed) -> Claimed {
        let unreadable = claimed.unreadable.clone();
        self.decrypted(&claimed).unwrap_or_else(|text| Claimed {
            unreadable: unreadable.or(Some(text)),
            ..claimed
        })
    }

    fn decrypted(&self, claimed: &Claimed) -> Result<Claimed, String> {
        let cipher = &*self.cipher;
        let snapshot = decrypted(cipher, ValueKind::Snapshot, &claimed.snapshot)
            .map_err(|error| format!("the snapshot cannot be decrypted: {error}"))?;
        let mut messages = claimed.messages.clone();
        for message in &mut messages {
            message.body =
                decrypted_body(cipher, &message.name, &message.body).map_err(|error| {
                    format!(
                        "the message `{}` cannot be decrypted: {error}",
                        message.name
                    )
                })?;
        }
        Ok(Claimed {
            snapshot,
            messages,
            ..claimed.clone()
        })
    }

    /// Decrypts the values of a row that can be decrypted.
    fn row(&self, mut row: Row) -> Row {
        let cipher = &*self.cipher;
        if let Ok(snapshot) = decrypted(cipher, ValueKind::Snapshot, &row.snapshot) {
            row.snapshot = snapshot;
        }
        let outcome = row.outcome.as_deref();
        let outcome = outcome.map(|outcome| decrypted(cipher, ValueKind::Outcome, outcome));
        if let Some(Ok(outcome)) = outcome {
            row.outcome = Some(outcome);
        }
        row
    }
}

impl<S: Store> Store for EncryptedStore<S> {
    async fn start(&self, new: &NewMachine) -> Result<Started> {
        self.store.start(&self.new_machine(new)?).await
    }

    fn prepare(&self, new: NewMachine) -> Result<NewMachine> {
        self.new_machine(&self.store.prepare(new)?)
    }

    async fn claim(&self, claim: &Claim) -> Result<Vec<Claimed>> {
        let claimed = self.store.claim(claim).await?.into_iter();
        Ok(claimed.map(|claimed| self.claimed(claimed)).collect())
    }

    async fn renew(&self, held: &[ClaimToken], lease: Duration) -> Result<Vec<Lost>> {
        self.store.renew(held, lease).await
    }

    async fn save(&self, saves: &[Save]) -> Result<Vec<Lost>> {
        let saves = saves.iter().map(|save| encrypted_save(&*self.cipher, save));
        let saves: Vec<Save> = saves.collect::<Result<_>>()?;
        self.store.save(&saves).await
    }

    async fn begin(&self) -> Result<Option<OpenTransaction>> {
        let begun = self.store.begin().await?;
        let cipher = &self.cipher;
        Ok(begun.map(|begun| encrypted_transaction(Arc::clone(cipher), begun)))
    }

    async fn fail(&self, failure: &Failure) -> Result<Option<Lost>> {
        self.store.fail(failure).await
    }

    async fn release(&self, held: &[ClaimToken]) -> Result<()> {
        self.store.release(held).await
    }

    async fn send(&self, message: &Message) -> Result<Sent> {
        let mut message = message.clone();
        if !is_report(&message.name, &message.body) {
            let body = encrypted(&*self.cipher, ValueKind::Message, &message.body);
            message.body = body.map_err(Error::Cipher)?;
        }
        self.store.send(&message).await
    }

    async fn next_wake(&self, known: &[KnownType]) -> Result<Option<Duration>> {
        self.store.next_wake(known).await
    }

    async fn list(&self, filter: &Filter) -> Result<Vec<Row>> {
        let rows = self.store.list(filter).await?.into_iter();
        Ok(rows.map(|row| self.row(row)).collect())
    }

    async fn summary(&self, filter: &Filter) -> Result<Summary> {
        self.store.summary(filter).await
    }

    async fn now(&self) -> Result<Timestamp> {
        self.store.now().await
    }

    async fn retry(&self, id: MachineId) -> Result<bool> {
        self.store.retry(id).await
    }

    async fn cancel(&self, id: MachineId) -> Result<bool> {
        self.store.cancel(id).await
    }

    async fn delete_ended(&self, age: Duration, limit: usize) -> Result<usize> {
        self.store.delete_ended(age, limit).await
    }

    fn changed(&self) -> impl Future<Output = ()> + Send {
        self.store.changed()
    }

    fn clock(&self, at: Timestamp, since: Instant) -> Timestamp {
        self.store.clock(at, since)
    }
}

impl<S: fmt::Debug> fmt::Debug for EncryptedStore<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EncryptedStore")
            .field("store", &self.store)
            .finish_non_exhaustive()
    }
}
