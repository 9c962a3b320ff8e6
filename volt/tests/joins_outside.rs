//! Joins that block on threads that are in no runtime: what is queued they poll themselves.

use std::sync::mpsc::{Sender, channel};
use std::thread::{self, ThreadId};

use volt::{Builder, Handle, JoinHandle, Runtime};

/// A runtime of one worker, which is busy until the sender goes.
fn busy(builder: Builder) -> (Runtime, Sender<()>) {
    let runtime = builder.worker_threads(1).build().unwrap();
    let (release, wait) = channel::<()>();
    let (begun, begins) = channel();
    let blocker = runtime.spawn(async move {
        begun.send(()).unwrap();
        let _ = wait.recv();
    });
    blocker.detach();
    begins.recv().unwrap();
    (runtime, release)
}

fn who(runtime: &Runtime) -> JoinHandle<ThreadId> {
    runtime.spawn(async { thread::current().id() })
}

#[test]
fn join_from_outside_polls_what_is_queued() {
    let (runtime, release) = busy(Builder::new());
    let me = thread::current().id();
    assert_eq!(who(&runtime).join().unwrap(), me);
    drop(release);
}

#[test]
fn thread_is_in_the_runtime_meanwhile_and_not_after() {
    let (runtime, release) = busy(Builder::new());
    let me = thread::current().id();
    let nested = runtime.spawn(async {
        let child = volt::spawn(async { thread::current().id() });
        child.join().unwrap()
    });
    assert_eq!(nested.join().unwrap(), me);
    assert!(Handle::try_current().is_none());
    drop(release);
}

#[test]
fn task_that_waits_goes_on_in_the_runtime() {
    let (runtime, release) = busy(Builder::new());
    let me = thread::current().id();
    let task = runtime.spawn(async move {
        assert_eq!(thread::current().id(), me);
        drop(release);
        volt::time::sleep(std::time::Duration::from_millis(1)).await;
        thread::current().id()
    });
    assert_ne!(task.join().unwrap(), me);
}

#[test]
fn panic_of_a_task_that_is_polled_outside_is_an_error() {
    let (runtime, release) = busy(Builder::new());
    let task = runtime.spawn(async { panic!("on purpose") });
    assert!(task.join().unwrap_err().is_panic());
    assert!(Handle::try_current().is_none());
    drop(release);
}

#[test]
fn threads_that_were_not_started_as_workers_are_do_not_poll() {
    let (runtime, release) = busy(Builder::new().on_thread_start(|| {}));
    let task = who(&runtime);
    let releaser = thread::spawn(move || {
        thread::sleep(std::time::Duration::from_millis(20));
        drop(release);
    });
    assert_ne!(task.join().unwrap(), thread::current().id());
    releaser.join().unwrap();
}

#[test]
fn task_of_a_local_runtime_stays_on_its_thread() {
    let runtime = Builder::new().build_local().unwrap();
    let me = thread::current().id();
    let task = runtime.handle().spawn(async { thread::current().id() });
    let joiner = thread::spawn(move || task.join().unwrap());
    let polled = runtime.block_on(async {
        while !joiner.is_finished() {
            volt::task::yield_now().await;
        }
        joiner.join().unwrap()
    });
    assert_eq!(polled, me);
}

/// As it is on a worker: who polls the task does not matter.
#[test]
fn block_on_in_a_task_is_refused_whoever_polls_it() {
    let (runtime, release) = busy(Builder::new());
    let handle = runtime.handle().clone();
    let task = runtime.spawn(async move { handle.block_on(async { 1 }) });
    assert!(task.join().unwrap_err().is_panic());
    let handle = runtime.handle().clone();
    let entered = runtime.enter();
    let task = runtime.spawn(async move { handle.block_on(async { 1 }) });
    assert!(task.join().unwrap_err().is_panic());
    drop((entered, release));
    let handle = runtime.handle().clone();
    let task = runtime.spawn(async move { handle.block_on(async { 1 }) });
    assert!(runtime.block_on(task).unwrap_err().is_panic());
}

#[test]
fn job_that_a_job_joins_may_block() {
    let runtime = Builder::new().max_blocking_threads(1).build().unwrap();
    let handle = runtime.handle().clone();
    let outer = runtime.spawn_blocking(move || {
        let inner = volt::spawn_blocking(move || handle.block_on(async { 1 }));
        inner.join().unwrap()
    });
    assert_eq!(outer.join().unwrap(), 1);
}
