//! A family whose worker loses its connection at each commit, before it is run or after: the
//! outcome is unknown then. Each machine ends once.

use std::time::Duration;

use async_io::Timer;
use volt_durable::store::{Filter, PostgresStore, Row, Status};
use volt_durable::{
    Cancelled, Child, ChildError, Client, Worker, cancellable, child, join, join_all, signal,
    timeout,
};

use super::proxy::{Cut, Proxy};
use crate::server::{new_schema, open, run};

async fn weigh(parcel: u64) -> u64 {
    parcel * 10
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn pack(parcel: u64) -> u64 {
    #[step]
    #[state(Weighing)]
    let weight: u64 = weigh(parcel).await;
    weight + 1
}

/// A child that waits for its cancellation.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn wait_long() -> bool {
    #[state(WaitingLong)]
    let waited: Result<u64, Cancelled> = cancellable(signal("never")).await;
    waited.is_err()
}

type Packed = Result<u64, ChildError>;

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn pack_all() -> Vec<u64> {
    #[state(PackingTwo)]
    let both: (Packed, Packed) = join(child(pack(1)), child(pack(2))).await;
    let parcels: Vec<Child<Pack>> = (3..=5).map(|parcel| child(pack(parcel))).collect();
    #[state(PackingThree)]
    let three: Vec<Packed> = join_all(parcels).limit(2).await;
    #[state(GivingUp)]
    let late: Option<Result<bool, ChildError>> =
        timeout(Duration::from_millis(1), child(wait_long())).await;
    let mut packed = vec![both.0.unwrap_or(0), both.1.unwrap_or(0)];
    packed.extend(three.into_iter().map(|one| one.unwrap_or(0)));
    packed.push(u64::from(late.is_none()));
    packed
}

/// The types and outcomes of all machines.
const OUTCOMES: [(&str, &str); 7] = [
    ("Pack", "11"),
    ("Pack", "21"),
    ("Pack", "31"),
    ("Pack", "41"),
    ("Pack", "51"),
    ("PackAll", "[11,21,31,41,51,1]"),
    ("WaitLong", "true"),
];

/// Opens a store through the proxy, whose cut may be at one of the first requests.
async fn open_through(proxy: &Proxy, schema: &str) -> PostgresStore {
    loop {
        let (through, schema) = (proxy.clone(), schema.to_owned());
        let store = PostgresStore::connect_with(move || through.connect(&schema)).await;
        if let Ok(store) = store {
            return store;
        }
    }
}

async fn all_ended(client: &Client<PostgresStore>) -> Vec<Row> {
    loop {
        let rows = client.list(&Filter::default()).await.expect("rows").rows;
        if rows.iter().all(|row| row.status.is_final()) {
            return rows;
        }
        Timer::after(Duration::from_millis(5)).await;
    }
}

/// Runs a family whose worker loses its connection at a commit. Returns `true` if it was lost.
async fn run_with_cut(commits: usize, cut: Cut) -> bool {
    let schema = new_schema();
    let client = Client::new(open(&schema).await);
    let proxy = Proxy::to_commit(commits, cut);
    let store = open_through(&proxy, &schema).await;
    let worker = Worker::new(store)
        .runs::<Pack>()
        .runs::<WaitLong>()
        .runs::<PackAll>()
        .lease(Duration::from_millis(300))
        .poll_interval(Duration::from_millis(20))
        .retry_delay(Duration::from_millis(1))
        .max_attempts(1_000)
        .on_error(|_| {});
    client.start("a", pack_all()).await.expect("a machine");
    let rows = worker.run_until(all_ended(&client)).await;
    let mut outcomes: Vec<_> = rows.iter().map(outcome).collect();
    outcomes.sort_unstable();
    assert_eq!(outcomes, OUTCOMES, "{cut:?} {commits}");
    proxy.has_cut()
}

fn outcome(row: &Row) -> (&str, &str) {
    assert_eq!(row.status, Status::Done, "{row:#?}");
    let outcome = row.outcome.as_deref().expect("an outcome");
    (&row.machine_type, outcome)
}

fn cut_each_commit(cut: Cut) {
    run(async {
        let mut commits = 0;
        while run_with_cut(commits, cut).await {
            commits += 1;
        }
        assert!(commits > 20, "{cut:?}: {commits} commits");
    });
}

#[test]
fn family_survives_a_cut_before_each_commit() {
    cut_each_commit(Cut::BeforeRequest);
}

#[test]
fn family_survives_a_cut_behind_each_commit() {
    cut_each_commit(Cut::BeforeAnswer);
}
