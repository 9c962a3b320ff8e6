//! A worker process whose file cannot grow: each write beyond a limit fails, in part or as a whole.

use std::cell::Cell;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use async_io::Timer;
use futures_lite::future::{block_on, or};
use volt_durable::Client;
use volt_durable::store::SqliteStore;

use crate::orders::{check_effects, new_file, run_orders, worker};
use crate::worker_process::{Killed, worker_process};

const ORDERS: usize = 3;

/// Returns the command of a worker process whose files have at most this number of blocks of
/// 512 or 1,024 bytes. A write beyond them fails, and the signal for it is ignored.
fn limited_process(database: &Path, blocks: u32) -> Command {
    let process = worker_process(database);
    let mut command = Command::new("sh");
    let limit = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    command.args(["-c", &limit]).arg(process.get_program());
    command.args(process.get_args());
    for (name, value) in process.get_envs() {
        command.env(name, value.unwrap_or_default());
    }
    command.stdin(Stdio::piped());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Runs orders on a disk that has space again after a while, or never. Returns `true` if it had
/// space again before the orders had ended.
async fn run_with_limit(blocks: u32, space_after: Option<Duration>) -> bool {
    let (database, effects) = (new_file("full.db"), new_file("effects"));
    let store = SqliteStore::open(&database).await.expect("a store");
    let client = Client::new(store.clone()).poll_interval(Duration::from_millis(20));
    let limited = limited_process(&database, blocks).spawn();
    let limited = Killed(limited.expect("a worker process"));
    let was_full = Cell::new(false);
    let space = async {
        space_after.map_or_else(Timer::never, Timer::after).await;
        was_full.set(true);
        drop(limited);
        worker(store.clone())
            .run_until(std::future::pending::<()>())
            .await;
    };
    or(run_orders(&client, &effects, ORDERS), space).await;
    check_effects(&effects, ORDERS);
    was_full.get()
}

#[test]
fn orders_survive_a_full_disk() {
    for blocks in [240, 300, 360, 420, 480, 540, 600] {
        let was_full = block_on(run_with_limit(blocks, Some(Duration::from_millis(500))));
        assert!(was_full || blocks > 240, "a limit of {blocks} blocks");
    }
    assert!(
        !block_on(run_with_limit(10_000, None)),
        "space for all orders"
    );
}
