//! The schema of machines, and the effects of its changes on stored machines.

use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use volt_durable::{Durable, Effect, Schema, signal};

#[derive(Serialize, Deserialize)]
struct Order {
    id: u64,
    items: Vec<String>,
    prices: BTreeMap<String, u32>,
    #[serde(default)]
    is_gift: bool,
    note: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Route {
    sent: SystemTime,
    longest: Duration,
    days: Range<u8>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
enum Vehicle {
    Truck { plate: String, axles: u8 },
    Drone,
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn drive(route: Route, vehicle: Vehicle) -> u64 {
    #[state(WaitingForKey)]
    let () = signal("key").await;
    let axles = match vehicle {
        Vehicle::Truck { axles, .. } => axles,
        Vehicle::Drone => 0,
    };
    route.longest.as_secs() + u64::from(axles)
}

#[derive(Serialize, Deserialize)]
enum Outcome {
    Lost,
    Shipped(String),
    Returned { day: u8 },
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn ship(order: Order, place: (u8, char)) -> Outcome {
    #[state(WaitingForTruck)]
    let truck: String = signal("truck").await;
    match (order.items.len(), place.0) {
        (0, _) => Outcome::Lost,
        (_, 0) => Outcome::Returned { day: 1 },
        _ => Outcome::Shipped(truck),
    }
}

fn schema_of<M: Durable>() -> Value {
    let text = Schema::new().machine::<M>().to_json();
    serde_json::from_str(&text.expect("a schema")).expect("JSON")
}

fn schema_of_ship() -> Value {
    // Only the type of the machine is used otherwise.
    let _ = ship;
    schema_of::<Ship>()
}

/// Returns the effects of changes of the schema, the worst first.
fn effects(change: impl FnOnce(&mut Value)) -> Vec<(Effect, String)> {
    let (old, mut new) = (schema_of_ship(), schema_of_ship());
    change(&mut new);
    effects_between(old, new)
}

fn effects_between(old: Value, new: Value) -> Vec<(Effect, String)> {
    let schema = |value: Value| Schema::from_json(&value.to_string()).expect("a schema");
    let changes = schema(new).changes_since(&schema(old));
    let named = changes.into_iter().map(|change| {
        let path = change.path.or(change.state).unwrap_or(change.machine);
        (change.effect, path)
    });
    named.collect()
}

/// The pointer to the locals of the state.
const STATE: &str = "/machines/Ship/states/WaitingForTruck";

#[test]
fn schema_has_locals_and_types() {
    let schema = schema_of_ship();
    let ship = &schema["machines"]["Ship"];
    let start = json!({ "order": "Order", "place": { "tuple": ["u8", "char"] } });
    assert_eq!(ship["states"]["start"], start);
    let order = json!({
        "id": "u64",
        "items": { "list": "string" },
        "prices": { "map": ["string", "u32"] },
        "is_gift": { "default": "bool" },
        "note": { "option": "string" },
    });
    assert_eq!(ship["types"]["Order"]["struct"], order);
    assert_eq!(ship["outcome"], "Outcome");
    let outcome = json!({
        "Lost": "unit",
        "Shipped": { "value": "string" },
        "Returned": { "struct": { "day": "u8" } },
    });
    assert_eq!(ship["types"]["Outcome"]["enum"], outcome);
    assert!(ship["types"].get("Ship").is_none(), "{ship:#}");
}

#[test]
fn equal_schemas_have_no_changes() {
    assert_eq!(effects(|_| {}), []);
}

#[test]
fn states_are_added_and_removed() {
    let found = effects(|schema| {
        let states = schema["machines"]["Ship"]["states"].as_object_mut();
        let states = states.expect("the states");
        let state = states.remove("WaitingForTruck").expect("the state");
        states.insert("Waiting".into(), state);
    });
    let expected = [
        (Effect::Waits, "WaitingForTruck".to_owned()),
        (Effect::Loads, "Waiting".to_owned()),
    ];
    assert_eq!(found, expected);
}

#[test]
fn renamed_local_parks() {
    let found = effects(|schema| {
        let locals = schema.pointer_mut(STATE).expect("the state");
        let local = locals.as_object_mut().expect("locals").remove("order");
        locals["purchase"] = local.expect("the local");
    });
    let expected = [
        (Effect::Parks, "purchase".to_owned()),
        (Effect::Loads, "order".to_owned()),
    ];
    assert_eq!(found, expected);
}

/// Returns the help of the local `purchase`, after the state had the old locals and has the new.
fn help_of_purchase(old_locals: Value, new_locals: Value) -> String {
    let schema = |locals| {
        let mut schema = schema_of_ship();
        *schema.pointer_mut(STATE).expect("the state") = locals;
        Schema::from_json(&schema.to_string()).expect("a schema")
    };
    let changes = schema(new_locals).changes_since(&schema(old_locals));
    let mut changes = changes.into_iter();
    let found = changes.find(|change| change.path.as_deref() == Some("purchase"));
    found.expect("a change").help.expect("a help")
}

#[test]
fn help_of_an_added_local_names_older_names_first() {
    let purchase = json!({ "purchase": "Order", "tries": "u32" });
    let help = |old| help_of_purchase(old, purchase.clone());
    let default = "write `#[stored(default)]`, or change";
    let one = help(json!({ "order": "Order", "place": "u64" }));
    let was = "if it was named `order`, write `#[stored(was = \"order\")]`; otherwise ";
    assert!(one.starts_with(&format!("{was}{default}")), "{one}");
    let two = help(json!({ "order": "Order", "previous": "Order" }));
    let names = "if it was named `order` or `previous`, write this name in ";
    assert!(two.starts_with(names), "{two}");
    for other in [
        json!({ "order": "u64" }),
        json!({ "id": { "was": "order" } }),
        json!({ "tries": "u32" }),
    ] {
        let none = help(other);
        assert!(none.starts_with(default), "{none}");
    }
    // A default is for a missing local, and this one has another form.
    let changed = help(json!({ "purchase": "u64", "order": "Order" }));
    assert!(changed.starts_with("change stored values in"), "{changed}");
}

#[test]
fn added_local_with_a_default_loads() {
    let found = effects(|schema| {
        let locals = schema.pointer_mut(STATE).expect("the state");
        locals["tries"] = json!({ "default": "u32" });
        locals["reason"] = json!({ "option": "string" });
    });
    let expected = ["reason", "tries"].map(|name| (Effect::Loads, name.to_owned()));
    assert_eq!(found, expected);
}

#[test]
fn changed_field_is_found_in_each_state() {
    let change = |form: &'static str| {
        effects(move |schema| {
            schema["machines"]["Ship"]["types"]["Order"]["struct"]["id"] = form.into();
        })
    };
    let twice = |effect| vec![(effect, "order.id".to_owned()); 2];
    assert_eq!(change("u128"), twice(Effect::Loads));
    assert_eq!(change("u32"), twice(Effect::Depends));
    assert_eq!(change("string"), twice(Effect::Parks));
}

#[test]
fn types_of_one_visitor_have_own_names() {
    let _ = drive;
    let schema = schema_of::<Drive>();
    let types = &schema["machines"]["Drive"]["types"];
    let fields = json!({ "sent": "SystemTime", "longest": "Duration", "days": "Range" });
    assert_eq!(types["Route"]["strict"], fields);
    let time = json!({ "secs_since_epoch": "u64", "nanos_since_epoch": "u32" });
    assert_eq!(types["SystemTime"]["strict"], time);
    let duration = json!({ "secs": "u64", "nanos": "u32" });
    assert_eq!(types["Duration"]["strict"], duration);
    assert_eq!(
        types["Range"]["strict"],
        json!({ "start": "u8", "end": "u8" })
    );
    let vehicle =
        json!({ "Truck": { "strict": { "plate": "string", "axles": "u8" } }, "Drone": "unit" });
    assert_eq!(types["Vehicle"]["enum"], vehicle);
}

/// Returns the effects of a new schema of `drive`, if the old one has another type.
fn effects_of_type(name: &str, old: Value) -> Vec<(Effect, String)> {
    let new = schema_of::<Drive>();
    let mut older = new.clone();
    older["machines"]["Drive"]["types"][name] = old;
    let mut found = effects_between(older, new);
    // Both states have the value.
    found.dedup();
    found
}

#[test]
fn removed_field_of_a_strict_type_parks() {
    let route =
        json!({ "sent": "SystemTime", "longest": "Duration", "days": "Range", "toll": "u8" });
    let removed = || (Effect::Parks, "route.toll".to_owned());
    let found = effects_of_type("Route", json!({ "strict": route }));
    assert_eq!(found, [removed()]);
    let found = effects_of_type("Route", json!({ "struct": route }));
    assert_eq!(found, [removed(), (Effect::Depends, "route".to_owned())]);
    let truck = json!({ "plate": "string", "axles": "u8", "toll": { "default": "u8" } });
    let vehicle = json!({ "enum": { "Truck": { "strict": truck }, "Drone": "unit" } });
    let found = effects_of_type("Vehicle", vehicle);
    assert_eq!(found, [(Effect::Depends, "vehicle.Truck.toll".to_owned())]);
}

/// The effects of the comparison are those of `Deserialize`: a state ignores other values, and a
/// type with `deny_unknown_fields` rejects them.
#[test]
fn state_ignores_a_value_and_a_strict_type_does_not() {
    let time = json!({ "secs_since_epoch": 1, "nanos_since_epoch": 0 });
    let route = json!({
        "sent": time,
        "longest": { "secs": 1, "nanos": 0 },
        "days": { "start": 1, "end": 2 },
    });
    let start = json!({ "start": { "route": route, "vehicle": "Drone", "toll": 1 } });
    let read = |snapshot: &Value| serde_json::from_value::<Drive>(snapshot.clone());
    drop(read(&start).expect("the argument `toll` is ignored"));
    let mut with_toll = start;
    with_toll["start"]["route"]["toll"] = 1.into();
    let error = read(&with_toll).expect_err("the field `toll` is rejected");
    assert!(
        error.to_string().contains("unknown field `toll`"),
        "{error}"
    );
}

/// Returns the text with which the comparison fails.
fn failure(file: &PathBuf) -> Option<String> {
    let compare = || Schema::new().machine::<Ship>().assert_file(file);
    let panic = catch_unwind(AssertUnwindSafe(compare)).err()?;
    panic.downcast::<String>().ok().map(|text| *text)
}

#[test]
fn file_is_compared_with_the_build() {
    let name = format!("schema-{}.json", std::process::id());
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let absent = failure(&file).expect("no file yet");
    assert!(absent.contains("VOLT_DURABLE_SCHEMA=update"), "{absent}");
    let text = Schema::new().machine::<Ship>().to_json().expect("a schema");
    std::fs::write(&file, &text).expect("a written file");
    assert_eq!(failure(&file), None);
    let older = text.replace("WaitingForTruck", "Waiting");
    std::fs::write(&file, older).expect("a written file");
    let changed = failure(&file).expect("a change");
    let waits = "waits   Ship, state `Waiting`: the state was removed";
    assert!(changed.contains(waits), "{changed}");
    std::fs::remove_file(file).expect("a removed file");
}

mod renamed {
    use volt_durable::signal;

    /// A nested machine has older names too.
    #[volt::state_machine(derive(Serialize, Deserialize))]
    pub(super) async fn load(#[stored(was = "count")] parcels: u32) -> u32 {
        #[state(Loading, was = "Packing")]
        let () = signal("loaded").await;
        parcels
    }

    #[volt::state_machine(derive(Serialize, Deserialize))]
    pub(super) async fn deliver(
        #[stored(was("purchase", "id"))] order: u64,
        #[stored(default)] tries: u32,
    ) -> u64 {
        #[state(WaitingForLoad, was = "Waiting")]
        let parcels = load(tries).await;
        order + u64::from(parcels)
    }
}

#[test]
fn schema_has_older_names() {
    let _ = renamed::deliver;
    let schema = schema_of::<renamed::Deliver>();
    let deliver = &schema["machines"]["Deliver"];
    let start = json!({
        "order": "u64",
        "purchase": { "was": "order" },
        "id": { "was": "order" },
        "tries": { "default": "u32" },
    });
    assert_eq!(deliver["states"]["start"], start);
    assert_eq!(deliver["older"], json!(["Waiting"]));
    let states = &deliver["states"];
    assert_eq!(states["Waiting"], states["WaitingForLoad"]);
    let load = &deliver["types"]["Load"]["enum"];
    let start = json!({ "struct": { "parcels": "u32", "count": { "was": "parcels" } } });
    assert_eq!(load["start"], start);
    assert_eq!(load["Packing"], json!({ "older": load["Loading"] }));
}

#[test]
fn older_names_have_effects_both_ways() {
    let new = schema_of::<renamed::Deliver>();
    let mut old = new.clone();
    let states = &mut old["machines"]["Deliver"]["states"];
    states["start"] = json!({ "purchase": "u64" });
    states["Waiting"] = json!({ "purchase": "u64", "await": "Load" });
    let states = states.as_object_mut().expect("the states");
    states.remove("WaitingForLoad");
    old["machines"]["Deliver"]["older"] = json!([]);
    let forward = effects_between(old.clone(), new.clone());
    assert!(
        forward.iter().all(|(effect, _)| *effect == Effect::Loads),
        "{forward:?}"
    );
    let found = |effects: &[(Effect, String)], effect, path: &str| {
        effects.contains(&(effect, path.to_owned()))
    };
    assert!(found(&forward, Effect::Loads, "purchase"));
    let back = effects_between(new.clone(), old);
    assert!(found(&back, Effect::Waits, "WaitingForLoad"), "{back:?}");
    assert!(found(&back, Effect::Parks, "purchase"), "{back:?}");
    // A build without the older names cannot read what the build before the last one has stored.
    let mut last = new.clone();
    let machine = &mut last["machines"]["Deliver"];
    machine["older"] = json!([]);
    let states = machine["states"].as_object_mut().expect("the states");
    states.remove("Waiting");
    let start = states["start"].as_object_mut().expect("the locals");
    start.remove("id");
    let lost = effects_between(new, last);
    assert!(found(&lost, Effect::Waits, "Waiting"), "{lost:?}");
    assert!(found(&lost, Effect::Depends, "id"), "{lost:?}");
}
