//! The server becomes read-only, as after a switch to a replica, and a new connection can write
//! again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use async_io::Timer;
use futures_lite::future::or;
use postgres::NoTls;
use volt_durable::Client;
use volt_durable::store::PostgresStore;

use crate::orders::{check_effects, new_file, run_orders, worker};
use crate::server::{config, connect, new_schema, open, run};

const ORDERS: usize = 6;

/// Opens a store whose connections are read-only while the flag is set.
async fn open_switched(schema: &str, is_read_only: &Arc<AtomicBool>) -> PostgresStore {
    let (schema, is_read_only) = (schema.to_owned(), Arc::clone(is_read_only));
    let connect = move || {
        let read_only = if is_read_only.load(Ordering::SeqCst) {
            "on"
        } else {
            "off"
        };
        let options = "-c search_path=";
        let options = format!("{options}{schema} -c default_transaction_read_only={read_only}");
        let mut config = config();
        config.application_name(&format!("switched_{schema}"));
        config.options(&options).connect(NoTls)
    };
    PostgresStore::connect_with(connect).await.expect("a store")
}

/// All operations fail for some time, then the store connects again by itself.
#[test]
fn orders_survive_a_read_only_server() {
    run(async {
        let (schema, effects) = (new_schema(), new_file("effects"));
        let is_read_only = Arc::new(AtomicBool::new(false));
        let client = Client::new(open(&schema).await).poll_interval(Duration::from_millis(20));
        let switched = open_switched(&schema, &is_read_only).await;
        let errors = Arc::new(AtomicU32::new(0));
        let worker = worker(switched).max_attempts(1_000).on_error({
            let errors = Arc::clone(&errors);
            move |_| _ = errors.fetch_add(1, Ordering::SeqCst)
        });
        let switches = async {
            let mut server = connect(&schema).expect("a connection");
            for _ in 0..3 {
                Timer::after(Duration::from_millis(20)).await;
                is_read_only.store(true, Ordering::SeqCst);
                let end = format!(
                    "select pg_terminate_backend(pid) from pg_stat_activity
                    where application_name = 'switched_{schema}'"
                );
                server.batch_execute(&end).expect("ended sessions");
                let seen = errors.load(Ordering::SeqCst);
                while errors.load(Ordering::SeqCst) < seen + 5 {
                    Timer::after(Duration::from_millis(2)).await;
                }
                is_read_only.store(false, Ordering::SeqCst);
            }
            std::future::pending().await
        };
        let orders = run_orders(&client, &effects, ORDERS);
        worker.run_until(or(orders, switches)).await;
        check_effects(&effects, ORDERS);
    });
}
