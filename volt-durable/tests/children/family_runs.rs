//! Runs of families, with a crash of their worker at each save.

use std::collections::BTreeSet;
use std::time::Duration;

use futures_lite::future::{block_on, or, yield_now};
use volt_durable::store::{Crash, CrashingStore, Filter, MemoryStore, Row, Status, Store};
use volt_durable::{Client, Durable, Worker};

use crate::families::{
    AwaitFailing, AwaitRepaired, DAY, Fail, GiveUp, LetRun, LoseAtOnce, PassCancellationOn, Ship,
    ShipMany, ShipOne, ShipTwo, WaitLong, alone, take_steps,
};

pub(crate) const LEASE: Duration = Duration::from_secs(1);

pub(crate) fn worker<S: Store + Clone>(store: S) -> Worker<S> {
    let worker = Worker::new(store).lease(LEASE).on_error(|_| {});
    let worker = worker.runs::<Ship>().runs::<WaitLong>().runs::<Fail>();
    let worker = worker
        .runs::<ShipOne>()
        .runs::<ShipTwo>()
        .runs::<ShipMany>();
    let worker = worker
        .runs::<GiveUp>()
        .runs::<LetRun>()
        .runs::<PassCancellationOn>();
    worker
        .runs::<AwaitFailing>()
        .runs::<AwaitRepaired>()
        .runs::<LoseAtOnce>()
}

/// Completes after a worker has done all that is ready.
pub(crate) async fn quiet() {
    for _ in 0..200 {
        yield_now().await;
    }
}

pub(crate) async fn run_quiet(store: &MemoryStore) {
    worker(store.clone()).run_until(quiet()).await;
}

pub(crate) async fn rows(store: &MemoryStore) -> Vec<Row> {
    store.list(&Filter::default()).await.expect("rows")
}

/// The result of a run: the outcomes by type and key without the numbers, and the steps.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) outcomes: Vec<(String, Status, Option<String>)>,
    pub(crate) steps: BTreeSet<u64>,
}

pub(crate) async fn ran(store: &MemoryStore) -> Ran {
    let rows = rows(store).await.into_iter();
    let outcomes = rows.map(|row| (row.machine_type, row.status, row.outcome));
    let mut outcomes: Vec<_> = outcomes.collect();
    outcomes.sort_by_key(|(name, _, outcome)| (name.clone(), outcome.clone()));
    Ran {
        outcomes,
        steps: take_steps(),
    }
}

/// Runs a family for some days, with a crash after a number of saves. Returns `true` after a crash.
pub(crate) fn run_family<M: Durable>(
    machine: M,
    saves: u64,
    crash: Crash,
    cancels: bool,
) -> (Ran, bool) {
    block_on(async {
        take_steps();
        let store = MemoryStore::paused();
        let client = Client::new(store.clone());
        client.start("a", machine).await.expect("a machine");
        let crashing = CrashingStore::new(&store, saves, crash);
        let mut has_crashed = false;
        for _ in 0..6 {
            if !has_crashed {
                has_crashed = run_until_crash(&crashing).await;
                store.advance(LEASE);
            }
            run_quiet(&store).await;
            if cancels {
                client.cancel::<M>("a").await.expect("a request");
            }
            store.advance(DAY);
        }
        (ran(&store).await, has_crashed)
    })
}

/// Runs a worker until it crashes or until the store is quiet. Returns `true` after a crash.
pub(crate) async fn run_until_crash(store: &CrashingStore) -> bool {
    let crashed = store.crashed();
    let crashed = async {
        crashed.await;
        true
    };
    let ran = async {
        worker(store.clone()).run_until(quiet()).await;
        false
    };
    or(crashed, ran).await
}

/// Compares runs with a crash before and after each save to one without a crash. Returns that one.
pub(crate) fn ran_with_crashes<M: Durable>(machine: impl Fn() -> M, cancels: bool) -> Ran {
    let _alone = alone();
    let (plain, has_crashed) = run_family(machine(), u64::MAX, Crash::Before, cancels);
    assert!(!has_crashed);
    for crash in [Crash::Before, Crash::After] {
        for saves in 0.. {
            let (ran, has_crashed) = run_family(machine(), saves, crash, cancels);
            assert_eq!(ran, plain, "{crash:?} save {saves}");
            if !has_crashed {
                break;
            }
        }
    }
    plain
}

/// Returns the outcomes of the machines of a type that have returned.
pub(crate) fn outcomes<'r>(ran: &'r Ran, machine_type: &str) -> Vec<&'r str> {
    let rows = ran
        .outcomes
        .iter()
        .filter(|(name, ..)| name == machine_type);
    rows.map(|(_, _, outcome)| outcome.as_deref().expect("an outcome"))
        .collect()
}

pub(crate) async fn row(store: &MemoryStore, machine_type: &str) -> Row {
    let rows = rows(store).await;
    let row = rows
        .into_iter()
        .find(|row| row.machine_type == machine_type);
    row.expect("a row of the type")
}

/// Starts a machine and runs it until the store is quiet.
pub(crate) async fn start_quiet<M: Durable>(machine: M) -> MemoryStore {
    let store = MemoryStore::paused();
    let client = Client::new(store.clone());
    client.start("a", machine).await.expect("a machine");
    run_quiet(&store).await;
    store
}
