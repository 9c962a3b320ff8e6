//! Workers crash at random polls around `#[step(tx)]` on a SQLite file: each write is stored once.

use futures_lite::future::block_on;
use volt::machine::transaction;
use volt_durable::rusqlite::Connection;
use volt_durable::store::{SqliteStore, SqliteTransaction};

use crate::crashing_steps::{STEPS, run_with_crashes, seeds};
use crate::orders::new_file;

async fn write(step: u64, transaction: Option<SqliteTransaction>) -> u64 {
    let transaction = transaction.expect("the transaction of the step");
    for part in ["first", "second"] {
        let written = transaction.run(move |connection| {
            connection.execute("insert into effect values (?1, ?2)", (step, part))
        });
        written.await.expect("a write");
    }
    1
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn write_steps() -> u64 {
    let mut done = 0;
    while done < STEPS {
        #[step(tx)]
        #[state(Writing)]
        let written = write(done, transaction()).await;
        done += written;
    }
    done
}

#[test]
fn sqlite_writes_survive_random_crashes() {
    let mut crashes = 0;
    for seed in seeds() {
        let file = new_file("steps.db");
        let connection = Connection::open(&file).expect("a file");
        let table = "create table effect (step integer, part text)";
        connection.execute_batch(table).expect("a table");
        crashes += block_on(async {
            let store = SqliteStore::open(&file).await.expect("a store");
            run_with_crashes(&store, write_steps(), seed).await
        });
        let count = "select count(*), count(distinct step || part) from effect";
        let counts = connection.query_row(count, [], |row| Ok((row.get(0)?, row.get(1)?)));
        let counts: (u64, u64) = counts.expect("counts");
        assert_eq!(counts, (2 * STEPS, 2 * STEPS), "seed {seed}");
    }
    assert!(crashes > 10, "{crashes} crashes");
}
