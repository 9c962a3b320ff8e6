//! Operations beside others, and after the connection was lost.

use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;

use futures_lite::future::{block_on, poll_once};
use postgres::NoTls;
use volt_durable::store::{
    Claim, Claimed, Continuation, Family, Filter, KnownType, Message, NewMachine, PostgresStore,
    Save, Sent, Status, Store, Wait,
};

use crate::server::{config, connect, new_schema, open, run};

const LONG: Duration = Duration::from_secs(3_600);

pub(crate) fn new_machine(key: &str) -> NewMachine {
    NewMachine {
        machine_type: "Order".into(),
        key: key.into(),
        state: "start".into(),
        snapshot: "{}".into(),
    }
}

pub(crate) fn claim(limit: usize) -> Claim {
    Claim {
        known: vec![KnownType {
            name: "Order".into(),
            states: vec!["start".into()],
        }],
        limit,
        lease: LONG,
        max_attempts: 5,
        suspects: 9,
    }
}

/// The save of a machine that runs on.
pub(crate) fn save_of(claimed: &Claimed) -> Save {
    Save {
        held: claimed.held,
        seq: claimed.seq + 1,
        next_step: 1,
        state: "start".into(),
        snapshot: "{}".into(),
        taken: Vec::new(),
        family: Family {
            parent: claimed.parent,
            ..Family::default()
        },
        then: Continuation::Runs,
    }
}

fn message(key: &str, id: &str) -> Message {
    Message {
        machine_type: "Order".into(),
        key: key.into(),
        name: "paid".into(),
        id: id.into(),
        body: "null".into(),
    }
}

/// Strings with U+0000, and members in the order of the snapshot, are returned as they were saved.
#[test]
fn snapshot_is_returned_unchanged() {
    run(async {
        let store = open(&new_schema()).await;
        let snapshot = r#"{"b": "\u0000", "a": [1.0, 1e3, 12345678901234567890123]}"#;
        let new = NewMachine {
            snapshot: snapshot.into(),
            ..new_machine("a")
        };
        store.start(&new).await.unwrap();
        let claimed = store.claim(&claim(1)).await.unwrap();
        assert_eq!(claimed[0].snapshot, snapshot);
    });
}

#[test]
fn tables_are_created_once() {
    run(async {
        let schema = new_schema();
        let stores: Vec<_> = (0..4)
            .map(|_| {
                let schema = schema.clone();
                thread::spawn(move || block_on(open(&schema)))
            })
            .collect();
        for store in stores {
            let store = store.join().expect("no panic");
            assert_eq!(store.list(&Filter::default()).await.unwrap(), []);
        }
    });
}

#[test]
fn tables_of_another_version_are_refused() {
    run(async {
        let schema = new_schema();
        drop(open(&schema).await);
        let mut client = connect(&schema).unwrap();
        client
            .batch_execute("update durable_schema set version = 9")
            .unwrap();
        let error = PostgresStore::connect_with(move || connect(&schema)).await;
        let error = std::error::Error::source(&error.unwrap_err())
            .unwrap()
            .to_string();
        assert!(error.contains("version 9"), "{error}");
    });
}

/// The server ends the connection: one operation fails, and the next one connects again.
#[test]
fn lost_connection_is_opened_again() {
    run(async {
        let schema = new_schema();
        let name = schema.clone();
        let named = move || {
            let options = format!("-c search_path={name}");
            let mut config = config();
            config
                .options(&options)
                .application_name(&name)
                .connect(NoTls)
        };
        let store = PostgresStore::connect_with(named).await.unwrap();
        store.start(&new_machine("a")).await.unwrap();
        let terminate = "select pg_terminate_backend(pid) from pg_stat_activity
            where application_name = $1";
        let ended = connect(&schema).unwrap().query(terminate, &[&schema]);
        assert_eq!(ended.unwrap().len(), 1);
        assert!(store.start(&new_machine("b")).await.is_err());
        assert!(store.start(&new_machine("b")).await.unwrap().is_new);
        assert_eq!(store.list(&Filter::default()).await.unwrap().len(), 2);
    });
}

/// Many stores claim at the same time. Each machine belongs to one of them.
#[test]
fn concurrent_claims_are_disjoint() {
    const MACHINES: usize = 400;
    run(async {
        let schema = new_schema();
        let store = open(&schema).await;
        for key in 0..MACHINES {
            store.start(&new_machine(&key.to_string())).await.unwrap();
        }
        let barrier = Arc::new(Barrier::new(4));
        let workers: Vec<_> = (0..4)
            .map(|_| {
                let (schema, barrier) = (schema.clone(), Arc::clone(&barrier));
                thread::spawn(move || {
                    block_on(async {
                        let store = open(&schema).await;
                        barrier.wait();
                        let mut ids = Vec::new();
                        loop {
                            let claimed = store.claim(&claim(7)).await.unwrap();
                            if claimed.is_empty() {
                                return ids;
                            }
                            ids.extend(claimed.iter().map(|claimed| claimed.held.id));
                        }
                    })
                })
            })
            .collect();
        let ids = workers
            .into_iter()
            .flat_map(|worker| worker.join().expect("no panic"));
        let mut ids: Vec<_> = ids.collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), MACHINES);
    });
}

/// A message and the save that waits for it have an order. In both orders the machine can be
/// claimed afterwards.
#[test]
fn message_during_a_save_wakes_the_machine() {
    run(async {
        let schema = new_schema();
        let store = open(&schema).await;
        let sender = open(&schema).await;
        for round in 0..200 {
            let key = round.to_string();
            store.start(&new_machine(&key)).await.unwrap();
            let claimed = store.claim(&claim(1)).await.unwrap().remove(0);
            let save = Save {
                then: Continuation::Waits(Wait {
                    wake: None,
                    signals: vec!["paid".into()],
                }),
                ..save_of(&claimed)
            };
            let message = message(&key, "1");
            let saves = [save];
            let (lost, sent) =
                futures_lite::future::zip(store.save(&saves), sender.send(&message)).await;
            assert_eq!((lost.unwrap(), sent.unwrap()), (Vec::new(), Sent::Stored));
            let claimed = store.claim(&claim(1)).await.unwrap();
            assert_eq!(claimed.len(), 1, "round {round}");
            assert_eq!(claimed[0].messages.len(), 1);
            assert!(store.cancel(claimed[0].held.id).await.unwrap());
        }
        let filter = Filter {
            status: Some(Status::Cancelled),
            limit: 1_000,
            ..Filter::default()
        };
        assert_eq!(store.list(&filter).await.unwrap().len(), 200);
    });
}

/// Another transaction has locked the first row. A claim does not wait for it.
#[test]
fn claim_skips_locked_rows() {
    run(async {
        let schema = new_schema();
        let store = open(&schema).await;
        let first = store.start(&new_machine("a")).await.unwrap().id;
        let second = store.start(&new_machine("b")).await.unwrap().id;
        let mut client = connect(&schema).unwrap();
        let lock = "begin; update durable_machine set error = error where key = 'a'";
        client.batch_execute(lock).unwrap();
        let other = schema.clone();
        let claimed = thread::spawn(move || {
            block_on(async {
                let options = format!("-c search_path={other} -c lock_timeout=2s");
                let connect = move || config().options(&options).connect(NoTls);
                let store = PostgresStore::connect_with(connect).await.unwrap();
                store
                    .claim(&claim(1))
                    .await
                    .map(|claimed| claimed[0].held.id)
            })
        });
        assert_eq!(claimed.join().expect("no panic").unwrap(), second);
        client.batch_execute("rollback").unwrap();
        assert_eq!(store.claim(&claim(9)).await.unwrap()[0].held.id, first);
    });
}

/// The save has locked one row and waits for the other, and a transaction does the reverse. The
/// server undoes the save, which then runs again.
#[test]
fn save_is_repeated_after_a_deadlock() {
    run(async {
        let schema = new_schema();
        let store = open(&schema).await;
        for key in ["a", "b"] {
            store.start(&new_machine(key)).await.unwrap();
        }
        let claimed = store.claim(&claim(2)).await.unwrap();
        let saves: Vec<Save> = claimed.iter().map(save_of).collect();
        let mut client = connect(&schema).unwrap();
        // The transaction waits for longer than the save before it looks for a deadlock.
        let lock_second = "begin; set local deadlock_timeout = '60s';
            update durable_machine set error = error where key = 'b'";
        client.batch_execute(lock_second).unwrap();
        let saving = thread::spawn(move || block_on(store.save(&saves)));
        let waiting = "select count(*) from pg_locks where not granted
            and locktype in ('transactionid', 'tuple') and pid in (
                select pid from pg_locks where relation = 'durable_machine'::regclass)";
        let mut observer = connect(&schema).unwrap();
        while observer.query_one(waiting, &[]).unwrap().get::<_, i64>(0) == 0 {
            thread::sleep(Duration::from_millis(5));
        }
        let lock_first = "update durable_machine set error = error where key = 'a'";
        client.batch_execute(lock_first).unwrap();
        client.batch_execute("rollback").unwrap();
        assert_eq!(saving.join().expect("no panic").unwrap(), []);
        let deadlocks = "select deadlocks from pg_stat_database where datname = current_database()";
        thread::sleep(Duration::from_millis(1_100));
        assert_ne!(
            observer.query_one(deadlocks, &[]).unwrap().get::<_, i64>(0),
            0
        );
    });
}

/// Four saves wait for the connection, which the first one holds. One of them is faulty, and one
/// repeats another.
#[test]
fn faulty_save_leaves_the_others() {
    run(async {
        let schema = new_schema();
        let store = open(&schema).await;
        for key in ["a", "b", "c", "d"] {
            store.start(&new_machine(key)).await.unwrap();
        }
        let mut saves: Vec<Save> = store
            .claim(&claim(4))
            .await
            .unwrap()
            .iter()
            .map(save_of)
            .collect();
        saves[2].snapshot = "no JSON".into();
        saves.push(saves[1].clone());
        let mut client = connect(&schema).unwrap();
        let lock = "begin; update durable_machine set error = error where key = 'a'";
        client.batch_execute(lock).unwrap();
        let saving = saves.into_iter().map(|save| {
            let store = store.clone();
            async move { store.save(&[save]).await }
        });
        let mut saving: Vec<_> = saving.map(Box::pin).collect();
        for save in &mut saving {
            assert!(poll_once(save).await.is_none());
        }
        client.batch_execute("rollback").unwrap();
        let mut results = Vec::new();
        for save in saving {
            results.push(save.await);
        }
        let is_stored: Vec<_> = results
            .iter()
            .map(|lost| lost.as_ref().ok().map(Vec::is_empty))
            .collect();
        assert_eq!(
            is_stored,
            [Some(true), Some(true), None, Some(true), Some(false)]
        );
    });
}
