//! Workers crash at random polls around `#[step(tx)]`, and a server ends a slow transaction: each
//! write is stored once.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_io::Timer;
use volt::machine::transaction;
use volt_durable::Client;
use volt_durable::Worker;
use volt_durable::store::PostgresTransaction;

use crate::crashing_steps::{STEPS, run_with_crashes, seeds};
use crate::server::{connect, new_schema, open, run};

const CREATE: &str = "create table effect (step bigint, part text)";
const INSERT: &str = "insert into effect values ($1, $2)";
const COUNT: &str = "select count(*), count(distinct step || part) from effect";

async fn write(step: u64, transaction: Option<PostgresTransaction>) -> u64 {
    let transaction = transaction.expect("the transaction of the step");
    let step = i64::try_from(step).expect("a small number");
    for part in ["first", "second"] {
        let written = transaction.run(move |sql| sql.execute(INSERT, &[&step, &part]));
        written.await.expect("a write");
    }
    1
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn write_steps() -> u64 {
    let mut done = 0;
    while done < STEPS {
        #[step(tx)]
        #[state(Writing)]
        let written = write(done, transaction()).await;
        done += written;
    }
    done
}

/// Returns the number of effects, and of different ones.
fn counts(schema: &str) -> (i64, i64) {
    let row = connect(schema).expect("a connection").query_one(COUNT, &[]);
    let row = row.expect("counts");
    (row.get(0), row.get(1))
}

#[test]
fn postgres_writes_survive_random_crashes() {
    run(async {
        let mut crashes = 0;
        for seed in seeds() {
            let schema = new_schema();
            let create = connect(&schema)
                .expect("a connection")
                .batch_execute(CREATE);
            create.expect("a table");
            let store = open(&schema).await;
            crashes += run_with_crashes(&store, write_steps(), seed).await;
            assert_eq!(counts(&schema), (8, 8), "seed {seed}");
        }
        assert!(crashes > 10, "{crashes} crashes");
    });
}

/// Waits until the server has ended a process.
async fn wait_for_end(schema: &str, process: i32) {
    let mut client = connect(schema).expect("a connection");
    let is_running = "select exists (select from pg_stat_activity where pid = $1)";
    while client
        .query_one(is_running, &[&process])
        .expect("a row")
        .get(0)
    {
        Timer::after(Duration::from_millis(2)).await;
    }
}

static ATTEMPTS: AtomicU64 = AtomicU64::new(0);

/// Writes, and waits for longer than the server allows in the first attempt.
async fn write_slowly(schema: &str, transaction: Option<PostgresTransaction>) -> u64 {
    let attempt = ATTEMPTS.fetch_add(1, Ordering::SeqCst) + 1;
    write(attempt, transaction.clone()).await;
    if attempt == 1 {
        let transaction = transaction.expect("the transaction of the step");
        let limited = transaction.run(|sql| {
            sql.batch_execute("set local idle_in_transaction_session_timeout = 10")?;
            sql.query_one("select pg_backend_pid()", &[])
        });
        let process = limited.await.expect("the server's process").get(0);
        wait_for_end(schema, process).await;
    }
    attempt
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn write_with_limit(schema: String) -> u64 {
    #[step(tx)]
    #[state(Writing)]
    write_slowly(&schema, transaction()).await
}

/// The server ends the session of a step that is idle in its transaction. The step runs again, and
/// only the writes of its last attempt are stored.
#[test]
fn step_survives_the_limit_of_idle_transactions() {
    run(async {
        let schema = new_schema();
        let create = connect(&schema)
            .expect("a connection")
            .batch_execute(CREATE);
        create.expect("a table");
        let store = open(&schema).await;
        let client = Client::new(store.clone());
        let worker = Worker::new(store).runs::<WriteWithLimit>();
        let worker = worker
            .retry_delay(Duration::from_millis(1))
            .on_error(|_| {});
        let machine = write_with_limit(schema.clone());
        client.start("a", machine).await.expect("a machine");
        let outcome = worker.run_until(client.outcome::<WriteWithLimit>("a"));
        assert_eq!(outcome.await.expect("an outcome"), 2);
        assert_eq!(counts(&schema), (2, 2));
    });
}
