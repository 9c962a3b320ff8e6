//! Backtraces of workers in long polls. The tests are in one process, which has one handler.
#![cfg(all(feature = "inspect", target_os = "linux"))]

mod inspecting;

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::thread;
use std::time::{Duration, Instant};

use inspecting::{get, runtime_of};
use volt::runtime::{Finding, FindingKind, FindingLimits, Runtime};

fn runtime(enabled: bool) -> Runtime {
    let builder = Runtime::builder()
        .worker_threads(1)
        .inspect_backtraces(enabled);
    builder.build().unwrap()
}

/// Dumps until a worker is in a long poll. Returns the names of its functions, and the text.
fn backtrace(runtime: &Runtime) -> (Vec<&'static str>, String) {
    loop {
        let dump = runtime.dump();
        if let Some(thread) = dump.polling_threads().first() {
            let names = thread.backtrace().iter().map(|place| place.name).collect();
            return (names, dump.to_string());
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// Dumps until a thread is in this function. A busy machine may not answer a dump in time. Returns
/// the names of the functions, the text and the JSON.
fn backtrace_in(runtime: &Runtime, function: &str) -> (Vec<&'static str>, String, String) {
    loop {
        let dump = runtime.dump();
        let names = dump.polling_threads().iter().flat_map(|thread| {
            let places = thread.backtrace().into_iter();
            places.map(|place| place.name)
        });
        let names: Vec<_> = names.collect();
        if contains(&names, function) {
            return (names, dump.to_string(), dump.json().to_string());
        }
        thread::sleep(Duration::from_millis(5));
    }
}

fn contains(names: &[&str], function: &str) -> bool {
    names.iter().any(|name| name.ends_with(function))
}

#[inline(never)]
fn spin_until(is_over: &AtomicBool) -> u64 {
    let mut turns = 0;
    while !is_over.load(Relaxed) {
        turns = std::hint::black_box(turns + 1);
    }
    turns
}

#[inline(never)]
fn lock_and_count(count: &Mutex<u64>) -> u64 {
    *count.lock().unwrap()
}

#[test]
fn computing_worker_has_its_function() {
    let (runtime, is_over) = (runtime(true), Arc::new(AtomicBool::new(false)));
    let flag = Arc::clone(&is_over);
    let task = runtime.spawn(async move { spin_until(&flag) });
    let (names, text, _) = backtrace_in(&runtime, "spin_until");
    is_over.store(true, Relaxed);
    assert!(task.join().unwrap() > 0);
    assert!(names.len() >= 2, "{names:?}");
    assert!(
        !names.iter().any(|name| name.starts_with("volt::")),
        "{names:?}"
    );
    assert!(text.contains(" computes\n      in "), "{text}");
}

#[test]
fn worker_in_a_lock_has_its_function() {
    let (runtime, count) = (runtime(true), Arc::new(Mutex::new(7)));
    let held = count.lock().unwrap();
    let other = Arc::clone(&count);
    let task = runtime.spawn(async move { lock_and_count(&other) });
    // Functions of the C library may be within it.
    let (_, text, json) = backtrace_in(&runtime, "lock_and_count");
    drop(held);
    // The lock is taken although the signal has interrupted the wait for it.
    assert_eq!(task.join().unwrap(), 7);
    assert!(text.contains("system call futex"), "{text}");
    assert!(json.contains("\"backtrace\":[[\""), "{json}");
}

/// Computes for long in each poll.
async fn compute_at_intervals(is_over: Arc<AtomicBool>) {
    while !is_over.load(Relaxed) {
        compute_for(Duration::from_millis(150));
        volt::task::yield_now().await;
    }
}

#[inline(never)]
fn compute_for(time: Duration) {
    let begin = Instant::now();
    while begin.elapsed() < time {
        std::hint::spin_loop();
    }
}

#[test]
fn slow_polls_have_the_functions_of_samples() {
    let builder = Runtime::builder().worker_threads(1);
    let (runtime, address) = runtime_of(builder.inspect_backtraces(true).inspect(0));
    let is_over = Arc::new(AtomicBool::new(false));
    let task = runtime.spawn(compute_at_intervals(Arc::clone(&is_over)));
    // The first polls of a runtime are not timed, and a busy machine may not answer in time.
    loop {
        let groups = get(address, "/groups.json", "").body;
        let mut sampled = groups.split(" sampled polls w").skip(1);
        if sampled.any(|text| text.split('"').next().unwrap().contains("compute_for")) {
            break;
        }
        thread::sleep(Duration::from_millis(5));
    }
    is_over.store(true, Relaxed);
    task.join().unwrap();
}

/// A future that is ready at each poll.
struct Ready;

impl Future for Ready {
    type Output = u64;

    #[inline(never)]
    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<u64> {
        Poll::Ready(std::hint::black_box(1))
    }
}

/// The line of the await in `relay`.
const RELAY: u32 = line!() + 6;

/// Awaits ready futures until the end, without returning from its poll.
async fn relay(is_over: Arc<AtomicBool>) -> u64 {
    let mut turns = 0;
    while !is_over.load(Relaxed) {
        turns += std::hint::black_box(Ready).await;
    }
    turns
}

/// Calls a function that polls no future, until the end.
async fn compute(is_over: Arc<AtomicBool>) -> u64 {
    spin_until(&is_over) + Ready.await
}

/// Dumps until there is a finding about a worker in a long poll, and returns it. `is_wanted`
/// selects it, because a busy machine may not answer a dump in time.
fn finding_of(runtime: &Runtime, is_wanted: impl Fn(&Finding) -> bool) -> Finding {
    let mut limits = FindingLimits::default();
    limits.long = Duration::from_millis(600);
    loop {
        let findings = runtime.dump().findings_with(&limits).into_iter();
        let mut of_worker =
            findings.filter(|finding| finding.to_string().contains(" been in poll "));
        if let Some(finding) = of_worker.find(|finding| is_wanted(finding)) {
            return finding;
        }
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn loop_over_ready_futures_never_gives_way() {
    let (runtime, is_over) = (runtime(true), Arc::new(AtomicBool::new(false)));
    let task = runtime.spawn(relay(Arc::clone(&is_over)));
    let finding = finding_of(&runtime, |finding| {
        finding.kind == FindingKind::NeverGivesWay
    });
    is_over.store(true, Relaxed);
    assert!(task.join().unwrap() > 0);
    let text = finding.to_string();
    assert!(text.starts_with("never gives way: task "), "{text}");
    let place = format!(
        ": its awaits are ready at once in backtraces::relay at tests/backtraces.rs:{RELAY}:"
    );
    assert!(text.contains(&place), "{text}");
}

#[test]
fn computing_poll_is_a_blocked_worker() {
    let (runtime, is_over) = (runtime(true), Arc::new(AtomicBool::new(false)));
    let task = runtime.spawn(compute(Arc::clone(&is_over)));
    for _ in 0..3 {
        let finding = finding_of(&runtime, |finding| {
            finding.to_string().contains("spin_until")
        });
        assert_eq!(finding.kind, FindingKind::BlockedWorker, "{finding}");
    }
    is_over.store(true, Relaxed);
    assert!(task.join().unwrap() > 0);
}

#[test]
fn blocking_job_has_its_function() {
    let (runtime, is_over) = (runtime(true), Arc::new(AtomicBool::new(false)));
    let flag = Arc::clone(&is_over);
    let job = runtime.spawn_blocking(move || spin_until(&flag));
    let (names, text, _) = backtrace_in(&runtime, "spin_until");
    is_over.store(true, Relaxed);
    assert!(job.join().unwrap() > 0);
    let outermost = names.last().unwrap();
    assert!(
        outermost.ends_with("blocking_job_has_its_function"),
        "{names:?}"
    );
    assert!(text.contains(" at volt/tests/backtraces.rs:"), "{text}");
}

#[test]
fn backtraces_are_off_by_default() {
    let (runtime, is_over) = (runtime(false), Arc::new(AtomicBool::new(false)));
    let flag = Arc::clone(&is_over);
    let task = runtime.spawn(async move { spin_until(&flag) });
    let (names, _) = backtrace(&runtime);
    is_over.store(true, Relaxed);
    task.join().unwrap();
    assert_eq!(names, [""; 0]);
}

#[test]
fn concurrent_dumps_get_their_own_workers() {
    let (runtimes, is_over) = (
        [(); 2].map(|()| runtime(true)),
        Arc::new(AtomicBool::new(false)),
    );
    let count = Arc::new(Mutex::new(7));
    let held = count.lock().unwrap();
    let (flag, other) = (Arc::clone(&is_over), Arc::clone(&count));
    let spins = runtimes[0].spawn(async move { spin_until(&flag) });
    let locks = runtimes[1].spawn(async move { lock_and_count(&other) });
    let end = Instant::now() + Duration::from_millis(300);
    thread::scope(|scope| {
        for (runtime, name) in runtimes.iter().zip(["spin_until", "lock_and_count"]) {
            scope.spawn(move || {
                while Instant::now() < end {
                    let (names, _) = backtrace(runtime);
                    // A busy machine may not answer in time.
                    assert!(names.is_empty() || contains(&names, name), "{names:?}");
                }
            });
        }
    });
    is_over.store(true, Relaxed);
    drop(held);
    spins.join().unwrap();
    assert_eq!(locks.join().unwrap(), 7);
}
