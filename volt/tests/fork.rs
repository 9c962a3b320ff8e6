//! A fork of a process with a runtime. Nothing hangs in the child.
//!
//! The children of these tests start no thread. The tests in `fork_starts` start threads.

#![cfg(unix)]

mod forking;

use std::future::pending;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use forking::{forked, holds_in_a_fork};
use volt::{Builder, Handle, Runtime};

/// Returns `true` if `act` panics with volt's message in a fork. There, a panic ends the process.
fn is_refused_in_a_fork(mut act: impl FnMut() + Send + Sync + 'static) -> bool {
    let output = forked(move || {
        act();
        true
    });
    String::from_utf8_lossy(&output.expect("a child").stderr).contains("was forked")
}

fn runtime() -> Runtime {
    let runtime = Builder::new().worker_threads(2).build().unwrap();
    settle(&runtime);
    runtime
}

/// Waits until all workers sleep, because a fork would inherit the locks of running workers.
fn settle(runtime: &Runtime) {
    while runtime.stats().sleeping < 2 {
        std::thread::yield_now();
    }
}

#[test]
fn failure_in_a_fork_is_seen() {
    assert!(!holds_in_a_fork(|| false));
    assert!(holds_in_a_fork(|| true));
}

#[test]
fn block_on_in_a_fork_is_rejected() {
    let runtime = runtime();
    let handle = runtime.handle().clone();
    assert!(is_refused_in_a_fork(move || handle.block_on(async {})));
    assert!(!is_refused_in_a_fork(|| panic!("for another reason")));
    runtime.block_on(async {});
}

#[test]
fn join_in_a_fork_is_rejected() {
    let runtime = runtime();
    let handle = runtime.handle().clone();
    assert!(is_refused_in_a_fork(move || {
        let _entered = handle.enter();
        drop(handle.spawn(pending::<()>()).join());
    }));
}

#[test]
fn join_of_an_idle_task_in_a_fork_is_rejected() {
    let runtime = runtime();
    let mut task = Some(runtime.spawn(pending::<()>()));
    settle(&runtime);
    assert!(is_refused_in_a_fork(move || drop(
        task.take().unwrap().join()
    )));
    let mut task = Some(runtime.spawn(pending::<()>()));
    settle(&runtime);
    assert!(is_refused_in_a_fork(move || {
        let own = Builder::new().worker_threads(1).build().unwrap();
        let _entered = own.enter();
        drop(task.take().unwrap().join());
    }));
}

#[test]
fn join_of_a_running_task_in_a_fork_is_rejected() {
    let runtime = runtime();
    let (runs, is_running) = mpsc::channel();
    let (leave, left) = mpsc::channel::<()>();
    let mut task = Some(runtime.spawn(async move {
        runs.send(()).unwrap();
        let _ = left.recv();
    }));
    is_running.recv().unwrap();
    assert!(is_refused_in_a_fork(move || drop(
        task.take().unwrap().join()
    )));
    drop(leave);
}

#[test]
fn join_of_a_job_in_a_fork_is_rejected() {
    let runtime = runtime();
    let (runs, is_running) = mpsc::channel();
    let (leave, left) = mpsc::channel::<()>();
    let mut job = Some(runtime.spawn_blocking(move || {
        runs.send(()).unwrap();
        let _ = left.recv();
    }));
    is_running.recv().unwrap();
    assert!(is_refused_in_a_fork(move || drop(
        job.take().unwrap().join()
    )));
    drop(leave);
}

#[test]
fn runtime_dropped_in_a_fork_does_not_wait() {
    let mut kept = Some(runtime());
    let dropped = holds_in_a_fork(move || {
        let begin = std::time::Instant::now();
        drop(kept.take());
        begin.elapsed() < std::time::Duration::from_secs(10)
    });
    assert!(dropped);
}

/// Threads of the parent take the locks of dumps all the time, so some forks inherit a locked one.
#[test]
fn dump_in_a_fork_is_empty_and_takes_no_lock() {
    let runtime = runtime();
    let task = runtime.spawn(pending::<()>());
    let (id, is_over) = (task.id(), AtomicBool::new(false));
    let is_empty = move |handle: &Handle| {
        let dump = handle.dump();
        #[cfg(feature = "inspect")]
        assert!(handle.dump_by_poll(&Default::default()).tasks().is_empty());
        let has_task = !dump.tasks().is_empty() || handle.dump_task(id).is_some();
        !has_task && handle.stats().alive == 0 && dump.to_string().contains("was forked")
    };
    thread::scope(|scope| {
        let dumps = || {
            while !is_over.load(Relaxed) {
                drop(runtime.dump());
            }
        };
        scope.spawn(dumps);
        scope.spawn(dumps);
        let all_empty = (0..100).all(|_| {
            let handle = runtime.handle().clone();
            holds_in_a_fork(move || is_empty(&handle))
        });
        is_over.store(true, Relaxed);
        assert!(all_empty);
    });
    assert_eq!(runtime.dump().tasks()[0].id, id);
}

#[test]
fn shutdown_in_a_fork_returns_no_tasks() {
    let runtime = runtime();
    runtime.spawn(pending::<()>()).detach();
    let mut kept = Some(runtime);
    assert!(holds_in_a_fork(move || {
        let stuck = kept.take().unwrap().shutdown(Duration::ZERO);
        stuck.tasks().is_empty() && stuck.to_string().contains("was forked")
    }));
}

#[cfg(feature = "inspect")]
#[test]
fn fork_has_no_inspection_server() {
    let runtime = Builder::new().worker_threads(2).inspect(0).build().unwrap();
    settle(&runtime);
    let handle = runtime.handle().clone();
    assert!(handle.inspect_endpoint().is_some());
    assert!(holds_in_a_fork(move || {
        let is_refused = handle.inspect(0).is_err();
        handle.inspect_endpoint().is_none() && is_refused
    }));
    assert!(runtime.handle().inspect_endpoint().is_some());
}
