//! `StoreAddress`: a SQLite file or a PostgreSQL database.

use std::path::{Path, PathBuf};

use futures_lite::future::block_on;
use volt_durable::Client;
use volt_durable::postgres::{self, NoTls};
use volt_durable::rusqlite::{Connection, OpenFlags};
use volt_durable::store::{PostgresStore, SqliteStore};

use super::any_client::{AnyClient, with_source};
use crate::context::{Context, Outcome};

/// A SQLite file or a PostgreSQL database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum StoreAddress {
    Sqlite(PathBuf),
    /// A URL, or pairs such as `host=localhost dbname=orders`.
    Postgres(String),
}

/// Reads an address of the command line.
#[expect(clippy::unnecessary_wraps, reason = "a parser of clap can fail")]
pub(super) fn store_address(text: &str) -> Result<StoreAddress, String> {
    let is_url = ["postgres://", "postgresql://"]
        .iter()
        .any(|scheme| text.starts_with(scheme));
    if is_url || text.contains("dbname=") || text.contains("host=") {
        return Ok(StoreAddress::Postgres(text.to_owned()));
    }
    Ok(StoreAddress::Sqlite(Path::new(text).to_owned()))
}

impl StoreAddress {
    /// Opens the store. It must have tables of `volt-durable`: none are created.
    pub(super) fn open(&self) -> Outcome<AnyClient> {
        match self {
            Self::Sqlite(path) => open_sqlite(path),
            Self::Postgres(address) => open_postgres(address),
        }
    }
}

fn open_sqlite(path: &Path) -> Outcome<AnyClient> {
    let opening = || format!("opening {}", path.display());
    let file = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY);
    let file = file.context(opening)?;
    let tables = "select count(*) from sqlite_master where name = 'durable_machine'";
    let tables: i64 = file
        .query_row(tables, [], |row| row.get(0))
        .context(opening)?;
    if tables == 0 {
        let path = path.display();
        return Err(format!("{path} has no table `durable_machine`"));
    }
    let store = block_on(SqliteStore::open(path));
    let store = store.map_err(|error| format!("{}: {}", opening(), with_source(&error)))?;
    Ok(AnyClient::Sqlite(Client::new(store)))
}

fn open_postgres(address: &str) -> Outcome<AnyClient> {
    let connecting = || "connecting to PostgreSQL".to_owned();
    let client = postgres::Client::connect(address, NoTls);
    let mut client = client.context(connecting)?;
    let tables = "select to_regclass('durable_machine') is not null";
    let tables = client.query_one(tables, &[]).context(connecting)?;
    if !tables.get::<_, bool>(0) {
        return Err(
            "the search path has no table `durable_machine`; name the schema in the address: \
             postgres://HOST/DATABASE?options=-csearch_path%3DSCHEMA"
                .to_owned(),
        );
    }
    let store = block_on(PostgresStore::connect(address));
    let store = store.map_err(|error| format!("{}: {}", connecting(), with_source(&error)))?;
    Ok(AnyClient::Postgres(Client::new(store)))
}

#[cfg(test)]
mod tests {
    use super::{StoreAddress, store_address};

    #[test]
    fn addresses_of_databases_are_no_files() {
        let url = "postgres://orders@localhost/orders";
        for address in [url, "host=/run/postgresql dbname=orders"] {
            let postgres = StoreAddress::Postgres(address.to_owned());
            assert_eq!(store_address(address), Ok(postgres));
        }
        let file = StoreAddress::Sqlite("data/orders.db".into());
        assert_eq!(store_address("data/orders.db"), Ok(file));
    }
}
