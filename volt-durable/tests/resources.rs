//! Resources: a worker provides them whenever it reads a machine, and a snapshot has none.

mod driving;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use driving::{quiet, row, start};
use futures_lite::future::block_on;
use serde::{Deserialize, Serialize};
use volt_durable::store::{MemoryStore, Status};
use volt_durable::{Child, ChildError, Durable, Res, Schema, Worker, child, join_all, sleep};

const DAY: Duration = Duration::from_secs(86_400);

/// Counts requests. Each worker has its own.
#[derive(Default)]
struct Shop(AtomicU64);

impl Shop {
    async fn charge(&self, cents: u64) -> u64 {
        self.0.fetch_add(1, Relaxed);
        cents
    }
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn pay(shop: Res<Shop>, cents: u64) -> u64 {
    #[step]
    #[state(First)]
    let first = shop.charge(cents).await;
    #[state(Waiting)]
    sleep(DAY).await;
    #[step]
    #[state(Second)]
    let second = shop.charge(cents).await;
    first + second
}

async fn run_with(store: &MemoryStore, shop: &Arc<Shop>) {
    let worker = Worker::new(store.clone()).with_shared(Arc::clone(shop));
    worker.runs::<Pay>().run_until(quiet()).await;
}

#[test]
fn each_worker_provides_its_own_resource() {
    block_on(async {
        let (store, _) = start(pay(Res::of_worker(), 5)).await;
        let shops = [Arc::<Shop>::default(), Arc::default()];
        run_with(&store, &shops[0]).await;
        assert_eq!(
            row::<Pay>(&store, "a").await.snapshot,
            r#"{"Waiting":{"shop":null,"cents":5,"first":5,"await":{"until":86400000}}}"#
        );
        store.advance(DAY);
        run_with(&store, &shops[1]).await;
        let outcome = row::<Pay>(&store, "a").await.outcome;
        assert_eq!(outcome.as_deref(), Some("10"));
        assert_eq!(shops.map(|shop| shop.0.load(Relaxed)), [1, 1]);
    });
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn charge_once(shop: Res<Shop>, cents: u64) -> u64 {
    #[step]
    shop.charge(cents).await
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn charge_all(list: Vec<u64>) -> u64 {
    let list = list.into_iter();
    let children: Vec<Child<ChargeOnce>> = list
        .map(|cents| child(charge_once(Res::of_worker(), cents)))
        .collect();
    #[state(Charging)]
    let charged: Vec<Result<u64, ChildError>> = join_all(children).limit(2).await;
    charged.into_iter().map(Result::unwrap_or_default).sum()
}

/// The worker finds the resources of each child in a list.
#[test]
fn joined_children_have_resources() {
    block_on(async {
        let (store, _) = start(charge_all(vec![1, 2, 3])).await;
        let worker = Worker::new(store.clone()).with(Shop::default());
        let worker = worker.runs::<ChargeAll>().runs::<ChargeOnce>();
        worker.run_until(quiet()).await;
        let outcome = row::<ChargeAll>(&store, "a").await.outcome;
        assert_eq!(outcome.as_deref(), Some("6"));
    });
}

trait Prices: Send + Sync {
    fn cents(&self) -> u64;
}

struct Fixed(u64);

impl Prices for Fixed {
    fn cents(&self) -> u64 {
        self.0
    }
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn price(prices: Res<dyn Prices>) -> u64 {
    #[state(Waiting)]
    sleep(Duration::ZERO).await;
    prices.cents()
}

#[test]
fn trait_object_is_a_resource() {
    block_on(async {
        let (store, _) = start(price(Res::of_worker())).await;
        let prices: Arc<dyn Prices> = Arc::new(Fixed(7));
        let worker = Worker::new(store.clone()).runs::<Price>();
        worker.with_shared(prices).run_until(quiet()).await;
        let outcome = row::<Price>(&store, "a").await.outcome;
        assert_eq!(outcome.as_deref(), Some("7"));
    });
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn pay_in_parts(parts: Vec<(String, Option<Res<Shop>>)>) -> u64 {
    let mut sum = 0;
    for (name, shop) in parts {
        #[state(Waiting)]
        sleep(Duration::ZERO).await;
        sum += u64::from(shop.is_some()) + name.len() as u64;
    }
    sum
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn pay_within(cents: u64) -> u64 {
    let shop: Res<Shop> = Res::of_worker();
    #[state(Paying)]
    pay(shop, cents).await
}

fn panic_of_run<M: Durable>() -> String {
    let worker = Worker::new(MemoryStore::new()).with(Fixed(1)).runs::<M>();
    let run = catch_unwind(AssertUnwindSafe(|| drop(worker.run_until(async {}))));
    let panic = run.expect_err("a worker without a shop");
    *panic.downcast::<String>().expect("a text")
}

#[test]
fn worker_without_a_resource_does_not_run() {
    drop((pay_in_parts(Vec::new()), pay_within(1)));
    for (text, machine) in [
        (panic_of_run::<Pay>(), "Pay"),
        (panic_of_run::<PayInParts>(), "PayInParts"),
        (panic_of_run::<PayWithin>(), "PayWithin"),
    ] {
        let missing = format!("Shop>` of machine `{machine}`\nhelp: add a value of `");
        assert!(text.contains(&missing), "{text}");
    }
}

#[test]
#[should_panic(expected = "two resources have the type")]
fn second_resource_of_a_type_panics() {
    let worker = Worker::new(MemoryStore::new()).with(Fixed(1));
    drop(worker.with(Fixed(2)));
}

/// serde reads such an enum as any value, so no probe finds the type of its parts.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Hidden {
    Shop { shop: Res<Shop> },
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn pay_hidden(hidden: Hidden) -> u64 {
    #[state(Waiting)]
    sleep(Duration::ZERO).await;
    let Hidden::Shop { shop } = hidden;
    shop.0.load(Relaxed)
}

#[test]
fn missing_resource_of_a_hidden_part_parks() {
    block_on(async {
        let shop = Res::of_worker();
        let (store, client) = start(pay_hidden(Hidden::Shop { shop })).await;
        let worker = || {
            Worker::new(store.clone())
                .runs::<PayHidden>()
                .on_error(|_| {})
        };
        let before = row::<PayHidden>(&store, "a").await.snapshot;
        worker().run_until(quiet()).await;
        let parked = row::<PayHidden>(&store, "a").await;
        assert_eq!((parked.status, parked.snapshot), (Status::Parked, before));
        client.retry(parked.id).await.expect("a parked machine");
        worker()
            .with(Shop(AtomicU64::new(3)))
            .run_until(quiet())
            .await;
        let outcome = row::<PayHidden>(&store, "a").await.outcome;
        assert_eq!(outcome.as_deref(), Some("3"));
    });
}

mod newer {
    use super::{DAY, Res, Shop, sleep};

    /// The build before had no resource.
    #[volt::state_machine(derive(Serialize, Deserialize), name = Bill)]
    pub(super) async fn bill(#[stored(default)] shop: Res<Shop>, cents: u64) -> u64 {
        #[state(Waiting)]
        sleep(DAY).await;
        #[step]
        #[state(Charging)]
        shop.charge(cents).await
    }
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn bill(cents: u64) -> u64 {
    #[state(Waiting)]
    sleep(DAY).await;
    cents
}

#[test]
fn added_resource_has_its_default() {
    block_on(async {
        let (store, _) = start(bill(5)).await;
        driving::run_quiet::<Bill>(&store).await;
        store.advance(DAY);
        let shop = Arc::<Shop>::default();
        let worker = Worker::new(store.clone()).runs::<newer::Bill>();
        let worker = worker.with_shared(Arc::clone(&shop));
        worker.run_until(quiet()).await;
        let outcome = row::<newer::Bill>(&store, "a").await.outcome;
        assert_eq!((outcome.as_deref(), shop.0.load(Relaxed)), (Some("5"), 1));
        drop(newer::bill(Res::of_worker(), 1));
    });
}

#[test]
#[should_panic(expected = "has no value: a worker provides it")]
fn handle_without_a_worker_has_no_value() {
    let shop: Res<Shop> = Res::of_worker();
    let _ = shop.0.load(Relaxed);
}

#[test]
fn handle_with_a_value_needs_no_worker() {
    let shop = Arc::<Shop>::default();
    let handle = Res::from(Arc::clone(&shop));
    assert_eq!(block_on(handle.clone().charge(3)), 3);
    assert_eq!(shop.0.load(Relaxed), 1);
    assert_eq!(serde_json::to_string(&handle).expect("a unit"), "null");
    let read: Res<Shop> = serde_json::from_str("null").expect("a handle");
    assert!(format!("{read:?}").ends_with("Shop>"), "{read:?}");
}

#[test]
fn schema_has_no_value_of_a_resource() {
    let schema = Schema::new().machine::<Pay>().to_json().expect("a text");
    assert!(schema.contains(r#""shop": "()""#), "{schema}");
}

/// A number that panics if it is odd, as the number of a sample.
#[derive(Serialize)]
struct Even(u64);

impl<'de> Deserialize<'de> for Even {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u64::deserialize(deserializer)?;
        assert!(number.is_multiple_of(2), "{number} is odd");
        Ok(Self(number))
    }
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn halve(pair: (Even, u64)) -> u64 {
    #[state(Waiting)]
    sleep(Duration::ZERO).await;
    pair.0.0 / 2 + pair.1
}

#[test]
fn panic_with_a_sample_is_explained() {
    block_on(async {
        let (store, _) = start(halve((Even(4), 1))).await;
        let errors = Arc::<Mutex<Vec<String>>>::default();
        let worker = Worker::new(store.clone()).runs::<Halve>();
        let worker = worker.on_error({
            let errors = Arc::clone(&errors);
            move |error| errors.lock().expect("no panic").push(error.to_string())
        });
        worker.run_until(quiet()).await;
        let errors = errors.lock().expect("no panic").join("\n");
        assert!(
            errors.contains("machine `Halve` has panicked with a sample"),
            "{errors}"
        );
        assert!(errors.contains(": 1 is odd"), "{errors}");
        let outcome = row::<Halve>(&store, "a").await.outcome;
        assert_eq!(outcome.as_deref(), Some("3"));
    });
}
