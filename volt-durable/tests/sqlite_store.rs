//! The store in a SQLite file keeps each guarantee of `Store`.

#![cfg(feature = "sqlite")]

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use volt_durable::conformance::Fixture;
use volt_durable::store::{Filter, NewMachine, SqliteStore, Store};

/// Opens a new file for each test.
struct Sqlite;

impl Fixture for Sqlite {
    type Store = SqliteStore;

    async fn open(&self) -> SqliteStore {
        SqliteStore::open(new_file()).await.expect("a new file")
    }
}

fn new_file() -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let file = folder.join(format!("store-{}-{number}.db", std::process::id()));
    let _ = std::fs::remove_file(&file);
    file
}

volt_durable::conformance_tests!(Sqlite, futures_lite::future::block_on);

#[test]
fn file_keeps_its_machines() {
    futures_lite::future::block_on(async {
        let file = new_file();
        let new = NewMachine {
            machine_type: "Order".into(),
            key: "a".into(),
            state: "start".into(),
            snapshot: r#"{"start":{}}"#.into(),
        };
        let store = SqliteStore::open(&file).await.expect("a new file");
        let first = store.start(&new).await.expect("a machine");
        let before = store.list(&Filter::default()).await.expect("rows");
        // A second connection, as that of another process.
        let other = SqliteStore::open(&file).await.expect("the same file");
        let second = other.start(&new).await.expect("a machine");
        assert_eq!((second.id, second.is_new), (first.id, false));
        drop(store);
        assert_eq!(other.list(&Filter::default()).await.expect("rows"), before);
    });
}
