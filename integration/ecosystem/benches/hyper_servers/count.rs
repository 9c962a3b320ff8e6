//! Instructions a request, as callgrind counts them: twice as many requests, less once as many.

use std::process::{Command, Stdio};

use super::CONNECTIONS;
use super::load::Load;
use super::server::Server;

const REQUESTS: usize = 5000;

/// `None` where there is no valgrind.
pub(crate) fn instructions(name: &str) -> Option<u64> {
    let (once, twice) = (run(name, REQUESTS)?, run(name, 2 * REQUESTS)?);
    Some(twice.saturating_sub(once) / REQUESTS as u64)
}

fn run(name: &str, requests: usize) -> Option<u64> {
    let installed = Command::new("valgrind")
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    installed.ok().filter(|status| status.success())?;
    let report = std::env::temp_dir().join(format!("volt-hyper-{}", std::process::id()));
    let this = std::env::current_exe().expect("it runs");
    let mut command = Command::new("valgrind");
    command
        .args(["--tool=callgrind", "--quiet"])
        .arg(format!("--callgrind-out-file={}", report.display()))
        .arg(this);
    let server = Server::start_by(&mut command, name);
    let mut load = Load::connect(server.address, CONNECTIONS);
    load.run_through(requests);
    drop((load, server));
    let text = std::fs::read_to_string(&report).ok()?;
    std::fs::remove_file(&report).ok()?;
    let total = text.lines().find_map(|line| line.strip_prefix("totals: "));
    total
        .or_else(|| text.lines().find_map(|line| line.strip_prefix("summary: ")))?
        .trim()
        .parse()
        .ok()
}
