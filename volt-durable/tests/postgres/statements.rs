//! Starts that wait together, and the columns of the indexes.

use futures_lite::future::zip;
use volt_durable::store::{Filter, NewMachine, Store};

use crate::operations::{claim, new_machine};
use crate::server::{connect, new_schema, open, run};

/// Of starts with one key in one statement, one is new, and all return the same machine.
#[test]
fn starts_in_one_batch_have_own_results() {
    run(async {
        let schema = new_schema();
        let store = open(&schema).await;
        let old = store.start(&new_machine("old")).await.expect("a machine");
        for round in 0..20 {
            let new = new_machine(&format!("new {round}"));
            // The connection is busy with the first start, so the others wait together.
            let (first, other) = (new_machine(&format!("first {round}")), new_machine("old"));
            let others = zip(
                store.start(&new),
                zip(store.start(&new), store.start(&other)),
            );
            let (busy, (one, (same, other))) = zip(store.start(&first), others).await;
            assert!(busy.expect("a machine").is_new);
            let (one, same) = (one.expect("a machine"), same.expect("a machine"));
            assert_eq!(one.id, same.id);
            assert!(one.is_new && !same.is_new, "{one:?} {same:?}");
            let other = other.expect("a machine");
            assert_eq!((other.id, other.is_new), (old.id, false));
        }
        let rows = store.list(&Filter::default()).await.expect("rows");
        assert_eq!(rows.len(), 41);
    });
}

/// A faulty start is the error of its caller only.
#[test]
fn faulty_start_leaves_the_others() {
    run(async {
        let store = open(&new_schema()).await;
        let faulty = NewMachine {
            snapshot: "no JSON".into(),
            ..new_machine("faulty")
        };
        for round in 0..20 {
            let (first, new) = (format!("first {round}"), format!("new {round}"));
            let (first, new) = (new_machine(&first), new_machine(&new));
            let others = zip(store.start(&faulty), store.start(&new));
            let (busy, (faulty, new)) = zip(store.start(&first), others).await;
            assert!(busy.expect("a machine").is_new);
            assert!(faulty.is_err());
            assert!(new.expect("a machine").is_new);
        }
    });
}

/// A save before a step changes `changed`, `seq` and the snapshot. With one of them in an index, it
/// would write an entry in each index.
#[test]
fn saves_change_no_indexed_column() {
    run(async {
        let schema = new_schema();
        let _store = open(&schema).await;
        let indexed = "select count(*), bool_or(pg_get_indexdef(indexrelid)
                ~ '(changed|seq|next_step|state|snapshot|attempts|error)')
            from pg_index where indrelid = 'durable_machine'::regclass";
        let row = connect(&schema).unwrap().query_one(indexed, &[]).unwrap();
        assert_eq!(row.get::<_, i64>(0), 7, "seven indexes");
        assert!(!row.get::<_, bool>(1));
    });
}

/// Claims five of 20,000 machines with these values of `due, lease, attempts`, and returns the
/// number of rows that the server has read.
async fn rows_read_by_a_claim(values: &str) -> i64 {
    let schema = new_schema();
    let store = open(&schema).await;
    let mut client = connect(&schema).unwrap();
    let many = format!(
        "insert into durable_machine
            (type, key, status, state, snapshot, created, changed, due, lease, attempts)
        select 'Order', key, 0, 'start', '{{}}', 0, 0, {values}
        from generate_series(1, 20000) as key"
    );
    client.batch_execute(&many).unwrap();
    assert_eq!(store.claim(&claim(5)).await.expect("claims").len(), 5);
    // The server publishes the counts of a connection at its end.
    drop(store);
    let counts = "select seq_tup_read + idx_tup_fetch from pg_stat_user_tables
        where relid = 'durable_machine'::regclass";
    let mut read = 0;
    while read < 5 {
        let row = client.query_one(counts, &[]).unwrap();
        read = row.get::<_, i64>(0);
    }
    read
}

/// A claim that read all machines that can run would take longer with each of them.
#[test]
fn claim_reads_few_of_many_machines() {
    run(async {
        let read = rows_read_by_a_claim("1 + key * 7919 % 20000, null, 0").await;
        assert!(read < 2_000, "{read} rows");
    });
}

/// The leases of a worker with many machines expire together after its crash.
#[test]
fn claim_reads_few_of_many_expired_leases() {
    run(async {
        let read = rows_read_by_a_claim("1 + key * 7919 % 20000, 1, 1").await;
        assert!(read < 2_000, "{read} rows");
    });
}
