//! A fork of a process with a runtime. The child can start another runtime.
//!
//! The standard library takes a lock when a thread starts or ends. A fork at that moment inherits
//! the lock, and then no thread can start in the child, with or without volt. So the program has
//! one test, and no thread starts or ends while it forks.

#![cfg(unix)]

mod forking;

use std::io::{self, Write};
use std::process;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;

use forking::holds_in_a_fork;
use volt::task::yield_now;
use volt::{Builder, Handle, LocalRuntime, Runtime};

/// The time limit of the test.
const LIMIT: Duration = Duration::from_secs(300);

/// The number of iterations of each busy thread.
static TURNS: [AtomicUsize; 4] = [const { AtomicUsize::new(0) }; 4];
static FORKS: AtomicUsize = AtomicUsize::new(0);

/// Aborts the program after the limit unless the returned guard is dropped, and prints the state of
/// the threads first.
fn abort_after_limit(handle: Handle) -> Sender<()> {
    let (guard, is_over) = mpsc::channel::<()>();
    let started = Arc::new(Barrier::new(2));
    let starts = Arc::clone(&started);
    thread::spawn(move || {
        starts.wait();
        if is_over.recv_timeout(LIMIT) == Err(RecvTimeoutError::Timeout) {
            print_threads(handle);
            process::abort();
        }
    });
    started.wait();
    guard
}

/// Prints the state of the threads. The test harness would capture the output of `eprintln`.
fn print_threads(handle: Handle) {
    for _ in 0..2 {
        let (turns, forks) = (&TURNS, FORKS.load(Relaxed));
        let _ = writeln!(io::stderr(), "hangs at fork {forks}, turns: {turns:?}");
        thread::sleep(Duration::from_secs(1));
    }
    // The dump may hang too.
    thread::spawn(move || writeln!(io::stderr(), "{}", handle.dump()));
    thread::sleep(Duration::from_secs(5));
}

/// Waits until all workers sleep, because a fork would inherit the locks of running workers.
fn settle(runtime: &Runtime) {
    while runtime.stats().sleeping < 2 {
        std::thread::yield_now();
    }
}

#[test]
fn runtime_started_in_a_fork_works() {
    let runtime = Builder::new().worker_threads(2).build().unwrap();
    settle(&runtime);
    let _guard = abort_after_limit(runtime.handle().clone());
    assert!(holds_in_a_fork(|| {
        let own = Builder::new().worker_threads(2).build().unwrap();
        own.block_on(own.spawn(async { 7 })).unwrap() == 7
    }));
    assert_eq!(runtime.block_on(runtime.spawn(async { 7 })).unwrap(), 7);
    works_while_the_process_is_busy(&runtime);
}

/// Waits with a value that dumps show.
#[volt::state_machine]
async fn hold(value: Vec<u8>) {
    std::future::pending::<()>().await;
    drop(value);
}

/// The threads use the locks that all runtimes of the process share. A fork inherits the state of
/// these locks. One task runs all the time, because a dump of a running task reads the polls inside
/// of joins.
fn works_while_the_process_is_busy(runtime: &Runtime) {
    let (started, stop) = (Barrier::new(5), AtomicBool::new(false));
    let until_the_end = |nth: usize, act: &dyn Fn()| {
        started.wait();
        while !stop.load(Relaxed) {
            act();
            TURNS[nth].fetch_add(1, Relaxed);
        }
    };
    let (leave, left) = mpsc::channel::<()>();
    let runs = runtime.spawn(async move { left.recv().is_err() });
    let inspected = runtime.spawn(hold(vec![7; 8]));
    let id = inspected.id();
    thread::scope(|scope| {
        scope.spawn(|| until_the_end(0, &|| drop(runtime.dump())));
        scope.spawn(|| until_the_end(1, &|| runtime.block_on(yield_now())));
        scope.spawn(|| until_the_end(2, &|| runtime.spawn(yield_now()).join().unwrap()));
        scope.spawn(|| until_the_end(3, &|| drop(runtime.handle().dump_task_with_values(id))));
        started.wait();
        let works = (0..200).all(|_| {
            FORKS.fetch_add(1, Relaxed);
            holds_in_a_fork(|| {
                let output = volt::block_on(async {
                    yield_now().await;
                    volt::spawn(async { volt::spawn(async { 7 }).join().unwrap() }).await
                });
                let local = LocalRuntime::new().unwrap();
                output.unwrap() == 7 && local.dump().tasks().is_empty()
            })
        });
        stop.store(true, Relaxed);
        drop(leave);
        assert!(works);
    });
    assert!(runs.join().unwrap());
    inspected.cancel();
}
