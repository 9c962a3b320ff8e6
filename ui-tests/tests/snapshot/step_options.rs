//! The options of steps: attempts, keys and transactions.

use std::cell::{Cell, RefCell};
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use volt::machine::{StepDriver, StepKey, StepStore, StoredState, transaction};

use super::steps::drive;
use super::{Future, poll, run};

thread_local! {
    /// The calls so far, each with its key, and the backoffs.
    static CALLS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

fn record(call: String) -> usize {
    CALLS.with_borrow_mut(|calls| {
        calls.push(call);
        calls.iter().filter(|call| call.starts_with("call")).count()
    })
}

/// Fails until the third call.
async fn flaky(key: StepKey) -> Result<u32, String> {
    let number = record(format!("call {key}"));
    volt::task::yield_now().await;
    match number {
        3 => Ok(7),
        number => Err(format!("failure {number}")),
    }
}

async fn wait(failed: u32) {
    record(format!("wait {failed}"));
    volt::task::yield_now().await;
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn repeated(name: String) -> Result<String, String> {
    #[step(retry = 2, backoff = wait, key = key)]
    #[state(Calling)]
    let value = flaky(key).await?;
    Ok(format!("{name} {value}"))
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn repeated_at_the_end(first: StepKey) -> Result<u32, String> {
    let mut value: u32 = 0;
    assert_eq!(value, 0);
    #[step(retry = 2)]
    #[state(Assigned)]
    value = flaky(first).await?;
    assert_eq!(value, 7);
    #[step(retry = 0)]
    flaky(first).await
}

#[test]
fn step_is_repeated_with_one_key_until_it_is_ok() {
    CALLS.take();
    let mut driver = StepDriver::new().with_machine_number(5);
    let (output, stored) = drive(repeated("a".into()), &mut driver);
    assert_eq!(output, Ok("a 7".into()));
    let expected = ["call 5-0", "wait 1", "call 5-0", "wait 2", "call 5-0"];
    assert_eq!(CALLS.take(), expected);
    let expected = [
        r#"{"Calling":{"name":"a","step_attempts":0,"await":0}}"#,
        r#"{"Calling":{"name":"a","step_attempts":1,"await":0}}"#,
        r#"{"Calling":{"name":"a","step_attempts":2,"await":0}}"#,
    ];
    assert_eq!(stored, expected);
}

/// Fails at every second call, and borrows its arguments.
async fn mail(customer: &str, text: &str) -> Result<String, String> {
    let is_first = CALLS.with_borrow(|calls| calls.len() % 2 == 0);
    record(format!("{customer} {text}"));
    volt::task::yield_now().await;
    if is_first {
        Err(text.to_owned())
    } else {
        Ok(text.to_uppercase())
    }
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn mails(customer: String, texts: Vec<String>) -> String {
    #[step(retry = 1)]
    #[state(First)]
    let _ = mail(&customer, "first").await;
    #[step(retry = 1)]
    #[state(Second)]
    let _: Result<String, String> = mail(&customer, "second").await;
    let mut last = String::new();
    for text in texts {
        #[step(retry = 1)]
        #[state(Listed)]
        let sent: Result<String, String> = mail(&customer, &text).await;
        last = sent.unwrap();
    }
    #[step(retry = 1)]
    #[state(Again)]
    let sent = mail(&customer, &last).await;
    sent.unwrap()
}

#[test]
fn repeated_steps_borrow_locals() {
    CALLS.take();
    let machine = mails("a".into(), vec!["b".into(), "c".into()]);
    let (output, stored) = drive(machine, &mut StepDriver::new());
    assert_eq!(output, "C");
    let calls = ["a first", "a second", "a b", "a c", "a C"];
    assert_eq!(CALLS.take(), calls.map(|call| [call; 2]).concat());
    let last = r#"{"Again":{"customer":"a","last":"C","step_attempts":1,"await":8}}"#;
    assert_eq!(stored.last().map(String::as_str), Some(last));
}

#[test]
fn last_error_is_the_value_of_the_step() {
    CALLS.take();
    let key = keys(two_keys())[0];
    assert_eq!(run(repeated_at_the_end(key)), Err("failure 4".into()));
    assert_eq!(run(repeated_at_the_end(key)), Err("failure 7".into()));
}

#[test]
fn failed_attempts_survive_a_crash() {
    let snapshot = r#"{"Calling":{"name":"a","step_attempts":2,"await":0}}"#;
    CALLS.take();
    let machine: Repeated = serde_json::from_str(snapshot).unwrap();
    let mut driver = StepDriver::resume(snapshot.to_owned(), 3).with_machine_number(5);
    let (output, stored) = drive(machine, &mut driver);
    assert_eq!(output, Err("failure 1".into()));
    assert_eq!(CALLS.take(), ["call 5-0"]);
    assert_eq!(stored, [""; 0]);
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn two_keys() -> Vec<StepKey> {
    let mut keys = Vec::new();
    for _ in 0..2 {
        #[step(key = key)]
        #[state(Keyed)]
        keys.push(key);
    }
    keys
}

fn keys(machine: impl Future<Output = Vec<StepKey>>) -> Vec<StepKey> {
    run(machine)
}

#[test]
fn each_step_has_its_own_key() {
    let mut driver = StepDriver::new().with_machine_number(9);
    let (found, _) = drive(two_keys(), &mut driver);
    let found: Vec<_> = found
        .iter()
        .map(|key| (key.machine(), key.step()))
        .collect();
    assert_eq!(found, [(9, 0), (9, 1)]);
    let without_driver = [keys(two_keys()), keys(two_keys())].concat();
    let different: std::collections::BTreeSet<_> = without_driver.iter().collect();
    assert_eq!(different.len(), 4);
}

/// The row of a machine, and a table that its steps write.
#[derive(Clone, Debug, Default, PartialEq)]
struct Row {
    snapshot: Option<(String, u64)>,
    output: Option<u64>,
    balance: u64,
}

/// A transaction: a copy of the row, which replaces the row at the commit.
type Transaction = Arc<Mutex<Row>>;

#[derive(Default)]
struct MemoryStore {
    row: Row,
}

impl StepStore<String, u64> for MemoryStore {
    type Transaction = Transaction;
    type Error = serde_json::Error;

    async fn begin(&mut self) -> Result<Transaction, serde_json::Error> {
        volt::task::yield_now().await;
        Ok(Arc::new(Mutex::new(self.row.clone())))
    }

    async fn commit(
        &mut self,
        transaction: Transaction,
        state: StoredState<'_, String, u64>,
    ) -> Result<(), serde_json::Error> {
        volt::task::yield_now().await;
        let mut row = transaction.lock().unwrap().clone();
        match state {
            StoredState::Waits {
                snapshot,
                next_step,
            } => row.snapshot = Some((snapshot.clone(), next_step)),
            StoredState::Returned(output) => row.output = Some(*output),
        }
        self.row = row;
        // The process may also end between the commit and its answer.
        volt::task::yield_now().await;
        Ok(())
    }
}

async fn debit(transaction: Option<Transaction>, cents: u64) -> u64 {
    volt::task::yield_now().await;
    let transaction = transaction.unwrap();
    transaction.lock().unwrap().balance += cents;
    volt::task::yield_now().await;
    transaction.lock().unwrap().balance
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn transfer(amounts: Vec<u64>) -> u64 {
    let mut last = 0;
    for cents in amounts {
        #[step(tx)]
        #[state(Debiting)]
        let balance = debit(transaction(), cents).await;
        last = balance;
    }
    last
}

/// Runs the transfer from the row. Returns `None` if the process ends after a number of polls.
fn transfer_until(store: &mut MemoryStore, mut polls: u32) -> Option<u64> {
    let mut driver = StepDriver::new();
    let mut machine = transfer(vec![5, 7]);
    if let Some((snapshot, next_step)) = store.row.snapshot.clone() {
        machine = serde_json::from_str(&snapshot).unwrap();
        driver = StepDriver::resume(snapshot, next_step);
    }
    let machine = pin!(machine);
    let mut running = pin!(driver.run_in(machine, serde_json::to_string, store));
    let mut cx = Context::from_waker(Waker::noop());
    while polls > 0 {
        polls -= 1;
        if let Poll::Ready(output) = running.as_mut().poll(&mut cx) {
            return Some(output.unwrap());
        }
    }
    None
}

#[test]
fn transaction_writes_once_whenever_the_process_ends() {
    let last = if cfg!(miri) { 6 } else { 24 };
    for first in 0..last {
        for second in 0..last {
            let mut store = MemoryStore::default();
            let ended = [first, second, u32::MAX].map(|polls| match store.row.output {
                Some(output) => Some(output),
                None => transfer_until(&mut store, polls),
            });
            assert_eq!(ended[2], Some(12), "{first} {second}");
            assert_eq!(store.row.balance, 12, "{first} {second}");
        }
    }
}

thread_local! {
    static DEBITS: Cell<u32> = const { Cell::new(0) };
}

/// Fails at the first call, after it has written.
async fn failing_debit(transaction: Option<Transaction>, key: StepKey) -> Result<u64, u64> {
    debit(transaction, 5 + key.step()).await;
    DEBITS.set(DEBITS.get() + 1);
    if DEBITS.get() == 1 {
        Err(key.step())
    } else {
        Ok(key.step())
    }
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn repeated_transfer() -> u64 {
    #[step(tx, retry = 1, key = key)]
    #[state(Debiting)]
    let step = failing_debit(transaction(), key).await;
    step.unwrap()
}

/// The writes of the failed attempt are not committed.
#[test]
fn repeated_transaction_has_the_first_key() {
    let mut store = MemoryStore::default();
    let machine = pin!(repeated_transfer());
    let mut driver = StepDriver::new();
    let running = driver.run_in(machine, serde_json::to_string, &mut store);
    assert_eq!(run(running).unwrap(), 0);
    assert_eq!((DEBITS.take(), store.row.balance), (2, 5));
    let stored = r#"{"Debiting":{"step_attempts":1,"await":0}}"#;
    assert_eq!(store.row.snapshot, Some((stored.to_owned(), 2)));
}

#[test]
fn transaction_is_missing_without_a_store() {
    let mut machine: Pin<Box<_>> = Box::pin(async { transaction::<Transaction>().is_none() });
    assert_eq!(poll(&mut machine), Poll::Ready(true));
    let mut driver: StepDriver<String> = StepDriver::new();
    driver.set_transaction(5_u32);
    assert_eq!(driver.take_transaction::<u64>(), None);
    assert_eq!(driver.take_transaction::<u32>(), Some(5));
}
