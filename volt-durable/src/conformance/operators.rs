//! Operators: cancellation, lists of rows, and deletion.

use std::time::Duration;

use super::fixture::{
    FIRST_STATE, Fixture, LONG, NEXT_STATE, SHORT, TYPE, claim_all, claim_one, claim_one_for,
    message, new_machine, row, save, save_of, send, start, start_new, waits_for,
};
use crate::store::{
    AfterFailure, Continuation, Failure, Filter, Lost, NewMachine, Row, Sent, Status, Store,
};

async fn cancel<S: Store>(store: &S, row: &Row) -> bool {
    store.cancel(row.id).await.expect("a result")
}

async fn keys<S: Store>(store: &S, filter: Filter) -> Vec<String> {
    let rows = store.list(&filter).await.expect("rows");
    rows.into_iter().map(|row| row.key).collect()
}

/// A cancelled machine is not claimed, and its worker loses the claim.
pub async fn cancelled_machine_is_lost<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let id = start(&store, "a").await;
    let claimed = claim_one(&store).await;
    assert!(cancel(&store, &row(&store, id).await).await);
    let cancelled = row(&store, id).await;
    assert_eq!(cancelled.status, Status::Cancelled);
    let lost = store.renew(&[claimed.held], LONG).await.expect("a result");
    assert_eq!(lost, [Lost { id }]);
    assert!(!save(&store, &save_of(&claimed, Continuation::Runs)).await);
    assert!(claim_all(&store).await.is_empty());
    assert!(!cancel(&store, &cancelled).await, "a second cancellation");
    assert!(!store.retry(id).await.expect("a result"));
    assert_eq!(row(&store, id).await, cancelled);
}

/// A machine that has returned cannot be cancelled.
pub async fn ended_machine_is_not_cancelled<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let id = start(&store, "a").await;
    let claimed = claim_one(&store).await;
    let outcome = "1".to_owned();
    assert!(save(&store, &save_of(&claimed, Continuation::Ends { outcome })).await);
    let ended = row(&store, id).await;
    assert!(!cancel(&store, &ended).await);
    assert_eq!(row(&store, id).await, ended);
}

/// A list has the rows that each part of the filter selects.
pub async fn list_has_the_selected_rows<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    start(&store, "a").await;
    let claimed = claim_one(&store).await;
    assert!(save(&store, &save_of(&claimed, waits_for("parcel"))).await);
    start(&store, "b").await;
    let refund = NewMachine {
        machine_type: "Refund".into(),
        ..new_machine("c")
    };
    start_new(&store, &refund).await;
    let all = Filter::default;
    assert_eq!(keys(&store, all()).await, ["a", "b", "c"]);
    let of_type = Some(TYPE.to_owned());
    let orders = Filter {
        machine_type: of_type,
        ..all()
    };
    assert_eq!(keys(&store, orders).await, ["a", "b"]);
    let key = Filter {
        key: Some("b".into()),
        ..all()
    };
    assert_eq!(keys(&store, key).await, ["b"]);
    let waiting = Filter {
        status: Some(Status::Waiting),
        ..all()
    };
    assert_eq!(keys(&store, waiting).await, ["a"]);
    let first = Filter {
        state: Some(FIRST_STATE.into()),
        ..all()
    };
    assert_eq!(keys(&store, first).await, ["b", "c"]);
    let next = Filter {
        state: Some(NEXT_STATE.into()),
        ..all()
    };
    assert_eq!(keys(&store, next).await, ["a"]);
    let page = Filter {
        after: Some(claimed.held.id),
        limit: 1,
        ..all()
    };
    assert_eq!(keys(&store, page).await, ["b"]);
}

/// A list by age has the machines that have not changed for so long.
pub async fn list_by_age_has_unchanged_machines<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    start(&store, "a").await;
    fixture.pass(&store, SHORT).await;
    let unchanged_for = |duration| Filter {
        unchanged_for: Some(duration),
        ..Filter::default()
    };
    assert_eq!(keys(&store, unchanged_for(Duration::ZERO)).await, ["a"]);
    assert_eq!(keys(&store, unchanged_for(SHORT)).await, ["a"]);
    assert!(keys(&store, unchanged_for(LONG)).await.is_empty());
    let changed = store.list(&Filter::default()).await.expect("rows")[0].changed;
    assert!(store.now().await.expect("a time").since(changed) >= SHORT);
}

/// Pages that begin after the last row of the page before have each row once.
pub async fn pages_have_each_row_once<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    for key in ["a", "b", "c", "d", "e"] {
        start(&store, key).await;
    }
    let (mut found, mut after) = (String::new(), None);
    for _ in 0..4 {
        let filter = Filter {
            after,
            limit: 2,
            ..Filter::default()
        };
        let page = store.list(&filter).await.expect("a page");
        assert!(page.len() <= 2, "{page:#?}");
        after = page.last().map_or(after, |row| Some(row.id));
        found.extend(page.into_iter().map(|row| row.key));
    }
    assert_eq!(found, "abcde");
}

/// A summary counts the machines of each type, status and state.
pub async fn summary_counts_the_groups<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    start(&store, "a").await;
    let failed = claim_one(&store).await;
    start(&store, "b").await;
    let waits = claim_one(&store).await;
    let failure = Failure {
        held: failed.held,
        error: "broken".into(),
        then: AfterFailure::Retry { after: LONG },
    };
    assert_eq!(store.fail(&failure).await.expect("a result"), None);
    assert!(save(&store, &save_of(&waits, waits_for("parcel"))).await);
    let oldest = row(&store, start(&store, "c").await).await.changed;
    start(&store, "d").await;
    let summary = store.summary(&Filter::default()).await.expect("a summary");
    let groups = summary.groups.iter();
    let counts = groups.map(|group| {
        let key = (group.status, group.state.as_str());
        (key, group.machines, group.failed)
    });
    let expected = [
        ((Status::Runnable, FIRST_STATE), 2, 0),
        ((Status::Waiting, NEXT_STATE), 1, 0),
        ((Status::Waiting, FIRST_STATE), 1, 1),
    ];
    assert_eq!(counts.collect::<Vec<_>>(), expected);
    assert_eq!(summary.groups[0].oldest, oldest);
    assert!(oldest <= summary.now);
    let waiting = Filter {
        status: Some(Status::Waiting),
        state: Some(NEXT_STATE.into()),
        limit: 0,
        ..Filter::default()
    };
    let waiting = store.summary(&waiting).await.expect("a summary");
    assert_eq!(waiting.groups, [summary.groups[1].clone()]);
}

/// A summary counts the machines that no worker has claimed although they could run, and a list
/// selects them by that time.
pub async fn unclaimed_machines_are_counted<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    start(&store, "waits").await;
    let waits = claim_one(&store).await;
    assert!(save(&store, &save_of(&waits, waits_for("parcel"))).await);
    start(&store, "runs").await;
    assert_eq!(claim_all(&store).await.len(), 1);
    start(&store, "crashes").await;
    let crashes = claim_one_for(&store, SHORT).await;
    let unknown = NewMachine {
        machine_type: "Refund".into(),
        ..new_machine("unknown")
    };
    let unknown = start_new(&store, &unknown).await.id;
    fixture.pass(&store, SHORT).await;
    let summary = store.summary(&Filter::default()).await.expect("a summary");
    let groups = summary.groups.iter();
    let counts = groups.map(|group| (group.machines, group.unclaimed));
    assert_eq!(counts.collect::<Vec<_>>(), [(2, 1), (1, 0), (1, 1)]);
    let since = summary.groups.iter().map(|group| group.unclaimed_since);
    let expired = crashes.now.after(SHORT);
    let started = row(&store, unknown).await.changed;
    assert_eq!(
        since.collect::<Vec<_>>(),
        [Some(expired), None, Some(started)]
    );
    let unclaimed_for = |duration| Filter {
        unclaimed_for: Some(duration),
        ..Filter::default()
    };
    let now = unclaimed_for(Duration::ZERO);
    assert_eq!(keys(&store, now).await, ["crashes", "unknown"]);
    let late = keys(&store, unclaimed_for(SHORT)).await;
    assert!(late.iter().any(|key| key == "unknown"), "{late:?}");
    assert!(keys(&store, unclaimed_for(LONG)).await.is_empty());
}

async fn delete<S: Store>(store: &S, age: Duration, limit: usize) -> usize {
    store.delete_ended(age, limit).await.expect("a number")
}

async fn end_one<S: Store>(store: &S) {
    let claimed = claim_one(store).await;
    let outcome = "1".to_owned();
    assert!(save(store, &save_of(&claimed, Continuation::Ends { outcome })).await);
}

/// Only machines that have ended are deleted, and only after the time.
pub async fn ended_machines_are_deleted<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    start(&store, "done").await;
    end_one(&store).await;
    let cancelled = start(&store, "cancelled").await;
    assert!(store.cancel(cancelled).await.expect("a result"));
    start(&store, "waiting").await;
    let claimed = claim_one(&store).await;
    assert!(save(&store, &save_of(&claimed, waits_for("parcel"))).await);
    start(&store, "claimed").await;
    assert_eq!(claim_all(&store).await.len(), 1);
    start(&store, "runnable").await;
    assert_eq!(delete(&store, LONG, 9).await, 0);
    assert_eq!(delete(&store, Duration::MAX, 9).await, 0);
    fixture.pass(&store, SHORT).await;
    assert_eq!(delete(&store, SHORT, 9).await, 2);
    assert_eq!(
        keys(&store, Filter::default()).await,
        ["waiting", "claimed", "runnable"]
    );
}

/// The limit bounds a deletion, and the machine that ended first is deleted first.
pub async fn limit_bounds_a_deletion<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    for key in ["a", "b", "c"] {
        start(&store, key).await;
        end_one(&store).await;
        fixture.pass(&store, SHORT).await;
    }
    assert_eq!(delete(&store, Duration::ZERO, 2).await, 2);
    assert_eq!(keys(&store, Filter::default()).await, ["c"]);
    assert_eq!(delete(&store, Duration::ZERO, 2).await, 1);
    assert_eq!(delete(&store, Duration::ZERO, 2).await, 0);
}

/// The key of a deleted machine starts a machine with another id and without messages.
pub async fn key_of_a_deleted_machine_is_free<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let first = start(&store, "a").await;
    send(&store, &message("a", "parcel", "1", "7")).await;
    end_one(&store).await;
    assert_eq!(delete(&store, Duration::ZERO, 9).await, 1);
    let late = send(&store, &message("a", "parcel", "2", "7")).await;
    assert_eq!(late, Sent::NoMachine);
    let second = start(&store, "a").await;
    assert!(second > first, "{second} after {first}");
    assert_eq!(claim_one(&store).await.messages, []);
    let sent = send(&store, &message("a", "parcel", "1", "8")).await;
    assert_eq!(sent, Sent::Stored);
    assert_eq!(row(&store, second).await.seq, 0);
}
