//! `Session`: an open connection.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use postgres::error::{Severity, SqlState};
use postgres::types::ToSql;
use postgres::{Client, Error, Row, Statement, Transaction};

/// The number of times that an operation is run if it conflicts with others.
const TRIES: u32 = 10;

/// The function that opens the connections of a store.
#[derive(Clone)]
pub(super) struct Connect(Arc<Mutex<dyn FnMut() -> Result<Client, Error> + Send>>);

impl Connect {
    pub(super) fn new(connect: impl FnMut() -> Result<Client, Error> + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(connect)))
    }

    /// Opens a connection.
    pub(super) fn open(&self) -> Result<Client, Error> {
        let mut connect = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        connect()
    }
}

impl fmt::Debug for Connect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Connect").finish_non_exhaustive()
    }
}

/// An open connection, with the statements that it has prepared.
pub(super) struct Session {
    client: Client,
    statements: HashMap<&'static str, Statement>,
    is_in_transaction: bool,
}

impl Session {
    pub(super) fn new(client: Client) -> Self {
        Self {
            client,
            statements: HashMap::new(),
            is_in_transaction: false,
        }
    }

    /// Returns `true` if the connection is known to be lost.
    pub(super) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    /// Returns `true` if the statements belong to a transaction that the caller ends.
    pub(super) fn is_in_transaction(&self) -> bool {
        self.is_in_transaction
    }

    /// Runs statements without parameters, which are separated by semicolons.
    pub(super) fn batch(&mut self, sql: &str) -> Result<(), Error> {
        self.client.batch_execute(sql)
    }

    /// Runs the statements of `body` in one transaction. Within another one, they belong to it.
    pub(super) fn transaction<T>(
        &mut self,
        body: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        if self.is_in_transaction {
            return body(self);
        }
        self.batch("begin isolation level read committed")?;
        self.is_in_transaction = true;
        let result = body(self);
        self.is_in_transaction = false;
        let result = result.and_then(|result| {
            self.batch("commit")?;
            Ok(result)
        });
        if result.is_err() && !self.client.is_closed() {
            // The error of the body is the one to report. A connection that cannot roll back is
            // lost, and the server rolls back.
            let _ = self.batch("rollback");
        }
        result
    }
}

/// A connection or a transaction that runs statements.
pub(super) trait Query {
    /// Runs a statement.
    fn query(
        &mut self,
        sql: &'static str,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, Error>;
}

/// A statement is prepared once for each connection.
impl Query for Session {
    fn query(
        &mut self,
        sql: &'static str,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, Error> {
        let statement = match self.statements.entry(sql) {
            Entry::Occupied(prepared) => prepared.into_mut(),
            Entry::Vacant(place) => place.insert(self.client.prepare(sql)?),
        };
        self.client.query(&*statement, parameters)
    }
}

impl Query for Transaction<'_> {
    fn query(
        &mut self,
        sql: &'static str,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, Error> {
        Transaction::query(self, sql, parameters)
    }
}

/// Returns `true` if the error has ended its statement or its transaction, and not the connection.
pub(super) fn is_of_statement(error: &Error) -> bool {
    let severity = error
        .as_db_error()
        .and_then(|error| error.parsed_severity());
    severity == Some(Severity::Error)
}

/// Returns `true` if the server accepts no writes, as a replica. A new connection may be to another
/// server.
pub(super) fn is_read_only(error: &Error) -> bool {
    error.code() == Some(&SqlState::READ_ONLY_SQL_TRANSACTION)
}

/// Calls a function, again if the database has undone its transaction because of others.
pub(super) fn repeat_after_conflicts<T>(
    mut call: impl FnMut() -> Result<T, Error>,
) -> Result<T, Error> {
    let mut tries = 1;
    loop {
        match call() {
            Err(error) if tries < TRIES && is_conflict(&error) => tries += 1,
            result => return result,
        }
    }
}

/// Returns `true` if the database has undone the transaction because of others.
pub(super) fn is_conflict(error: &Error) -> bool {
    let code = error.code();
    code == Some(&SqlState::T_R_SERIALIZATION_FAILURE)
        || code == Some(&SqlState::T_R_DEADLOCK_DETECTED)
}
