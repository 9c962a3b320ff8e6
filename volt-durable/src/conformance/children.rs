//! Children: a save starts them, and their ends are messages to the parent.

use super::fixture::{
    Fixture, SHORT, claim, claim_all, claim_one, claim_with, message, new_machine, row, save,
    save_of, send, start, waits_for,
};
use crate::store::{
    AfterFailure, CANCEL, ChildReport, Claim, Claimed, Continuation, Failure, Family, Filter,
    MachineId, NewChild, Row, Save, Sent, Status, Store,
};

const CHILD: &str = "volt.child/1/1/0";

fn new_child(key: &str, is_detached: bool) -> NewChild {
    NewChild {
        machine: new_machine(key),
        is_detached,
    }
}

/// The next save of a parent. It starts these children.
fn starting(claimed: &Claimed, started: Vec<NewChild>, then: Continuation) -> Save {
    Save {
        family: Family {
            started,
            ..Family::default()
        },
        ..save_of(claimed, then)
    }
}

async fn row_of<S: Store>(store: &S, key: &str) -> Row {
    let rows = store.list(&Filter::default()).await.expect("rows");
    let row = rows.into_iter().find(|row| row.key == key);
    row.expect("the row of the machine")
}

/// Starts a machine that waits for a child and for another message, and claims the child.
async fn start_family<S: Store>(store: &S) -> (MachineId, Claimed) {
    let (parent, child) = claim_family(store, waits_for(CHILD)).await;
    (parent.held.id, child)
}

/// Starts a parent, saves it with a child, and returns the claims of both.
async fn claim_family<S: Store>(store: &S, then: Continuation) -> (Claimed, Claimed) {
    start(store, "parent").await;
    let parent = claim_one(store).await;
    let started = vec![new_child(CHILD, false)];
    assert!(save(store, &starting(&parent, started, then)).await);
    (parent, claim_one(store).await)
}

fn bodies(claimed: &Claimed) -> Vec<(&str, String)> {
    let messages = claimed.messages.iter();
    let pairs = messages.map(|each| (each.name.as_str(), each.body.replace(' ', "")));
    pairs.collect()
}

/// Claims the parent, whose only message is this report.
async fn expect_report<S: Store>(store: &S, parent: MachineId, report: &ChildReport) {
    let claimed = claim_one(store).await;
    assert_eq!(claimed.held.id, parent);
    let body = report.body.replace(' ', "");
    assert_eq!(bodies(&claimed), [(report.name.as_str(), body)]);
}

/// A stored save starts its children once, and a lost one starts none.
pub async fn save_starts_its_children<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let parent = start(&store, "parent").await;
    let claimed = claim_one(&store).await;
    let lost = Save {
        seq: claimed.seq + 2,
        ..starting(&claimed, vec![new_child("lost", false)], Continuation::Runs)
    };
    assert!(!save(&store, &lost).await);
    let children = vec![new_child("first", false), new_child("second", true)];
    let stored = starting(&claimed, children, Continuation::Runs);
    assert!(save(&store, &stored).await);
    assert!(!save(&store, &stored).await, "the number is used");
    let rows = store.list(&Filter::default()).await.expect("rows");
    let keys: Vec<_> = rows
        .iter()
        .map(|row| (row.key.as_str(), row.parent))
        .collect();
    let of_parent = Some(parent);
    let expected = [
        ("parent", None),
        ("first", of_parent),
        ("second", of_parent),
    ];
    assert_eq!(keys, expected);
    let claimed = claim_all(&store).await;
    assert_eq!(claimed.len(), 2);
    for child in claimed {
        assert_eq!((child.parent, child.attempts), (of_parent, 1));
        assert_eq!(child.snapshot, new_machine("first").snapshot);
    }
}

/// A child whose key exists is not started, and the other machine stays as it is.
pub async fn child_with_a_used_key_is_not_started<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let other = start(&store, "other").await;
    let parent = start(&store, "parent").await;
    let claimed = claim_all(&store).await;
    let before = row(&store, other).await;
    let parent = claimed.iter().find(|claimed| claimed.held.id == parent);
    let parent = parent.expect("the parent");
    let started = vec![new_child("other", false)];
    assert!(save(&store, &starting(parent, started, Continuation::Runs)).await);
    assert_eq!(row(&store, other).await, before);
}

/// The outcome of a child is a message that wakes its parent.
pub async fn outcome_of_a_child_wakes_its_parent<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let (parent, child) = start_family(&store).await;
    assert!(claim_all(&store).await.is_empty(), "the parent waits");
    let outcome = r#"{"cents":7}"#.to_owned();
    let report = ChildReport::done(CHILD, &outcome);
    let end = save_of(&child, Continuation::Ends { outcome });
    assert!(save(&store, &end).await);
    assert!(!save(&store, &end).await, "the claim has ended");
    expect_report(&store, parent, &report).await;
}

/// The outcome of a child that ends before its parent waits is delivered.
pub async fn outcome_before_the_wait_is_delivered<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let (mut parent, child) = claim_family(&store, Continuation::Runs).await;
    let outcome = "7".to_owned();
    assert!(save(&store, &save_of(&child, Continuation::Ends { outcome })).await);
    parent.seq += 1;
    assert!(save(&store, &save_of(&parent, waits_for(CHILD))).await);
    expect_report(&store, parent.held.id, &ChildReport::done(CHILD, "7")).await;
}

/// Saves of parent and child in one operation are stored both.
pub async fn family_is_saved_in_one_operation<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let (mut parent, child) = claim_family(&store, Continuation::Runs).await;
    parent.seq += 1;
    let outcome = "7".to_owned();
    let saves = [
        save_of(&parent, waits_for(CHILD)),
        save_of(&child, Continuation::Ends { outcome }),
    ];
    assert_eq!(store.save(&saves).await.expect("a result"), []);
    expect_report(&store, parent.held.id, &ChildReport::done(CHILD, "7")).await;
}

/// A child that an operator has cancelled is reported to its parent.
pub async fn cancelled_child_is_reported<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let (parent, child) = start_family(&store).await;
    assert!(store.cancel(child.held.id).await.expect("a result"));
    let late = Continuation::Ends {
        outcome: "7".into(),
    };
    assert!(!save(&store, &save_of(&child, late)).await);
    expect_report(&store, parent, &ChildReport::cancelled(CHILD)).await;
}

fn waits_for_parked() -> Continuation {
    waits_for(&ChildReport::parked(CHILD, "").name)
}

/// A child that its worker has parked is reported to its parent.
pub async fn parked_child_is_reported<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let (parent, child) = claim_family(&store, waits_for_parked()).await;
    for (error, then) in [
        (
            "tried again",
            AfterFailure::Retry {
                after: std::time::Duration::ZERO,
            },
        ),
        ("no \"state\"", AfterFailure::Park),
    ] {
        let held = if then == AfterFailure::Park {
            claim_one(&store).await.held
        } else {
            child.held
        };
        let error = error.to_owned();
        let lost = store.fail(&Failure { held, error, then }).await;
        assert_eq!(lost.expect("a result"), None);
    }
    let report = ChildReport::parked(CHILD, "no \"state\"");
    expect_report(&store, parent.held.id, &report).await;
}

/// A child whose attempts end without a report is reported to its parent.
pub async fn child_without_attempts_is_reported<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    start(&store, "parent").await;
    let parent = claim_one(&store).await;
    let started = vec![new_child(CHILD, false)];
    assert!(save(&store, &starting(&parent, started, waits_for_parked())).await);
    let once = |lease| Claim {
        max_attempts: 1,
        ..claim_with(9, lease)
    };
    assert_eq!(claim(&store, &once(SHORT)).await.len(), 1);
    fixture.pass(&store, SHORT * 2).await;
    let mut claimed = claim(&store, &once(SHORT)).await;
    claimed.extend(claim(&store, &once(SHORT)).await);
    let child = row_of(&store, CHILD).await;
    assert_eq!(child.status, Status::Parked);
    let error = child.error.expect("the error of the row");
    let report = ChildReport::parked(CHILD, &error);
    assert_eq!(claimed.len(), 1, "{claimed:#?}");
    assert_eq!(claimed[0].held.id, parent.held.id);
    assert_eq!(bodies(&claimed[0])[0].0, report.name);
}

async fn drop_child<S: Store>(store: &S, parent: &Claimed, key: &str) {
    let dropping = Save {
        family: Family {
            dropped: vec![key.to_owned()],
            ..Family::default()
        },
        ..save_of(parent, Continuation::Runs)
    };
    assert!(save(store, &dropping).await);
}

/// A dropped child receives a request for its cancellation, and its outcome is not reported.
pub async fn dropped_child_is_cancelled<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    for (is_detached, expected) in [(false, vec![(CANCEL, "null".to_owned())]), (true, vec![])] {
        let key = format!("child {is_detached}");
        start(&store, &format!("parent {is_detached}")).await;
        let mut parent = claim_one(&store).await;
        let started = vec![new_child(&key, is_detached)];
        assert!(save(&store, &starting(&parent, started, Continuation::Runs)).await);
        parent.seq += 1;
        let child = claim_one(&store).await;
        assert!(save(&store, &save_of(&child, waits_for(CANCEL))).await);
        drop_child(&store, &parent, &key).await;
        assert_eq!(row_of(&store, &key).await.parent, None);
        let again = message(&key, CANCEL, CANCEL, "null");
        let sent = send(&store, &again).await;
        assert_eq!(sent == Sent::Duplicate, !is_detached);
        let child = claim_one(&store).await;
        assert_eq!(bodies(&child).len(), 1.max(expected.len()));
        let outcome = "7".to_owned();
        assert!(save(&store, &save_of(&child, Continuation::Ends { outcome })).await);
        parent.seq += 1;
        assert!(save(&store, &save_of(&parent, waits_for(&key))).await);
        assert!(claim_all(&store).await.is_empty(), "no report");
    }
}

/// A machine drops its own children only.
pub async fn child_of_another_parent_is_not_dropped<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let (parent, child) = start_family(&store).await;
    start(&store, "other").await;
    let other = claim_one(&store).await;
    drop_child(&store, &other, CHILD).await;
    assert_eq!(row(&store, child.held.id).await.parent, Some(parent));
}

/// The end of a parent by an operator drops its children.
pub async fn cancelled_parent_drops_its_children<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let parent = start(&store, "parent").await;
    let claimed = claim_one(&store).await;
    let started = vec![new_child("bound", false), new_child("detached", true)];
    assert!(save(&store, &starting(&claimed, started, waits_for("parcel"))).await);
    for child in claim_all(&store).await {
        assert!(save(&store, &save_of(&child, waits_for(CANCEL))).await);
    }
    assert!(store.cancel(parent).await.expect("a result"));
    let cancelled = claim_one(&store).await;
    assert_eq!(cancelled.key, "bound");
    assert_eq!(bodies(&cancelled), [(CANCEL, "null".to_owned())]);
    assert_eq!(cancelled.parent, None);
}

/// The end of a child after that of its parent changes nothing else.
pub async fn child_ends_after_its_parent<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let (mut parent, child) = claim_family(&store, Continuation::Runs).await;
    parent.seq += 1;
    let end = |claimed| {
        save_of(
            claimed,
            Continuation::Ends {
                outcome: "1".into(),
            },
        )
    };
    assert!(save(&store, &end(&parent)).await);
    let before = row(&store, parent.held.id).await;
    assert!(save(&store, &end(&child)).await);
    assert_eq!(row(&store, parent.held.id).await, before);
    assert_eq!(row(&store, child.held.id).await.status, Status::Done);
}
