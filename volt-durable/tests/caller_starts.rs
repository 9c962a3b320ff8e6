//! A machine that is started in a transaction of its caller, on a SQLite file.

#![cfg(feature = "sqlite")]

use std::path::PathBuf;

use futures_lite::future::block_on;
use volt::machine::transaction;
use volt_durable::rusqlite::{Connection, Transaction, TransactionBehavior};
use volt_durable::store::{Filter, NewMachine, SqliteStore, SqliteTransaction, Store};
use volt_durable::{Client, Worker};

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn ship(order: u64) -> String {
    #[step]
    #[state(Packing)]
    let parcel = pack(order).await;
    format!("sent {parcel}")
}

async fn pack(order: u64) -> String {
    format!("parcel {order}")
}

/// Opens a store in a new file, and a connection of its caller with a table of orders.
async fn open(name: &str) -> (SqliteStore, Connection) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join(format!("starts-{}-{name}.db", std::process::id()));
    let _ = std::fs::remove_file(&file);
    let store = SqliteStore::open(&file).await.expect("a new file");
    let caller = Connection::open(&file).expect("a connection");
    let create = "create table shop_order (id integer primary key)";
    caller.execute_batch(create).expect("a table");
    (store, caller)
}

fn begin(caller: &mut Connection) -> Transaction<'_> {
    let begun = caller.transaction_with_behavior(TransactionBehavior::Immediate);
    begun.expect("a transaction")
}

/// Begins a transaction that inserts order 7 and starts its machine with the key `a`.
fn begin_with_order<'c>(store: &SqliteStore, caller: &'c mut Connection) -> Transaction<'c> {
    let new = Client::new(store.clone()).new_machine("a", ship(7));
    let transaction = begin(caller);
    let inserted = transaction.execute("insert into shop_order values (7)", []);
    inserted.expect("an order");
    let started = SqliteStore::start_in(&transaction, &new.expect("a machine"));
    assert!(started.expect("a machine").is_new);
    transaction
}

/// Returns the numbers of orders and of machines.
async fn counts(store: &impl Store, caller: &Connection) -> (usize, usize) {
    let count = "select count(*) from shop_order";
    let orders = caller.query_row(count, [], |row| row.get(0));
    let rows = store.list(&Filter::default()).await.expect("rows");
    (orders.expect("a number"), rows.len())
}

/// Runs a worker until the machine has ended, and returns its outcome.
async fn outcome<S: Store + Clone>(store: &S, key: &str) -> String {
    let worker = Worker::new(store.clone()).runs::<Ship>();
    let client = worker.client();
    let outcome = worker.run_until(client.outcome::<Ship>(key)).await;
    outcome.expect("an outcome")
}

#[test]
fn committed_start_runs_the_machine() {
    block_on(async {
        let (store, mut caller) = open("committed").await;
        let transaction = begin_with_order(&store, &mut caller);
        transaction.commit().expect("a commit");
        assert_eq!(counts(&store, &caller).await, (1, 1));
        assert_eq!(outcome(&store, "a").await, "sent parcel 7");
    });
}

#[test]
fn rolled_back_start_leaves_nothing() {
    block_on(async {
        let (store, mut caller) = open("rolled-back").await;
        drop(begin_with_order(&store, &mut caller));
        assert_eq!(counts(&store, &caller).await, (0, 0));
        let started = Client::new(store.clone())
            .start("a", ship(8))
            .await
            .expect("a machine");
        assert!(started.is_new, "the key is free");
        assert_eq!(outcome(&store, "a").await, "sent parcel 8");
    });
}

#[test]
fn repeated_start_in_a_transaction_is_none() {
    block_on(async {
        let (store, mut caller) = open("repeated").await;
        let client = Client::new(store.clone());
        let first = client.start("a", ship(7)).await.expect("a machine");
        let new = client.new_machine("a", ship(8)).expect("a machine");
        let transaction = begin(&mut caller);
        let again = SqliteStore::start_in(&transaction, &new).expect("a machine");
        transaction.commit().expect("a commit");
        assert_eq!((again.id, again.is_new), (first.id, false));
        assert_eq!(outcome(&store, "a").await, "sent parcel 7");
    });
}

/// Starts a machine in the transaction of a step, and undoes it if it is not to be `kept`.
async fn start_in_step(new: NewMachine, is_kept: bool, tx: Option<SqliteTransaction>) {
    let tx = tx.expect("a SQLite store");
    let started = tx.run(move |connection| SqliteStore::start_in(connection, &new));
    assert!(started.await.expect("a machine").is_new);
    if !is_kept {
        tx.rollback();
    }
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn order(key: String, snapshot: String, is_kept: bool) -> bool {
    #[step(tx)]
    #[state(Starting)]
    start_in_step(new_ship(&key, &snapshot), is_kept, transaction()).await;
    is_kept
}

fn new_ship(key: &str, snapshot: &str) -> NewMachine {
    NewMachine {
        machine_type: "Ship".into(),
        key: key.into(),
        state: "start".into(),
        snapshot: snapshot.into(),
    }
}

#[test]
fn step_starts_a_machine_with_its_snapshot() {
    block_on(async {
        let (store, caller) = open("step").await;
        let client = Client::new(store.clone());
        let new = client.new_machine("-", ship(7)).expect("a machine");
        assert_eq!(new, new_ship("-", &new.snapshot));
        for (key, is_kept) in [("kept", true), ("undone", false)] {
            let machine = order(key.to_owned(), new.snapshot.clone(), is_kept);
            client.start(key, machine).await.expect("a machine");
            let worker = Worker::new(store.clone()).runs::<Order>();
            let ended = worker.run_until(client.outcome::<Order>(key)).await;
            assert_eq!(ended.expect("an outcome"), is_kept);
        }
        // Two orders, and the machine that one of them has kept.
        assert_eq!(counts(&store, &caller).await, (0, 3));
        assert_eq!(outcome(&store, "kept").await, "sent parcel 7");
    });
}
