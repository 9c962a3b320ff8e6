//! A machine that is started in a transaction of its caller.

use postgres::{Client as Connection, Transaction};
use volt_durable::store::{Filter, NewMachine, PostgresStore, Started, Store};

use crate::operations::new_machine;
use crate::server::{connect, new_schema, open, run};

/// Opens a store, and a connection of its caller with a table of orders.
async fn with_orders() -> (PostgresStore, Connection) {
    let schema = new_schema();
    let store = open(&schema).await;
    let mut caller = connect(&schema).expect("a connection");
    let create = "create table shop_order (key text primary key)";
    caller.batch_execute(create).expect("a table");
    (store, caller)
}

/// Inserts an order, and starts its machine.
fn insert(transaction: &mut Transaction<'_>, new: &NewMachine) -> Started {
    let inserted = transaction.execute("insert into shop_order values ($1)", &[&new.key]);
    inserted.expect("an order");
    PostgresStore::start_in(transaction, new).expect("a machine")
}

/// Returns the numbers of orders and of machines.
async fn counts(store: &PostgresStore, caller: &mut Connection) -> (i64, usize) {
    let orders = caller.query_one("select count(*) from shop_order", &[]);
    let rows = store.list(&Filter::default()).await.expect("rows");
    (orders.expect("a number").get(0), rows.len())
}

#[test]
fn committed_start_is_stored_with_its_row() {
    run(async {
        let (store, mut caller) = with_orders().await;
        let mut transaction = caller.transaction().expect("a transaction");
        assert!(insert(&mut transaction, &new_machine("a")).is_new);
        let rows = store.list(&Filter::default()).await.expect("rows");
        assert!(rows.is_empty(), "the transaction is open");
        transaction.commit().expect("a commit");
        assert_eq!(counts(&store, &mut caller).await, (1, 1));
    });
}

#[test]
fn rolled_back_start_leaves_neither() {
    run(async {
        let (store, mut caller) = with_orders().await;
        let mut transaction = caller.transaction().expect("a transaction");
        assert!(insert(&mut transaction, &new_machine("a")).is_new);
        drop(transaction);
        assert_eq!(counts(&store, &mut caller).await, (0, 0));
        let started = store.start(&new_machine("a")).await.expect("a machine");
        assert!(started.is_new, "the key is free");
    });
}

#[test]
fn used_key_leaves_the_transaction_valid() {
    run(async {
        let (store, mut caller) = with_orders().await;
        let first = store.start(&new_machine("a")).await.expect("a machine");
        let mut transaction = caller.transaction().expect("a transaction");
        let again = insert(&mut transaction, &new_machine("a"));
        transaction.commit().expect("a commit");
        assert_eq!((again.id, again.is_new), (first.id, false));
        assert_eq!(counts(&store, &mut caller).await, (1, 1));
    });
}
