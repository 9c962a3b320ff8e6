//! Starts: a key names one machine.

use super::fixture::{
    Fixture, TYPE, claim_all, claim_one, new_machine, save, save_of, start, start_new,
};
use crate::store::{Continuation, Filter, NewMachine, Status, Store};

/// A second start with the same key returns the first machine, and changes nothing.
pub async fn start_with_the_same_key_changes_nothing<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let first = start_new(&store, &new_machine("a")).await;
    let other = NewMachine {
        snapshot: r#"{"start":{"cents":9}}"#.into(),
        ..new_machine("a")
    };
    let second = start_new(&store, &other).await;
    assert_eq!(
        (first.is_new, second.is_new, second.id),
        (true, false, first.id)
    );
    let claimed = claim_one(&store).await;
    assert_eq!(claimed.snapshot.replace(' ', ""), new_machine("a").snapshot);
}

/// A start after the end of the machine with that key creates no other machine.
pub async fn start_after_the_end_changes_nothing<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let id = start(&store, "a").await;
    let claimed = claim_one(&store).await;
    let outcome = "1".to_owned();
    assert!(save(&store, &save_of(&claimed, Continuation::Ends { outcome })).await);
    let again = start_new(&store, &new_machine("a")).await;
    assert_eq!((again.id, again.is_new), (id, false));
    assert!(claim_all(&store).await.is_empty());
}

/// Machines of two types may have the same key.
pub async fn key_belongs_to_its_type<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let order = start(&store, "a").await;
    let refund = NewMachine {
        machine_type: "Refund".into(),
        ..new_machine("a")
    };
    let refund = start_new(&store, &refund).await;
    assert!(refund.is_new);
    assert_ne!(refund.id, order);
}

/// A started machine is listed as runnable, with its first snapshot.
pub async fn started_machine_is_listed<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let id = start(&store, "a").await;
    let rows = store.list(&Filter::default()).await.expect("rows");
    let [row] = &rows[..] else {
        panic!("one row, not {rows:#?}")
    };
    assert_eq!((row.id, row.status), (id, Status::Runnable));
    assert_eq!((row.machine_type.as_str(), row.key.as_str()), (TYPE, "a"));
    assert_eq!((row.seq, row.fence, row.attempts), (0, 0, 0));
    assert_eq!((row.lease, &row.outcome, &row.error), (None, &None, &None));
}
