//! Savepoints: parts of a transaction that can fail alone.

use rusqlite::Connection;

/// Calls a function, and undoes its changes if it fails.
pub(super) fn in_savepoint<T>(
    connection: &Connection,
    call: impl FnOnce(&Connection) -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    if connection.is_autocommit() {
        // The transaction has not begun, and reports its own error.
        return Err(rusqlite::Error::InvalidQuery);
    }
    connection
        .prepare_cached("savepoint operation")?
        .execute([])?;
    let called = call(connection);
    if called.is_err() {
        connection
            .prepare_cached("rollback to operation")?
            .execute([])?;
    }
    connection
        .prepare_cached("release operation")?
        .execute([])?;
    called
}
