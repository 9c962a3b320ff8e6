//! Worker processes: this test program again, with a variable.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use futures_lite::future::block_on;
use volt_durable::rusqlite::Connection;
use volt_durable::store::SqliteStore;

use crate::aborting_machine::AbortProcess;
use crate::orders::worker;

/// The file of the store of a worker process.
const DATABASE: &str = "VOLT_DURABLE_WORKER";
/// The number of the effect before which a worker process stops itself.
const STOP_AT: &str = "VOLT_DURABLE_STOP_AT";
/// The number of attempts after which a worker process parks a machine.
pub(crate) const MAX_ATTEMPTS: u32 = 6;

/// Returns the command of a worker process, which runs until it is killed.
pub(crate) fn worker_process(database: &Path) -> Command {
    let program = std::env::current_exe().expect("this program");
    let mut command = Command::new(program);
    let name = "worker_process::run_worker_process";
    command.args(["--exact", name, "--nocapture"]);
    command.env(DATABASE, database);
    command.stdin(Stdio::piped());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Makes a worker process stop itself before an effect.
pub(crate) fn stop_at(command: &mut Command, effect: usize) {
    command.env(STOP_AT, effect.to_string());
}

/// A process that is killed at the end.
pub(crate) struct Killed(pub(crate) Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Sends a signal to a process.
pub(crate) fn send_signal(signal: &str, process: u32) {
    let kill = Command::new("kill")
        .args([signal, &process.to_string()])
        .status();
    assert!(kill.expect("the command `kill`").success());
}

/// Waits until no thread of this process writes to the database.
fn wait_for_lock() {
    let database = std::env::var_os(DATABASE).expect("a worker process");
    let connection = Connection::open(database).expect("a database");
    let timeout = connection.busy_timeout(Duration::from_secs(60));
    timeout.expect("a timeout");
    let locked = connection.execute_batch("begin immediate; rollback");
    locked.expect("the lock of the database");
}

/// Stops this process before an effect, if it is the one of the variable.
pub(crate) fn before_effect() {
    static EFFECTS: AtomicUsize = AtomicUsize::new(0);
    let Ok(stop_at) = std::env::var(STOP_AT) else {
        return;
    };
    let number = EFFECTS.fetch_add(1, Ordering::SeqCst);
    if stop_at == number.to_string() {
        // The thread of the database ends its transactions. A process that is stopped within one
        // has the lock of the file.
        thread::sleep(Duration::from_millis(300));
        wait_for_lock();
        send_signal("-STOP", std::process::id());
        // This thread may run for a moment until the signal stops it.
        thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn run_worker_process() {
    let Some(database) = std::env::var_os(DATABASE) else {
        return;
    };
    // The process ends with the one that has started it.
    thread::spawn(|| {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        std::process::exit(1);
    });
    block_on(async {
        let store = SqliteStore::open(database).await.expect("a store");
        let worker = worker(store)
            .runs::<AbortProcess>()
            .max_attempts(MAX_ATTEMPTS);
        worker.run_until(std::future::pending::<()>()).await;
    });
}
