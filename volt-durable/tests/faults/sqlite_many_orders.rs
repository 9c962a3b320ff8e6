//! Many orders on a SQLite file.

use futures_lite::future::block_on;
use volt_durable::store::SqliteStore;

use crate::many_orders::run_orders_with_crashes;
use crate::orders::new_file;

#[test]
fn many_orders_end_once_with_crashes() {
    block_on(async {
        let store = SqliteStore::open(new_file("many.db")).await;
        run_orders_with_crashes(&store.expect("a store")).await;
    });
}
