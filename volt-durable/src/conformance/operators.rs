//! Operators: cancellation, and lists of rows.

use super::fixture::{
    FIRST_STATE, Fixture, LONG, NEXT_STATE, TYPE, claim_all, claim_one, new_machine, row, save,
    save_of, start, start_new, waits_for,
};
use crate::store::{Continuation, Filter, Lost, NewMachine, Row, Status, Store};

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
