//! A log of SQLite whose end is missing or has other bytes, as after a crash of the system.

use std::fs;
use std::path::{Path, PathBuf};

use futures_lite::future::block_on;
use volt_durable::Client;
use volt_durable::store::{SqliteStore, Status};

use crate::orders::{Fulfil, check_effects, new_file, run_orders, wait_for_end, worker};

fn log_of(database: &Path) -> PathBuf {
    let mut log = database.as_os_str().to_owned();
    log.push("-wal");
    log.into()
}

/// Runs one order, and returns the database and its log without a checkpoint.
fn files_of_an_order() -> (Vec<u8>, Vec<u8>) {
    let (database, effects) = (new_file("torn.db"), new_file("effects"));
    block_on(async {
        let store = SqliteStore::open(&database).await.expect("a store");
        let worker = worker(store.clone());
        let client = worker.client();
        worker.run_until(run_orders(&client, &effects, 1)).await;
        let read = |file: &Path| fs::read(file).expect("a file");
        (read(&database), read(&log_of(&database)))
    })
}

/// Continues from files as they are after a crash. Returns `true` if the order was stored in them.
fn continue_from(database: &[u8], log: &[u8]) -> bool {
    let (file, effects) = (new_file("torn.db"), new_file("effects"));
    fs::write(&file, database).expect("a file");
    fs::write(log_of(&file), log).expect("a file");
    block_on(async {
        let store = SqliteStore::open(&file).await.expect("a store");
        let client = Client::new(store.clone());
        let row = client.row::<Fulfil>("order0").await.expect("a result");
        let worker = worker(store);
        let client = worker.client();
        let Some(row) = row else {
            worker.run_until(run_orders(&client, &effects, 1)).await;
            check_effects(&effects, 1);
            return false;
        };
        if row.status != Status::Done {
            // The messages may be among the missing writes, so the sender repeats them.
            for parcel in ["P1", "P2"] {
                let sent = client.send::<Fulfil>("order0", "parcel", parcel, &parcel);
                sent.await.expect("a message");
            }
        }
        worker.run_until(wait_for_end(&client, 1)).await;
        true
    })
}

/// The log ends at each of many places, within its frames and between them.
#[test]
fn order_survives_a_truncated_log() {
    let (database, log) = files_of_an_order();
    let mut stored = 0;
    let mut cuts = 0;
    for length in (0..log.len()).step_by(log.len() / 40) {
        stored += usize::from(continue_from(&database, &log[..length]));
        cuts += 1;
    }
    assert!(stored > cuts / 2, "{stored} of {cuts}");
}

/// A frame of the log has other bytes than were written. SQLite drops it and those after it.
#[test]
fn order_survives_a_damaged_log() {
    let (database, log) = files_of_an_order();
    for place in (100..log.len()).step_by(log.len() / 20) {
        let mut damaged = log.clone();
        damaged[place..].iter_mut().for_each(|byte| *byte ^= 0x55);
        continue_from(&database, &damaged);
    }
}
