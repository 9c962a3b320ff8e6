//! Changes of other processes: a store learns of them at once, by notifications of the server.
//!
//! The workers and clients of these tests poll each hour, so a test hangs without a notification.

use std::time::Duration;

use async_io::Timer;
use futures_lite::future::or;
use postgres::NoTls;
use volt_durable::store::{PostgresStore, Status};
use volt_durable::{Client, Worker, signal};

use crate::server::{config, connect, new_schema, open, run};

const HOUR: Duration = Duration::from_secs(3_600);

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn greet() -> String {
    #[state(WaitingForName)]
    let name: String = signal("name").await;
    format!("hello {name}")
}

/// Fails a test whose notification is lost.
async fn within_time(test: impl Future<Output = ()>) {
    let late = async {
        Timer::after(Duration::from_secs(20)).await;
        panic!("a change of another process is not reported");
    };
    or(test, late).await;
}

fn worker(store: PostgresStore) -> Worker<PostgresStore> {
    Worker::new(store).runs::<Greet>().poll_interval(HOUR)
}

/// Waits until a machine waits for its name. This polls, so it needs no notification.
async fn waits(client: &Client<PostgresStore>, key: &str) {
    loop {
        let row = client.row::<Greet>(key).await.expect("a row");
        if row.is_some_and(|row| row.status == Status::Waiting) {
            return;
        }
        Timer::after(Duration::from_millis(5)).await;
    }
}

/// Each change is made when the other process has nothing to do.
async fn greet_by(client: &Client<PostgresStore>, key: &str) {
    client.start(key, greet()).await.expect("a machine");
    waits(client, key).await;
    let sent = client.send::<Greet>(key, "name", "1", &key);
    sent.await.expect("a message");
    let outcome = client.outcome::<Greet>(key).await.expect("an outcome");
    assert_eq!(outcome, format!("hello {key}"));
}

/// Another process learns of a new machine, a message and an outcome.
#[test]
fn changes_of_other_processes_are_reported() {
    run(within_time(async {
        let schema = new_schema();
        let client = Client::new(open(&schema).await).poll_interval(HOUR);
        let worker = worker(open(&schema).await);
        let greetings = async {
            for key in ["a", "b", "c"] {
                greet_by(&client, key).await;
            }
        };
        worker.run_until(greetings).await;
    }));
}

/// The server ends all connections that listen. Changes of that time are found when they are open
/// again, and later changes at once.
#[test]
fn lost_listener_is_replaced() {
    run(within_time(async {
        let schema = new_schema();
        let name = schema.clone();
        let named = move || {
            let mut config = config();
            config.options(&format!("-c search_path={name}"));
            config.application_name(&name).connect(NoTls)
        };
        let store = PostgresStore::connect_with(named).await.expect("a store");
        let client = Client::new(open(&schema).await).poll_interval(HOUR);
        let greetings = async {
            greet_by(&client, "a").await;
            let terminate = "select pg_terminate_backend(pid) from pg_stat_activity
                where application_name = $1 and query ilike '%listen%'";
            let ended = connect(&schema).and_then(|mut client| client.query(terminate, &[&schema]));
            assert_eq!(ended.expect("a result").len(), 1);
            greet_by(&client, "b").await;
            greet_by(&client, "c").await;
        };
        worker(store).run_until(greetings).await;
    }));
}
