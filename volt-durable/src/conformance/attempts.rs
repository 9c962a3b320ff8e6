//! Attempts: a machine that fails again and again is parked, and an operator can retry it.

use std::slice;
use std::time::Duration;

use super::fixture::{
    Fixture, LONG, SHORT, claim, claim_all, claim_one, claim_one_for, claim_with, message,
    new_machine, row, save, save_of, send, start, start_new, waits_for,
};
use crate::store::{AfterFailure, Claim, Claimed, Continuation, Failure, MachineId, Status, Store};

fn at_most(max_attempts: u32, lease: Duration) -> Claim {
    Claim {
        max_attempts,
        ..claim_with(9, lease)
    }
}

async fn fail<S: Store>(store: &S, claimed: &Claimed, error: &str, then: AfterFailure) {
    let failure = Failure {
        held: claimed.held,
        error: error.into(),
        then,
    };
    let lost = store.fail(&failure).await.expect("a result");
    assert_eq!(lost, None);
}

/// Starts and parks a machine.
async fn parked<S: Store>(store: &S) -> MachineId {
    let id = start(store, "a").await;
    let claimed = claim_one(store).await;
    fail(store, &claimed, "no such state", AfterFailure::Park).await;
    id
}

/// A machine whose workers end without a report is parked after its last attempt.
pub async fn machine_without_reports_is_parked<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let id = start(&store, "a").await;
    for attempt in 1..=3 {
        let claimed = claim(&store, &at_most(3, SHORT)).await;
        assert_eq!(claimed.len(), 1);
        assert_eq!(claimed[0].attempts, attempt);
        fixture.pass(&store, SHORT).await;
    }
    assert!(claim(&store, &at_most(3, LONG)).await.is_empty());
    let row = row(&store, id).await;
    assert_eq!(row.status, Status::Parked);
    assert_eq!((row.seq, row.attempts), (0, 3));
    assert!(row.error.is_some());
}

/// A machine that is parked without a report keeps the error of an earlier attempt.
pub async fn parked_machine_keeps_its_error<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let id = start(&store, "a").await;
    let after = Duration::ZERO;
    let first = claim_one(&store).await;
    fail(&store, &first, "broken", AfterFailure::Retry { after }).await;
    assert_eq!(claim(&store, &at_most(2, SHORT)).await.len(), 1);
    fixture.pass(&store, SHORT).await;
    assert!(claim(&store, &at_most(2, LONG)).await.is_empty());
    let parked = row(&store, id).await;
    assert_eq!(parked.status, Status::Parked);
    assert_eq!(parked.error.as_deref(), Some("broken"));
}

/// A save resets attempts and error.
pub async fn save_resets_the_attempts<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let id = start(&store, "a").await;
    let after = Duration::ZERO;
    let first = claim_one(&store).await;
    fail(&store, &first, "broken", AfterFailure::Retry { after }).await;
    let second = claim_one_for(&store, SHORT).await;
    assert_eq!(second.attempts, 2);
    assert_eq!(row(&store, id).await.error.as_deref(), Some("broken"));
    assert!(save(&store, &save_of(&second, Continuation::Runs)).await);
    let saved = row(&store, id).await;
    assert_eq!((saved.attempts, saved.error), (0, None));
    fixture.pass(&store, SHORT).await;
    assert_eq!(claim_one(&store).await.attempts, 1);
}

/// A failed machine is claimed after the delay, with its snapshot and its attempts.
pub async fn failed_machine_is_claimed_after_the_delay<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let id = start(&store, "a").await;
    let claimed = claim_one(&store).await;
    fail(
        &store,
        &claimed,
        "broken",
        AfterFailure::Retry { after: LONG },
    )
    .await;
    assert!(claim_all(&store).await.is_empty());
    assert_eq!(row(&store, id).await.error.as_deref(), Some("broken"));
    let other = start_new(&store, &new_machine("b")).await.id;
    let claimed = claim_one(&store).await;
    fail(
        &store,
        &claimed,
        "broken",
        AfterFailure::Retry { after: SHORT },
    )
    .await;
    fixture.pass(&store, SHORT).await;
    let again = claim_one(&store).await;
    assert_eq!((again.held.id, again.attempts, again.seq), (other, 2, 0));
}

/// A parked row is not changed by claims, and keeps its messages.
pub async fn parked_row_is_unchanged<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let id = parked(&store).await;
    let before = row(&store, id).await;
    assert_eq!(before.status, Status::Parked);
    assert_eq!(before.error.as_deref(), Some("no such state"));
    send(&store, &message("a", "parcel", "1", "7")).await;
    start_new(&store, &new_machine("a")).await;
    assert!(claim_all(&store).await.is_empty());
    assert_eq!(row(&store, id).await, before);
}

/// A retry makes a parked machine runnable with all attempts, and delivers its messages.
pub async fn retry_continues_a_parked_machine<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let id = parked(&store).await;
    send(&store, &message("a", "parcel", "1", "7")).await;
    assert!(store.retry(id).await.expect("a result"));
    assert!(!store.retry(id).await.expect("a result"), "it is runnable");
    let claimed = claim_one(&store).await;
    assert_eq!((claimed.held.id, claimed.attempts), (id, 1));
    assert_eq!(claimed.messages.len(), 1);
    let outcome = "1".to_owned();
    let end = save_of(&claimed, Continuation::Ends { outcome });
    let lost = store.save(slice::from_ref(&end)).await.expect("a result");
    assert_eq!(lost, []);
}

/// A retry ends the delay of a failed attempt. It changes no machine that has not failed.
pub async fn retry_ends_the_delay_of_a_failure<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let id = start(&store, "a").await;
    assert!(!store.retry(id).await.expect("a result"), "it is runnable");
    let claimed = claim_one(&store).await;
    assert!(!store.retry(id).await.expect("a result"), "it is claimed");
    let after = AfterFailure::Retry { after: LONG };
    fail(&store, &claimed, "broken", after).await;
    assert!(store.retry(id).await.expect("a result"));
    let retried = row(&store, id).await;
    assert_eq!((retried.status, retried.wake), (Status::Runnable, None));
    assert_eq!(retried.error.as_deref(), Some("broken"));
    let again = claim_one(&store).await;
    assert_eq!((again.attempts, again.seq), (1, 0));
    assert!(save(&store, &save_of(&again, waits_for("parcel"))).await);
    assert!(!store.retry(id).await.expect("a result"), "it waits");
}

/// A machine whose lease has expired twice is claimed alone. One whose failure was reported is not.
pub async fn suspects_are_claimed_one_at_a_time<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    for key in ["a", "b", "c"] {
        start(&store, key).await;
    }
    let request = |suspects| Claim {
        suspects,
        ..at_most(4, SHORT)
    };
    for _ in 0..2 {
        assert_eq!(claim(&store, &request(0)).await.len(), 3);
        fixture.pass(&store, SHORT * 2).await;
    }
    assert_eq!(claim(&store, &request(0)).await, []);
    let suspects = claim(&store, &request(1)).await;
    assert_eq!(suspects.len(), 1);
    let after = Duration::ZERO;
    fail(
        &store,
        &suspects[0],
        "broken",
        AfterFailure::Retry { after },
    )
    .await;
    let others = claim(&store, &request(1)).await;
    assert_eq!(others.len(), 2, "a suspect and the machine with a report");
    fixture.pass(&store, SHORT * 2).await;
    let suspects = claim(&store, &request(1)).await;
    assert!(save(&store, &save_of(&suspects[0], Continuation::Runs)).await);
}
