//! The tables of a SQLite file.

use rusqlite::{Connection, TransactionBehavior};

use crate::error::{Error, Result};

/// The changes of the tables. The `user_version` of a file is the number of those that it has.
const MIGRATIONS: [&str; 4] = [
    "
    create table durable_machine (
        id integer primary key autoincrement,
        type text not null,
        key text not null,
        state text not null,
        snapshot text not null,
        seq integer not null default 0,
        next_step integer not null default 0,
        status integer not null default 0,
        ready integer,
        signals text not null default '[]',
        fence integer not null default 0,
        lease integer,
        attempts integer not null default 0,
        error text,
        outcome text,
        created integer not null,
        changed integer not null,
        unique (type, key)
    ) strict;
    create index durable_machine_ready on durable_machine (status, ready) where status < 2;
    create table durable_message (
        nr integer primary key autoincrement,
        machine integer not null references durable_machine (id) on delete cascade,
        id text not null,
        name text not null,
        body text,
        unique (machine, id)
    ) strict;
    create index durable_message_untaken on durable_message (machine, nr) where body is not null;
",
    "
    alter table durable_machine add column parent integer;
    alter table durable_machine add column detached integer not null default 0;
    create index durable_machine_parent on durable_machine (parent) where parent is not null;
",
    "
    create index durable_machine_ended on durable_machine (changed) where status >= 3;
",
    "
    create index durable_machine_open on durable_machine (type, state, status, ready)
        where lease is null and ready is not null;
    create index durable_machine_leased on durable_machine (lease) where lease is not null;
    drop index durable_machine_ready;
",
];

/// Sets up a connection, and brings the tables of the file up to date.
pub(super) fn prepare(connection: &mut Connection) -> Result<()> {
    configure(connection).map_err(Error::store)?;
    migrate(connection)
}

/// A commit returns after the disk has stored it, and readers do not block the writer.
fn configure(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(std::time::Duration::from_secs(10))?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "foreign_keys", true)
}

fn migrate(connection: &mut Connection) -> Result<()> {
    // Two processes may open a new file at the same time.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate);
    let transaction = transaction.map_err(Error::store)?;
    let version = transaction.pragma_query_value(None, "user_version", |row| row.get(0));
    let version: usize = version.map_err(Error::store)?;
    let Some(missing) = MIGRATIONS.get(version..) else {
        let newest = MIGRATIONS.len();
        return Err(Error::store(format!(
            "the file has version {version} of the tables, and this build knows {newest}"
        )));
    };
    for migration in missing {
        transaction.execute_batch(migration).map_err(Error::store)?;
    }
    let set = transaction.pragma_update(None, "user_version", MIGRATIONS.len());
    set.and_then(|()| transaction.commit())
        .map_err(Error::store)
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::{MIGRATIONS, prepare};

    #[test]
    fn prepared_file_is_prepared_again() {
        let mut connection = Connection::open_in_memory().expect("a database");
        prepare(&mut connection).expect("new tables");
        prepare(&mut connection).expect("the same tables");
        let version = connection.pragma_query_value(None, "user_version", |row| row.get(0));
        assert_eq!(version, Ok(MIGRATIONS.len()));
    }

    /// A commit in the mode `normal` returns before the disk has stored it.
    #[test]
    fn commits_wait_for_the_disk() {
        let mut connection = Connection::open_in_memory().expect("a database");
        connection
            .pragma_update(None, "synchronous", "normal")
            .expect("set");
        prepare(&mut connection).expect("tables");
        let mode = connection.pragma_query_value(None, "synchronous", |row| row.get(0));
        assert_eq!(mode, Ok(2), "full");
    }

    #[test]
    fn file_of_an_older_build_is_migrated() {
        let mut connection = Connection::open_in_memory().expect("a database");
        connection.execute_batch(MIGRATIONS[0]).expect("old tables");
        connection
            .pragma_update(None, "user_version", 1)
            .expect("set");
        let insert = "insert into durable_machine (type, key, state, snapshot, created, changed)
            values ('Order', 'a', 'start', '{}', 0, 0)";
        connection.execute(insert, []).expect("a row");
        prepare(&mut connection).expect("new tables");
        let select = "select key from durable_machine where parent is null and not detached";
        let key = connection.query_row(select, [], |row| row.get::<_, String>(0));
        assert_eq!(key.as_deref(), Ok("a"));
    }

    #[test]
    fn file_of_a_newer_build_is_refused() {
        let mut connection = Connection::open_in_memory().expect("a database");
        let newer = MIGRATIONS.len() + 1;
        connection
            .pragma_update(None, "user_version", newer)
            .expect("set");
        let error = prepare(&mut connection).expect_err("an error");
        let source = std::error::Error::source(&error)
            .expect("a text")
            .to_string();
        assert!(source.contains("this build knows"), "{source}");
    }
}
