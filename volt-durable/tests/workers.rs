//! Workers: timers, signals, failures, and the ends of claims.

mod adding;
mod driving;

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use adding::{Add, add, known};
use driving::{quiet, row, run_quiet, start, worker};
use futures_lite::future::block_on;
use volt_durable::store::{Filter, MemoryStore, Row, Status, Store};
use volt_durable::{now, signal, sleep, sleep_until};

const DAY: Duration = Duration::from_secs(86_400);

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn remind(days: Vec<u64>) -> u64 {
    let mut sent = 0;
    for day in days {
        #[state(Sleeping)]
        sleep(DAY * u32::try_from(day).expect("a small number")).await;
        sent += 1;
    }
    sent
}

#[test]
fn timer_expires_by_the_clock_of_the_store() {
    block_on(async {
        let (store, _) = start(remind(vec![3, 4])).await;
        run_quiet::<Remind>(&store).await;
        let waiting = row::<Remind>(&store, "a").await;
        assert_eq!((waiting.status, waiting.lease), (Status::Waiting, None));
        assert_eq!(
            waiting.snapshot,
            r#"{"Sleeping":{"sent":0,"for":[4],"await":{"until":259200000}}}"#
        );
        store.advance(DAY * 3 - Duration::from_millis(1));
        run_quiet::<Remind>(&store).await;
        assert_eq!(row::<Remind>(&store, "a").await, waiting);
        store.advance(Duration::from_millis(1));
        run_quiet::<Remind>(&store).await;
        assert_eq!(row::<Remind>(&store, "a").await.seq, waiting.seq + 1);
        store.advance(DAY * 4);
        run_quiet::<Remind>(&store).await;
        let ended = row::<Remind>(&store, "a").await;
        assert_eq!(ended.outcome.as_deref(), Some("2"));
    });
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn wait_until_day(day: u64) -> u64 {
    let time = std::time::UNIX_EPOCH + Duration::from_secs(day * 86_400);
    #[state(Until)]
    sleep_until(time).await;
    day
}

#[test]
fn time_is_a_time_of_the_store() {
    block_on(async {
        let (store, _) = start(wait_until_day(2)).await;
        store.advance(DAY);
        run_quiet::<WaitUntilDay>(&store).await;
        assert_eq!(
            row::<WaitUntilDay>(&store, "a").await.status,
            Status::Waiting
        );
        store.advance(DAY);
        run_quiet::<WaitUntilDay>(&store).await;
        assert_eq!(row::<WaitUntilDay>(&store, "a").await.status, Status::Done);
    });
}

/// Returns the days between a time and now.
fn days_since(begin: SystemTime) -> u64 {
    let passed = now().duration_since(begin);
    passed.expect("a later time").as_secs() / 86_400
}

async fn measure(begin: SystemTime) -> u64 {
    days_since(begin)
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn measure_days() -> (u64, u64, u64) {
    let begin = now();
    #[state(First)]
    sleep(DAY * 3).await;
    let first = days_since(begin);
    #[state(Second)]
    sleep_until(now() + DAY * 4).await;
    #[step]
    #[state(Measuring)]
    let in_step = measure(begin).await;
    (first, in_step, days_since(UNIX_EPOCH))
}

#[test]
fn now_is_the_time_of_a_paused_clock() {
    block_on(async {
        let (store, client) = start(measure_days()).await;
        for days in [0, 3, 4] {
            store.advance(DAY * days);
            run_quiet::<MeasureDays>(&store).await;
        }
        let row = row::<MeasureDays>(&store, "a").await;
        assert_eq!(row.status, Status::Done);
        let days = client.outcome::<MeasureDays>("a").await;
        assert_eq!(days.expect("the days"), (3, 7, 7));
    });
}

#[test]
fn signals_are_received_once_and_in_order() {
    block_on(async {
        let (store, client) = start(add(4)).await;
        for value in [7_u64, 8] {
            client
                .send::<Add>("a", "value", value.to_string(), &value)
                .await
                .expect("stored");
        }
        run_quiet::<Add>(&store).await;
        assert_eq!(row::<Add>(&store, "a").await.signals, ["value"]);
        for value in [8_u64, 9, 7, 10] {
            client
                .send::<Add>("a", "value", value.to_string(), &value)
                .await
                .expect("stored");
        }
        run_quiet::<Add>(&store).await;
        assert_eq!(
            client.outcome::<Add>("a").await.expect("values"),
            [7, 8, 9, 10]
        );
    });
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn count_pings() {
    loop {
        #[state(Waiting)]
        let is_last: bool = signal("ping").await;
        if is_last {
            return;
        }
    }
}

#[test]
fn message_without_a_new_snapshot_is_taken() {
    block_on(async {
        let (store, client) = start(count_pings()).await;
        run_quiet::<CountPings>(&store).await;
        let before = row::<CountPings>(&store, "a").await;
        client
            .send::<CountPings>("a", "ping", "1", &false)
            .await
            .expect("stored");
        run_quiet::<CountPings>(&store).await;
        let after = row::<CountPings>(&store, "a").await;
        assert_eq!(after.snapshot, before.snapshot);
        assert_eq!(after.seq, before.seq + 1);
        // The message is taken: no worker can claim the machine.
        assert_eq!(
            store
                .next_wake(&[known("CountPings", "Waiting")])
                .await
                .expect("a time"),
            None
        );
        client
            .send::<CountPings>("a", "ping", "2", &true)
            .await
            .expect("stored");
        run_quiet::<CountPings>(&store).await;
        assert_eq!(row::<CountPings>(&store, "a").await.status, Status::Done);
    });
}

#[test]
fn two_types_with_one_name_are_refused() {
    let store = MemoryStore::new();
    let worker = std::panic::catch_unwind(|| worker::<Add>(&store).runs::<Add>());
    assert!(worker.is_err());
}

#[test]
fn worker_runs_on_any_runtime() {
    async fn ends_order() -> Vec<Row> {
        let (store, client) = start(remind(vec![1])).await;
        let outcome = worker::<Remind>(&store).run_until(async move {
            quiet().await;
            store.advance(DAY);
            client.outcome::<Remind>("a").await.expect("an outcome");
            store.list(&Filter::default()).await.expect("rows")
        });
        outcome.await
    }
    let tokio = tokio::runtime::Runtime::new().expect("a runtime");
    let rows = tokio.block_on(async { tokio::spawn(ends_order()).await.expect("no panic") });
    assert_eq!(rows[0].status, Status::Done);
    let rows = volt::block_on(async { volt::spawn(ends_order()).await.expect("no panic") });
    assert_eq!(rows[0].status, Status::Done);
}
