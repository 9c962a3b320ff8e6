//! Snapshots of older builds, which a worker changes when it reads them.

mod driving;

use driving::{quiet, row, run_quiet, start};
use futures_lite::future::block_on;
use serde_json::Value;
use volt_durable::store::{MemoryStore, Status};
use volt_durable::{Client, Worker};

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
        assert!(error.contains("missing field"), "{error}");
    });
}
