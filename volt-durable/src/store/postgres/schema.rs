//! The tables, and their creation.

use super::session::{Query, Session};
use crate::error::{Error, Result};

/// The version of the tables that this code reads and writes.
const VERSION: i32 = 7;

/// The key of the lock that creations of the tables take.
const LOCK: i64 = 0x766f_6c74_6475_7261;

/// Snapshots, bodies and outcomes have the type `json`, which stores the text as it is. `jsonb`
/// refuses the character U+0000 in strings.
const TABLES: &str = "
    create table durable_machine (
        id bigint generated always as identity primary key,
        type text not null,
        key text not null,
        status smallint not null check (status between 0 and 4),
        state text not null,
        snapshot json not null,
        next_step bigint not null default 0,
        seq bigint not null default 0,
        fence bigint not null default 0,
        lease bigint,
        wake bigint,
        signals text[] not null default '{}',
        due bigint,
        attempts integer not null default 0,
        error text,
        outcome json,
        created bigint not null,
        changed bigint not null,
        unique (type, key)
    );
    create index durable_machine_due on durable_machine (due, id) where due is not null;
    create table durable_message (
        machine bigint not null references durable_machine (id) on delete cascade,
        nr bigint generated always as identity,
        name text not null,
        id text not null,
        body json,
        taken boolean not null default false,
        primary key (machine, nr),
        unique (machine, id)
    );
    create table durable_schema (version integer not null);
    insert into durable_schema values (1);
";

/// The changes of the tables after each version, from 1 on.
const MIGRATIONS: [&str; 6] = [
    "
    alter table durable_machine
        add column parent bigint,
        add column detached boolean not null default false;
    create index durable_machine_parent on durable_machine (parent) where parent is not null;
    update durable_schema set version = 2;
",
    "
    create index durable_machine_ended on durable_machine (changed, id) where status >= 3;
    update durable_schema set version = 3;
",
    READY_INDEX,
    HEAP_ONLY_SAVES,
    LEASED_INDEX,
    OPEN_INDEX,
];

/// Finds machines that can run, and could already do so at their last change. Their `due` is in the
/// future if the clock was moved back.
const READY_INDEX: &str = "
    create index durable_machine_ready on durable_machine (due, id)
        where lease is null and due <= changed;
    update durable_schema set version = 4;
";

/// Removes the column `changed` from all indexes, so that a save of a running machine writes no
/// index entries. It needs a free place in the page of the row.
const HEAP_ONLY_SAVES: &str = "
    alter table durable_machine
        add column ready boolean not null
            generated always as (lease is null and due is not null and due <= changed) stored,
        add column ended bigint
            generated always as (case when status >= 3 then changed end) stored,
        set (fillfactor = 70);
    drop index durable_machine_ended;
    drop index durable_machine_ready;
    create index durable_machine_ended on durable_machine (ended, id) where ended is not null;
    create index durable_machine_ready on durable_machine (due, id) where ready;
    update durable_schema set version = 5;
";

/// Finds expired leases without a search through all machines that can run.
const LEASED_INDEX: &str = "
    create index durable_machine_leased on durable_machine (due, id) where lease is not null;
    update durable_schema set version = 6;
";

/// Finds machines without a lease by their type and state, so that a claim reads none in the states
/// of others. A save of a running machine does not change `queue`, which is null then.
const OPEN_INDEX: &str = "
    alter table durable_machine
        add column queue text
            generated always as (case when lease is null and due is not null then state end) stored;
    create index durable_machine_open on durable_machine (type, queue, due, id)
        where queue is not null;
    drop index durable_machine_due;
    update durable_schema set version = 7;
";

const IS_CREATED: &str = "select to_regclass('durable_schema') is not null";

fn version(session: &mut Session) -> std::result::Result<Option<i32>, postgres::Error> {
    let versions = session.query("select version from durable_schema", &[])?;
    Ok(versions.first().map(|row| row.get(0)))
}

/// Brings older tables up to date. Newer ones stay as they are.
fn migrate(session: &mut Session) -> std::result::Result<(), postgres::Error> {
    let version = version(session)?.and_then(|version| usize::try_from(version).ok());
    let missing = version.and_then(|version| MIGRATIONS.get(version.checked_sub(1)?..));
    for migration in missing.unwrap_or_default() {
        session.batch(migration)?;
    }
    Ok(())
}

/// Creates the tables in the first schema of the search path, unless they exist there. Older
/// tables are migrated.
pub(super) fn prepare(session: &mut Session) -> Result<()> {
    let version = session.transaction(|session| {
        session.query("select pg_advisory_xact_lock($1)", &[&LOCK])?;
        let is_created: bool = session.query(IS_CREATED, &[])?[0].get(0);
        if !is_created {
            session.batch(TABLES)?;
        }
        migrate(session)?;
        version(session)
    });
    match version.map_err(Error::store)? {
        Some(VERSION) => Ok(()),
        version => Err(Error::store(format!(
            "the tables have version {}, and this build of volt-durable needs {VERSION}",
            version.map_or("unknown".into(), |version| version.to_string()),
        ))),
    }
}
