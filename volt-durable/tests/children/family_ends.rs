//! Keys, limits, and the ends of parents and children.

use futures_lite::future::block_on;
use volt_durable::Client;
use volt_durable::store::{MemoryStore, Status, Store};

use crate::families::{
    DAY, LoseAtOnce, alone, await_failing, await_repaired, give_up, lose_at_once, ship_many,
    ship_one,
};
use crate::family_runs::{row, rows, run_quiet, start_quiet};

#[test]
fn snapshot_has_the_key_of_the_child() {
    let _alone = alone();
    block_on(async {
        let store = start_quiet(ship_one()).await;
        let parent = row(&store, "ShipOne").await;
        let key = format!("volt.child/{}/1/0", parent.id);
        let expected = format!(r#"{{"Shipping":{{"await":{{"child":{{"started":"{key}"}}}}}}}}"#);
        assert_eq!(parent.snapshot, expected);
        let child = row(&store, "Ship").await;
        assert_eq!((child.key, child.parent), (key, Some(parent.id)));
        assert_eq!(parent.status, Status::Waiting);
    });
}

#[test]
fn limit_bounds_the_children_in_the_store() {
    let _alone = alone();
    block_on(async {
        let store = start_quiet(ship_many(5)).await;
        for started in [2, 4, 5, 5] {
            let rows = rows(&store).await;
            let children = rows.iter().filter(|row| row.machine_type == "Ship");
            assert_eq!(children.count(), started);
            store.advance(DAY);
            run_quiet(&store).await;
        }
    });
}
#[test]
fn loser_of_the_first_poll_is_not_started() {
    block_on(async {
        let store = MemoryStore::paused();
        let client = Client::new(store.clone());
        client.start("a", lose_at_once()).await.expect("a machine");
        let sent = client.send::<LoseAtOnce>("a", "now", "1", &1_u64).await;
        sent.expect("a message");
        run_quiet(&store).await;
        let rows = rows(&store).await;
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].outcome.as_deref(), Some("true"));
    });
}

/// Lets the attempts of the failing child pass.
async fn park_child(store: &MemoryStore) {
    for _ in 0..8 {
        run_quiet(store).await;
        store.advance(DAY);
    }
    run_quiet(store).await;
}

#[test]
fn parked_child_is_an_error() {
    block_on(async {
        let store = start_quiet(await_failing()).await;
        park_child(&store).await;
        let child = row(&store, "Fail").await;
        assert_eq!(child.status, Status::Parked);
        let parent = row(&store, "AwaitFailing").await;
        let expected = r#"{"Err":{"parked":"the machine has panicked: a test"}}"#;
        assert_eq!(parent.outcome.as_deref(), Some(expected));
    });
}

#[test]
fn parked_child_can_be_awaited_until_its_end() {
    block_on(async {
        let store = start_quiet(await_repaired()).await;
        park_child(&store).await;
        let child = row(&store, "Fail").await;
        assert_eq!(child.status, Status::Parked);
        let parent = row(&store, "AwaitRepaired").await;
        assert_eq!(parent.status, Status::Waiting);
        assert!(store.cancel(child.id).await.expect("a result"));
        run_quiet(&store).await;
        let parent = row(&store, "AwaitRepaired").await;
        assert_eq!(parent.outcome.as_deref(), Some(r#"{"Err":"cancelled"}"#));
    });
}

#[test]
fn end_of_the_parent_cancels_the_child() {
    let _alone = alone();
    block_on(async {
        let store = start_quiet(give_up()).await;
        let parent = row(&store, "GiveUp").await;
        assert!(store.cancel(parent.id).await.expect("a result"));
        run_quiet(&store).await;
        let child = row(&store, "WaitLong").await;
        assert_eq!(child.outcome.as_deref(), Some("1"));
    });
}
