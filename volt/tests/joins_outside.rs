//! Blocking joins on threads outside of the runtime. They poll queued targets themselves.

use std::sync::mpsc::{Sender, channel};
use std::thread::{self, ThreadId};

use volt::{Builder, Handle, JoinHandle, Runtime};

/// Returns a runtime with one worker, which is busy until the sender is dropped.
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

fn thread_of(runtime: &Runtime) -> JoinHandle<ThreadId> {
    runtime.spawn(async { thread::current().id() })
}

#[test]
fn join_from_outside_polls_a_queued_task() {
    let (runtime, release) = busy(Builder::new());
    let me = thread::current().id();
    assert_eq!(thread_of(&runtime).join().unwrap(), me);
    drop(release);
}

#[test]
fn joining_thread_enters_and_leaves_the_runtime() {
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
fn pending_task_continues_on_a_worker() {
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
fn panic_of_a_task_polled_outside_is_an_error() {
    let (runtime, release) = busy(Builder::new());
    let task = runtime.spawn(async { panic!("on purpose") });
    assert!(task.join().unwrap_err().is_panic());
    assert!(Handle::try_current().is_none());
    drop(release);
}

#[test]
fn join_does_not_poll_without_the_start_hook() {
    let (runtime, release) = busy(Builder::new().on_thread_start(|| {}));
    let task = thread_of(&runtime);
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

/// The panic does not depend on the thread that polls the task.
#[test]
fn block_on_in_a_task_panics_on_any_thread() {
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
fn job_joined_by_a_job_may_block() {
    let runtime = Builder::new().max_blocking_threads(1).build().unwrap();
    let handle = runtime.handle().clone();
    let outer = runtime.spawn_blocking(move || {
        let inner = volt::spawn_blocking(move || handle.block_on(async { 1 }));
        inner.join().unwrap()
    });
    assert_eq!(outer.join().unwrap(), 1);
}
