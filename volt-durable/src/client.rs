//! `Client`: starts machines, sends messages to them, and waits for their outcomes.

use std::time::Duration;

use async_io::Timer;
use serde::Serialize;
use volt::future::race;

use crate::error::{Error, Result};
use crate::machine::{Durable, type_name_of};
use crate::snapshot_text::SnapshotText;
use crate::store::{
    CANCEL, Filter, Message, NewMachine, Row, Sent, Started, Status, Store, is_encrypted,
};

/// Starts machines, sends messages to them, and waits for their outcomes.
///
/// A client needs no worker in its process. Machines are named by type and key.
#[derive(Clone, Debug)]
pub struct Client<S> {
    store: S,
    poll_interval: Duration,
}

impl<S: Store> Client<S> {
    /// Creates a client of a store.
    pub fn new(store: S) -> Self {
        Self {
            store,
            poll_interval: Duration::from_millis(500),
        }
    }

    /// Sets the time after which [`outcome`](Self::outcome) reads the row again if the store
    /// reports no change. The default is half a second.
    #[must_use]
    pub fn poll_interval(mut self, interval: Duration) -> Self {
        self.poll_interval = interval;
        self
    }

    /// Returns the store.
    pub fn store(&self) -> &S {
        &self.store
    }

    /// Starts a machine, unless one with its type and this key exists. So a start whose result was
    /// lost can be repeated.
    ///
    /// # Errors
    ///
    /// Returns an error if the machine cannot be written, or if the store fails.
    pub async fn start<M: Durable>(&self, key: impl Into<String>, machine: M) -> Result<Started> {
        self.store
            .start(&first_snapshot(key.into(), &machine)?)
            .await
    }

    /// Returns a machine in the form in which the database has it, for a start in a transaction of
    /// the caller.
    ///
    /// `SqliteStore::start_in` and `PostgresStore::start_in` write it.
    ///
    /// # Errors
    ///
    /// Returns an error if the machine cannot be written or encrypted.
    pub fn new_machine<M: Durable>(
        &self,
        key: impl Into<String>,
        machine: M,
    ) -> Result<NewMachine> {
        self.store.prepare(first_snapshot(key.into(), &machine)?)
    }

    /// Sends a value to a machine, which receives it by [`signal`](fn@crate::signal) with this
    /// name.
    ///
    /// Of all messages to the machine with one id, the first is delivered. So a message whose
    /// result was lost can be sent again. The id may be that of the event that the message
    /// reports.
    ///
    /// # Errors
    ///
    /// Returns an error if the value cannot be written, or if the store fails.
    pub async fn send<M: Durable>(
        &self,
        key: &str,
        name: &str,
        id: impl Into<String>,
        value: &impl Serialize,
    ) -> Result<Sent> {
        let message = Message {
            machine_type: type_name_of::<M>(),
            key: key.to_owned(),
            name: name.to_owned(),
            id: id.into(),
            body: serde_json::to_string(value)?,
        };
        self.store.send(&message).await
    }

    /// Requests the cancellation of a machine, which receives it as the error of its next
    /// [`cancellable`](fn@crate::cancellable) await. Its code then undoes its effects and returns.
    ///
    /// A machine can be cancelled once: later requests are duplicates. One that awaits no
    /// `cancellable` future continues as before. [`Store::cancel`] ends a machine without running
    /// its code.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails.
    pub async fn cancel<M: Durable>(&self, key: &str) -> Result<Sent> {
        self.send::<M>(key, CANCEL, CANCEL, &()).await
    }

    /// Waits until a machine has returned, and returns its output. While it is parked, this waits.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such machine, if it was cancelled, if its output is not a
    /// value of the type, or if the store fails.
    pub async fn outcome<M: Durable>(&self, key: &str) -> Result<M::Outcome> {
        loop {
            let changed = self.store.changed();
            let row = self.row::<M>(key).await?;
            let row = row.ok_or_else(|| Error::NoMachine {
                machine_type: type_name_of::<M>(),
                key: key.to_owned(),
            })?;
            match (row.status, row.outcome) {
                (Status::Cancelled, _) => return Err(Error::Cancelled(row.id)),
                (_, Some(outcome)) if is_encrypted(&outcome) => {
                    return Err(Error::Encrypted(row.id));
                }
                (_, Some(outcome)) => return Ok(serde_json::from_str(&outcome)?),
                _ => {}
            }
            let pause = async {
                Timer::after(self.poll_interval).await;
            };
            race(changed, pause).await;
        }
    }

    /// Returns the row of a machine, if there is one.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails.
    pub async fn row<M: Durable>(&self, key: &str) -> Result<Option<Row>> {
        let filter = Filter {
            machine_type: Some(type_name_of::<M>()),
            key: Some(key.to_owned()),
            limit: 1,
            ..Filter::default()
        };
        Ok(self.store.list(&filter).await?.pop())
    }
}

/// Returns a machine that is not started, with its snapshot.
fn first_snapshot<M: Durable>(key: String, machine: &M) -> Result<NewMachine> {
    let snapshot = SnapshotText::of(machine)?;
    Ok(NewMachine {
        machine_type: type_name_of::<M>(),
        key,
        state: snapshot.state,
        snapshot: snapshot.text,
    })
}
