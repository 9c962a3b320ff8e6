//! Saves: a snapshot is stored once, with all that belongs to it.

use super::fixture::{
    Fixture, LONG, NEXT_STATE, SHORT, claim, claim_all, claim_one, claim_one_for, claim_with, row,
    save, save_of, start,
};
use crate::store::{Continuation, Save, Status};

/// The next claim receives the saved snapshot, its state and its numbers.
pub async fn saved_snapshot_is_claimed_after_a_crash<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let id = start(&store, "a").await;
    let first = claim_one_for(&store, SHORT).await;
    let next = Save {
        next_step: 4,
        ..save_of(&first, Continuation::Runs)
    };
    assert!(save(&store, &next).await);
    fixture.pass(&store, SHORT).await;
    let second = claim_one(&store).await;
    assert_eq!((second.seq, second.next_step), (1, 4));
    assert_eq!(second.state, NEXT_STATE);
    assert!(second.snapshot.contains(r#""cents""#));
    assert_eq!(row(&store, id).await.state, NEXT_STATE);
}

/// The claim of a machine that runs on stays.
pub async fn save_of_a_running_machine_keeps_its_claim<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let id = start(&store, "a").await;
    let mut claimed = claim_one(&store).await;
    for _ in 0..3 {
        assert!(save(&store, &save_of(&claimed, Continuation::Runs)).await);
        claimed.seq += 1;
        assert!(claim_all(&store).await.is_empty());
    }
    let row = row(&store, id).await;
    assert_eq!((row.seq, row.status), (3, Status::Runnable));
}

/// A machine that yields can be claimed at once, after those that yielded before it.
pub async fn yielded_machines_are_claimed_in_order<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let mut ids = Vec::new();
    for key in ["a", "b"] {
        ids.push(start(&store, key).await);
    }
    let mut claimed = claim_all(&store).await;
    for claimed in claimed.iter().rev() {
        assert!(save(&store, &save_of(claimed, Continuation::Yields)).await);
        fixture.pass(&store, SHORT).await;
    }
    let yielded = row(&store, ids[1]).await;
    assert_eq!((yielded.seq, yielded.lease), (1, None));
    assert_eq!((yielded.status, yielded.attempts), (Status::Runnable, 0));
    claimed[1].seq += 1;
    let late = save_of(&claimed[1], Continuation::Runs);
    assert!(!save(&store, &late).await, "the claim has ended");
    for id in ids.iter().rev() {
        let next = claim(&store, &claim_with(1, LONG)).await;
        assert_eq!(
            next.iter().map(|next| next.held.id).collect::<Vec<_>>(),
            [*id]
        );
    }
}

/// A save that is sent twice is stored once, and one out of order is not stored.
pub async fn save_with_a_wrong_number_is_lost<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let id = start(&store, "a").await;
    let claimed = claim_one(&store).await;
    let first = save_of(&claimed, Continuation::Runs);
    assert!(save(&store, &first).await);
    assert!(!save(&store, &first).await, "the same save");
    let mut far = first.clone();
    far.seq += 2;
    assert!(!save(&store, &far).await, "a save after the next");
    assert_eq!(row(&store, id).await.seq, 1);
    let mut next = first;
    next.seq += 1;
    assert!(save(&store, &next).await);
}
