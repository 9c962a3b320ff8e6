//! A runtime under valgrind, which translates the code and moves the entries of the system's
//! virtual library.

use std::process::Command;
use std::time::Duration;

use volt::Runtime;
use volt::time::{sleep, timeout};

/// Set in the process that valgrind runs.
const CHILD: &str = "VOLT_TEST_UNDER_VALGRIND";

#[test]
#[cfg(target_os = "linux")]
fn runtime_under_valgrind_runs_tasks_and_timers() {
    if std::env::var_os(CHILD).is_some() {
        let runtime = Runtime::builder().worker_threads(2).build().unwrap();
        let task = runtime.spawn(async {
            sleep(Duration::from_millis(1)).await;
            timeout(Duration::from_secs(60), async { 7 }).await
        });
        assert_eq!(runtime.block_on(task).unwrap().unwrap(), 7);
        return;
    }
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=none", "--error-exitcode=1"]);
    valgrind.arg(std::env::current_exe().unwrap());
    valgrind.args(["--exact", "runtime_under_valgrind_runs_tasks_and_timers"]);
    match valgrind.env(CHILD, "1").output() {
        Ok(output) => assert!(output.status.success(), "{output:?}"),
        Err(error) => println!("SKIPPED: valgrind is not on this machine: {error}"),
    }
}
