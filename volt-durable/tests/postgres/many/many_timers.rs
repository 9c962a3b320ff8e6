//! Many machines wait for timers, and a hundredth of the timers ends.
//!
//! `TIMERS=1000000` runs a million machines, and prints times and sizes.

use std::time::{Duration, Instant};

use async_io::Timer;
use postgres::Client as Connection;
use volt_durable::store::{Filter, PostgresStore, Status, Store, Summary};
use volt_durable::{Client, Worker, sleep};

use crate::server::{connect, new_schema, open, run};

/// The number of machines that are started at once.
const BATCH: u64 = 1_000;

const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn remind(number: u64) -> u64 {
    #[state(Waiting)]
    sleep(YEAR).await;
    number
}

/// Moves the timers of each hundredth machine to the past, in its snapshot too.
const EXPIRE: &str = "
    update durable_machine set due = changed, wake = changed,
        snapshot = replace(snapshot::text, wake::text, changed::text)::json
    where key::bigint % 100 = 0";

const SIZE: &str = "select pg_total_relation_size('durable_machine')";

/// Completes when this many machines have the status. A count reads all rows, so the pauses are
/// longer than the counts, and the store has a connection of its own.
async fn wait_for(store: &PostgresStore, status: Status, machines: u64) {
    loop {
        let begin = Instant::now();
        if count(&summary(store).await, status) >= machines {
            return;
        }
        let pause = 20 * begin.elapsed();
        Timer::after(pause.clamp(Duration::from_millis(10), Duration::from_secs(5))).await;
    }
}

async fn summary(store: &PostgresStore) -> Summary {
    let summary = store.summary(&Filter::default()).await;
    summary.expect("counts")
}

fn count(summary: &Summary, status: Status) -> u64 {
    let groups = summary.groups.iter();
    let groups = groups.filter(|group| group.status == status);
    groups.map(|group| group.machines).sum()
}

fn worker(store: &PostgresStore) -> Worker<PostgresStore> {
    Worker::new(store.clone()).runs::<Remind>()
}

/// Prints the time since `begin`, and the largest memory of the process so far.
fn print(part: &str, begin: Instant) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let memory = status.lines().find(|line| line.starts_with("VmHWM"));
    println!("{part}: {:.2?}, {}", begin.elapsed(), memory.unwrap_or(""));
}

async fn start(client: &Client<PostgresStore>, machines: u64) {
    for first in (0..machines).step_by(BATCH as usize) {
        let numbers = first..machines.min(first + BATCH);
        let starts = numbers.map(|number| client.start(number.to_string(), remind(number)));
        for started in volt::future::join_all(starts).await {
            started.expect("a machine");
        }
    }
}

fn print_size(connection: &mut Connection, machines: u64) {
    let size: i64 = connection.query_one(SIZE, &[]).expect("a size").get(0);
    let each = size.unsigned_abs() / machines;
    println!("{each} bytes of table and indexes for a machine");
}

#[test]
fn expired_timers_end_beside_waiting_ones() {
    let machines = std::env::var("TIMERS").ok();
    let machines = machines.map_or(1_000, |machines| machines.parse().expect("a number"));
    let expired = machines / 100;
    run(async {
        let schema = new_schema();
        let (store, observer) = (open(&schema).await, open(&schema).await);
        let begin = Instant::now();
        start(&Client::new(store.clone()), machines).await;
        print("starts", begin);

        let begin = Instant::now();
        let waiting = wait_for(&observer, Status::Waiting, machines);
        worker(&store).run_until(waiting).await;
        print("claims, and saves with the timer", begin);

        let mut connection = connect(&schema).expect("a connection");
        print_size(&mut connection, machines);
        for statement in [EXPIRE, "vacuum analyze durable_machine"] {
            connection.batch_execute(statement).expect("a statement");
        }
        let begin = Instant::now();
        let ended = wait_for(&observer, Status::Done, expired);
        worker(&store).run_until(ended).await;
        print("expired timers", begin);

        let summary = summary(&store).await;
        assert_eq!(count(&summary, Status::Done), expired);
        assert_eq!(count(&summary, Status::Waiting), machines - expired);
    });
}
