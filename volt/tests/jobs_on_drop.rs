//! Blocking jobs during the shutdown of their runtime.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::{Duration, Instant};

use futures_lite::future::block_on;
use volt::runtime::{Builder, JobsOnDrop};
use volt::task::Lifecycle;
use volt::{JoinHandle, Runtime};

const SHORT: Duration = Duration::from_millis(50);
/// Longer than any operation of these tests.
const FAR: Duration = Duration::from_secs(30);

fn builder() -> Builder {
    Runtime::builder().worker_threads(1).max_blocking_threads(1)
}

/// Returns a started job that runs until the sender is dropped.
fn begun(runtime: &Runtime) -> (Sender<()>, JoinHandle<u32>) {
    let (leave, left) = channel::<()>();
    let (begins, has_begun) = channel();
    let job = runtime.spawn_blocking(move || {
        begins.send(()).unwrap();
        let _ = left.recv();
        7
    });
    has_begun.recv().unwrap();
    (leave, job)
}

/// Starts a job that takes `SHORT`. The returned flag is set at its end.
fn begun_for_a_while(spawn: impl FnOnce(Box<dyn FnOnce() + Send>)) -> Arc<AtomicBool> {
    let done = Arc::new(AtomicBool::new(false));
    let (begins, has_begun) = channel();
    let flag = Arc::clone(&done);
    spawn(Box::new(move || {
        begins.send(()).unwrap();
        thread::sleep(SHORT);
        flag.store(true, SeqCst);
    }));
    has_begun.recv().unwrap();
    done
}

#[test]
fn drop_waits_for_a_started_job() {
    let runtime = builder().shutdown_timeout(Duration::ZERO).build().unwrap();
    let done = begun_for_a_while(|job| runtime.spawn_blocking(job).detach());
    drop(runtime);
    assert!(done.load(SeqCst));
}

#[test]
fn drop_of_a_local_runtime_waits_for_a_started_job() {
    let runtime = builder().build_local().unwrap();
    let done = begun_for_a_while(|job| runtime.handle().spawn_blocking(job).detach());
    drop(runtime);
    assert!(done.load(SeqCst));
}

#[test]
fn end_of_block_on_waits_for_a_started_job() {
    let done =
        volt::block_on(async { begun_for_a_while(|job| volt::spawn_blocking(job).detach()) });
    assert!(done.load(SeqCst));
}

#[test]
fn drop_cancels_a_queued_job() {
    let runtime = builder().build().unwrap();
    let (leave, first) = begun(&runtime);
    let second = runtime.spawn_blocking(|| unreachable!("the job was cancelled"));
    let ends = thread::spawn(move || drop(runtime));
    // The drop waits for the first job, and has cancelled the second.
    let error: volt::JoinError = block_on(second).unwrap_err();
    assert!(error.is_cancelled());
    assert!(!first.is_finished() && !ends.is_finished());
    drop(leave);
    ends.join().unwrap();
    assert_eq!(block_on(first).unwrap(), 7);
}

#[test]
fn shutdown_waits_for_a_started_job() {
    let runtime = builder().build().unwrap();
    let done = begun_for_a_while(|job| runtime.spawn_blocking(job).detach());
    assert!(runtime.shutdown(FAR).tasks().is_empty());
    assert!(done.load(SeqCst));
}

#[test]
fn shutdown_names_an_unfinished_job() {
    let runtime = builder().thread_name("crew").build().unwrap();
    let (leave, job) = begun(&runtime);
    let queued = runtime.spawn_blocking(|| ());
    let dump = runtime.shutdown(SHORT);
    let [stuck] = dump.tasks() else {
        panic!("{dump}");
    };
    assert_eq!(
        (stuck.blocking, stuck.lifecycle),
        (true, Lifecycle::Running)
    );
    assert_eq!(stuck.thread.as_deref(), Some("crew-blocking"));
    assert!(stuck.location.file().ends_with("jobs_on_drop.rs"));
    assert!(block_on(queued).unwrap_err().is_cancelled());
    drop(leave);
    assert_eq!(block_on(job).unwrap(), 7, "the job continues");
}

#[test]
fn drop_waits_for_jobs_as_configured() {
    for choice in [JobsOnDrop::Abandon, JobsOnDrop::FinishWithin(SHORT)] {
        let runtime = builder().jobs_on_drop(choice).build().unwrap();
        let (leave, job) = begun(&runtime);
        drop(runtime);
        assert!(!job.is_finished());
        drop(leave);
        assert_eq!(block_on(job).unwrap(), 7);
    }
}

#[test]
fn shutdown_background_does_not_wait_for_jobs() {
    let runtime = builder().build().unwrap();
    let (leave, job) = begun(&runtime);
    runtime.shutdown_background();
    drop(leave);
    assert_eq!(block_on(job).unwrap(), 7);
}

#[test]
fn job_dropping_its_runtime_does_not_wait_for_itself() {
    let runtime = builder().max_blocking_threads(2).build().unwrap();
    let done = begun_for_a_while(|job| runtime.spawn_blocking(job).detach());
    let (give, given) = channel::<Runtime>();
    let job = runtime.spawn_blocking(move || {
        drop(given.recv().unwrap());
        done.load(SeqCst)
    });
    give.send(runtime).unwrap();
    assert!(block_on(job).unwrap(), "the drop waits for the other job");
}

#[test]
fn drop_in_a_panic_does_not_wait_for_jobs() {
    let runtime = builder().shutdown_timeout(SHORT).build().unwrap();
    let (leave, job) = begun(&runtime);
    let before = Instant::now();
    let caught = catch_unwind(AssertUnwindSafe(move || {
        let _runtime = runtime;
        std::panic::resume_unwind(Box::new(()));
    }));
    assert!(caught.is_err() && before.elapsed() < FAR && !job.is_finished());
    drop(leave);
    assert_eq!(block_on(job).unwrap(), 7);
}

/// A job that waits for a task of its own runtime does not prevent the shutdown.
#[test]
fn job_blocked_on_a_task_ends_at_shutdown() {
    let runtime = builder().build().unwrap();
    let handle = runtime.handle().clone();
    let (begins, has_begun) = channel();
    let job = runtime.spawn_blocking(move || {
        let endless = handle.spawn(std::future::pending::<()>());
        begins.send(()).unwrap();
        handle.block_on(endless).unwrap_err().is_cancelled()
    });
    has_begun.recv().unwrap();
    drop(runtime);
    assert!(block_on(job).unwrap());
}

/// Each drop waits for the job that calls the other drop.
#[test]
fn runtimes_dropped_by_jobs_of_each_other_end() {
    let runtime = || builder().shutdown_timeout(SHORT).build().unwrap();
    let (first, second) = (runtime(), runtime());
    let (of_first, of_second) = (first.handle().clone(), second.handle().clone());
    let both_have_begun = Arc::new(Barrier::new(2));
    let (ends, has_ended) = channel();
    let job = |runtime: Runtime| {
        let (both_have_begun, ends) = (Arc::clone(&both_have_begun), ends.clone());
        move || {
            both_have_begun.wait();
            drop(runtime);
            ends.send(()).unwrap();
        }
    };
    of_first.spawn_blocking(job(second)).detach();
    of_second.spawn_blocking(job(first)).detach();
    for _ in 0..2 {
        assert_eq!(has_ended.recv_timeout(FAR), Ok(()));
    }
}
