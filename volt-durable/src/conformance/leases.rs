//! Leases: an expired one allows the next claim, which ends the one before.

use super::fixture::{
    Fixture, LONG, SHORT, claim_all, claim_one, claim_one_for, claim_with, message, row, save,
    save_of, send, start, waits_for,
};
use crate::store::{AfterFailure, Continuation, Failure, Lost, Store};

/// After the lease has expired, the next claim has a larger fence and the same snapshot.
pub async fn expired_lease_allows_the_next_claim<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    start(&store, "a").await;
    let first = claim_one_for(&store, SHORT).await;
    fixture.pass(&store, SHORT).await;
    let second = claim_one(&store).await;
    assert!(second.held.fence > first.held.fence);
    assert_eq!((second.seq, second.attempts), (first.seq, 2));
    assert_eq!(second.snapshot, first.snapshot);
}

/// A worker whose claim has ended stores nothing, takes no message and ends no claim.
pub async fn worker_after_its_claim_changes_nothing<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let id = start(&store, "a").await;
    send(&store, &message("a", "parcel", "1", "7")).await;
    let first = claim_one_for(&store, SHORT).await;
    fixture.pass(&store, SHORT).await;
    let second = claim_one(&store).await;
    let before = row(&store, id).await;
    let late = |then| {
        let mut late = save_of(&first, then);
        late.taken = vec![first.messages[0].nr];
        late
    };
    for then in [
        Continuation::Runs,
        waits_for("parcel"),
        Continuation::Ends {
            outcome: "1".into(),
        },
    ] {
        assert!(!save(&store, &late(then)).await, "a late save is stored");
    }
    let failure = Failure {
        held: first.held,
        error: "late".into(),
        then: AfterFailure::Park,
    };
    let failed = store.fail(&failure).await.expect("a result");
    assert_eq!(failed, Some(Lost { id }));
    store.release(&[first.held]).await.expect("ignored");
    let renewed = store.renew(&[first.held], SHORT).await.expect("a result");
    assert_eq!(renewed, [Lost { id }]);
    assert_eq!(row(&store, id).await, before);
    assert_eq!(second.messages, first.messages);
    assert!(save(&store, &save_of(&second, Continuation::Runs)).await);
}

/// A renewal sets the lease from now on.
pub async fn renewed_lease_prevents_claims<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    start(&store, "a").await;
    let claimed = claim_one_for(&store, SHORT).await;
    let lost = store.renew(&[claimed.held], LONG).await.expect("a result");
    assert_eq!(lost, []);
    fixture.pass(&store, SHORT).await;
    assert!(claim_all(&store).await.is_empty());
    let lost = store.renew(&[claimed.held], SHORT).await.expect("a result");
    assert_eq!(lost, []);
    fixture.pass(&store, SHORT).await;
    claim_one(&store).await;
}

/// A lost claim does not prevent the saves of other machines in the same call.
pub async fn lost_save_leaves_the_others<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    start(&store, "a").await;
    start(&store, "b").await;
    let claimed = store.claim(&claim_with(9, LONG)).await.expect("claimed");
    let mut saves: Vec<_> = claimed
        .iter()
        .map(|claimed| save_of(claimed, Continuation::Runs))
        .collect();
    saves[0].held.fence += 1;
    let lost = store.save(&saves).await.expect("a result");
    assert_eq!(
        lost,
        [Lost {
            id: saves[0].held.id
        }]
    );
    assert_eq!(row(&store, saves[0].held.id).await.seq, 0);
    assert_eq!(row(&store, saves[1].held.id).await.seq, 1);
}
