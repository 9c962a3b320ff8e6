//! Snapshots with names of older builds, and without locals that were added later.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use volt::machine::StepDriver;

use super::steps::drive;
use super::{Pause, pause, poll, run};

/// The type of the awaited future of a generic machine.
#[allow(
    non_camel_case_types,
    reason = "a generic machine finds the type by the function's name"
)]
type pause = Pause;

/// The default of a local.
fn three() -> u32 {
    3
}

mod old {
    use super::pause;

    #[volt::state_machine(derive(Serialize, Deserialize))]
    pub(super) async fn ship(purchase: u64) -> String {
        #[state(Waiting)]
        pause(1).await;
        let parcel = format!("parcel {purchase}");
        #[step]
        #[state(Booking)]
        pause(1).await;
        format!("{parcel}, 3 tries, no note")
    }
}

mod new {
    use super::{pause, three};

    #[volt::state_machine(derive(Serialize, Deserialize))]
    pub(super) async fn ship(
        #[stored(was = "purchase")] order: u64,
        #[stored(default)] note: String,
    ) -> String {
        #[stored(default = three())]
        let tries = 4;
        #[state(WaitingForTruck, was = "Waiting")]
        pause(1).await;
        #[stored(was("parcel", "box"))]
        let load = format!("parcel {order}");
        #[step]
        #[state(Reserving, was("Booking", "Asking"))]
        pause(1).await;
        let note = if note.is_empty() { "no note" } else { &note };
        format!("{load}, {tries} tries, {note}")
    }

    /// A generic machine has fields of written types.
    #[volt::state_machine(derive(Serialize, Deserialize))]
    pub(super) async fn repeat<T: Clone + Default>(
        #[stored(was = "item")] value: T,
        #[stored(default)] other: T,
    ) -> Vec<T> {
        #[state(Repeating, was = "Cloning")]
        pause(1).await;
        vec![value, other]
    }

    pub(super) struct Shop;

    #[volt::state_machine(derive(Serialize, Deserialize))]
    impl Shop {
        pub(super) async fn sum(#[stored(was = "price")] cents: Vec<u32>) -> u32 {
            let mut sum = 0;
            for cents in cents {
                #[state(Adding, was = "await pause")]
                pause(1).await;
                sum += cents;
            }
            sum
        }
    }
}

/// Returns the snapshots of a new machine: the start, then each that is stored.
fn snapshots<M: Future + Serialize>(machine: M) -> Vec<Value> {
    let start = serde_json::to_value(&machine).expect("a snapshot");
    let stored = drive(machine, &mut StepDriver::new()).1.into_iter();
    let stored = stored.map(|text| serde_json::from_str(&text).expect("JSON"));
    [start].into_iter().chain(stored).collect()
}

fn read<M: DeserializeOwned>(snapshot: &Value) -> Result<M, String> {
    let read = serde_json::from_str(&snapshot.to_string());
    read.map_err(|error| error.to_string())
}

#[test]
fn snapshots_of_the_older_build_load() {
    let stored = snapshots(old::ship(7));
    assert!(stored.iter().any(|it| it.get("Booking").is_some()));
    for snapshot in stored {
        let machine: new::Ship = read(&snapshot).expect("a machine");
        let is_start = snapshot.get("start").is_some();
        let tries = if is_start { 4 } else { 3 };
        let expected = format!("parcel 7, {tries} tries, no note");
        assert_eq!(run(machine), expected, "{snapshot}");
    }
}

#[test]
fn own_snapshots_have_the_new_names() {
    let stored = snapshots(new::ship(7, "fragile".to_owned()));
    let states: Vec<_> = stored
        .iter()
        .flat_map(|snapshot| snapshot.as_object().expect("a state").keys())
        .collect();
    assert_eq!(states, ["start", "WaitingForTruck", "Reserving"]);
    for snapshot in stored {
        let machine: new::Ship = read(&snapshot).expect("a machine");
        assert_eq!(run(machine), "parcel 7, 4 tries, fragile");
    }
}

#[test]
fn errors_name_the_local() {
    let error = |snapshot: Value| read::<new::Ship>(&snapshot).expect_err("an error");
    let missing = error(json!({ "start": { "note": "" } }));
    assert!(
        missing.starts_with("missing field `order` of type `u64`"),
        "{missing}"
    );
    let both = error(json!({ "start": { "order": 1, "purchase": 2 } }));
    assert!(both.starts_with("duplicate field `order`"), "{both}");
    let other = error(json!({ "start": { "purchase": "x" } }));
    assert!(
        other.starts_with("`order` of type `u64`: invalid type: string"),
        "{other}"
    );
    let unknown = error(json!({ "Asked": {} }));
    assert!(unknown.contains("unknown variant `Asked`"), "{unknown}");
}

#[test]
fn generic_machines_have_older_names() {
    let snapshot = json!({ "Cloning": { "item": 5, "await": pause(1) } });
    let machine: new::Repeat<u8> = read(&snapshot).expect("a machine");
    assert_eq!(run(machine), [5, 0]);
    assert_eq!(run(new::repeat(1_u8, 2)), [1, 2]);
}

#[test]
fn methods_have_older_names() {
    let start = json!({ "start": { "price": [1, 2] } });
    let machine: new::ShopSum = read(&start).expect("a machine");
    let mut machine = Box::pin(machine);
    assert!(poll(&mut machine).is_pending());
    let mut snapshot = serde_json::to_value(&*machine).expect("a snapshot");
    let values = snapshot["Adding"].take();
    let machine: new::ShopSum = read(&json!({ "await pause": values })).expect("a machine");
    assert_eq!(run(machine), 3);
    assert_eq!(run(new::Shop::sum(vec![1, 2])), 3);
}
