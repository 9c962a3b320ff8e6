//! The output of the runtime.

use std::io::{self, Write};
use std::process;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use volt::Runtime;
use volt::runtime::{Dump, InspectAddress};
use volt::task::{Orphan, TaskId};

use crate::faults::{self, Fault};
use crate::options::Options;
use crate::traffic;

/// Shows the faults that need no time, one after the other.
pub(crate) fn show_quick_faults() -> io::Result<()> {
    let quick = faults::ALL.iter().filter(|fault| fault.is_quick);
    for fault in quick {
        show_alone(fault)?;
    }
    Ok(())
}

/// Starts the fault alone, and prints the report of an orphan and the whole dump.
pub(crate) fn show_alone(fault: &Fault) -> io::Result<()> {
    let (runtime, orphans) = watched()?;
    (fault.begin)(&runtime);
    wait_until_all_wait(&runtime);
    let mut out = io::stdout().lock();
    writeln!(out, "== {}", fault.title)?;
    match orphans.try_recv() {
        Ok(orphan) => writeln!(out, "orphan: {orphan}")?,
        Err(_) => writeln!(out, "no orphan: a waker of each task exists")?,
    }
    writeln!(out, "{}\n", runtime.dump())
}

/// Starts the fault beside tasks without one, and prints the findings, or starts the page.
///
/// Ends the process at the end, because a runtime with a blocked worker cannot be dropped.
pub(crate) fn show_in_service(fault: &Fault, options: &Options) -> io::Result<()> {
    let mut builder = Runtime::builder()
        .worker_threads(fault.workers)
        .name(fault.name);
    if let Some(address) = options.page {
        builder = builder.inspect(InspectAddress::from(address).show_values(true));
    }
    let runtime = builder.build()?;
    runtime.block_on(traffic::start())?;
    (fault.begin)(&runtime);
    if let Some(endpoint) = runtime.handle().inspect_endpoint() {
        writeln!(io::stdout(), "{endpoint}")?;
        loop {
            thread::park();
        }
    }
    thread::sleep(options.after);
    print_findings(&runtime)?;
    process::exit(0);
}

/// Prints the findings and groups, and the first task of each finding.
fn print_findings(runtime: &Runtime) -> io::Result<()> {
    let dump = runtime.dump();
    let mut out = io::stdout().lock();
    writeln!(out, "{}", dump.summary())?;
    let findings = dump.findings();
    let mut shown = Vec::new();
    for task in findings.iter().filter_map(|finding| finding.tasks.first()) {
        if !shown.contains(task) {
            shown.push(*task);
            write!(out, "{}", task_text(&dump, *task))?;
        }
    }
    out.flush()
}

/// Returns the lines of one task and the futures in it.
fn task_text(dump: &Dump, id: TaskId) -> String {
    let mut one = dump.clone();
    one.retain(|task| task.id == id);
    let text = one.to_string();
    let is_task = |line: &&str| line.starts_with("task ") || line.starts_with("   ");
    let lines = text.lines().skip_while(|line| !line.starts_with("task "));
    lines
        .take_while(is_task)
        .fold(String::new(), |text, line| text + line + "\n")
}

/// A runtime, and the orphans that it finds.
fn watched() -> io::Result<(Runtime, Receiver<Orphan>)> {
    let (send, orphans) = channel();
    let runtime = Runtime::builder()
        .worker_threads(2)
        .on_orphan(move |orphan| _ = send.send(orphan.clone()))
        .build()?;
    Ok((runtime, orphans))
}

/// Waits until no worker has had anything to do for a while.
fn wait_until_all_wait(runtime: &Runtime) {
    let polls = || {
        let stats = runtime.stats();
        let polls: u64 = stats.workers.iter().map(|worker| worker.polled).sum();
        (stats.sleeping == 2).then_some(polls)
    };
    loop {
        let before = polls();
        thread::sleep(Duration::from_millis(20));
        if before.is_some() && polls() == before {
            return;
        }
    }
}
