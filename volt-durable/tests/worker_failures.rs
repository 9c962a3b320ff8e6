//! Failures of machines: the row is parked, or another attempt follows.

mod adding;
mod driving;

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use adding::{Add, add, known};
use driving::{quiet, row, run_quiet, start, worker};
use futures_lite::future::block_on;
use volt_durable::sleep;
use volt_durable::store::{Claim, MemoryStore, NewMachine, Status, Store};

const DAY: Duration = Duration::from_secs(86_400);

#[test]
fn message_of_another_type_parks_the_machine() {
    block_on(async {
        let (store, client) = start(add(1)).await;
        client
            .send::<Add>("a", "value", "1", &"seven")
            .await
            .expect("stored");
        run_quiet::<Add>(&store).await;
        let parked = row::<Add>(&store, "a").await;
        assert_eq!((parked.status, parked.seq), (Status::Parked, 0));
        let error = parked.error.expect("an error");
        assert!(
            error.starts_with("a message `value` cannot be read"),
            "{error}"
        );
        // The message stays for a build that can read it.
        assert!(store.retry(parked.id).await.expect("a result"));
        let claim = Claim {
            known: vec![known("Add", "start")],
            limit: 1,
            lease: DAY,
            max_attempts: 9,
            suspects: 9,
        };
        let claimed = store.claim(&claim).await.expect("a machine");
        assert_eq!(claimed[0].messages.len(), 1);
    });
}

/// Returns the error of a machine with this snapshot, which stays as it is.
async fn error_of(snapshot: &str) -> String {
    let store = MemoryStore::paused();
    let new = NewMachine {
        machine_type: "Add".into(),
        key: "a".into(),
        state: "Receiving".into(),
        snapshot: snapshot.into(),
    };
    store.start(&new).await.expect("a machine");
    run_quiet::<Add>(&store).await;
    let parked = row::<Add>(&store, "a").await;
    assert_eq!(parked.status, Status::Parked);
    assert_eq!((parked.snapshot.as_str(), parked.seq), (snapshot, 0));
    parked.error.expect("an error")
}

#[test]
fn unreadable_snapshot_is_parked_unchanged() {
    block_on(async {
        let error = error_of(r#"{"Receiving":{"values":[7]}}"#).await;
        let head = "`Add` cannot be restored in state `Receiving`: missing field `left` of type \
                    `u32`\n";
        assert!(error.starts_with(head), "{error}");
        let error = error_of(r#"{"Receiving":{"values":[7],"old":1,"count":2}}"#).await;
        let help = "\nhelp: if the local was named `old` or `count`, write this name in \
                    `#[stored(was = \"..\")]`; otherwise write `#[stored(default)]`, or add the \
                    value in `Worker::runs_migrated`\n";
        assert!(error.contains(help), "{error}");
    });
}

#[test]
fn damaged_snapshot_is_parked_unchanged() {
    block_on(async {
        let error = error_of(r#"{"Receiving":{"values":[7]"#).await;
        let expected = "`Add` cannot be restored: EOF while parsing an object\n\
                        note: the snapshot is no object with the name of one state\n\
                        help: restore the row from a backup, or end it by `cargo volt durable \
                        cancel --end`";
        assert_eq!(error, expected);
        let error = error_of(r#"{"Receiving":7}"#).await;
        let head = "`Add` cannot be restored in state `Receiving`: invalid type: integer `7`";
        assert!(error.starts_with(head), "{error}");
        let help = "\nhelp: change the snapshot in `Worker::runs_migrated`\n";
        assert!(error.contains(help), "{error}");
    });
}

#[test]
fn state_of_another_build_is_left() {
    block_on(async {
        let store = MemoryStore::paused();
        let new = NewMachine {
            machine_type: "Add".into(),
            key: "a".into(),
            state: "Adding".into(),
            snapshot: r#"{"Adding":{}}"#.into(),
        };
        store.start(&new).await.expect("a machine");
        let before = row::<Add>(&store, "a").await;
        run_quiet::<Add>(&store).await;
        assert_eq!(row::<Add>(&store, "a").await, before);
    });
}

static PANICS: AtomicU32 = AtomicU32::new(0);

async fn panic_first(times: u32) -> u32 {
    let before = PANICS.fetch_add(1, Ordering::SeqCst);
    assert!(before >= times, "the service is broken");
    before
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn call_broken(times: u32) -> u32 {
    #[step]
    #[state(Calling)]
    panic_first(times).await
}

#[test]
fn panicking_machine_is_tried_again_then_parked() {
    block_on(async {
        let (store, _) = start(call_broken(4)).await;
        let run = || async {
            let worker = worker::<CallBroken>(&store).max_attempts(3);
            worker.run_until(quiet()).await;
            row::<CallBroken>(&store, "a").await
        };
        for attempt in 1..=3 {
            let failed = run().await;
            // The save before the step has reset the number.
            assert_eq!(failed.attempts, attempt - 1);
            assert_eq!(failed.status, Status::Waiting);
            let error = failed.error.expect("an error");
            assert_eq!(error, "the machine has panicked: the service is broken");
            store.advance(Duration::from_secs(64));
        }
        let parked = run().await;
        assert_eq!((parked.status, parked.attempts), (Status::Parked, 3));
        store.advance(DAY);
        assert_eq!(run().await, parked);
        assert!(store.retry(parked.id).await.expect("a result"));
        assert_eq!(run().await.outcome.as_deref(), Some("4"));
    });
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn sleep_in_a_step() {
    #[step]
    #[state(Sleeping)]
    sleep(DAY).await;
}

#[test]
fn durable_timer_in_a_step_parks_the_machine() {
    block_on(async {
        let (store, _) = start(sleep_in_a_step()).await;
        run_quiet::<SleepInAStep>(&store).await;
        let parked = row::<SleepInAStep>(&store, "a").await;
        assert_eq!(parked.status, Status::Parked);
        let error = parked.error.expect("an error");
        assert!(error.contains("waits in a step"), "{error}");
    });
}
