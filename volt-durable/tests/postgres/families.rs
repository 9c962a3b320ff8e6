//! Parents and children beside other operations, and the tables of an older build.

use futures_lite::future::zip;
use volt_durable::store::{Continuation, Family, NewChild, Save, Store, Wait};

use crate::operations::{claim, new_machine, save_of};
use crate::server::{connect, new_schema, open, run};

#[test]
fn tables_of_version_1_are_migrated() {
    run(async {
        let schema = new_schema();
        let store = open(&schema).await;
        store.start(&new_machine("a")).await.unwrap();
        drop(store);
        let mut client = connect(&schema).unwrap();
        client
            .batch_execute(
                "drop index durable_machine_ended;
                drop index durable_machine_ready;
                drop index durable_machine_leased;
                alter table durable_machine drop column parent, drop column detached,
                    drop column ready, drop column ended, drop column queue;
                create index durable_machine_due on durable_machine (due, id)
                    where due is not null;
                update durable_schema set version = 1",
            )
            .unwrap();
        let store = open(&schema).await;
        let claimed = store.claim(&claim(1)).await.unwrap();
        assert_eq!(claimed[0].parent, None);
        let version = client.query_one("select version from durable_schema", &[]);
        assert_eq!(version.unwrap().get::<_, i32>(0), 7);
        let index = client.query_one("select to_regclass('durable_machine_ready') is null", &[]);
        assert!(!index.unwrap().get::<_, bool>(0));
    });
}

/// The end of a child and the save of its parent have an order. In both orders the parent can be
/// claimed afterwards, with one report.
#[test]
fn end_of_a_child_during_a_save_wakes_the_parent() {
    run(async {
        let schema = new_schema();
        let (store, other) = (open(&schema).await, open(&schema).await);
        for round in 0..100 {
            let key = format!("child {round}");
            store.start(&new_machine(&round.to_string())).await.unwrap();
            let mut parent = store.claim(&claim(1)).await.unwrap().remove(0);
            let start = Save {
                family: Family {
                    started: vec![NewChild {
                        machine: new_machine(&key),
                        is_detached: false,
                    }],
                    ..Family::default()
                },
                ..save_of(&parent)
            };
            assert_eq!(store.save(&[start]).await.unwrap(), []);
            parent.seq += 1;
            let child = other.claim(&claim(1)).await.unwrap().remove(0);
            let wait = Save {
                then: Continuation::Waits(Wait {
                    wake: None,
                    signals: vec![key],
                }),
                ..save_of(&parent)
            };
            let outcome = "1".to_owned();
            let end = Save {
                then: Continuation::Ends { outcome },
                ..save_of(&child)
            };
            let (wait, end) = ([wait], [end]);
            let (waits, ends) = zip(store.save(&wait), other.save(&end)).await;
            assert_eq!((waits.unwrap(), ends.unwrap()), (vec![], vec![]));
            let claimed = store.claim(&claim(1)).await.unwrap();
            assert_eq!(claimed.len(), 1, "round {round}");
            assert_eq!(claimed[0].messages.len(), 1);
            let outcome = "1".to_owned();
            let end = Save {
                taken: vec![claimed[0].messages[0].nr],
                then: Continuation::Ends { outcome },
                ..save_of(&claimed[0])
            };
            assert_eq!(store.save(&[end]).await.unwrap(), []);
        }
    });
}
