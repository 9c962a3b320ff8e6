//! Two builds of a function at the same time: each runs the states that it knows.

use std::time::Duration;

use futures_lite::future::{block_on, or};
use volt_durable::store::{MemoryStore, Status};
use volt_durable::{Client, Worker};

async fn pack(build: &str) -> String {
    format!("packed by {build}")
}

mod old {
    use volt_durable::signal;

    #[volt::state_machine(derive(Serialize, Deserialize))]
    pub(super) async fn ship() -> String {
        #[step]
        #[state(Packing)]
        let packed: String = super::pack("old").await;
        #[state(WaitingForLabel)]
        let label: String = signal("label").await;
        #[state(WaitingForTruck)]
        let truck: String = signal("truck").await;
        format!("{packed}, {label}, {truck}")
    }
}

/// The build without labels.
mod new {
    use volt_durable::signal;

    #[volt::state_machine(derive(Serialize, Deserialize))]
    pub(super) async fn ship() -> String {
        #[step]
        #[state(Packing)]
        let packed: String = super::pack("new").await;
        #[state(WaitingForPallet)]
        let label: String = signal("pallet").await;
        #[state(WaitingForTruck)]
        let truck: String = signal("truck").await;
        format!("{packed}, {label}, {truck}")
    }
}

async fn wait_for<M: volt_durable::Durable>(client: &Client<MemoryStore>, key: &str, state: &str) {
    loop {
        let row = client.row::<M>(key).await.expect("a result");
        let row = row.expect("a row");
        if row.state == state && row.status == Status::Waiting {
            return;
        }
        async_io::Timer::after(Duration::from_millis(1)).await;
    }
}

/// One machine is in a state that only the old build knows, and one in a state of the new build.
/// Messages for both stay until a worker of the right build runs.
#[test]
fn each_build_runs_its_states() {
    let store = MemoryStore::new();
    let client = Client::new(store.clone());
    let old = || Worker::new(store.clone()).runs::<old::Ship>();
    let new = || Worker::new(store.clone()).runs::<new::Ship>();
    let send = async |key: &str, name: &str| {
        let sent = client.send::<old::Ship>(key, name, name, &name).await;
        sent.expect("a message");
    };
    block_on(async {
        client.start("a", old::ship()).await.expect("a machine");
        old()
            .run_until(wait_for::<old::Ship>(&client, "a", "WaitingForLabel"))
            .await;
        client.start("b", new::ship()).await.expect("a machine");
        new()
            .run_until(wait_for::<new::Ship>(&client, "b", "WaitingForPallet"))
            .await;
        for key in ["a", "b"] {
            send(key, "label").await;
            send(key, "pallet").await;
        }
        // The old build leaves the machine of the new one, and continues its own.
        let before = client.row::<new::Ship>("b").await.expect("a result");
        old()
            .run_until(wait_for::<old::Ship>(&client, "a", "WaitingForTruck"))
            .await;
        assert_eq!(
            client.row::<new::Ship>("b").await.expect("a result"),
            before
        );
        // Both builds know the last state. The old machine ends in the new build too.
        send("a", "truck").await;
        let ended = new().run_until(client.outcome::<new::Ship>("a"));
        assert_eq!(
            ended.await.expect("an outcome"),
            "packed by old, label, truck"
        );
        send("b", "truck").await;
        let both = or(
            old().run_until(client.outcome::<new::Ship>("b")),
            new().run_until(client.outcome::<new::Ship>("b")),
        );
        assert_eq!(
            both.await.expect("an outcome"),
            "packed by new, pallet, truck"
        );
    });
}
