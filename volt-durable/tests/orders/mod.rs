//! Orders whose effects are lines of a file, so that several processes can run them.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use async_io::Timer;
use volt::machine::StepKey;
use volt_durable::store::{Filter, Status, Store};
use volt_durable::{Client, Worker, signal, sleep};

/// The lease of the workers. A worker that is stopped for longer loses its machines.
pub(crate) const LEASE: Duration = Duration::from_millis(300);

/// Requests an effect of the service. A repeated request has the same key.
async fn request(key: StepKey, file: &str, effect: String) -> String {
    Timer::after(Duration::from_millis(1)).await;
    crate::before_effect();
    let line = format!("{key} {effect}\n");
    let mut file = OpenOptions::new().append(true).create(true).open(file);
    let written = file.as_mut().map(|file| file.write_all(line.as_bytes()));
    written.expect("a file").expect("a line");
    effect
}

/// Reserves, charges, waits for two parcels, and ships them.
#[volt::state_machine(derive(Serialize, Deserialize))]
pub(crate) async fn fulfil(file: String, order: String) -> String {
    #[step(key = key)]
    #[state(Reserving)]
    let _ = request(key, &file, format!("{order} reserve")).await;
    #[state(Pausing)]
    sleep(Duration::from_millis(5)).await;
    #[step(key = key)]
    #[state(Charging)]
    let _ = request(key, &file, format!("{order} charge")).await;
    #[state(WaitingForFirst)]
    let first: String = signal("parcel").await;
    #[state(WaitingForSecond)]
    let second: String = signal("parcel").await;
    #[step(key = key)]
    #[state(Shipping)]
    let _ = request(key, &file, format!("{order} ship")).await;
    format!("{order} {first} {second}")
}

/// Returns a new name in the folder of temporary files.
pub(crate) fn new_file(name: &str) -> PathBuf {
    static LAST: AtomicU32 = AtomicU32::new(0);
    let number = LAST.fetch_add(1, Ordering::Relaxed);
    let name = format!("{name}-{}-{number}", std::process::id());
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&file);
    file
}

pub(crate) fn worker<S: Store + Clone>(store: S) -> Worker<S> {
    Worker::new(store)
        .runs::<Fulfil>()
        .lease(LEASE)
        .poll_interval(Duration::from_millis(20))
        .retry_delay(Duration::from_millis(1))
        .on_error(|_| {})
}

/// Repeats an operation until the store does not fail.
async fn repeat<T, E: Display, F: Future<Output = Result<T, E>>>(operation: impl Fn() -> F) -> T {
    loop {
        if let Ok(result) = operation().await {
            return result;
        }
        Timer::after(Duration::from_millis(5)).await;
    }
}

/// Starts orders, sends the parcels twice, and waits for the outcomes.
pub(crate) async fn run_orders<S: Store>(client: &Client<S>, file: &Path, orders: usize) {
    start_orders(client, file, orders).await;
    wait_for_end(client, orders).await;
}

/// Starts orders, and sends the parcels twice.
pub(crate) async fn start_orders<S: Store>(client: &Client<S>, file: &Path, orders: usize) {
    let file = file.to_str().expect("a path in UTF-8");
    for number in 0..orders {
        let name = format!("order{number}");
        repeat(|| client.start(name.clone(), fulfil(file.into(), name.clone()))).await;
        for parcel in ["P1", "P2", "P1"] {
            repeat(|| client.send::<Fulfil>(&name, "parcel", parcel, &parcel)).await;
        }
    }
}

/// Waits for the outcomes of orders, and compares them.
pub(crate) async fn wait_for_end<S: Store>(client: &Client<S>, orders: usize) {
    for number in 0..orders {
        let name = format!("order{number}");
        let ended = async {
            let outcome = repeat(|| client.outcome::<Fulfil>(&name)).await;
            assert_eq!(outcome, format!("{name} P1 P2"));
        };
        let late = async {
            Timer::after(Duration::from_secs(120)).await;
            let rows = client.store().list(&Filter::default()).await;
            let rows = rows.map(|rows| rows.into_iter().filter(|row| row.status != Status::Done));
            let rows = rows.map(Iterator::collect::<Vec<_>>);
            panic!("{name} does not end: {rows:#?}");
        };
        futures_lite::future::or(ended, late).await;
    }
}

/// Checks that each order has each effect with one key.
#[allow(dead_code, reason = "used by the tests with a clock that is moved")]
pub(crate) fn check_keys(file: &Path, orders: usize) {
    let text = fs::read_to_string(file).expect("the effects");
    let mut effects = BTreeMap::new();
    for line in text.lines() {
        let (key, effect) = line.split_once(' ').expect("a key and an effect");
        let before = effects.insert(effect, key);
        assert!(before.is_none_or(|before| before == key), "{effect}");
    }
    assert_eq!(effects.len(), 3 * orders, "{text}");
}

/// Checks the effects: each order has each effect once, and no step ran after a later one.
/// Returns the number of repeated requests.
pub(crate) fn check_effects(file: &Path, orders: usize) -> usize {
    let text = fs::read_to_string(file).expect("the effects");
    let mut effects = BTreeMap::new();
    let mut last: BTreeMap<&str, &str> = BTreeMap::new();
    let mut repeated = 0;
    for line in text.lines() {
        let (key, effect) = line.split_once(' ').expect("a key and an effect");
        let order = effect.split(' ').next().expect("an order");
        match effects.insert(effect, key) {
            Some(before) => {
                assert_eq!(before, key, "two keys of {effect}");
                assert_eq!(last[order], effect, "a stored step ran again:\n{text}");
                repeated += 1;
            }
            None => drop(last.insert(order, effect)),
        }
    }
    assert_eq!(effects.len(), 3 * orders, "{text}");
    repeated
}
