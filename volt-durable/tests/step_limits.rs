//! `Worker::limit_steps`: machines in one state at the same time, and those that wait.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use async_io::Timer;
use futures_lite::future::{block_on, or};
use volt_durable::store::{Filter, MemoryStore, Row, Status, Store};
use volt_durable::{Client, Durable, Worker, signal};

const SHORT: Duration = Duration::from_millis(3);
const HOUR: Duration = Duration::from_secs(3_600);

/// The number of calls at the same time, and the largest one.
struct Calls {
    now: AtomicUsize,
    most: AtomicUsize,
}

impl Calls {
    const fn new() -> Self {
        Self {
            now: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
        }
    }

    async fn call(&self) {
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        Timer::after(SHORT).await;
        self.now.fetch_sub(1, Ordering::SeqCst);
    }

    fn most(&self) -> usize {
        self.most.load(Ordering::SeqCst)
    }
}

async fn rows<S: Store>(store: &S) -> Vec<Row> {
    store.list(&Filter::default()).await.expect("rows")
}

fn worker<M: Durable>(store: &MemoryStore) -> Worker<MemoryStore> {
    Worker::new(store.clone()).runs::<M>().on_error(|_| {})
}

/// Starts machines with the keys `0`, `1` ..
async fn start_all<S, M>(store: &S, machines: impl IntoIterator<Item = M>)
where
    S: Store + Clone,
    M: Durable,
{
    let client = Client::new(store.clone());
    for (key, machine) in machines.into_iter().enumerate() {
        let started = client.start(key.to_string(), machine).await;
        started.expect("a machine");
    }
}

/// Waits until a number of machines are selected.
async fn until<S: Store>(store: &S, machines: usize, is_selected: impl Fn(&Row) -> bool) {
    let begin = Instant::now();
    loop {
        let rows = rows(store).await;
        if rows.iter().filter(|row| is_selected(row)).count() >= machines {
            return;
        }
        assert!(begin.elapsed() < Duration::from_secs(30), "{rows:#?}");
        Timer::after(Duration::from_millis(1)).await;
    }
}

/// Waits until a number of machines have ended.
async fn ended(store: &MemoryStore, machines: usize) {
    until(store, machines, |row| row.status.is_final()).await;
}

static CHARGES: Calls = Calls::new();

async fn call_to_charge() {
    CHARGES.call().await;
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn charge() {
    #[step]
    #[state(Charging)]
    call_to_charge().await;
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn charge_again() {
    #[step]
    #[state(Preparing)]
    std::future::ready(()).await;
    #[step]
    #[state(Charging)]
    call_to_charge().await;
}

#[test]
fn limit_bounds_the_steps_of_all_types() {
    block_on(async {
        let store = MemoryStore::new();
        start_all(&store, std::iter::repeat_with(charge).take(10)).await;
        start_all(&store, std::iter::repeat_with(charge_again).take(10)).await;
        let worker = worker::<Charge>(&store).runs::<ChargeAgain>();
        // A free place is noticed without a wait for the next claim.
        let worker = worker.limit_steps("Charging", 2).poll_interval(HOUR);
        worker.run_until(ended(&store, 20)).await;
        assert_eq!(CHARGES.most(), 2);
    });
}

static RECOVERED: Calls = Calls::new();

async fn call_to_recover() {
    RECOVERED.call().await;
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn recover() {
    #[step]
    #[state(Recovering)]
    call_to_recover().await;
}

/// Machines of a crashed worker are claimed only while there are places.
#[test]
fn recovered_machines_wait_for_places() {
    block_on(async {
        let store = MemoryStore::new();
        start_all(&store, std::iter::repeat_with(recover).take(9)).await;
        let first = worker::<Recover>(&store).lease(Duration::from_millis(50));
        let mut first = Box::pin(first.run_until(std::future::pending::<()>()));
        let all_run = until(&store, 9, |row| row.state == "Recovering");
        or(first.as_mut(), all_run).await;
        drop(first); // A crash: the claims are not released.
        let claimed = rows(&store).await;
        assert!(
            claimed
                .iter()
                .all(|row| row.lease.is_some() && row.state == "Recovering")
        );
        RECOVERED.most.store(0, Ordering::SeqCst);
        RECOVERED.now.store(0, Ordering::SeqCst);
        let second = worker::<Recover>(&store).limit_steps("Recovering", 3);
        let watch = async {
            loop {
                let now = rows(&store).await;
                let claimed = now
                    .iter()
                    .filter(|row| row.fence > 1 && row.lease.is_some());
                assert!(claimed.count() <= 3, "more claims than places");
                if now.iter().all(|row| row.status == Status::Done) {
                    return;
                }
                Timer::after(Duration::from_millis(1)).await;
            }
        };
        second.run_until(watch).await;
        assert_eq!(RECOVERED.most(), 3);
    });
}

static TURNS: Mutex<Vec<usize>> = Mutex::new(Vec::new());

async fn take_turn(machine: usize) {
    TURNS.lock().expect("no panic").push(machine);
    Timer::after(SHORT).await;
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn take_turns(machine: usize) {
    for _ in 0..4 {
        #[step]
        #[state(Taking)]
        take_turn(machine).await;
    }
}

/// A machine that reaches its next step of the name goes behind those that wait.
#[test]
fn waiting_machines_take_turns() {
    block_on(async {
        let store = MemoryStore::new();
        start_all(&store, (0..3).map(take_turns)).await;
        let worker = worker::<TakeTurns>(&store).limit_steps("Taking", 1);
        worker.run_until(ended(&store, 3)).await;
        let turns = TURNS.lock().expect("no panic");
        let rounds = turns.chunks(3).map(|round| {
            let mut round = round.to_vec();
            round.sort_unstable();
            round
        });
        let rounds: Vec<_> = rounds.collect();
        assert_eq!(rounds, vec![vec![0, 1, 2]; 4], "{turns:?}");
    });
}

async fn never_ends() {
    std::future::pending::<()>().await;
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn block() {
    #[step]
    #[state(Blocking)]
    never_ends().await;
}

/// Returns the keys of the machines that run in the step, and of those that wait for it.
fn blocked(rows: &[Row]) -> (Vec<&str>, Vec<&str>) {
    let keys = |runs: bool| {
        let blocked = rows.iter().filter(|row| row.state == "Blocking");
        let selected = blocked.filter(|row| row.lease.is_some() == runs);
        selected.map(|row| row.key.as_str()).collect()
    };
    (keys(true), keys(false))
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn reply() -> u32 {
    7
}

/// Machines that wait are not in memory, so machines of other types run.
#[test]
fn waiting_machines_use_no_room() {
    block_on(async {
        let store = MemoryStore::paused();
        start_all(&store, std::iter::repeat_with(block).take(5)).await;
        let worker = worker::<Block>(&store).runs::<Reply>();
        let worker = worker.limit_steps("Blocking", 1).max_machines(2);
        let client = Client::new(store.clone());
        worker
            .run_until(async {
                client.start("a", reply()).await.expect("a machine");
                client.outcome::<Reply>("a").await.expect("an outcome");
                let rows = rows(&store).await;
                let (run, wait) = blocked(&rows);
                assert_eq!((run.len(), wait.len()), (1, 4));
                let waits = rows
                    .iter()
                    .filter(|row| row.lease.is_none() && row.key != "a");
                assert!(waits.into_iter().all(|row| row.status == Status::Runnable));
            })
            .await;
    });
}

#[cfg(feature = "sqlite")]
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn charge_and_block() {
    #[step]
    #[state(Charging)]
    std::future::ready(()).await;
    #[step]
    #[state(Blocking)]
    never_ends().await;
}

/// The store reports no change for a save of a machine that runs on.
#[cfg(feature = "sqlite")]
#[test]
fn place_is_free_after_the_next_save() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join(format!("step-limits-{}.db", std::process::id()));
    let _ = std::fs::remove_file(&file);
    block_on(async {
        let store = volt_durable::store::SqliteStore::open(file).await;
        let store = store.expect("a new file");
        start_all(&store, std::iter::repeat_with(charge_and_block).take(4)).await;
        let worker = Worker::new(store.clone()).runs::<ChargeAndBlock>();
        let worker = worker.limit_steps("Charging", 1).poll_interval(HOUR);
        let all_block = until(&store, 4, |row| row.state == "Blocking");
        worker.run_until(all_block).await;
    });
}

/// A machine that waits for a place can be cancelled, and one that runs leaves its place.
#[test]
fn cancelled_machine_leaves_its_place() {
    block_on(async {
        let store = MemoryStore::paused();
        start_all(&store, std::iter::repeat_with(block).take(3)).await;
        let worker = worker::<Block>(&store).limit_steps("Blocking", 1);
        let worker = worker.lease(Duration::from_millis(100));
        worker
            .run_until(async {
                until(&store, 3, |row| row.state == "Blocking").await;
                let rows = rows(&store).await;
                assert_eq!(blocked(&rows), (vec!["0"], vec!["1", "2"]));
                for id in [rows[1].id, rows[0].id] {
                    assert!(store.cancel(id).await.expect("a result"));
                }
                until(&store, 1, |row| row.key == "2" && row.lease.is_some()).await;
            })
            .await;
    });
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn fail(fails: bool) {
    #[step]
    #[state(Failing)]
    call_or_panic(fails).await;
}

async fn call_or_panic(panics: bool) {
    Timer::after(SHORT).await;
    assert!(!panics, "the service has failed");
}

#[test]
fn panicked_machine_leaves_its_place() {
    block_on(async {
        let store = MemoryStore::new();
        start_all(&store, [true, false, false].map(fail)).await;
        let worker = worker::<Fail>(&store).limit_steps("Failing", 1);
        let worker = worker.retry_delay(HOUR).poll_interval(HOUR);
        worker.run_until(ended(&store, 2)).await;
        assert_eq!(rows(&store).await[0].status, Status::Waiting);
    });
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn receive() -> u32 {
    #[state(Receiving)]
    let number: u32 = signal("number").await;
    number
}

/// The worker claims a machine that a message has made runnable, while its state has a place.
#[test]
fn limited_state_can_wait_for_a_signal() {
    block_on(async {
        let store = MemoryStore::paused();
        start_all(&store, std::iter::repeat_with(receive).take(2)).await;
        let worker = worker::<Receive>(&store).limit_steps("Receiving", 1);
        let client = Client::new(store.clone());
        let outcomes = worker.run_until(async {
            until(&store, 2, |row| row.status == Status::Waiting).await;
            let mut outcomes = Vec::new();
            for (key, number) in [("1", 1), ("0", 2)] {
                let sent = client.send::<Receive>(key, "number", "id", &number).await;
                sent.expect("a message");
                outcomes.push(client.outcome::<Receive>(key).await.expect("an outcome"));
            }
            outcomes
        });
        assert_eq!(outcomes.await, [1, 2]);
    });
}

#[test]
#[should_panic(expected = "no machine of the worker has the state `Chargin` of `limit_steps`")]
fn limit_of_an_unknown_state_panics() {
    let worker = Worker::new(MemoryStore::new()).runs::<Charge>();
    drop(worker.limit_steps("Chargin", 1).run_until(async {}));
}

#[test]
#[should_panic(expected = "with a limit of 0, no machine runs in the state `Charging`")]
fn limit_of_no_places_panics() {
    let _ = Worker::new(MemoryStore::new()).limit_steps("Charging", 0);
}
