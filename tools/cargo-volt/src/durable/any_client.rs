//! `AnyClient`: a client of one of the stores.

use std::time::Duration;

use futures_lite::future::block_on;
use volt_durable::store::{
    Filter, MachineId, PostgresStore, Row, Sent, SqliteStore, Store, Summary, Timestamp,
};
use volt_durable::{Client, Error, Page};

use crate::context::Outcome;

/// A client of one of the stores.
#[derive(Debug)]
pub(super) enum AnyClient {
    Sqlite(Client<SqliteStore>),
    Postgres(Client<PostgresStore>),
}

/// Waits for an operation of the client, whichever store it has.
macro_rules! wait {
    ($client:expr, $name:ident => $operation:expr) => {
        match $client {
            AnyClient::Sqlite($name) => block_on($operation),
            AnyClient::Postgres($name) => block_on($operation),
        }
        .map_err(|error| with_source(&error))
    };
}

impl AnyClient {
    pub(super) fn list(&self, filter: &Filter) -> Outcome<Page> {
        wait!(self, client => client.list(filter))
    }

    pub(super) fn summary(&self, filter: &Filter) -> Outcome<Summary> {
        wait!(self, client => client.summary(filter))
    }

    /// Returns the machine with this id.
    pub(super) fn row(&self, id: MachineId) -> Outcome<Row> {
        let row = wait!(self, client => client.inspect(id))?;
        row.ok_or_else(|| format!("the store has no machine {id}"))
    }

    /// Returns `true` if the machine could run, but no worker has claimed it for this time.
    pub(super) fn is_unclaimed(&self, id: MachineId, time: Duration) -> Outcome<bool> {
        let filter = Filter {
            unclaimed_for: Some(time),
            after: Some(MachineId(id.0.saturating_sub(1))),
            limit: 1,
            ..Filter::default()
        };
        let page = self.list(&filter)?;
        Ok(page.rows.first().is_some_and(|row| row.id == id))
    }

    pub(super) fn retry(&self, id: MachineId) -> Outcome<bool> {
        wait!(self, client => client.retry(id))
    }

    pub(super) fn cancel(&self, id: MachineId) -> Outcome<Sent> {
        wait!(self, client => client.cancel_by_id(id))
    }

    /// Returns the time of the store's clock.
    pub(super) fn now(&self) -> Outcome<Timestamp> {
        wait!(self, client => client.store().now())
    }

    /// Ends a machine without running its code.
    pub(super) fn end(&self, id: MachineId) -> Outcome<bool> {
        wait!(self, client => client.store().cancel(id))
    }
}

/// Returns an error with its causes.
pub(super) fn with_source(error: &Error) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(error) = source {
        text = format!("{text}: {error}");
        source = error.source();
    }
    text
}
