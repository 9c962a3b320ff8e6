//! A process that is forked while it has a runtime: in the child another one can be started.
//!
//! The standard library takes a lock wherever a thread starts or ends. A fork at that moment inherits the lock, and in the
//! child no thread starts any more, with volt or without. So this is a program of one test, and nothing starts or
//! ends a thread while it forks.

#![cfg(unix)]

mod forking;

use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc;

use forking::holds_in_a_fork;
use volt::task::yield_now;
use volt::{Builder, LocalRuntime, Runtime};

/// Waits until all workers sleep: a fork would inherit the locks that they hold.
fn settle(runtime: &Runtime) {
    while runtime.stats().sleeping < 2 {
        std::thread::yield_now();
    }
}

#[test]
fn runtime_that_is_started_in_a_fork_works() {
    let runtime = Builder::new().worker_threads(2).build().unwrap();
    settle(&runtime);
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
    let until_the_end = |act: &dyn Fn()| {
        started.wait();
        while !stop.load(Relaxed) {
            act();
        }
    };
    let (leave, left) = mpsc::channel::<()>();
    let runs = runtime.spawn(async move { left.recv().is_err() });
    std::thread::scope(|scope| {
        scope.spawn(|| until_the_end(&|| drop(runtime.dump())));
        scope.spawn(|| until_the_end(&|| runtime.block_on(yield_now())));
        scope.spawn(|| until_the_end(&|| runtime.spawn(yield_now()).join().unwrap()));
        started.wait();
        let works = (0..200).all(|_| {
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
