//! Steps with transactions: their writes are stored once, with the next snapshot.

mod adding;
mod driving;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use adding::{Add, add, known};
use driving::{quiet, row, run_quiet, start, worker};
use futures_lite::future::{block_on, or, yield_now};
use volt::machine::transaction;
use volt_durable::store::{
    Claim, Crash, CrashingStore, MemoryStore, MemoryTransaction, Status, Store,
};
use volt_durable::{Client, Durable, Worker};

const DAY: Duration = Duration::from_secs(86_400);

/// The writes to each book, in their order.
static BOOKS: Mutex<BTreeMap<String, Vec<u64>>> = Mutex::new(BTreeMap::new());

fn written(book: &str) -> Vec<u64> {
    let books = BOOKS.lock().expect("no panic");
    books.get(book).cloned().unwrap_or_default()
}

/// Writes to a book in the transaction of a step.
async fn debit(transaction: Option<MemoryTransaction>, book: &str, cents: u64) -> u64 {
    let transaction = transaction.expect("the transaction of the step");
    let book = book.to_owned();
    transaction.on_commit(move || {
        let mut books = BOOKS.lock().expect("no panic");
        books.entry(book).or_default().push(cents);
    });
    // The step of a large amount takes longer than its lease.
    for _ in 0..cents {
        yield_now().await;
    }
    cents
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn transfer(book: String, amounts: Vec<u64>) -> u64 {
    let mut sum = 0;
    for cents in amounts {
        #[step(tx)]
        #[state(Debiting)]
        let debited = debit(transaction(), &book, cents).await;
        sum += debited;
    }
    sum
}

/// Runs a worker until it crashes, and returns `true`, or until the store is quiet.
async fn run_until_crash(store: &MemoryStore, saves: u64, crash: Crash) -> bool {
    let crashing = CrashingStore::new(store, saves, crash);
    let crashed = crashing.crashed();
    let worker = Worker::new(crashing).runs::<Transfer>();
    let ran = async {
        worker.run_until(quiet()).await;
        false
    };
    let crashed = async {
        crashed.await;
        true
    };
    or(crashed, ran).await
}

#[test]
fn writes_are_stored_once_with_each_crash() {
    for crash in [Crash::Before, Crash::After] {
        for saves in 0.. {
            let book = format!("{crash:?} {saves}");
            let has_crashed = block_on(async {
                let (store, client) = start(transfer(book.clone(), vec![1, 2, 3])).await;
                let has_crashed = run_until_crash(&store, saves, crash).await;
                store.advance(DAY);
                run_quiet::<Transfer>(&store).await;
                assert_eq!(client.outcome::<Transfer>("a").await.expect("a sum"), 6);
                has_crashed
            });
            assert_eq!(written(&book), [1, 2, 3], "{book}");
            if !has_crashed {
                // There is a save before each step and one at the end.
                assert_eq!(saves, 4);
                break;
            }
        }
    }
}

async fn debit_or_fail(
    book: &str,
    failures: u64,
    transaction: Option<MemoryTransaction>,
) -> Result<u64, String> {
    let attempt = {
        static ATTEMPTS: Mutex<BTreeMap<String, u64>> = Mutex::new(BTreeMap::new());
        let mut attempts = ATTEMPTS.lock().expect("no panic");
        let attempt = attempts.entry(book.to_owned()).or_default();
        *attempt += 1;
        *attempt
    };
    debit(transaction, book, attempt).await;
    if attempt > failures {
        Ok(attempt)
    } else {
        Err(format!("attempt {attempt} has failed"))
    }
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn retry(book: String, failures: u64) -> Result<u64, String> {
    #[step(tx, retry = 2)]
    #[state(Trying)]
    let debited = debit_or_fail(&book, failures, transaction()).await;
    debited
}

async fn outcome_of<M: Durable>(machine: M) -> M::Outcome {
    let (store, client) = start(machine).await;
    run_quiet::<M>(&store).await;
    client.outcome::<M>("a").await.expect("an outcome")
}

#[test]
fn writes_of_failed_attempts_are_undone() {
    block_on(async {
        assert_eq!(outcome_of(retry("third".into(), 2)).await, Ok(3));
        assert_eq!(written("third"), [3]);
        let outcome = outcome_of(retry("none".into(), 9)).await;
        assert_eq!(outcome, Err("attempt 3 has failed".into()));
        assert!(written("none").is_empty());
    });
}

async fn debit_and_panic(book: &str, transaction: Option<MemoryTransaction>) -> u64 {
    debit(transaction, book, 1).await;
    static HAS_PANICKED: Mutex<bool> = Mutex::new(false);
    let has_panicked = {
        let mut flag = HAS_PANICKED.lock().expect("no panic");
        std::mem::replace(&mut *flag, true)
    };
    assert!(has_panicked, "the service is broken");
    1
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn panic_once(book: String) -> u64 {
    #[step(tx)]
    #[state(Debiting)]
    debit_and_panic(&book, transaction()).await
}

#[test]
fn writes_of_a_panicking_step_are_undone() {
    block_on(async {
        let (store, client) = start(panic_once("panic".into())).await;
        run_quiet::<PanicOnce>(&store).await;
        assert!(written("panic").is_empty());
        let failed = row::<PanicOnce>(&store, "a").await;
        assert_eq!((failed.status, failed.seq), (Status::Waiting, 1));
        store.advance(DAY);
        run_quiet::<PanicOnce>(&store).await;
        assert_eq!(
            client.outcome::<PanicOnce>("a").await.expect("an outcome"),
            1
        );
        assert_eq!(written("panic"), [1]);
    });
}

/// Another worker claims the machine while its step runs.
#[test]
fn writes_after_a_lost_lease_are_undone() {
    block_on(async {
        let (store, _) = start(transfer("lost".into(), vec![70])).await;
        let claim = Claim {
            known: vec![known("Transfer", "Debiting")],
            limit: 1,
            lease: DAY,
            max_attempts: 5,
            suspects: 1,
        };
        let running = worker::<Transfer>(&store).run_until(async {
            while row::<Transfer>(&store, "a").await.state != "Debiting" {
                yield_now().await;
            }
            store.advance(DAY);
            let mut claimed = store.claim(&claim).await.expect("a claim");
            quiet().await;
            claimed.pop().expect("the machine of the other worker")
        });
        let claimed = running.await;
        assert!(written("lost").is_empty());
        assert_eq!(row::<Transfer>(&store, "a").await.fence, claimed.held.fence);
        store.release(&[claimed.held]).await.expect("released");
        run_quiet::<Transfer>(&store).await;
        assert_eq!(written("lost"), [70]);
    });
}

/// Machines without such a step run on the store.
#[test]
fn store_without_transactions_parks_the_machine() {
    block_on(async {
        let store = MemoryStore::paused();
        let client = Client::new(store.clone());
        let machine = transfer("parked".into(), vec![1]);
        client.start("a", machine).await.expect("a machine");
        let plain = CrashingStore::new(&store, u64::MAX, Crash::Before).without_transactions();
        client.start("b", add(0)).await.expect("a machine");
        let worker = Worker::new(plain).runs::<Transfer>().runs::<Add>();
        let worker = worker.on_error(|_| {});
        worker.run_until(quiet()).await;
        let parked = row::<Transfer>(&store, "a").await;
        assert_eq!((parked.status, parked.seq), (Status::Parked, 1));
        let error = parked.error.expect("an error");
        assert_eq!(error, "the store has no transactions for `#[step(tx)]`");
        assert_eq!(row::<Add>(&store, "b").await.status, Status::Done);
    });
}
