//! Transactions of steps: writes and save are stored together, or neither.

use super::fixture::{
    Fixture, SHORT, claim_all, claim_one, claim_one_for, message, row, save, save_of, send, start,
    waits_for,
};
use crate::store::{Continuation, OpenTransaction, Save, Status, Store};

/// A kind of store whose transactions the suite tests.
pub trait TransactionFixture: Fixture {
    /// Writes a text in a transaction.
    fn write(&self, transaction: &OpenTransaction, text: &str) -> impl Future<Output = ()>;

    /// Undoes the writes of a transaction.
    fn rollback(&self, transaction: &OpenTransaction);

    /// Returns the texts that are stored, in their order.
    fn written(&self, store: &Self::Store) -> impl Future<Output = Vec<String>>;
}

async fn begin<S: Store>(store: &S) -> OpenTransaction {
    let begun = store.begin().await.expect("a transaction");
    begun.expect("a store with transactions")
}

/// Commits a save. Returns `true` if it is stored.
async fn commit(transaction: OpenTransaction, save: Save) -> bool {
    let id = save.held.id;
    let lost = transaction.commit(save).await.expect("a result");
    assert!(lost.is_none_or(|lost| lost.id == id));
    lost.is_none()
}

/// The writes of a step are stored with the save, and the claim stays.
pub async fn writes_are_committed_with_the_save<F: TransactionFixture>(fixture: &F) {
    let store = fixture.open().await;
    let id = start(&store, "a").await;
    let claimed = claim_one(&store).await;
    let transaction = begin(&store).await;
    fixture.write(&transaction, "one").await;
    fixture.write(&transaction, "two").await;
    assert!(commit(transaction, save_of(&claimed, Continuation::Runs)).await);
    assert_eq!(fixture.written(&store).await, ["one", "two"]);
    let stored = row(&store, id).await;
    assert_eq!((stored.seq, stored.lease.is_some()), (1, true));
    assert!(claim_all(&store).await.is_empty());
}

/// A dropped transaction stores nothing, and the machine can be saved without it.
pub async fn dropped_transaction_is_undone<F: TransactionFixture>(fixture: &F) {
    let store = fixture.open().await;
    let id = start(&store, "a").await;
    let claimed = claim_one(&store).await;
    let before = row(&store, id).await;
    let transaction = begin(&store).await;
    fixture.write(&transaction, "one").await;
    drop(transaction);
    assert!(fixture.written(&store).await.is_empty());
    assert_eq!(row(&store, id).await, before);
    assert!(save(&store, &save_of(&claimed, Continuation::Runs)).await);
}

/// A worker whose claim has ended stores no writes of its step.
pub async fn writes_after_the_claim_are_undone<F: TransactionFixture>(fixture: &F) {
    let store = fixture.open().await;
    let id = start(&store, "a").await;
    let first = claim_one_for(&store, SHORT).await;
    fixture.pass(&store, SHORT).await;
    let second = claim_one(&store).await;
    let before = row(&store, id).await;
    let transaction = begin(&store).await;
    fixture.write(&transaction, "first").await;
    assert!(!commit(transaction, save_of(&first, Continuation::Runs)).await);
    assert!(fixture.written(&store).await.is_empty());
    assert_eq!(row(&store, id).await, before);
    let transaction = begin(&store).await;
    fixture.write(&transaction, "second").await;
    assert!(commit(transaction, save_of(&second, Continuation::Runs)).await);
    assert_eq!(fixture.written(&store).await, ["second"]);
}

/// A commit whose save has a wrong number stores no writes.
pub async fn writes_with_a_wrong_number_are_undone<F: TransactionFixture>(fixture: &F) {
    let store = fixture.open().await;
    start(&store, "a").await;
    let claimed = claim_one(&store).await;
    let first = save_of(&claimed, Continuation::Runs);
    for text in ["stored", "repeated"] {
        let transaction = begin(&store).await;
        fixture.write(&transaction, text).await;
        let is_stored = commit(transaction, first.clone()).await;
        assert_eq!(is_stored, text == "stored");
    }
    assert_eq!(fixture.written(&store).await, ["stored"]);
}

/// Writes before a rollback are not stored, and those after it are.
pub async fn rolled_back_writes_are_undone<F: TransactionFixture>(fixture: &F) {
    let store = fixture.open().await;
    let id = start(&store, "a").await;
    let claimed = claim_one(&store).await;
    let transaction = begin(&store).await;
    fixture.write(&transaction, "one").await;
    fixture.rollback(&transaction);
    fixture.write(&transaction, "two").await;
    assert!(commit(transaction, save_of(&claimed, Continuation::Runs)).await);
    assert_eq!(fixture.written(&store).await, ["two"]);
    assert_eq!(row(&store, id).await.seq, 1);
}

/// A transaction without writes commits the save.
pub async fn transaction_without_writes_saves<F: TransactionFixture>(fixture: &F) {
    let store = fixture.open().await;
    let id = start(&store, "a").await;
    let claimed = claim_one(&store).await;
    let outcome = "1".to_owned();
    let end = save_of(&claimed, Continuation::Ends { outcome });
    assert!(commit(begin(&store).await, end.clone()).await);
    assert_eq!(row(&store, id).await.status, Status::Done);
    assert!(!commit(begin(&store).await, end).await, "after the end");
}

/// A commit takes messages, and makes a machine claimable whose next message is stored.
pub async fn commit_takes_and_awaits_messages<F: TransactionFixture>(fixture: &F) {
    let store = fixture.open().await;
    start(&store, "a").await;
    send(&store, &message("a", "parcel", "1", "7")).await;
    send(&store, &message("a", "parcel", "2", "8")).await;
    let claimed = claim_one(&store).await;
    let transaction = begin(&store).await;
    fixture.write(&transaction, "one").await;
    let next = Save {
        taken: vec![claimed.messages[0].nr],
        ..save_of(&claimed, waits_for("parcel"))
    };
    assert!(commit(transaction, next).await);
    let again = claim_one(&store).await;
    assert_eq!(again.messages, claimed.messages[1..]);
}
