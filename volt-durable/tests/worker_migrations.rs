//! Snapshots of older builds, which a worker changes when it reads them.

mod driving;

use driving::{quiet, row, run_quiet, start};
use futures_lite::future::block_on;
use serde_json::Value;
use volt_durable::store::{MemoryStore, Status};
use volt_durable::{Client, Durable, Worker};

mod old {
    use volt_durable::signal;

    #[volt::state_machine(derive(Serialize, Deserialize))]
    pub(super) async fn ship(id: u64, truck: String) -> String {
        #[state(Waiting)]
        let label: String = signal("label").await;
        #[state(Loading)]
        let loaded: bool = signal("loaded").await;
        format!("{id} {truck} {label} {loaded}")
    }

    #[volt::state_machine(derive(Serialize, Deserialize))]
    pub(super) async fn deliver(id: u64) -> String {
        #[state(Shipping)]
        ship(id, "T2".to_owned()).await
    }
}

/// The build with another name of a state, another name of a local, and a further local.
mod new {
    use volt_durable::signal;

    #[volt::state_machine(derive(Serialize, Deserialize))]
    pub(super) async fn ship(order: u64, truck: String, note: String) -> String {
        #[state(WaitingForLabel)]
        let label: String = signal("label").await;
        #[state(Loading)]
        let loaded: bool = signal("loaded").await;
        format!("{order} {truck} {note} {label} {loaded}")
    }
}

fn migrate(state: &str, mut values: Value) -> Option<(String, Value)> {
    let state = match state {
        "Waiting" => "WaitingForLabel",
        "Loading" => "Loading",
        _ => return None,
    };
    let id = values.as_object_mut()?.remove("id")?;
    values["order"] = id;
    values["note"] = "no note".into();
    Some((state.to_owned(), values))
}

fn worker(store: &MemoryStore) -> Worker<MemoryStore> {
    let worker = Worker::new(store.clone()).on_error(|_| {});
    worker.runs_migrated::<new::Ship>(&["Waiting"], migrate)
}

/// A function that changes only the names.
fn rename(_: &str, mut values: Value) -> Option<(String, Value)> {
    values["order"] = values.as_object_mut()?.remove("id")?;
    Some(("WaitingForLabel".to_owned(), values))
}

async fn send<T: serde::Serialize>(store: &MemoryStore, name: &str, value: T) {
    let client = Client::new(store.clone());
    let sent = client.send::<new::Ship>("a", name, name, &value).await;
    sent.expect("a message");
}

#[test]
fn state_with_another_name_is_migrated() {
    block_on(async {
        let (store, _) = start(old::ship(7, "T1".into())).await;
        run_quiet::<old::Ship>(&store).await;
        send(&store, "label", "L1").await;
        worker(&store).run_until(quiet()).await;
        let loading = row::<new::Ship>(&store, "a").await;
        assert_eq!((loading.state.as_str(), loading.seq), ("Loading", 2));
        assert!(loading.snapshot.contains("no note"), "{}", loading.snapshot);
        send(&store, "loaded", true).await;
        run_quiet::<new::Ship>(&store).await;
        let ended = row::<new::Ship>(&store, "a").await;
        assert_eq!(ended.outcome.as_deref(), Some(r#""7 T1 no note L1 true""#));
    });
}

#[test]
fn state_with_another_local_is_migrated() {
    block_on(async {
        let (store, _) = start(old::ship(7, "T1".into())).await;
        send(&store, "label", "L1").await;
        run_quiet::<old::Ship>(&store).await;
        assert_eq!(row::<old::Ship>(&store, "a").await.state, "Loading");
        send(&store, "loaded", true).await;
        worker(&store).run_until(quiet()).await;
        let ended = row::<new::Ship>(&store, "a").await;
        assert_eq!(ended.outcome.as_deref(), Some(r#""7 T1 no note L1 true""#));
    });
}

#[test]
fn snapshot_of_this_build_is_not_migrated() {
    block_on(async {
        let (store, _) = start(new::ship(7, "T1".into(), "fragile".into())).await;
        send(&store, "label", "L1").await;
        send(&store, "loaded", true).await;
        worker(&store).run_until(quiet()).await;
        let ended = row::<new::Ship>(&store, "a").await;
        assert_eq!(ended.outcome.as_deref(), Some(r#""7 T1 fragile L1 true""#));
    });
}

/// The function returns `None` for the first state, so the row stays as it is.
#[test]
fn snapshot_without_a_migration_is_parked() {
    block_on(async {
        let (store, _) = start(old::ship(7, "T1".into())).await;
        let before = row::<old::Ship>(&store, "a").await;
        worker(&store).run_until(quiet()).await;
        let parked = row::<new::Ship>(&store, "a").await;
        assert_eq!(parked.status, Status::Parked);
        assert_eq!(
            (parked.snapshot, parked.state, parked.seq),
            (before.snapshot, before.state, 0)
        );
        let error = parked.error.expect("an error");
        let expected = "note: the function of `Worker::runs_migrated` has returned `None`";
        assert!(error.ends_with(expected), "{error}");
    });
}

const LAST: &str =
    "help: or run a worker of the build that stored it; resume the machine after any of these";

/// The error of a machine of the old build, in a worker of the new one.
async fn error_in(worker: Worker<MemoryStore>, store: &MemoryStore) -> String {
    // A worker claims a machine that waits for a signal when it has the message.
    send(store, "label", "L1").await;
    send(store, "loaded", true).await;
    error_of::<new::Ship>(worker, store).await
}

async fn error_of<M: Durable>(worker: Worker<MemoryStore>, store: &MemoryStore) -> String {
    worker.run_until(quiet()).await;
    let parked = row::<M>(store, "a").await;
    assert_eq!(parked.status, Status::Parked);
    parked.error.expect("an error")
}

#[test]
fn error_of_a_missing_local_has_its_remedies() {
    block_on(async {
        let (store, _) = start(old::ship(7, "T1".into())).await;
        send(&store, "label", "L1").await;
        run_quiet::<old::Ship>(&store).await;
        let new = Worker::new(store.clone()).on_error(|_| {});
        let error = error_in(new.runs::<new::Ship>(), &store).await;
        let lines: Vec<_> = error.lines().collect();
        let place = lines[1].strip_prefix(
            "note: this build expects the values of `Ship` in the state `Loading` at \
             volt-durable/tests/worker_migrations.rs:",
        );
        let line: usize = place.expect("a place").parse().expect("a line");
        let source = include_str!("worker_migrations.rs");
        let awaited = source.lines().nth(line - 1).expect("a line of this file");
        assert!(awaited.contains("let loaded: bool"), "{awaited}");
        assert_eq!(
            [lines[0], lines[2], lines[3], lines[4]],
            [
                "`Ship` cannot be restored in state `Loading`: missing field `order` of type `u64`",
                "note: the snapshot has `id`, `truck`, `label`, `await`",
                "help: if the local was named `id`, write `#[stored(was = \"id\")]`; otherwise write \
                 `#[stored(default)]`, or add the value in `Worker::runs_migrated`",
                LAST,
            ]
        );
    });
}

#[test]
fn error_of_a_removed_state_has_its_remedies() {
    block_on(async {
        let (store, _) = start(old::ship(7, "T1".into())).await;
        run_quiet::<old::Ship>(&store).await;
        let new = Worker::new(store.clone()).on_error(|_| {});
        let new = new.runs_migrated::<new::Ship>(&["Waiting"], |_, _| None);
        let expected = [
            "`Ship` cannot be restored in state `Waiting`: this build has no such state",
            "note: the states of this build are `start`, `WaitingForLabel`, `Loading`",
            "help: if the state was renamed, write `#[state(.., was = \"Waiting\")]`; otherwise \
             return values of another state from the function of `Worker::runs_migrated`",
            LAST,
            "note: the function of `Worker::runs_migrated` has returned `None`",
        ];
        assert_eq!(error_in(new, &store).await, expected.join("\n"));
    });
}

#[test]
fn error_of_migrated_values_is_theirs() {
    block_on(async {
        let (store, _) = start(old::ship(7, "T1".into())).await;
        run_quiet::<old::Ship>(&store).await;
        let new = Worker::new(store.clone()).on_error(|_| {});
        let new = new.runs_migrated::<new::Ship>(&["Waiting"], rename);
        let error = error_in(new, &store).await;
        let head = "`Ship` cannot be restored in state `WaitingForLabel`: missing field `note` of \
                    type `alloc::string::String`\n";
        assert!(error.starts_with(head), "{error}");
        let help = "\nhelp: write `#[stored(default)]`, or add the value in \
                    `Worker::runs_migrated`\n";
        assert!(error.contains(help), "{error}");
        let last = "note: the function of `Worker::runs_migrated` has returned this state";
        assert!(error.ends_with(last), "{error}");
    });
}

/// The type of the local has another field in this build.
mod changed {
    use serde::{Deserialize, Serialize};
    use volt_durable::signal;

    #[derive(Serialize, Deserialize)]
    pub(super) struct Label {
        pub(super) text: String,
    }

    #[volt::state_machine(derive(Serialize, Deserialize))]
    pub(super) async fn ship(id: Label) -> String {
        #[state(Waiting)]
        let label: String = signal("label").await;
        id.text + &label
    }

    #[volt::state_machine(derive(Serialize, Deserialize))]
    pub(super) async fn deliver(id: u64) -> String {
        let text = id.to_string();
        #[state(Shipping)]
        ship(Label { text }).await
    }
}

#[test]
fn error_of_a_changed_type_has_its_remedies() {
    block_on(async {
        let (store, _) = start(old::ship(7, "T1".into())).await;
        run_quiet::<old::Ship>(&store).await;
        let new = Worker::new(store.clone()).on_error(|_| {});
        let error = error_in(new.runs::<changed::Ship>(), &store).await;
        let lines: Vec<_> = error.lines().collect();
        assert_eq!(
            [lines[0], lines[2], lines[3]],
            [
                "`Ship` cannot be restored in state `Waiting`: `id` of type \
                 `worker_migrations::changed::Label`: invalid type: integer `7`, expected struct Label",
                "help: let the type of `id` read the stored value, such as by `#[serde(default)]` on \
                 a new field; otherwise change `id` in `Worker::runs_migrated`",
                LAST,
            ]
        );
    });
}

#[test]
fn error_of_an_awaited_machine_names_its_function() {
    block_on(async {
        let (store, client) = start(old::deliver(7)).await;
        run_quiet::<old::Deliver>(&store).await;
        let sent = client.send::<old::Deliver>("a", "label", "1", &"L1").await;
        sent.expect("a message");
        let _ = changed::deliver;
        let new = Worker::new(store.clone()).on_error(|_| {});
        let new = new.runs::<changed::Deliver>();
        let error = error_of::<changed::Deliver>(new, &store).await;
        let lines: Vec<_> = error.lines().collect();
        assert_eq!(
            [lines[0], lines[2]],
            [
                "`Deliver` cannot be restored in state `Shipping`: `await` of type \
                 `worker_migrations::changed::Ship`: `id` of type \
                 `worker_migrations::changed::Label`: invalid type: integer `7`, expected struct \
                 Label",
                "help: if the awaited future is a machine, write `#[stored(default)]` or `was` in \
                 its function; otherwise change `await` in `Worker::runs_migrated`",
            ]
        );
    });
}
