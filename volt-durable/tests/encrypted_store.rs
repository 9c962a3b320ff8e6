//! The values of an `EncryptedStore` are encrypted, and the store keeps each guarantee of `Store`.

mod encrypting;
mod paused_store;

use futures_lite::future::{block_on, yield_now};
use volt_durable::store::{EncryptedStore, Filter, MemoryStore, Row, Status, Store};
use volt_durable::{Child, ChildError, Client, Error, Worker, child, signal};

use encrypting::{AesGcm, Encrypting};
use paused_store::Paused;

volt_durable::conformance_tests!(Encrypting(Paused), block_on);

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn greet(name: String) -> String {
    #[state(Greeting)]
    let word: String = signal("word").await;
    format!("{word} {name}")
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn ask(name: String) -> String {
    let asked: Child<Greet> = child(greet(name));
    #[state(Asking)]
    let greeting: Result<String, ChildError> = asked.await;
    greeting.unwrap_or_else(|error| error.to_string())
}

fn worker<S: Store + Clone>(store: &S) -> Worker<S> {
    Worker::new(store.clone())
        .runs::<Greet>()
        .runs::<Ask>()
        .on_error(|_| {})
}

async fn rows<S: Store>(store: &S) -> Vec<Row> {
    store.list(&Filter::default()).await.expect("rows")
}

/// Runs a worker until the machine is parked or has ended, with this status.
async fn run_until<S: Store + Clone>(store: &S, status: Status) {
    let reached = async {
        loop {
            let row = rows(store).await.remove(0);
            if matches!(row.status, Status::Parked | Status::Done) {
                return row;
            }
            yield_now().await;
        }
    };
    let row = worker(store).run_until(reached).await;
    assert_eq!(row.status, status, "{row:?}");
}

/// Starts `greet` and stores the message for it.
async fn start<S: Store>(client: &Client<S>, name: &str) {
    let machine = greet(name.to_owned());
    client.start("a", machine).await.expect("a machine");
    let sent = client.send::<Greet>("a", "word", "1", &"Hello").await;
    sent.expect("a message");
}

#[test]
fn stored_values_are_encrypted() {
    block_on(async {
        let plain = MemoryStore::paused();
        let store = EncryptedStore::new(plain.clone(), AesGcm(1));
        let client = Client::new(store.clone());
        start(&client, "Ada").await;
        let before = rows(&plain).await.remove(0);
        assert!(!before.snapshot.contains("Ada"), "{before:?}");
        run_until(&store, Status::Done).await;
        let row = rows(&plain).await.remove(0);
        assert!(!format!("{row:?}").contains("Ada"), "{row:?}");
        let outcome = client.outcome::<Greet>("a").await.expect("an outcome");
        assert_eq!(outcome, "Hello Ada");
    });
}

#[test]
fn parent_receives_a_decrypted_outcome() {
    block_on(async {
        let store = EncryptedStore::new(MemoryStore::paused(), AesGcm(1));
        let client = Client::new(store.clone());
        let machine = ask("Ada".to_owned());
        client.start("a", machine).await.expect("a machine");
        let outcome = worker(&store).run_until(async {
            let child = loop {
                let rows = rows(&store).await;
                match rows.into_iter().find(|row| row.machine_type == "Greet") {
                    Some(child) => break child,
                    None => yield_now().await,
                }
            };
            let sent = client.send::<Greet>(&child.key, "word", "1", &"Hello");
            sent.await.expect("a message");
            client.outcome::<Ask>("a").await
        });
        assert_eq!(outcome.await.expect("an outcome"), "Hello Ada");
    });
}

#[test]
fn wrong_key_parks_the_row_unchanged() {
    block_on(async {
        let plain = MemoryStore::paused();
        let right = EncryptedStore::new(plain.clone(), AesGcm(1));
        let client = Client::new(right.clone());
        start(&client, "Ada").await;
        let before = rows(&plain).await.remove(0);
        let wrong = EncryptedStore::new(plain.clone(), AesGcm(2));
        run_until(&wrong, Status::Parked).await;
        let parked = rows(&plain).await.remove(0);
        let error = "the snapshot cannot be decrypted: the key is another one, or the value was \
                     changed";
        assert_eq!(parked.error.as_deref(), Some(error));
        assert_eq!(
            (&parked.snapshot, &parked.state, parked.seq),
            (&before.snapshot, &before.state, before.seq)
        );
        // The machine continues with the right key, and its message is not lost.
        assert!(client.retry(parked.id).await.expect("a result"));
        run_until(&right, Status::Done).await;
        let outcome = client.outcome::<Greet>("a").await.expect("an outcome");
        assert_eq!(outcome, "Hello Ada");
        let stranger = Client::new(wrong).outcome::<Greet>("a").await;
        assert!(matches!(stranger, Err(Error::Encrypted(_))), "{stranger:?}");
    });
}

#[test]
fn message_of_another_key_parks_the_row() {
    block_on(async {
        let plain = MemoryStore::paused();
        let store = EncryptedStore::new(plain.clone(), AesGcm(1));
        let machine = greet("Ada".to_owned());
        let started = Client::new(store.clone()).start("a", machine).await;
        started.expect("a machine");
        let stranger = Client::new(EncryptedStore::new(plain.clone(), AesGcm(2)));
        let sent = stranger.send::<Greet>("a", "word", "1", &"Hello").await;
        sent.expect("a message");
        run_until(&store, Status::Parked).await;
        let error = rows(&plain).await.remove(0).error.expect("an error");
        assert!(error.starts_with("the message `word` cannot be decrypted: "));
    });
}

#[test]
fn plain_values_are_refused() {
    block_on(async {
        let plain = MemoryStore::paused();
        start(&Client::new(plain.clone()), "Eve").await;
        let store = EncryptedStore::new(plain.clone(), AesGcm(1));
        run_until(&store, Status::Parked).await;
        let row = rows(&plain).await.remove(0);
        let error = "the snapshot cannot be decrypted: it is not encrypted";
        assert_eq!(row.error.as_deref(), Some(error));
    });
}

/// A machine for a start in a transaction of the caller.
#[test]
fn prepared_machine_is_encrypted() {
    block_on(async {
        let inner = MemoryStore::new();
        let store = EncryptedStore::new(inner.clone(), AesGcm(1));
        let client = Client::new(store.clone());
        let new = client.new_machine("a", greet("Ada".to_owned()));
        let new = new.expect("a machine");
        assert!(!new.snapshot.contains("Ada"), "{new:?}");
        inner.start(&new).await.expect("a machine");
        let sent = client.send::<Greet>("a", "word", "1", &"Hello").await;
        assert!(sent.is_ok());
        run_until(&store, Status::Done).await;
    });
}
