//! The time and memory of a dump, for 100,000 and for 1,000,000 tasks, or as many as the first
//! argument states.
//!
//! Each task is a machine that awaits a machine that sleeps. The memory is the growth of the
//! largest resident set of the process, so each number of tasks has a process of its own. The
//! second time of a line is that for which the thread had a processor, as Linux counts it: it is
//! the time of an idle machine.

use std::hint::black_box;
use std::process::Command;
use std::time::{Duration, Instant};

use volt::time::sleep;

#[volt::state_machine]
async fn session(id: usize) -> usize {
    read_frame().await;
    id
}

#[volt::state_machine]
async fn read_frame() {
    sleep(Duration::from_secs(3_600)).await;
}

/// Returns a size of the process in KiB, such as `VmHWM`. It is zero where `/proc` is missing.
fn memory(name: &str) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mut lines = status.lines();
    let line = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    let number = line.and_then(|line| line.split_whitespace().next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// Returns the time for which this thread had a processor. It is zero where `/proc` is missing.
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = text.split_whitespace().next();
    let nanos = nanos.and_then(|number| number.parse().ok());
    Duration::from_nanos(nanos.unwrap_or(0))
}

/// Prints the duration of `work`.
fn timed<R>(name: &str, work: impl FnOnce() -> R) -> R {
    let (start, processor) = (Instant::now(), processor_time());
    let result = black_box(work());
    let time = start.elapsed().as_millis();
    let processor = (processor_time() - processor).as_millis();
    println!("{name:>9}: {time:>5} ms, {processor:>5} ms of a processor");
    result
}

fn dump(tasks: usize) {
    let runtime = volt::Builder::new().worker_threads(1).build();
    let runtime = runtime.expect("the runtime starts");
    for id in 0..tasks {
        runtime.spawn(session(id)).detach();
    }
    while runtime.stats().polled() < tasks as u64 {
        std::thread::sleep(Duration::from_millis(10));
    }
    let before = memory("VmRSS");
    println!("{tasks} tasks, {} MiB", before / 1024);
    let dump = timed("dump", || runtime.dump());
    let grown = memory("VmHWM").saturating_sub(before) / 1024;
    println!("{:>9}  {grown} MiB at most", "");
    assert_eq!(dump.tasks().len(), tasks);
    let before = dump.clone();
    drop(timed("dump", || runtime.dump()));
    drop(timed("groups", || dump.groups()));
    drop(timed("findings", || dump.findings()));
    drop(timed("diff", || dump.diff(&before)));
    let json = timed("json", || dump.json().to_string());
    println!("{:>9}  {} bytes a task", "", json.len() / tasks);
    let text = timed("text", || dump.to_string());
    println!("{:>9}  {} bytes a task", "", text.len() / tasks);
    // The tasks are not dropped one by one.
    std::process::exit(0);
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = arguments.iter().find_map(|text| text.parse().ok());
    if let Some(tasks) = number {
        return dump(tasks);
    }
    let program = std::env::current_exe().expect("the program has a path");
    for tasks in ["100000", "1000000"] {
        let status = Command::new(&program).arg(tasks).status();
        assert!(status.expect("the program starts").success());
    }
}
