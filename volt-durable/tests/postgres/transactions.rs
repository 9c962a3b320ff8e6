//! The transactions of steps in PostgreSQL.

use std::time::Duration;

use futures_lite::future::{or, poll_once, zip};
use volt_durable::conformance::TransactionFixture;
use volt_durable::store::{Claimed, OpenTransaction, PostgresStore, PostgresTransaction, Store};

use crate::operations::{claim, new_machine, save_of};
use crate::server::{InPostgres, connect, new_schema, open, run};

const CREATE: &str = "create table if not exists effect
    (nr bigint generated always as identity primary key, text text)";

fn handle(transaction: &OpenTransaction) -> PostgresTransaction {
    transaction.handle().expect("a transaction of the store")
}

async fn begin(store: &PostgresStore) -> OpenTransaction {
    let begun = store.begin().await.expect("a transaction");
    begun.expect("a store with transactions")
}

async fn read(store: &PostgresStore, sql: &'static str) -> Vec<String> {
    let transaction = begin(store).await;
    let reading = handle(&transaction);
    let texts = reading.run(|transaction| transaction.query(sql, &[]));
    let texts = texts.await.expect("texts");
    texts.into_iter().map(|row| row.get(0)).collect()
}

impl TransactionFixture for InPostgres {
    async fn write(&self, transaction: &OpenTransaction, text: &str) {
        let text = text.to_owned();
        let writing = handle(transaction);
        let written = writing.run(move |transaction| {
            transaction.batch_execute(CREATE)?;
            transaction.execute("insert into effect (text) values ($1)", &[&text])
        });
        assert_eq!(written.await.expect("a write"), 1);
    }

    fn rollback(&self, transaction: &OpenTransaction) {
        handle(transaction).rollback();
    }

    async fn written(&self, store: &PostgresStore) -> Vec<String> {
        let transaction = begin(store).await;
        let reading = handle(&transaction);
        let texts = reading.run(|transaction| {
            transaction.batch_execute(CREATE)?;
            transaction.query("select text from effect order by nr", &[])
        });
        let texts = texts.await.expect("texts");
        texts.into_iter().map(|row| row.get(0)).collect()
    }
}

/// Opens a store with two claimed machines and a table of accounts.
async fn with_accounts() -> (String, PostgresStore, Vec<Claimed>) {
    let schema = new_schema();
    let store = open(&schema).await;
    for key in ["a", "b"] {
        store.start(&new_machine(key)).await.unwrap();
    }
    let tables = "create table account (name text primary key, cents bigint not null);
        insert into account values ('a', 0), ('b', 0)";
    connect(&schema).unwrap().batch_execute(tables).unwrap();
    let claimed = store.claim(&claim(2)).await.unwrap();
    (schema, store, claimed)
}

async fn add_cent(handle: &PostgresTransaction, account: &'static str) -> bool {
    let add = "update account set cents = cents + 1 where name = $1";
    let added = handle.run(move |transaction| transaction.execute(add, &[&account]));
    added.await.is_ok()
}

const CENTS: &str = "select name || cents from account order by name";

#[test]
fn failed_write_leaves_the_others() {
    run(async {
        let (_, store, claimed) = with_accounts().await;
        let transaction = begin(&store).await;
        let writing = handle(&transaction);
        assert!(add_cent(&writing, "a").await);
        let failed = writing.run(|transaction| {
            transaction.execute("update account set cents = 7", &[])?;
            transaction.execute("no statement", &[])
        });
        assert!(failed.await.is_err());
        let lost = transaction.commit(save_of(&claimed[0])).await.unwrap();
        assert_eq!(lost, None);
        assert_eq!(read(&store, CENTS).await, ["a1", "b0"]);
        assert!(!add_cent(&writing, "b").await, "the transaction has ended");
    });
}

/// Two steps lock two accounts in reverse orders. The server undoes one of them, and its save is an
/// error even if the step ignores that of the write.
#[test]
fn deadlocked_step_is_not_committed() {
    run(async {
        let (_, store, claimed) = with_accounts().await;
        let (first, second) = (begin(&store).await, begin(&store).await);
        let (one, two) = (handle(&first), handle(&second));
        assert!(add_cent(&one, "a").await);
        assert!(add_cent(&two, "b").await);
        let both = zip(add_cent(&one, "b"), add_cent(&two, "a"));
        let too_long = async {
            async_io::Timer::after(Duration::from_secs(20)).await;
            panic!("the undone step still has its locks");
        };
        let (one, two) = or(both, too_long).await;
        assert_ne!(one, two, "one of both is undone");
        let first = first.commit(save_of(&claimed[0])).await;
        let second = second.commit(save_of(&claimed[1])).await;
        assert_eq!((first.is_ok(), second.is_ok()), (one, two));
        assert_eq!(read(&store, CENTS).await, ["a1", "b1"]);
        let seqs = "select seq::text from durable_machine order by seq";
        assert_eq!(read(&store, seqs).await, ["0", "1"]);
    });
}

/// The server ends the connection of a step. Its writes are lost, and the next step has a new
/// connection.
#[test]
fn step_with_a_lost_connection_is_not_committed() {
    run(async {
        let (_, store, claimed) = with_accounts().await;
        let transaction = begin(&store).await;
        let writing = handle(&transaction);
        assert!(add_cent(&writing, "a").await);
        let ended = writing.run(|transaction| {
            transaction.execute("select pg_terminate_backend(pg_backend_pid())", &[])
        });
        assert!(ended.await.is_err());
        let lost = transaction.commit(save_of(&claimed[0])).await;
        assert!(lost.is_err());
        assert_eq!(read(&store, CENTS).await, ["a0", "b0"]);
    });
}

#[test]
fn ninth_transaction_waits() {
    run(async {
        let (_, store, _) = with_accounts().await;
        let mut open = Vec::new();
        for _ in 0..8 {
            open.push(begin(&store).await);
        }
        assert!(poll_once(begin(&store)).await.is_none());
        drop(open.pop());
        let ninth = poll_once(begin(&store)).await;
        let ninth = ninth.expect("a free connection");
        assert!(add_cent(&handle(&ninth), "a").await);
    });
}
