//! Hangs a task in four ways, and shows how the runtime reports the line at which it waits.
//!
//! An orphan is reported at the moment when its last waker is dropped. If a waker is stored and
//! never called, the runtime cannot detect it, but the dump still names the line.

mod cancelled;
mod deadlock;
mod forgotten;
mod lost;

use std::io;
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use examples::command;
use volt::Runtime;
use volt::task::Orphan;

/// The text that `--help` prints.
const HELP: &str = "\
Hangs a task in four ways, and shows what the runtime tells of each: the line where it waits.

Usage: hang

Options:
  -h, --help  print this

An orphan is a task that nobody is left to wake: it is reported as soon as that is so. The dump
behind it shows every task of the runtime, with the line of the await that it stands at.
";

fn main() -> ExitCode {
    if let Err(code) = command::read(HELP, command::nothing) {
        return code;
    }
    match show_all() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("hang: {error}");
            ExitCode::FAILURE
        }
    }
}

fn show_all() -> io::Result<()> {
    show("a waker that is forgotten", forgotten::begin)?;
    show("a lock that its owner wants again", deadlock::begin)?;
    show(
        "a task that was cancelled, and does not end",
        cancelled::begin,
    )?;
    show("a message that is lost", lost::begin)
}

/// Starts a task that will hang, and prints the report of the runtime.
fn show(what: &str, begin: fn(&Runtime)) -> io::Result<()> {
    let (runtime, orphans) = watched()?;
    begin(&runtime);
    wait_until_all_wait(&runtime);
    println!("== {what}");
    match orphans.try_recv() {
        Ok(orphan) => println!("orphan: {orphan}"),
        Err(_) => println!("no orphan: somebody keeps a waker of each task"),
    }
    println!("{}\n", runtime.dump());
    Ok(())
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
