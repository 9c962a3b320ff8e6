//! Blocking jobs that join blocking jobs, on the only thread for them.

use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use volt::{Handle, Runtime};

/// Fails if `work` does not end in time.
fn within<R: Send + 'static>(work: impl FnOnce() -> R + Send + 'static) -> R {
    let (done, wait) = channel();
    thread::spawn(move || done.send(work()));
    wait.recv_timeout(Duration::from_secs(30)).expect("no end")
}

fn one_blocking_thread() -> Runtime {
    let builder = Runtime::builder().worker_threads(1);
    builder.max_blocking_threads(1).build().unwrap()
}

/// The outer job occupies the only thread for the inner job.
#[test]
fn job_joining_a_queued_job_runs_it() {
    within(|| {
        let runtime = one_blocking_thread();
        let outer = runtime.spawn_blocking(|| {
            let own = thread::current().id();
            let mut inner = volt::spawn_blocking(|| 0);
            for n in 1..=100 {
                let before = inner;
                inner = volt::spawn_blocking(move || {
                    assert_eq!(thread::current().id(), own);
                    before.join().unwrap() + n
                });
            }
            let jobs = Handle::current().dump().tasks().len();
            (inner.join().unwrap(), jobs)
        });
        assert_eq!(outer.join().unwrap(), (5_050, 102));
    });
}

/// The job is in its own runtime, although the joining thread had entered another one.
#[test]
fn job_run_inside_a_join_finds_its_runtime() {
    within(|| {
        let workers_here = || Handle::current().stats().workers.len();
        let other = Runtime::builder().worker_threads(2).build().unwrap();
        let runtime = one_blocking_thread();
        let workers = runtime.spawn_blocking(move || {
            let inner = volt::spawn_blocking(workers_here);
            let _entered = other.enter();
            (inner.join().unwrap(), workers_here())
        });
        assert_eq!(workers.join().unwrap(), (1, 2));
    });
}
