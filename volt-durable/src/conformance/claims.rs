//! Claims: one worker has a machine, if it knows type and state.

use std::collections::BTreeSet;
use std::slice;

use super::fixture::{
    Fixture, LONG, NEXT_STATE, TYPE, claim, claim_all, claim_one, claim_with, new_machine, row,
    save, save_of, start, start_new,
};
use crate::store::{Claim, Continuation, KnownType, NewMachine, Status, Store};

/// A claimed machine is not claimed again while its lease is valid.
pub async fn claimed_machine_belongs_to_one_worker<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let id = start(&store, "a").await;
    let claimed = claim_one(&store).await;
    assert_eq!(claimed.held.id, id);
    assert_eq!(
        (claimed.seq, claimed.next_step, claimed.attempts),
        (0, 0, 1)
    );
    assert_eq!(
        (claimed.machine_type.as_str(), claimed.key.as_str()),
        (TYPE, "a")
    );
    assert!(claim_all(&store).await.is_empty());
    assert!(row(&store, id).await.lease.is_some());
}

/// Two workers that claim in turn never claim the same machine.
pub async fn claims_of_two_workers_are_disjoint<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    for key in 0..10 {
        start(&store, &key.to_string()).await;
    }
    let mut ids = BTreeSet::new();
    let mut rounds = 0;
    loop {
        let claimed = claim(&store, &claim_with(3, LONG)).await;
        assert!(claimed.len() <= 3, "more machines than the limit");
        if claimed.is_empty() {
            break;
        }
        rounds += 1;
        for claimed in claimed {
            assert!(ids.insert(claimed.held.id), "claimed twice");
        }
    }
    assert_eq!((ids.len(), rounds), (10, 4));
}

/// A machine of an unknown type is not claimed.
pub async fn machine_of_an_unknown_type_is_left<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let other = NewMachine {
        machine_type: "Refund".into(),
        ..new_machine("a")
    };
    let id = start_new(&store, &other).await.id;
    let before = row(&store, id).await;
    assert!(claim_all(&store).await.is_empty());
    assert_eq!(row(&store, id).await, before);
}

/// A machine in a state that the build does not have is not claimed.
pub async fn machine_in_an_unknown_state_is_left<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let id = start(&store, "a").await;
    let old_build = Claim {
        known: vec![KnownType {
            name: TYPE.into(),
            states: vec![NEXT_STATE.into()],
        }],
        ..claim_with(9, LONG)
    };
    let before = row(&store, id).await;
    assert!(claim(&store, &old_build).await.is_empty());
    assert_eq!(row(&store, id).await, before);
    assert_eq!(claim_one(&store).await.held.id, id);
}

/// A state belongs to its type: another type with a state of that name does not count.
pub async fn state_of_another_type_is_unknown<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    start(&store, "a").await;
    let known = |name: &str, state: &str| KnownType {
        name: name.into(),
        states: vec![state.into()],
    };
    let mixed = Claim {
        known: vec![known(TYPE, NEXT_STATE), known("Refund", "start")],
        ..claim_with(9, LONG)
    };
    assert!(claim(&store, &mixed).await.is_empty());
}

/// A released machine is claimed at once, and the attempt does not count.
pub async fn released_machine_is_claimed_at_once<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    start(&store, "a").await;
    let first = claim_one(&store).await;
    store.release(&[first.held]).await.expect("released");
    let second = claim_one(&store).await;
    assert_eq!(second.attempts, 1);
    assert!(second.held.fence > first.held.fence);
    // The first claim has ended.
    store.release(&[first.held]).await.expect("ignored");
    assert!(claim_all(&store).await.is_empty());
}

/// A machine that has returned is not claimed, and its outcome is listed.
pub async fn ended_machine_is_never_claimed<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let id = start(&store, "a").await;
    let claimed = claim_one(&store).await;
    let outcome = r#""shipped""#.to_owned();
    let end = save_of(&claimed, Continuation::Ends { outcome });
    assert!(save(&store, &end).await);
    assert!(claim_all(&store).await.is_empty());
    let row = row(&store, id).await;
    assert_eq!((row.status, row.lease), (Status::Done, None));
    assert_eq!(row.outcome.as_deref(), Some(r#""shipped""#));
    let again = store.save(slice::from_ref(&end)).await.expect("a result");
    assert_eq!(again.len(), 1, "a save after the end is lost");
}
