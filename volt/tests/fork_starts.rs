//! A process that is forked while it has a runtime: in the child another one can be started.
//!
//! The standard library takes a lock wherever a thread starts or ends. A fork at that moment inherits the lock, and in the
//! child no thread starts any more, with volt or without. So this is a program of one test, and nothing starts or
//! ends a thread while it forks.

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

/// Nobody waits longer for the end of the test.
const LIMIT: Duration = Duration::from_secs(300);

/// What the busy threads have done so often.
static TURNS: [AtomicUsize; 3] = [const { AtomicUsize::new(0) }; 3];
static FORKS: AtomicUsize = AtomicUsize::new(0);

/// Ends this program if what this returns lasts for too long, and says where the threads are by then.
fn ends_by_the_limit(handle: Handle) -> Sender<()> {
    let (lasts, is_over) = mpsc::channel::<()>();
    let started = Arc::new(Barrier::new(2));
    let starts = Arc::clone(&started);
    thread::spawn(move || {
        starts.wait();
        if is_over.recv_timeout(LIMIT) == Err(RecvTimeoutError::Timeout) {
            say_where_it_hangs(handle);
            process::abort();
        }
    });
    started.wait();
    lasts
}

/// Not by `eprintln`, which the harness keeps for the end of the test.
fn say_where_it_hangs(handle: Handle) {
    for _ in 0..2 {
        let (turns, forks) = (&TURNS, FORKS.load(Relaxed));
        let _ = writeln!(io::stderr(), "hangs at fork {forks}, turns: {turns:?}");
        thread::sleep(Duration::from_secs(1));
    }
    // It may hang too.
    thread::spawn(move || writeln!(io::stderr(), "{}", handle.dump()));
    thread::sleep(Duration::from_secs(5));
}

/// Waits until all workers sleep: a fork would inherit the locks that they hold.
fn settle(runtime: &Runtime) {
    while runtime.stats().sleeping < 2 {
        std::thread::yield_now();
    }
}

#[test]
fn runtime_started_in_a_fork_works() {
    let runtime = Builder::new().worker_threads(2).build().unwrap();
    settle(&runtime);
    let _lasts = ends_by_the_limit(runtime.handle().clone());
    assert!(holds_in_a_fork(|| {
        let own = Builder::new().worker_threads(2).build().unwrap();
        own.block_on(own.spawn(async { 7 })).unwrap() == 7
    }));
    assert_eq!(runtime.block_on(runtime.spawn(async { 7 })).unwrap(), 7);
    works_while_the_process_is_busy(&runtime);
}

/// The threads take and leave the locks that the process has for all runtimes. A fork inherits these as they are at
/// that moment. A task runs all the time: for one that does, a dump looks at who polls inside of joins.
fn works_while_the_process_is_busy(runtime: &Runtime) {
    let (started, stop) = (Barrier::new(4), AtomicBool::new(false));
    let until_the_end = |nth: usize, act: &dyn Fn()| {
        started.wait();
        while !stop.load(Relaxed) {
            act();
            TURNS[nth].fetch_add(1, Relaxed);
        }
    };
    let (leave, left) = mpsc::channel::<()>();
    let runs = runtime.spawn(async move { left.recv().is_err() });
    thread::scope(|scope| {
        scope.spawn(|| until_the_end(0, &|| drop(runtime.dump())));
        scope.spawn(|| until_the_end(1, &|| runtime.block_on(yield_now())));
        scope.spawn(|| until_the_end(2, &|| runtime.spawn(yield_now()).join().unwrap()));
        started.wait();
        let works = (0..200).all(|_| {
            FORKS.fetch_add(1, Relaxed);
            holds_in_a_fork(|| {
                let answer = volt::block_on(async {
                    yield_now().await;
                    volt::spawn(async { volt::spawn(async { 7 }).join().unwrap() }).await
                });
                let local = LocalRuntime::new().unwrap();
                answer.unwrap() == 7 && local.dump().tasks().is_empty()
            })
        });
        stop.store(true, Relaxed);
        drop(leave);
        assert!(works);
    });
    assert!(runs.join().unwrap());
}
