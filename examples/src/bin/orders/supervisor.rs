//! The process that starts the orders, and kills their workers.

use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use volt_durable::Client;
use volt_durable::store::{Filter, Row, Status, Store};

use crate::Outcome;
use crate::saga::{Fulfil, fulfil};
use crate::service::read_effects;

const WORKERS: u64 = 2;

const ITEMS: [&str; 6] = ["pen", "ink", "paper", "ruler", "stamp", "glue"];

/// An order, and its expected end.
struct Order {
    key: String,
    items: Vec<String>,
    is_solvent: bool,
    parcel: Option<String>,
}

impl Order {
    fn new(number: usize) -> Self {
        let items = ITEMS.into_iter().take(2 + number % 5);
        let is_solvent = !number.is_multiple_of(5);
        let is_sent = is_solvent && number.is_multiple_of(2);
        Self {
            key: format!("order-{number}"),
            items: items.map(str::to_owned).collect(),
            is_solvent,
            parcel: is_sent.then(|| format!("P{number}")),
        }
    }

    fn outcome(&self) -> String {
        match &self.parcel {
            Some(parcel) => format!("shipped {parcel}"),
            None if self.is_solvent => "never sent".to_owned(),
            None => "refused".to_owned(),
        }
    }

    /// Returns the effects, in their order.
    fn effects(&self) -> Vec<String> {
        let items = self.items.iter();
        let mut effects: Vec<_> = items.map(|item| format!("reserve {item}")).collect();
        if self.is_solvent {
            effects.push("charge".into());
        }
        if self.parcel.is_none() {
            effects.extend(self.is_solvent.then(|| "undo charge".to_owned()));
            let items = self.items.iter().rev();
            effects.extend(items.map(|item| format!("undo reserve {item}")));
        }
        effects
    }
}

/// Starts orders, kills workers until all orders have ended, and checks each.
///
/// `address` and `effects` are the arguments of the workers.
pub(crate) async fn run<S: Store + Clone>(
    store: S,
    address: &str,
    effects: &Path,
    count: usize,
) -> Outcome {
    if ended(&store, 1).await?.is_none_or(|rows| !rows.is_empty()) {
        return Err("the store has machines of an earlier run: use an empty database".into());
    }
    let begin = Instant::now();
    let orders: Vec<Order> = (0..count).map(Order::new).collect();
    start(&Client::new(store.clone()), &orders).await?;
    let kills = kill_workers(&store, address, effects, count).await?;
    let rows = ended(&store, count).await?;
    let effects = read_effects(effects)?;
    for (order, row) in orders.iter().zip(rows.ok_or("an order has not ended")?) {
        let expected = serde_json::to_string(&order.outcome())?;
        if row.outcome.as_ref() != Some(&expected) {
            return Err(format!("{} has ended with {:?}", order.key, row.outcome).into());
        }
        let found = effects
            .by_order
            .get(&order.key)
            .ok_or("an order without effects")?;
        if !found.values().eq(&order.effects()) {
            return Err(format!("{} has the effects {found:?}", order.key).into());
        }
    }
    println!(
        "{count} orders ended once, in {:.1} s",
        begin.elapsed().as_secs_f64()
    );
    println!(
        "{kills} workers were killed, and repeated {} requests",
        effects.repeated
    );
    Ok(())
}

/// Starts the orders, and sends the parcels. Both are sent twice, as by a caller that has lost the
/// first result.
async fn start<S: Store>(client: &Client<S>, orders: &[Order]) -> Outcome {
    for order in orders {
        for _ in 0..2 {
            let machine = fulfil(order.key.clone(), order.items.clone(), order.is_solvent);
            client.start(&order.key, machine).await?;
            if let Some(parcel) = &order.parcel {
                client
                    .send::<Fulfil>(&order.key, "parcel", "carrier-1", parcel)
                    .await?;
            }
        }
    }
    Ok(())
}

/// Runs workers, and kills one of them at random times, until all orders have ended. Returns the
/// number of kills.
async fn kill_workers<S: Store>(
    store: &S,
    address: &str,
    effects: &Path,
    count: usize,
) -> Outcome<u32> {
    let mut workers = Vec::new();
    for _ in 0..WORKERS {
        workers.push(Killed(spawn(address, effects)?));
    }
    let mut kills = 0;
    while ended(store, count).await?.is_none() {
        volt::time::sleep(Duration::from_millis(20 + random(150))).await;
        let victim = usize::try_from(random(WORKERS))?;
        // The signal is SIGKILL on Unix, so no code of the worker runs.
        workers[victim] = Killed(spawn(address, effects)?);
        kills += 1;
    }
    Ok(kills)
}

/// A worker, which is killed when this value is dropped.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        // The worker may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn spawn(address: &str, effects: &Path) -> Outcome<Child> {
    let mut worker = Command::new(std::env::current_exe()?);
    Ok(worker.args(["work", address]).arg(effects).spawn()?)
}

/// Returns the rows if all orders have ended.
async fn ended<S: Store>(store: &S, count: usize) -> Outcome<Option<Vec<Row>>> {
    let filter = Filter {
        limit: count,
        ..Filter::default()
    };
    let rows = store.list(&filter).await?;
    if let Some(row) = rows.iter().find(|row| row.status == Status::Parked) {
        return Err(format!("{} is parked: {:?}", row.key, row.error).into());
    }
    let is_done = rows.iter().all(|row| row.status == Status::Done);
    Ok(is_done.then_some(rows))
}

/// Removes the files of an earlier run on SQLite.
pub(crate) fn remove(file: &str, effects: &Path) -> Outcome {
    let database = ["", "-wal", "-shm"].map(|end| PathBuf::from(format!("{file}{end}")));
    for file in database.iter().map(PathBuf::as_path).chain([effects]) {
        match fs::remove_file(file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
    }
    Ok(())
}

/// Returns a random number below a limit.
fn random(limit: u64) -> u64 {
    RandomState::new().hash_one(Instant::now()) % limit
}
