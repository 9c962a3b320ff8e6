//! Mandatory blocking jobs, and the settings of blocking threads.
#![cfg(feature = "rt")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::sync::mpsc::{Sender, channel};
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
fn begun(runtime: &Runtime) -> (Sender<()>, JoinHandle<()>) {
    let (leave, left) = channel::<()>();
    let (begins, has_begun) = channel();
    let job = runtime.spawn_blocking(move || {
        begins.send(()).unwrap();
        _ = left.recv();
    });
    has_begun.recv().unwrap();
    (leave, job)
}

#[test]
fn queued_mandatory_jobs_run_at_shutdown() {
    for choice in [JobsOnDrop::Finish, JobsOnDrop::Abandon] {
        let runtime = builder().jobs_on_drop(choice).build().unwrap();
        let count = Arc::new(AtomicU32::new(0));
        runtime.spawn_blocking(|| thread::sleep(SHORT)).detach();
        let handles: Vec<_> = (0..20)
            .map(|_| {
                let count = Arc::clone(&count);
                runtime.spawn_blocking_mandatory(move || count.fetch_add(1, SeqCst))
            })
            .collect();
        let ordinary = runtime.spawn_blocking(|| unreachable!("the job is cancelled"));
        drop(runtime);
        assert_eq!(count.load(SeqCst), 20);
        let error: volt::JoinError = block_on(ordinary).unwrap_err();
        assert!(error.is_cancelled());
        for handle in handles {
            assert!(block_on(handle).is_ok());
        }
    }
}

#[test]
fn shutdown_names_queued_mandatory_job() {
    let runtime = builder().build().unwrap();
    let (leave, _job) = begun(&runtime);
    let queued = runtime.spawn_blocking_mandatory(|| 7);
    let dump = runtime.shutdown(SHORT);
    let [one, two] = dump.tasks() else {
        panic!("{dump}");
    };
    let mut lifecycles = [one.lifecycle, two.lifecycle];
    lifecycles.sort_by_key(|lifecycle| *lifecycle == Lifecycle::Scheduled);
    assert_eq!(lifecycles, [Lifecycle::Running, Lifecycle::Scheduled]);
    drop(leave);
    assert_eq!(block_on(queued).unwrap(), 7, "the job continues");
}

#[test]
fn abandoning_drop_waits_for_mandatory_jobs_only() {
    let builder = Runtime::builder().worker_threads(1);
    let runtime = builder.jobs_on_drop(JobsOnDrop::Abandon).build().unwrap();
    let (leave, ordinary) = begun(&runtime);
    let mandatory = runtime.spawn_blocking_mandatory(|| thread::sleep(SHORT));
    drop(runtime);
    assert!(mandatory.is_finished() && !ordinary.is_finished());
    drop(leave);
}

#[test]
fn abandoning_drop_waits_within_the_timeout() {
    let builder = builder().jobs_on_drop(JobsOnDrop::Abandon);
    let runtime = builder.shutdown_timeout(SHORT).build().unwrap();
    let (leave, _ordinary) = begun(&runtime);
    let queued = runtime.spawn_blocking_mandatory(|| ());
    let before = Instant::now();
    drop(runtime);
    assert!(before.elapsed() >= SHORT && before.elapsed() < FAR);
    drop(leave);
    assert!(block_on(queued).is_ok());
}

#[test]
fn mandatory_job_is_accepted_during_shutdown() {
    let runtime = builder().build().unwrap();
    let handle = runtime.handle().clone();
    let (begins, has_begun) = channel();
    let inner = runtime.spawn_blocking(move || {
        begins.send(()).unwrap();
        thread::sleep(SHORT);
        handle.spawn_blocking_mandatory(|| 7)
    });
    has_begun.recv().unwrap();
    drop(runtime);
    let inner = block_on(inner).unwrap();
    assert!(inner.is_finished());
    assert_eq!(block_on(inner).unwrap(), 7);
}

#[test]
fn mandatory_job_after_shutdown_is_cancelled() {
    let runtime = builder().build().unwrap();
    let handle = runtime.handle().clone();
    drop(runtime);
    let late = handle.spawn_blocking_mandatory(|| ());
    assert!(block_on(late).unwrap_err().is_cancelled());
    let runtime = builder().build().unwrap();
    let handle = runtime.handle().clone();
    runtime.shutdown_background();
    let late = handle.spawn_blocking_mandatory(|| ());
    assert!(block_on(late).unwrap_err().is_cancelled());
}

#[test]
fn cancelled_mandatory_job_does_not_run() {
    let runtime = builder().build().unwrap();
    let (leave, _job) = begun(&runtime);
    let job = runtime.spawn_blocking_mandatory(|| unreachable!("the job is cancelled"));
    job.cancel();
    drop(leave);
    drop(runtime);
    assert!(block_on(job).map(|never: ()| never).is_err());
}

/// The job counts as queued while it runs inside of the job that joins it.
#[test]
fn runtime_dropped_in_joined_mandatory_job_ends() {
    let runtime = builder().build().unwrap();
    let handle = runtime.handle().clone();
    let (give, given) = channel::<Runtime>();
    let outer = runtime.spawn_blocking(move || {
        let runtime = given.recv().unwrap();
        let inner = handle.spawn_blocking_mandatory(move || drop(runtime));
        inner.join().unwrap();
    });
    give.send(runtime).unwrap();
    let (ends, has_ended) = channel();
    thread::spawn(move || ends.send(block_on(outer).is_ok()));
    assert_eq!(has_ended.recv_timeout(FAR), Ok(true));
}

#[test]
fn hooks_of_blocking_threads_are_called() {
    let [started, stopped] = [(); 2].map(|()| Arc::new(AtomicU32::new(0)));
    let (starts, stops) = (Arc::clone(&started), Arc::clone(&stopped));
    let runtime = builder()
        .thread_keep_alive(Duration::from_millis(5))
        .on_blocking_thread_start(move || {
            assert!(volt::Handle::try_current().is_some());
            starts.fetch_add(1, SeqCst);
        })
        .on_blocking_thread_stop(move || {
            stops.fetch_add(1, SeqCst);
            panic!("on purpose");
        })
        .build()
        .unwrap();
    for count in 1..4 {
        let seen = Arc::clone(&started);
        let job = runtime.spawn_blocking(move || seen.load(SeqCst));
        assert_eq!(runtime.block_on(job).unwrap(), count);
        let begin = Instant::now();
        while stopped.load(SeqCst) < count {
            assert!(begin.elapsed() < FAR);
            thread::sleep(Duration::from_millis(1));
        }
    }
}

#[test]
fn stack_size_of_blocking_threads_is_set() {
    /// Uses `kibibytes` KiB of stack.
    fn deep(kibibytes: usize) -> usize {
        let block = std::hint::black_box([kibibytes; 128]);
        match kibibytes {
            0 => block[0],
            more => deep(more - 1) + block[127].min(1),
        }
    }
    let builder = builder().blocking_thread_stack_size(64 << 20);
    let runtime = builder.build().unwrap();
    let job = runtime.spawn_blocking(|| deep(20 << 10));
    assert_eq!(runtime.block_on(job).unwrap(), 20 << 10);
    let too_large = Builder::new().blocking_thread_stack_size(usize::MAX);
    let error = too_large.build_local().unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput);
}
