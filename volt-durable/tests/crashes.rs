//! Workers that crash at each save: another worker continues, and each order ends once.

mod shop;

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_lite::future::{block_on, or};
use shop::{Fulfil, fulfil, take_effects};
use volt_durable::store::{
    Claim, Crash, CrashingStore, Filter, KnownType, MemoryStore, Status, Store,
};
use volt_durable::{Client, Worker};

const LEASE: Duration = Duration::from_secs(30);

/// The tests share the effects of the shop, so one runs at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn worker<S: Store + Clone>(store: S) -> Worker<S> {
    Worker::new(store).runs::<Fulfil>().lease(LEASE)
}

/// Moves the clock to the next timer or expiry of a lease whenever the store is quiet.
async fn pass_time(store: MemoryStore) {
    loop {
        for _ in 0..20 {
            futures_lite::future::yield_now().await;
        }
        store.advance(Duration::from_secs(10));
    }
}

/// Runs a worker until it crashes, and returns `true`, or until all machines have ended.
async fn run_until_crash(store: &MemoryStore, saves: u64, crash: Crash) -> bool {
    let crashing = CrashingStore::new(store, saves, crash);
    let crashed = crashing.crashed();
    let ended = worker(crashing).run_until(all_ended(store.clone()));
    let ended = or(async { (ended.await, false).1 }, async {
        crashed.await;
        true
    });
    or(ended, async {
        pass_time(store.clone()).await;
        false
    })
    .await
}

async fn all_ended(store: MemoryStore) {
    loop {
        let changed = store.changed();
        let rows = store.list(&Filter::default()).await.expect("rows");
        if rows.iter().all(|row| row.status.is_final()) {
            return;
        }
        changed.await;
    }
}

async fn outcomes(store: &MemoryStore) -> Vec<String> {
    let rows = store.list(&Filter::default()).await.expect("rows");
    let outcome = |outcome: Option<String>| outcome.expect("the outcome of an order");
    rows.into_iter().map(|row| outcome(row.outcome)).collect()
}

/// Starts one order, with a message or without.
async fn start_order(store: &MemoryStore, has_parcel: bool) {
    let client = Client::new(store.clone());
    let items = vec!["pen".into(), "ink".into()];
    let started = client.start("a", fulfil("a".into(), items)).await;
    assert!(started.expect("an order").is_new);
    if has_parcel {
        let sent = client.send::<Fulfil>("a", "parcel", "1", &"P1").await;
        sent.expect("a message");
    }
}

/// Runs one order with a crash of its worker after a number of saves. Returns the outcome, the
/// effects, and `true` if there was a crash.
fn run_order(
    has_parcel: bool,
    saves: u64,
    crash: Crash,
) -> (String, BTreeMap<String, (String, u32)>, bool) {
    block_on(async {
        take_effects();
        let store = MemoryStore::paused();
        start_order(&store, has_parcel).await;
        let has_crashed = run_until_crash(&store, saves, crash).await;
        if has_crashed {
            assert!(!run_until_crash(&store, u64::MAX, crash).await);
        }
        let outcome = outcomes(&store).await.remove(0);
        (outcome, take_effects(), has_crashed)
    })
}

/// Compares runs with a crash at each save to a run without one.
fn check_each_save(has_parcel: bool, expected: &str, effects: usize) {
    let (outcome, plain, _) = run_order(has_parcel, u64::MAX, Crash::Before);
    assert_eq!(outcome, expected);
    assert_eq!(plain.len(), effects);
    assert!(plain.values().all(|(_, requests)| *requests == 1));
    for crash in [Crash::Before, Crash::After] {
        let mut crashes = 0;
        loop {
            let (outcome, found, has_crashed) = run_order(has_parcel, crashes, crash);
            assert_eq!(outcome, expected, "{crash:?} save {crashes}");
            let effect = |effects: &BTreeMap<String, (String, u32)>| -> Vec<_> {
                let effects = effects.iter();
                effects
                    .map(|(key, (effect, _))| (key.clone(), effect.clone()))
                    .collect()
            };
            assert_eq!(effect(&found), effect(&plain), "{crash:?} save {crashes}");
            let requests: u32 = found.values().map(|(_, requests)| requests).sum();
            let most = effects + usize::from(crash == Crash::Before);
            assert!(
                requests as usize <= most,
                "{crash:?} save {crashes}: {found:#?}"
            );
            if !has_crashed {
                break;
            }
            crashes += 1;
        }
        // Each step and each wait has a save, and so has the end.
        assert!(crashes > effects as u64, "{crashes} saves");
    }
}

/// Crashes the worker of an order after each of its saves, and returns the largest snapshot.
fn largest_snapshot(has_parcel: bool) -> String {
    let mut largest = String::new();
    for saves in 0.. {
        let row = block_on(async {
            let store = MemoryStore::paused();
            // The times in a snapshot have as many digits as those of today.
            store.advance(Duration::from_secs(1_800_000_000));
            start_order(&store, has_parcel).await;
            let has_crashed = run_until_crash(&store, saves, Crash::After).await;
            let rows = store.list(&Filter::default()).await.expect("rows");
            has_crashed.then(|| rows[0].snapshot.clone())
        });
        let Some(snapshot) = row else {
            assert!(saves > 5, "{saves} saves");
            break;
        };
        if snapshot.len() > largest.len() {
            largest = snapshot;
        }
    }
    largest
}

/// The bar of `docs/performance/durable-steps.md`.
#[test]
fn stored_order_has_at_most_200_bytes() {
    let _alone = alone();
    for has_parcel in [true, false] {
        let largest = largest_snapshot(has_parcel);
        assert!(largest.len() <= 200, "{} bytes: {largest}", largest.len());
    }
}

#[test]
fn shipped_order_survives_each_crash() {
    let _alone = alone();
    check_each_save(true, r#""a: shipped P1""#, 3);
}

#[test]
fn refunded_order_survives_each_crash() {
    let _alone = alone();
    check_each_save(false, r#""a: refunded""#, 6);
}

/// A small generator of numbers, so that each run can be repeated.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

/// A cancellation that is requested before the parcel arrives has precedence.
fn is_cancelled(order: usize) -> bool {
    order % 3 == 2
}

/// Two workers crash after random numbers of saves, while the clock cuts leases short.
async fn run_random(seed: u64) {
    let mut numbers = Numbers(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let store = MemoryStore::paused();
    let client = Client::new(store.clone());
    for order in 0..6_usize {
        let key = format!("order-{order}");
        let items = vec!["pen".into(); usize::try_from(numbers.below(3)).expect("small")];
        client
            .start(&key, fulfil(key.clone(), items))
            .await
            .expect("an order");
        if is_cancelled(order) {
            for _ in 0..2 {
                client.cancel::<Fulfil>(&key).await.expect("a request");
            }
        }
        if order % 2 == 0 {
            for _ in 0..2 {
                let parcel = order.to_string();
                let sent = client.send::<Fulfil>(&key, "parcel", "event", &parcel);
                sent.await.expect("a message");
            }
        }
    }
    let mut crashes = 0;
    loop {
        let mut life = || {
            let crash = if numbers.below(2) == 0 {
                Crash::Before
            } else {
                Crash::After
            };
            (numbers.below(12), crash)
        };
        let (first, second) = (life(), life());
        let one = run_until_crash(&store, first.0, first.1);
        let other = run_until_crash(&store, second.0, second.1);
        if !or(one, other).await {
            break;
        }
        crashes += 1;
        assert!(crashes < 1_000, "seed {seed} does not end");
    }
    for (order, outcome) in outcomes(&store).await.into_iter().enumerate() {
        let is_shipped = order % 2 == 0 && !is_cancelled(order);
        let expected = if is_shipped {
            format!(r#""order-{order}: shipped {order}""#)
        } else {
            format!(r#""order-{order}: refunded""#)
        };
        assert_eq!(outcome, expected, "seed {seed}");
    }
    let rows = store.list(&Filter::default()).await.expect("rows");
    assert!(rows.iter().all(|row| row.status == Status::Done));
}

#[test]
fn orders_end_once_with_random_crashes() {
    let _alone = alone();
    let seeds: u64 = std::env::var("SEEDS").map_or(60, |seeds| seeds.parse().expect("a number"));
    for seed in 0..seeds {
        take_effects();
        block_on(run_random(seed));
        // Effects with one key are equal, or the service panics and an order is parked.
        let effects = take_effects();
        let is_charge = |effect: &str| effect.ends_with("charge") && !effect.contains("undo");
        let charges = effects.values().filter(|(effect, _)| is_charge(effect));
        assert_eq!(charges.count(), 6, "seed {seed}: {effects:#?}");
    }
}

#[test]
fn crashed_worker_releases_nothing() {
    let _alone = alone();
    let store = MemoryStore::paused();
    block_on(async {
        start_order(&store, true).await;
        let claim = Claim {
            known: vec![KnownType {
                name: "Fulfil".into(),
                states: vec!["start".into()],
            }],
            limit: 1,
            lease: LEASE,
            max_attempts: 8,
            suspects: 1,
        };
        let crashing = CrashingStore::new(&store, 0, Crash::Before);
        let held = crashing
            .claim(&claim)
            .await
            .expect("a claim")
            .remove(0)
            .held;
        let saved = crashing.until_crash(crashing.save(&[]));
        assert!(saved.await.is_none(), "the worker crashes");
        crashing.release(&[held]).await.expect("nothing");
        assert_eq!(store.claim(&claim).await.expect("a claim").len(), 0);
        store.advance(LEASE);
        assert_eq!(store.claim(&claim).await.expect("a claim").len(), 1);
    });
}
