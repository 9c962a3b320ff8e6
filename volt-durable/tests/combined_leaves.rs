//! Timeouts, races and joins of timers and signals, with a crash of the worker at each save.

mod driving;

use std::time::Duration;

use driving::{quiet, row, run_quiet, start};
use futures_lite::future::{block_on, or};
use serde::Serialize;
use serde::de::DeserializeOwned;
use volt_durable::store::{Crash, CrashingStore, MemoryStore, Sent, Status};
use volt_durable::{
    Cancelled, Client, Durable, Raced, Worker, cancellable, join, race, signal, sleep, timeout,
};

const DAY: Duration = Duration::from_secs(86_400);

/// An event of a test between two runs of the worker.
#[derive(Clone, Copy, Debug)]
enum Event {
    Send(&'static str, u64),
    Pass(Duration),
    Cancel,
}

async fn apply<M: Durable>(store: &MemoryStore, event: Event) {
    match event {
        Event::Pass(duration) => store.advance(duration),
        Event::Cancel => {
            let client = Client::new(store.clone());
            client.cancel::<M>("a").await.expect("a request");
        }
        Event::Send(name, value) => {
            let client = Client::new(store.clone());
            let sent = client.send::<M>("a", name, format!("{name} {value}"), &value);
            sent.await.expect("a message");
        }
    }
}

/// Runs a worker until it crashes or until the store is quiet. Returns `true` after a crash.
async fn run_until_crash<M: Durable>(store: &MemoryStore, saves: u64, crash: Crash) -> bool {
    let crashing = CrashingStore::new(store, saves, crash);
    let crashed = crashing.crashed();
    let worker = Worker::new(crashing).runs::<M>().lease(LEASE);
    let crashed = async {
        crashed.await;
        true
    };
    let ran = async {
        worker.run_until(quiet()).await;
        false
    };
    or(crashed, ran).await
}

const LEASE: Duration = Duration::from_secs(1);

/// Runs a machine with these events, and with a crash after each number of saves. Returns the
/// outcome, which each run has.
fn outcome_with_crashes<M: Durable>(machine: impl Fn() -> M, events: &[Event]) -> String {
    let run = |saves, crash| {
        block_on(async {
            let (store, _) = start(machine()).await;
            let mut has_crashed = run_until_crash::<M>(&store, saves, crash).await;
            for event in events {
                if has_crashed {
                    store.advance(LEASE);
                    run_quiet::<M>(&store).await;
                }
                apply::<M>(&store, *event).await;
                let left = if has_crashed { u64::MAX } else { saves };
                has_crashed |= run_until_crash::<M>(&store, left, crash).await;
            }
            store.advance(LEASE);
            run_quiet::<M>(&store).await;
            let ended = row::<M>(&store, "a").await;
            ended
                .outcome
                .unwrap_or_else(|| panic!("no outcome: {saves} {crash:?}"))
        })
    };
    let plain = run(u64::MAX, Crash::Before);
    for crash in [Crash::Before, Crash::After] {
        for saves in 0..6 {
            assert_eq!(run(saves, crash), plain, "{saves} {crash:?}");
        }
    }
    plain
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn await_both() -> u64 {
    #[state(Joining)]
    let both: (u64, u64) = join(signal("left"), signal("right")).await;
    both.0 * 10 + both.1
}

#[test]
fn join_has_both_outputs_in_any_order() {
    let (left, right) = (Event::Send("left", 4), Event::Send("right", 2));
    for events in [[left, right], [right, left]] {
        assert_eq!(outcome_with_crashes(await_both, &events), "42");
    }
}

#[test]
fn join_stores_its_first_output() {
    block_on(async {
        let (store, _) = start(await_both()).await;
        apply::<AwaitBoth>(&store, Event::Send("right", 2)).await;
        run_quiet::<AwaitBoth>(&store).await;
        let waiting = row::<AwaitBoth>(&store, "a").await;
        assert_eq!(waiting.signals, ["left"]);
        assert_eq!(
            waiting.snapshot,
            r#"{"Joining":{"await":{"first":{"waits":"left"},"second":{"done":2}}}}"#
        );
    });
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn await_first() -> u64 {
    #[state(Racing)]
    let first: Raced<u64, u64> = race(signal("left"), signal("right")).await;
    let first = match first {
        Raced::First(value) => value,
        Raced::Second(value) => 10 * value,
    };
    #[state(Receiving)]
    let next: u64 = signal("right").await;
    first + next
}

#[test]
fn race_leaves_the_message_of_the_loser() {
    let (left, right) = (Event::Send("left", 1), Event::Send("right", 2));
    assert_eq!(outcome_with_crashes(await_first, &[left, right]), "3");
    let events = [right, Event::Send("right", 3)];
    assert_eq!(outcome_with_crashes(await_first, &events), "23");
    block_on(async {
        let (store, _) = start(await_first()).await;
        apply::<AwaitFirst>(&store, right).await;
        apply::<AwaitFirst>(&store, left).await;
        run_quiet::<AwaitFirst>(&store).await;
        let ended = row::<AwaitFirst>(&store, "a").await;
        assert_eq!(ended.outcome.as_deref(), Some("3"));
    });
}

#[test]
fn loser_of_a_race_does_not_wake_the_machine() {
    block_on(async {
        let (store, _) = start(await_first()).await;
        run_quiet::<AwaitFirst>(&store).await;
        assert_eq!(
            row::<AwaitFirst>(&store, "a").await.signals,
            ["left", "right"]
        );
        apply::<AwaitFirst>(&store, Event::Send("right", 2)).await;
        run_quiet::<AwaitFirst>(&store).await;
        assert_eq!(row::<AwaitFirst>(&store, "a").await.signals, ["right"]);
    });
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn await_in_time() -> u64 {
    #[state(Limited)]
    let both: Option<((), u64)> = timeout(DAY * 2, join(sleep(DAY), signal("value"))).await;
    match both {
        Some(((), value)) => value,
        None => 0,
    }
}

#[test]
fn timeout_limits_a_join() {
    let value = Event::Send("value", 7);
    let events = [value, Event::Pass(DAY)];
    assert_eq!(outcome_with_crashes(await_in_time, &events), "7");
    let events = [Event::Pass(DAY), value];
    assert_eq!(outcome_with_crashes(await_in_time, &events), "7");
    let events = [Event::Pass(DAY), Event::Pass(DAY)];
    assert_eq!(outcome_with_crashes(await_in_time, &events), "0");
}

#[test]
fn timeout_is_not_begun_anew() {
    block_on(async {
        let (store, _) = start(await_in_time()).await;
        run_quiet::<AwaitInTime>(&store).await;
        let first = row::<AwaitInTime>(&store, "a").await.wake;
        store.advance(DAY);
        run_quiet::<AwaitInTime>(&store).await;
        let second = row::<AwaitInTime>(&store, "a").await.wake;
        assert_eq!(first.map(|time| time.after(DAY)), second);
        store.advance(DAY - Duration::from_millis(1));
        run_quiet::<AwaitInTime>(&store).await;
        assert_eq!(
            row::<AwaitInTime>(&store, "a").await.status,
            Status::Waiting
        );
    });
}

/// Waits for a parcel. After a cancellation it waits for the confirmation of a refund.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn deliver() -> String {
    #[state(WaitingForParcel)]
    let parcel: Result<u64, Cancelled> = cancellable(signal("parcel")).await;
    match parcel {
        Ok(parcel) => format!("shipped {parcel}"),
        Err(_) => {
            #[state(Refunding)]
            let refund: Result<u64, Cancelled> = cancellable(signal("refund")).await;
            format!("refunded {refund:?}")
        }
    }
}

#[test]
fn cancellation_is_received_once() {
    let (parcel, refund) = (Event::Send("parcel", 1), Event::Send("refund", 2));
    let shipped = r#""shipped 1""#;
    let refunded = r#""refunded Ok(2)""#;
    assert_eq!(outcome_with_crashes(deliver, &[parcel]), shipped);
    assert_eq!(
        outcome_with_crashes(deliver, &[parcel, Event::Cancel]),
        shipped
    );
    let events = [Event::Cancel, refund];
    assert_eq!(outcome_with_crashes(deliver, &events), refunded);
    let events = [Event::Cancel, Event::Cancel, parcel, refund];
    assert_eq!(outcome_with_crashes(deliver, &events), refunded);
}

#[test]
fn cancellation_before_the_await_is_received() {
    block_on(async {
        let (store, client) = start(deliver()).await;
        let sent = client.cancel::<Deliver>("a").await.expect("a result");
        assert_eq!(sent, Sent::Stored);
        let sent = client.cancel::<Deliver>("a").await.expect("a result");
        assert_eq!(sent, Sent::Duplicate);
        apply::<Deliver>(&store, Event::Send("parcel", 1)).await;
        run_quiet::<Deliver>(&store).await;
        assert_eq!(row::<Deliver>(&store, "a").await.state, "Refunding");
    });
}

/// A generic machine names the futures by their functions.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn receive_twice<T>(first: String, second: String) -> (T, T)
where
    T: Serialize + DeserializeOwned + Send + 'static,
{
    #[state(First)]
    let one: T = signal::<T>(first).await;
    #[state(Sleeping)]
    sleep(DAY).await;
    #[state(Second)]
    let two: T = signal::<T>(second).await;
    (one, two)
}

#[test]
fn generic_machine_receives_values() {
    let events = [Event::Send("a", 1), Event::Pass(DAY), Event::Send("b", 2)];
    let make = || receive_twice::<u64>("a".into(), "b".into());
    assert_eq!(outcome_with_crashes(make, &events), "[1,2]");
}
