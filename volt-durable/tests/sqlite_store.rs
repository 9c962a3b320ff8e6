//! The store in a SQLite file keeps each guarantee of `Store`.

#![cfg(feature = "sqlite")]

mod encrypting;

use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use futures_lite::FutureExt;
use futures_lite::future::{block_on, or, poll_once, yield_now};

use volt_durable::conformance::{Fixture, TransactionFixture};
use volt_durable::rusqlite;
use volt_durable::store::{
    Claim, Claimed, Continuation, Family, Filter, KnownType, NewMachine, OpenTransaction, Save,
    SqliteStore, SqliteTransaction, Store,
};
use volt_durable::{Worker, sleep};

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
volt_durable::conformance_transaction_tests!(Sqlite, futures_lite::future::block_on);

mod encrypted {
    use super::Sqlite;
    use super::encrypting::Encrypting;

    volt_durable::conformance_tests!(Encrypting(Sqlite), futures_lite::future::block_on);
    volt_durable::conformance_transaction_tests!(
        Encrypting(Sqlite),
        futures_lite::future::block_on
    );
}

const CREATE: &str = "create table if not exists effect (nr integer primary key, text text)";

fn handle(transaction: &OpenTransaction) -> SqliteTransaction {
    transaction.handle().expect("a transaction of the store")
}

async fn begin(store: &SqliteStore) -> OpenTransaction {
    let begun = store.begin().await.expect("a transaction");
    begun.expect("a store with transactions")
}

impl TransactionFixture for Sqlite {
    async fn write(&self, transaction: &OpenTransaction, text: &str) {
        let text = text.to_owned();
        let writing = handle(transaction);
        let written = writing.run(move |connection| {
            connection.execute(CREATE, [])?;
            connection.execute("insert into effect (text) values (?1)", [text])
        });
        assert_eq!(written.await.expect("a write"), 1);
    }

    fn rollback(&self, transaction: &OpenTransaction) {
        handle(transaction).rollback();
    }

    async fn written(&self, store: &SqliteStore) -> Vec<String> {
        let transaction = begin(store).await;
        let reading = handle(&transaction);
        let texts = reading.run(|connection| {
            connection.execute(CREATE, [])?;
            let mut select = connection.prepare("select text from effect order by nr")?;
            let texts = select.query_map([], |row| row.get(0))?;
            texts.collect()
        });
        texts.await.expect("texts")
    }
}

/// Opens a file with one claimed machine.
async fn with_machine() -> (SqliteStore, Claimed) {
    let store = SqliteStore::open(new_file()).await.expect("a new file");
    let new = NewMachine {
        machine_type: "Order".into(),
        key: "a".into(),
        state: "start".into(),
        snapshot: r#"{"start":{}}"#.into(),
    };
    store.start(&new).await.expect("a machine");
    let claim = Claim {
        known: vec![KnownType {
            name: "Order".into(),
            states: vec!["start".into()],
        }],
        limit: 1,
        lease: Duration::from_secs(3_600),
        max_attempts: 5,
        suspects: 1,
    };
    let claimed = store.claim(&claim).await.expect("a claim").remove(0);
    (store, claimed)
}

fn save_of(claimed: &Claimed) -> Save {
    Save {
        held: claimed.held,
        seq: claimed.seq + 1,
        next_step: 1,
        state: "start".into(),
        snapshot: r#"{"start":{}}"#.into(),
        taken: Vec::new(),
        family: Family::default(),
        then: Continuation::Runs,
    }
}

#[test]
fn failed_write_of_a_step_leaves_the_others() {
    block_on(async {
        let (store, claimed) = with_machine().await;
        let transaction = begin(&store).await;
        Sqlite.write(&transaction, "one").await;
        let writing = handle(&transaction);
        let failed = writing.run(|connection| {
            connection.execute("delete from effect", [])?;
            connection.execute("no statement", [])
        });
        assert!(failed.await.is_err());
        let lost = transaction.commit(save_of(&claimed)).await;
        assert_eq!(lost.expect("a commit"), None);
        assert_eq!(Sqlite.written(&store).await, ["one"]);
        let late = writing.run(|connection| connection.execute("delete from effect", []));
        assert!(late.await.is_err(), "the transaction has ended");
        assert_eq!(Sqlite.written(&store).await, ["one"]);
    });
}

/// The step may have moved the handle to a task.
#[test]
fn kept_handle_does_not_keep_the_transaction() {
    block_on(async {
        let (store, claimed) = with_machine().await;
        let transaction = begin(&store).await;
        let kept = handle(&transaction);
        Sqlite.write(&transaction, "one").await;
        drop(transaction);
        let saves = [save_of(&claimed)];
        let saved = or(async { Some(store.save(&saves).await) }, async {
            async_io::Timer::after(Duration::from_secs(5)).await;
            None
        });
        assert!(saved.await.expect("an end of the transaction").is_ok());
        let late = kept.run(|connection| connection.execute("delete from effect", []));
        assert!(late.await.is_err());
        assert!(Sqlite.written(&store).await.is_empty());
    });
}

#[test]
fn transaction_ended_by_its_step_is_an_error() {
    block_on(async {
        let (store, claimed) = with_machine().await;
        let transaction = begin(&store).await;
        let writing = handle(&transaction);
        let ended = writing.run(|connection| connection.execute("commit", []));
        assert!(ended.await.is_err());
        assert!(transaction.commit(save_of(&claimed)).await.is_err());
        let saved = store.save(&[save_of(&claimed)]).await.expect("a save");
        assert!(saved.is_empty());
    });
}

#[test]
fn panic_of_a_write_is_one_of_its_step() {
    block_on(async {
        let (store, _) = with_machine().await;
        let transaction = begin(&store).await;
        let writing = handle(&transaction);
        let panicking = writing.run(|_| -> rusqlite::Result<()> { panic!("no data") });
        let caught = AssertUnwindSafe(panicking).catch_unwind().await;
        let panic = caught.expect_err("a panic");
        assert_eq!(panic.downcast_ref(), Some(&"no data"));
        drop(transaction);
        assert!(Sqlite.written(&store).await.is_empty());
    });
}

/// SQLite has one writer: other operations wait for the end of the transaction.
#[test]
fn other_operations_wait_for_the_transaction() {
    block_on(async {
        let (store, claimed) = with_machine().await;
        let transaction = begin(&store).await;
        Sqlite.write(&transaction, "one").await;
        let filter = Filter::default();
        let mut listing = pin!(store.list(&filter));
        assert!(poll_once(&mut listing).await.is_none());
        let lost = transaction.commit(save_of(&claimed)).await;
        assert_eq!(lost.expect("a commit"), None);
        assert_eq!(listing.await.expect("rows")[0].seq, 1);
    });
}

#[test]
fn file_keeps_its_machines() {
    block_on(async {
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

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn rest() {
    #[state(Resting)]
    sleep(Duration::from_secs(60)).await;
}

/// A worker that ends during a claim releases the machines of that claim.
#[test]
fn claim_in_progress_is_released() {
    block_on(async {
        let file = new_file();
        let store = SqliteStore::open(&file).await.expect("a new file");
        let worker = Worker::new(store.clone()).runs::<Rest>();
        worker.client().start("a", rest()).await.expect("a machine");
        let other = rusqlite::Connection::open(&file).expect("the file");
        other.execute_batch("begin immediate").expect("the lock");
        let unlocks = thread::spawn(move || {
            thread::sleep(Duration::from_millis(200));
            other.execute_batch("commit").expect("the end of the lock");
        });
        worker.run_until(yield_now()).await;
        unlocks.join().expect("no panic");
        let row = store
            .list(&Filter::default())
            .await
            .expect("rows")
            .remove(0);
        assert_eq!(row.fence, 1, "the machine was claimed");
        assert_eq!((row.lease, row.attempts), (None, 0));
    });
}
