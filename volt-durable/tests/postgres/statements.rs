//! Starts that wait together, and the columns of the indexes.

use std::thread;
use std::time::Duration;

use futures_lite::future::{block_on, zip};
use postgres::{Client, NoTls};
use volt_durable::store::{Filter, NewMachine, PostgresStore, Store};

use crate::operations::{claim, new_machine, save_of};
use crate::server::{config, connect, new_schema, open, run};

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
                ~ '\\m(changed|seq|next_step|state|snapshot|attempts|error)\\M')
            from pg_index where indrelid = 'durable_machine'::regclass";
        let row = connect(&schema).unwrap().query_one(indexed, &[]).unwrap();
        assert_eq!(row.get::<_, i64>(0), 7, "seven indexes");
        assert!(!row.get::<_, bool>(1));
    });
}

/// Replaces the clock of the claim by one that waits for a lock: after the claim has read the
/// machines, and before it locks them.
const WAITING_CLOCK: &str = "
    create function now() returns timestamptz language plpgsql volatile as $$
    begin
        if current_query() like '%claimed as (%' then
            perform pg_catalog.pg_advisory_xact_lock_shared(4711);
        end if;
        return pg_catalog.now();
    end $$";

/// Another worker changes the state of a machine after the claim has read it.
#[test]
fn claim_compares_the_state_after_the_lock() {
    run(async {
        let schema = new_schema();
        let store = open(&schema).await;
        let first = store.start(&new_machine("a")).await.unwrap().id;
        let second = store.start(&new_machine("b")).await.unwrap().id;
        let mut client = connect(&schema).unwrap();
        client.batch_execute(WAITING_CLOCK).unwrap();
        client
            .execute("select pg_advisory_lock(4711)", &[])
            .unwrap();
        let options = format!("-c search_path={schema},pg_catalog");
        let claiming = thread::spawn(move || {
            block_on(async {
                let connect = move || config().options(&options).connect(NoTls);
                let store = PostgresStore::connect_with(connect).await.unwrap();
                let claimed = store.claim(&claim(9)).await.unwrap();
                let ids = claimed.into_iter().map(|claimed| claimed.held.id);
                ids.collect::<Vec<_>>()
            })
        });
        let waiting = "select count(*) from pg_locks where locktype = 'advisory'
            and objid = 4711 and not granted";
        while client.query_one(waiting, &[]).unwrap().get::<_, i64>(0) == 0 {
            thread::sleep(Duration::from_millis(5));
        }
        let change = "update durable_machine set state = 'New' where key = 'a'";
        client.batch_execute(change).unwrap();
        client
            .execute("select pg_advisory_unlock(4711)", &[])
            .unwrap();
        assert_eq!(claiming.join().expect("no panic"), [second]);
        let rows = store.list(&Filter::default()).await.expect("rows");
        let left = rows.into_iter().find(|row| row.id == first);
        assert_eq!(left.expect("a row").state, "New");
    });
}

/// Reads a count of the server's statistics, which has grown to at least `least`. The server
/// publishes the counts of a connection at its end.
fn count(client: &mut Client, counted: &str, least: i64) -> i64 {
    let select = format!(
        "select {counted} from pg_stat_user_tables where relid = 'durable_machine'::regclass"
    );
    loop {
        let count: i64 = client.query_one(&select, &[]).unwrap().get(0);
        if count >= least {
            return count;
        }
    }
}

/// The statement of a save sets the state, which `queue` contains of machines without a lease.
#[test]
fn saves_write_no_index_entries() {
    run(async {
        let schema = new_schema();
        let store = open(&schema).await;
        store.start(&new_machine("a")).await.expect("a machine");
        let claimed = store.claim(&claim(1)).await.expect("a claim");
        let mut save = save_of(&claimed[0]);
        for seq in 1..=20 {
            save.seq = seq;
            save.state = format!("state {seq}");
            assert!(
                store
                    .save(&[save.clone()])
                    .await
                    .expect("a result")
                    .is_empty()
            );
        }
        drop(store);
        let mut client = connect(&schema).unwrap();
        assert_eq!(count(&mut client, "n_tup_upd", 21), 21);
        assert_eq!(count(&mut client, "n_tup_hot_upd", 0), 20);
    });
}

/// A machine of [`rows_read_by_a_claim`]: its state, and the SQL of `due, lease, attempts`.
type Values<'v> = (&'v str, &'v str);

/// Claims five machines in the state `start`, after 20,000 were inserted with each of these values.
/// Returns the number of rows that the server has read.
async fn rows_read_by_a_claim(values: &[Values<'_>]) -> i64 {
    let schema = new_schema();
    let store = open(&schema).await;
    let mut client = connect(&schema).unwrap();
    for (state, values) in values {
        let many = format!(
            "insert into durable_machine
                (type, key, status, state, snapshot, created, changed, due, lease, attempts)
            select 'Order', '{state} ' || key, 0, '{state}', '{{}}', 0, 0, {values}
            from generate_series(1, 20000) as key"
        );
        client.batch_execute(&many).unwrap();
    }
    let claim = claim(5);
    assert_eq!(store.claim(&claim).await.expect("claims").len(), 5);
    let wait = store.next_wake(&claim.known).await.expect("a result");
    assert_eq!(wait, Some(Duration::ZERO));
    drop(store);
    count(&mut client, "seq_tup_read + idx_tup_fetch", 5)
}

/// A claim that read all machines that can run would take longer with each of them.
#[test]
fn claim_reads_few_of_many_machines() {
    run(async {
        let read = rows_read_by_a_claim(&[("start", "1 + key * 7919 % 20000, null, 0")]).await;
        assert!(read < 2_000, "{read} rows");
    });
}

/// The leases of a worker with many machines expire together after its crash.
#[test]
fn claim_reads_few_of_many_expired_leases() {
    run(async {
        let read = rows_read_by_a_claim(&[("start", "1 + key * 7919 % 20000, 1, 1")]).await;
        assert!(read < 2_000, "{read} rows");
    });
}

/// Machines in the states of other builds, and those that wait for a place, could run earlier.
#[test]
fn claim_reads_no_machines_of_other_states() {
    run(async {
        let values = [
            ("other", "1 + key, null, 0"),
            ("start", "30000 + key, null, 0"),
        ];
        let read = rows_read_by_a_claim(&values).await;
        assert!(read < 2_000, "{read} rows");
    });
}
