//! A process that is forked while it has a runtime: in the child nothing hangs.

#![cfg(unix)]

use std::future::pending;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc;
use std::time::Duration;

use volt::task::yield_now;
use volt::{Builder, LocalRuntime, Runtime};

/// Calls `act` in a fork of this process, which then runs something else.
fn forked(mut act: impl FnMut() -> bool + Send + Sync + 'static) -> io::Result<Output> {
    let mut command = Command::new("true");
    let act = move || match act() {
        true => Ok(()),
        false => Err(io::ErrorKind::InvalidData.into()),
    };
    // SAFETY: The child may do anything here on the systems that these tests run on, whose
    // allocators can be used after a fork; and no other thread of this process holds a lock that
    // it takes.
    unsafe { command.pre_exec(act) };
    command.output()
}

/// Whether `act` said so in a fork of this process.
fn holds_in_a_fork(act: impl FnMut() -> bool + Send + Sync + 'static) -> bool {
    forked(act).is_ok_and(|output| output.status.success())
}

/// Whether `act` is refused in a fork, where the standard library makes an end of whoever panics.
fn is_refused_in_a_fork(mut act: impl FnMut() + Send + Sync + 'static) -> bool {
    let output = forked(move || {
        act();
        true
    });
    String::from_utf8_lossy(&output.expect("it forks").stderr).contains("was forked")
}

fn runtime() -> Runtime {
    let runtime = Builder::new().worker_threads(2).build().unwrap();
    settle(&runtime);
    runtime
}

/// Waits until all workers sleep: a fork would inherit the locks that they hold.
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
fn block_in_a_fork_is_refused() {
    let runtime = runtime();
    let handle = runtime.handle().clone();
    assert!(is_refused_in_a_fork(move || handle.block_on(async {})));
    assert!(!is_refused_in_a_fork(|| panic!("of another reason")));
    runtime.block_on(async {});
}

#[test]
fn join_in_a_fork_is_refused() {
    let runtime = runtime();
    let handle = runtime.handle().clone();
    assert!(is_refused_in_a_fork(move || {
        let _entered = handle.enter();
        drop(handle.spawn(pending::<()>()).join());
    }));
}

#[test]
fn join_of_a_task_that_waits_is_refused_in_a_fork() {
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
fn join_of_a_task_that_runs_is_refused_in_a_fork() {
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
fn join_of_a_job_is_refused_in_a_fork() {
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
fn runtime_that_goes_in_a_fork_waits_for_nobody() {
    let mut kept = Some(runtime());
    let dropped = holds_in_a_fork(move || {
        let begin = std::time::Instant::now();
        drop(kept.take());
        begin.elapsed() < std::time::Duration::from_secs(1)
    });
    assert!(dropped);
}

#[test]
fn runtime_that_is_started_in_a_fork_works() {
    let runtime = runtime();
    assert!(holds_in_a_fork(|| {
        let own = Builder::new().worker_threads(2).build().unwrap();
        own.block_on(own.spawn(async { 7 })).unwrap() == 7
    }));
    assert_eq!(runtime.block_on(runtime.spawn(async { 7 })).unwrap(), 7);
}

/// Ends the process if it takes too long.
fn end_a_hang() {
    std::thread::spawn(|| {
        std::thread::sleep(Duration::from_secs(20));
        std::process::abort();
    });
}

/// They take and leave the locks that the process has for all runtimes. A fork inherits these as they
/// are at that moment.
#[test]
fn runtime_that_is_started_in_a_fork_of_a_busy_process_works() {
    let runtime = Builder::new().worker_threads(2).build().unwrap();
    let stop = AtomicBool::new(false);
    let until_the_end = |act: &dyn Fn()| {
        while !stop.load(Relaxed) {
            act();
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| until_the_end(&|| drop(runtime.dump())));
        scope.spawn(|| until_the_end(&|| runtime.block_on(yield_now())));
        scope.spawn(|| {
            until_the_end(&|| {
                let outer = runtime.spawn(async { volt::spawn(yield_now()).join() });
                outer.join().unwrap().unwrap();
            });
        });
        let works = (0..200).all(|_| {
            holds_in_a_fork(|| {
                end_a_hang();
                let answer = volt::block_on(async {
                    yield_now().await;
                    volt::spawn(async { volt::spawn(async { 7 }).join().unwrap() }).await
                });
                let local = LocalRuntime::new().unwrap();
                answer.unwrap() == 7 && local.dump().tasks().is_empty()
            })
        });
        stop.store(true, Relaxed);
        assert!(works);
    });
}
