//! Limits of the system, and values without bound.

use std::future::poll_fn;
use std::io;
use std::process::{Command, ExitStatus};
use std::sync::Arc;
use std::task::{Poll, Wake, Waker};
use std::time::{Duration, Instant};

use volt::time::{sleep, sleep_until, timeout};
use volt::{Builder, Runtime};

/// Set in the process that a test starts.
const CHILD: &str = "VOLT_TEST_OF_LIMITS";

fn is_child() -> bool {
    std::env::var_os(CHILD).is_some()
}

/// Runs a test again in another process, after a command of the shell, and prints its output.
fn again_after(command: &str, test: &str) -> ExitStatus {
    let program = std::env::current_exe().unwrap();
    let script = format!("{command}; exec \"$0\" --exact \"$1\"");
    let mut child = Command::new("sh");
    // A shared arena needs less memory than an arena for each thread.
    child.env("MALLOC_ARENA_MAX", "1");
    child.args(["-c", &script]).arg(program).arg(test);
    let output = child.env(CHILD, "1").output().unwrap();
    for text in [&output.stdout, &output.stderr] {
        print!("{}", String::from_utf8_lossy(text));
    }
    output.status
}

fn runtime(workers: usize) -> Runtime {
    Runtime::builder().worker_threads(workers).build().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn runtime_without_descriptors_is_an_error() {
    const EMFILE: i32 = 24;
    if !is_child() {
        let test = "runtime_without_descriptors_is_an_error";
        assert!(again_after("ulimit -n 48", test).success());
        return;
    }
    let first = runtime(2);
    let files: Vec<_> = std::iter::from_fn(|| std::fs::File::open("/dev/null").ok()).collect();
    let refused: [io::Result<()>; 2] = [
        Builder::new().build().map(drop),
        Builder::new().build_local().map(drop),
    ];
    for result in refused {
        assert_eq!(result.unwrap_err().raw_os_error(), Some(EMFILE));
    }
    // The existing runtime still works.
    let task = first.spawn(sleep(Duration::from_millis(1)));
    first.block_on(task).unwrap();
    drop(files);
    runtime(1);
}

#[test]
#[cfg(target_os = "linux")]
fn runtime_without_threads_is_an_error() {
    if !is_child() {
        // Each thread reserves its stack, so this memory suffices for a few threads only.
        let test = "runtime_without_threads_is_an_error";
        assert!(again_after("ulimit -v 2000000", test).success());
        return;
    }
    let builder = Runtime::builder().worker_threads(64);
    let refused = builder.thread_stack_size(256 << 20).build();
    assert!(refused.is_err());
    let small = runtime(1);
    assert_eq!(small.block_on(small.spawn(async { 1 })).unwrap(), 1);
}

/// Starts threads until the system grants no more. The threads end when the result is dropped.
///
/// The remaining memory is too small for a thread of volt, and sufficient for the allocations of
/// the test.
#[cfg(target_os = "linux")]
fn no_more_threads() -> Vec<std::sync::mpsc::Sender<()>> {
    let reserve = std::hint::black_box(vec![1_u8; 768 << 10]);
    let mut kept = Vec::new();
    for size in [64 << 20, 2 << 20, 1 << 20] {
        loop {
            let (keep, leave) = std::sync::mpsc::channel::<()>();
            let thread = std::thread::Builder::new().stack_size(size);
            if thread.spawn(move || leave.recv()).is_err() {
                break;
            }
            kept.push(keep);
        }
    }
    drop(reserve);
    kept
}

/// Neither the handle nor the lookup reports a cancellation.
#[test]
#[cfg(target_os = "linux")]
fn job_without_a_thread_reports_the_reason() {
    if !is_child() {
        let test = "job_without_a_thread_reports_the_reason";
        assert!(again_after("ulimit -v 2000000", test).success());
        return;
    }
    let runtime = runtime(1);
    let kept = no_more_threads();
    let job = runtime.spawn_blocking(|| unreachable!("the job has no thread"));
    let id = job.id().to_string();
    let error: volt::JoinError = runtime.block_on(job).unwrap_err();
    assert!(error.is_unstarted() && error.is_out_of_threads());
    assert!(!error.is_cancelled() && !error.is_panic());
    let message = error.to_string();
    assert!(
        message.starts_with(&format!("no thread was started to run task {id}")),
        "{message}"
    );
    assert!(id.starts_with('#') && std::error::Error::source(&error).is_some());

    let error = runtime.block_on(volt::net::lookup_host("localhost:80"));
    let message = error.unwrap_err().to_string();
    assert!(
        message.contains("no thread could be started") && !message.contains("task"),
        "{message}"
    );
    drop(kept);
    let again = || runtime.block_on(runtime.spawn_blocking(|| 1)).ok();
    while again() != Some(1) {
        std::thread::yield_now();
    }
}

/// The system grants the thread of the only worker, and no thread for a hand-off of the worker.
#[test]
#[cfg(target_os = "linux")]
fn join_without_a_thread_for_handoff_is_an_error() {
    if !is_child() {
        let test = "join_without_a_thread_for_handoff_is_an_error";
        assert!(again_after("ulimit -v 2000000", test).success());
        return;
    }
    let builder = Runtime::builder().worker_threads(1);
    let runtime = builder.thread_stack_size(1_100 << 20).build().unwrap();
    let joiner = async { volt::spawn(sleep(Duration::from_millis(20))).join() };
    let error = runtime
        .block_on(runtime.spawn(joiner))
        .unwrap()
        .unwrap_err();
    assert!(error.is_out_of_threads() && !error.is_unstarted());
    assert!(std::error::Error::source(&error).is_some());
    let message = error.to_string();
    assert!(
        message.contains("no thread could replace this one"),
        "{message}"
    );
    // The worker still runs tasks.
    assert_eq!(runtime.block_on(runtime.spawn(async { 1 })).unwrap(), 1);
}

#[test]
fn ends_of_the_clock_are_deadlines() {
    let runtime = runtime(1);
    runtime.block_on(async {
        let now = Instant::now();
        sleep(Duration::ZERO).await;
        sleep_until(now).await;
        if let Some(long_ago) = now.checked_sub(Duration::from_secs(1)) {
            sleep_until(long_ago).await;
        }
        let endless = [
            volt::spawn(sleep(Duration::MAX)),
            volt::spawn(sleep(Duration::from_secs(u64::MAX / 2))),
            volt::spawn(sleep(Duration::from_secs(60 * 60 * 24 * 365 * 1_000))),
        ];
        for task in endless {
            assert!(timeout(Duration::from_millis(2), task).await.is_err());
        }
        let at_once = timeout(Duration::ZERO, sleep(Duration::MAX));
        assert!(at_once.await.is_err());
    });
}

struct PanickingWaker;

impl Wake for PanickingWaker {
    fn wake(self: Arc<Self>) {
        panic!("on purpose");
    }
}

/// The driver calls the waker on a worker that must wake other tasks too.
#[test]
fn panicking_waker_does_not_stop_other_timers() {
    let runtime = runtime(1);
    runtime
        .block_on(runtime.spawn(async {
            let deadline = Instant::now() + Duration::from_millis(5);
            let mut panicking = Box::pin(sleep_until(deadline));
            let waker = Waker::from(Arc::new(PanickingWaker));
            poll_fn(|_| {
                let mut cx = std::task::Context::from_waker(&waker);
                assert!(panicking.as_mut().poll(&mut cx).is_pending());
                Poll::Ready(())
            })
            .await;
            let others = [(); 10].map(|()| volt::spawn(sleep_until(deadline)));
            for other in others {
                other.await.unwrap();
            }
            assert!(Instant::now() >= deadline);
        }))
        .unwrap();
}

#[test]
fn panicking_joiner_waker_does_not_stop_a_worker() {
    let runtime = runtime(1);
    let (end, ends) = std::sync::mpsc::channel();
    let mut task = Box::pin(runtime.spawn(async move { ends.recv() }));
    let waker = Waker::from(Arc::new(PanickingWaker));
    let mut cx = std::task::Context::from_waker(&waker);
    assert!(task.as_mut().poll(&mut cx).is_pending());
    end.send(()).unwrap();
    while !task.is_finished() {
        std::thread::yield_now();
    }
    assert_eq!(runtime.block_on(runtime.spawn(async { 1 })).unwrap(), 1);
    assert!(runtime.block_on(task).is_ok());
}

/// Returns the resident memory of the process, in kilobytes.
#[cfg(target_os = "linux")]
fn memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let words = line.unwrap().split_whitespace().nth(1);
    words.unwrap().parse().unwrap()
}

/// The ids and registry entries of tasks are reused.
///
/// The test measures the memory of the process, so it runs in its own process. The backtrace of a
/// panic in another test would need more memory than the limit.
#[test]
#[cfg(target_os = "linux")]
fn ten_million_spawns_use_constant_memory() {
    const BATCH: usize = 1_000;
    if !is_child() {
        let test = "ten_million_spawns_use_constant_memory";
        assert!(again_after(":", test).success());
        return;
    }
    let batches = if cfg!(debug_assertions) {
        1_000
    } else {
        10_000
    };
    let runtime = runtime(2);
    runtime.block_on(async {
        let mut before = 0;
        for batch in 0..batches {
            let tasks: Vec<_> = (0..BATCH).map(|n| volt::spawn(async move { n })).collect();
            for (n, task) in tasks.into_iter().enumerate() {
                assert_eq!(task.await.unwrap(), n);
            }
            if batch == batches / 10 {
                before = memory();
            }
        }
        let more = memory().saturating_sub(before);
        assert!(more < 2_048, "{more} kB more");
    });
    let stats = runtime.stats();
    assert_eq!((stats.spawned, stats.alive), ((batches * BATCH) as u64, 0));
}

/// A billion leaked wakers are harmless. Twice as many would overflow the count, so the process
/// aborts. The test takes a few seconds with optimization, and too long without.
#[test]
#[cfg(all(unix, not(debug_assertions)))]
fn leaked_wakers_without_limit_abort_the_process() {
    use std::os::unix::process::ExitStatusExt;

    const HARMLESS: u64 = 1_000_000_000;
    if !is_child() {
        let test = "leaked_wakers_without_limit_abort_the_process";
        assert_eq!(again_after("ulimit -c 0", test).signal(), Some(6));
        return;
    }
    let runtime = runtime(1);
    let task = runtime.spawn(poll_fn(|cx| {
        for _ in 0..HARMLESS {
            std::mem::forget(cx.waker().clone());
        }
        Poll::Ready(cx.waker().clone())
    }));
    let waker = runtime.block_on(task).unwrap();
    loop {
        std::mem::forget(waker.clone());
    }
}

#[test]
fn build_rejects_invalid_thread_settings() {
    let name = || Builder::new().thread_name("a\0b");
    let workers = |count| Builder::new().worker_threads(count).build().map(drop);
    let refused: [io::Result<()>; 5] = [
        name().worker_threads(1).build().map(drop),
        name().build_local().map(drop),
        workers(usize::MAX),
        workers(1 << 40),
        Builder::new()
            .thread_stack_size(usize::MAX)
            .build()
            .map(drop),
    ];
    for result in refused {
        assert_eq!(result.unwrap_err().kind(), io::ErrorKind::InvalidInput);
    }
    // A local runtime has no worker threads, so the number is ignored.
    let local = Builder::new().worker_threads(usize::MAX).build_local();
    assert_eq!(local.unwrap().block_on(async { 1 }), 1);
}
