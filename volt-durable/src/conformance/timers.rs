//! Timers: they expire by the clock of the store, never early.

use std::time::{Duration, Instant};

use super::fixture::{
    Fixture, LONG, SHORT, claim_all, claim_one, known, message, row, save, save_of, send, start,
};
use crate::store::{Claimed, Continuation, KnownType, Status, Store, Wait};

/// The machine waits for a timer.
fn sleeps(claimed: &Claimed, duration: Duration) -> Continuation {
    Continuation::Waits(Wait {
        wake: Some(claimed.now.after(duration)),
        signals: Vec::new(),
    })
}

async fn next_wake<S: Store>(store: &S) -> Option<Duration> {
    store.next_wake(&known()).await.expect("a time")
}

/// A machine is claimed after its timer has expired, and not before.
pub async fn timer_is_never_early<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let long = start(&store, "long").await;
    let claimed = claim_one(&store).await;
    assert!(save(&store, &save_of(&claimed, sleeps(&claimed, LONG))).await);
    let short = start(&store, "short").await;
    let claimed = claim_one(&store).await;
    let wake = claimed.now.after(SHORT);
    assert!(save(&store, &save_of(&claimed, sleeps(&claimed, SHORT))).await);
    assert_eq!(row(&store, short).await.wake, Some(wake));
    fixture.pass(&store, SHORT).await;
    let claimed = claim_one(&store).await;
    assert_eq!(claimed.held.id, short);
    assert!(claimed.now >= wake, "{} is before {wake}", claimed.now);
    assert_eq!(row(&store, long).await.status, Status::Waiting);
}

/// The clock, as a worker computes it after a claim, is not before the store's own time.
pub async fn clock_is_not_before_a_later_claim<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    start(&store, "a").await;
    let before = Instant::now();
    let claimed = claim_one(&store).await;
    fixture.pass(&store, SHORT).await;
    start(&store, "b").await;
    let later = claim_one(&store).await.now;
    assert!(later >= claimed.now.after(SHORT - Duration::from_millis(1)));
    let clock = store.clock(claimed.now, before);
    assert!(clock >= later, "{clock} is before {later}");
}

/// The next wake is zero if a machine can run, and otherwise the time to the first timer.
pub async fn next_wake_is_the_first_timer<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    assert_eq!(next_wake(&store).await, None);
    start(&store, "a").await;
    assert_eq!(next_wake(&store).await, Some(Duration::ZERO));
    let claimed = claim_one(&store).await;
    assert!(save(&store, &save_of(&claimed, sleeps(&claimed, LONG * 2))).await);
    start(&store, "b").await;
    let claimed = claim_one(&store).await;
    assert!(save(&store, &save_of(&claimed, sleeps(&claimed, LONG))).await);
    let next = next_wake(&store).await.expect("a timer");
    assert!(next <= LONG && next > LONG / 2, "{next:?}");
    let other = KnownType {
        name: "Refund".into(),
        states: vec!["start".into()],
    };
    assert_eq!(store.next_wake(&[other]).await.expect("a time"), None);
}

/// The next wake includes the lease of a worker that may have crashed.
pub async fn next_wake_includes_leases<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    start(&store, "a").await;
    let claimed = claim_one(&store).await;
    let next = next_wake(&store).await.expect("a lease");
    assert!(next <= LONG && next > LONG / 2, "{next:?}");
    let outcome = "1".to_owned();
    assert!(save(&store, &save_of(&claimed, Continuation::Ends { outcome })).await);
    assert_eq!(next_wake(&store).await, None);
}

/// A machine that waits for a timer and a signal is claimed after the first of both.
pub async fn signal_comes_before_the_timer<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    start(&store, "a").await;
    let claimed = claim_one(&store).await;
    let both = Continuation::Waits(Wait {
        wake: Some(claimed.now.after(LONG)),
        signals: vec!["parcel".into()],
    });
    assert!(save(&store, &save_of(&claimed, both)).await);
    assert!(claim_all(&store).await.is_empty());
    send(&store, &message("a", "parcel", "1", "7")).await;
    assert_eq!(next_wake(&store).await, Some(Duration::ZERO));
    assert_eq!(claim_one(&store).await.messages.len(), 1);
}
