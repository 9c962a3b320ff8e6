//! Failures of the system: no free descriptors.

use std::fs::File;
use std::process::Command;

use super::support::{listener, run};
use crate::net::connect;

/// Set in the process with few descriptors.
const CHILD: &str = "VOLT_TEST_FEW_DESCRIPTORS";

/// Runs a test in another process that can open few descriptors.
#[cfg(target_os = "linux")]
fn again_with_few_descriptors(test: &str) {
    let program = std::env::current_exe().expect("the test has a path");
    let output = Command::new("sh")
        .args(["-c", "ulimit -n 48 && exec \"$0\" --exact \"$1\""])
        .arg(program)
        .arg(test)
        .env(CHILD, "1")
        .output()
        .expect("a shell");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("1 passed"),
        "{text}"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn accept_without_descriptors_fails_and_recovers() {
    const EMFILE: i32 = 24;
    if std::env::var_os(CHILD).is_none() {
        let test = "net::tests::faults::accept_without_descriptors_fails_and_recovers";
        return again_with_few_descriptors(test);
    }
    run(async {
        let listener = listener();
        let address = listener.local_addr().expect("an address");
        let stream = connect(address).await.expect("connects");
        let files: Vec<_> = std::iter::from_fn(|| File::open("/dev/null").ok()).collect();
        for _ in 0..3 {
            let refused = listener.accept().await.expect_err("no descriptor is left");
            assert_eq!(refused.raw_os_error(), Some(EMFILE));
            let refused = connect(address).await.expect_err("no descriptor is left");
            assert!(refused.to_string().contains(&address.to_string()));
        }
        drop(files);
        let (_, peer) = listener.accept().await.expect("the connection waited");
        assert_eq!(stream.local_addr().ok(), Some(peer));
    });
}
