//! The threads of an idle runtime do not run at all.

#![cfg(target_os = "linux")]

use std::fs;
use std::sync::mpsc::channel;
use std::time::Duration;

use volt::Runtime;

/// Returns the number of time slices and the running time in ns of each thread with this prefix. A
/// thread for which both are constant has made no system call.
fn schedule_of(prefix: &str) -> Vec<(String, u64, u64)> {
    let mut threads = Vec::new();
    for entry in fs::read_dir("/proc/self/task").unwrap() {
        let path = entry.unwrap().path();
        // A thread may end during the search.
        let Ok(name) = fs::read_to_string(path.join("comm")) else {
            continue;
        };
        if !name.starts_with(prefix) {
            continue;
        }
        let Ok(stat) = fs::read_to_string(path.join("schedstat")) else {
            continue;
        };
        let mut fields = stat
            .split_whitespace()
            .map(|field| field.parse::<u64>().unwrap());
        let (ran, slices) = (fields.next().unwrap(), fields.nth(1).unwrap());
        threads.push((path.display().to_string(), slices, ran));
    }
    threads.sort();
    threads
}

/// Waits until the threads are idle, and asserts that they do not run for a second.
fn assert_idle(prefix: &str, threads: usize) {
    let mut before = schedule_of(prefix);
    for _ in 0..100 {
        std::thread::sleep(Duration::from_millis(20));
        let now = schedule_of(prefix);
        if now == before && now.len() == threads {
            break;
        }
        before = now;
    }
    assert_eq!(before.len(), threads);
    std::thread::sleep(Duration::from_secs(1));
    assert_eq!(
        schedule_of(prefix),
        before,
        "a thread of an idle runtime ran"
    );
}

fn runtime(name: &str, workers: usize) -> Runtime {
    let builder = Runtime::builder().worker_threads(workers).thread_name(name);
    builder.build().unwrap()
}

#[test]
fn fresh_runtime_does_not_run() {
    let _runtime = runtime("a-fresh", 4);
    assert_idle("a-fresh", 4);
}

#[test]
fn idle_runtime_after_work_does_not_run() {
    let runtime = runtime("a-worked", 4);
    let tasks: Vec<_> = (0..10_000)
        .map(|_| runtime.spawn(volt::task::yield_now()))
        .collect();
    for task in tasks {
        runtime.block_on(task).unwrap();
    }
    assert_idle("a-worked", 4);
}

#[test]
fn runtime_with_waiting_tasks_does_not_run() {
    let runtime = runtime("a-waiting", 4);
    let listener = runtime.block_on(async { volt::net::TcpListener::bind("127.0.0.1:0").unwrap() });
    let accepting = runtime.spawn(async move { listener.accept().await.map(drop) });
    let sleeping = runtime.spawn(volt::time::sleep(Duration::from_secs(3600)));
    let waiting = runtime.spawn(std::future::pending::<()>());
    assert_idle("a-waiting", 4);
    for task in [
        accepting.abort_handle(),
        sleeping.abort_handle(),
        waiting.abort_handle(),
    ] {
        task.cancel();
    }
    assert!(runtime.block_on(waiting).unwrap_err().is_cancelled());
}

/// A thread that is not a worker polls a task during the shutdown. The last worker waits for that
/// poll. Then the task is cancelled, with or without a shield.
#[test]
fn last_worker_sleeps_while_a_task_is_polled_outside() {
    let runtime = runtime("a-last", 1);
    let (release_worker, hold_worker) = channel::<()>();
    let (release_task, hold_task) = channel::<()>();
    let (entered, enters) = channel();
    let begun = entered.clone();
    let busy = runtime.spawn(async move {
        begun.send(()).unwrap();
        let _ = hold_worker.recv();
    });
    busy.detach();
    enters.recv().unwrap();
    let task = runtime.spawn(async move {
        let _shield = volt::task::shield();
        entered.send(()).unwrap();
        let _ = hold_task.recv();
        std::future::pending::<()>().await;
    });
    let joiner = std::thread::spawn(|| task.join());
    enters.recv().unwrap();
    runtime.shutdown_background();
    drop(release_worker);
    assert_idle("a-last", 1);
    drop(release_task);
    assert!(joiner.join().unwrap().unwrap_err().is_cancelled());
    while !schedule_of("a-last").is_empty() {
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn measure_detects_a_running_thread() {
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let seen = std::sync::Arc::clone(&stop);
    let thread = std::thread::Builder::new()
        .name("a-ticking".into())
        .spawn(move || {
            while !seen.load(std::sync::atomic::Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(10));
            }
        });
    let thread = thread.unwrap();
    let before = schedule_of("a-ticking");
    std::thread::sleep(Duration::from_millis(200));
    let after = schedule_of("a-ticking");
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    thread.join().unwrap();
    assert_ne!(before, after);
}
