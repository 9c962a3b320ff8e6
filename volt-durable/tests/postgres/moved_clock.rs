//! The clock of the server is moved by hours in both directions while orders run.

use std::time::Duration;

use async_io::Timer;
use futures_lite::future::or;
use postgres::NoTls;
use volt_durable::store::{Filter, PostgresStore, Status, Store};
use volt_durable::{Client, signal};

use crate::operations::{claim, new_machine};
use crate::orders::{check_keys, new_file, run_orders, worker};
use crate::server::{config, connect, new_schema, run};

const ORDERS: usize = 12;

/// The hours by which the clock is moved, and the last ones, after which all timers have expired.
const SHIFTS: [i32; 12] = [1, 0, -1, 0, 2, 1, -2, 0, -1, 1, 0, 4];

/// A function that the statements of the store call instead of the one of the server.
const CLOCK: &str = "
    create table clock (shift interval);
    insert into clock values ('0');
    create function now() returns timestamptz stable language sql
        as 'select pg_catalog.now() + shift from clock'";

/// A clock in a schema.
struct MovedClock {
    schema: String,
    server: postgres::Client,
}

impl MovedClock {
    fn new() -> Self {
        let schema = new_schema();
        let mut server = connect(&schema).expect("a connection");
        server.batch_execute(CLOCK).expect("a clock");
        Self { schema, server }
    }

    fn shift(&mut self, hours: i32) {
        let shift = format!("update clock set shift = '{hours} hours'");
        self.server.batch_execute(&shift).expect("a moved clock");
    }

    /// Opens a store whose schema comes before that of the server's functions.
    async fn open(&self) -> PostgresStore {
        let options = format!("-c search_path={},pg_catalog", self.schema);
        let connect = move || config().options(&options).connect(NoTls);
        PostgresStore::connect_with(connect).await.expect("a store")
    }
}

/// Workers lose their leases, and timers end early or late. Each order ends once.
#[test]
fn orders_survive_a_moved_clock() {
    run(async {
        let (mut clock, effects) = (MovedClock::new(), new_file("effects"));
        let first = worker(clock.open().await).max_attempts(1_000);
        let second = worker(clock.open().await).max_attempts(1_000);
        let client = Client::new(clock.open().await);
        let client = client.poll_interval(Duration::from_millis(20));
        let moves = async {
            for hours in SHIFTS {
                Timer::after(Duration::from_millis(20)).await;
                clock.shift(hours);
            }
            std::future::pending().await
        };
        let others = or(second.run_until(std::future::pending::<()>()), moves);
        let orders = run_orders(&client, &effects, ORDERS);
        or(first.run_until(orders), others).await;
        check_keys(&effects, ORDERS);
        let rows = client.list(&Filter::default()).await.expect("rows").rows;
        assert!(rows.iter().all(|row| row.status == Status::Done));
    });
}

/// Machines that can run do not wait until the clock has reached the time of their last change.
#[test]
fn clock_moved_back_delays_no_ready_machine() {
    run(async {
        let mut clock = MovedClock::new();
        let store = clock.open().await;
        clock.shift(1);
        for key in ["started", "released", "retried"] {
            store.start(&new_machine(key)).await.expect("a machine");
        }
        let held = store.claim(&claim(3)).await.expect("claims");
        store.release(&[held[1].held]).await.expect("a release");
        let failure = volt_durable::store::Failure {
            held: held[2].held,
            error: "broken".into(),
            then: volt_durable::store::AfterFailure::Park,
        };
        assert_eq!(store.fail(&failure).await.expect("a result"), None);
        assert!(store.retry(held[2].held.id).await.expect("a retry"));
        store.start(&new_machine("new")).await.expect("a machine");
        clock.shift(0);
        let known = claim(9).known;
        let wake = store.next_wake(&known).await.expect("a time");
        assert_eq!(wake, Some(Duration::ZERO));
        let claimed = store.claim(&claim(9)).await.expect("claims");
        let keys: Vec<_> = claimed.iter().map(|claimed| &*claimed.key).collect();
        assert_eq!(keys, ["released", "retried", "new"]);
        assert!(store.claim(&claim(9)).await.expect("claims").is_empty());
    });
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn greet() -> String {
    #[state(WaitingForName)]
    let name: String = signal("name").await;
    format!("hello {name}")
}

/// A message that arrives before the clock is moved back is delivered after that.
#[test]
fn clock_moved_back_delays_no_message() {
    run(async {
        let mut clock = MovedClock::new();
        let store = clock.open().await;
        let client = Client::new(clock.open().await).poll_interval(Duration::from_millis(20));
        clock.shift(1);
        client.start("a", greet()).await.expect("a machine");
        let waits = async {
            while client
                .row::<Greet>("a")
                .await
                .expect("a row")
                .is_none_or(|row| row.signals.is_empty())
            {
                Timer::after(Duration::from_millis(2)).await;
            }
        };
        let runs = || volt_durable::Worker::new(store.clone()).runs::<Greet>();
        runs().run_until(waits).await;
        client
            .send::<Greet>("a", "name", "1", &"Ada")
            .await
            .expect("a message");
        clock.shift(0);
        let outcome = runs().run_until(client.outcome::<Greet>("a")).await;
        assert_eq!(outcome.expect("an outcome"), "hello Ada");
    });
}
