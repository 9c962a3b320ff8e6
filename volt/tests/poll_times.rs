//! Poll times in the statistics, and reports of slow polls.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use volt::runtime::{Finding, FindingKind, SlowPoll, Stats};
use volt::task::yield_now;
use volt::{Builder, Runtime};

const SHORT: Duration = Duration::from_millis(5);
const LONG: Duration = Duration::from_millis(60);
const LIMIT: Duration = Duration::from_millis(30);
const TIMEOUT: Duration = Duration::from_secs(10);

/// Returns the statistics when all workers sleep, so all polls are counted.
fn final_stats(runtime: &Runtime) -> Stats {
    loop {
        let stats = runtime.stats();
        if stats.sleeping == stats.workers.len() {
            return stats;
        }
        thread::yield_now();
    }
}

async fn mixed_polls(long: usize, short: usize) {
    for _ in 0..short {
        yield_now().await;
    }
    for _ in 0..long {
        thread::sleep(LONG);
        yield_now().await;
    }
}

#[test]
fn exact_poll_times_count_each_poll() {
    let runtime = Builder::new()
        .worker_threads(2)
        .exact_poll_times(true)
        .build()
        .unwrap();
    runtime
        .block_on(runtime.spawn(mixed_polls(2, 1000)))
        .unwrap();
    let stats = final_stats(&runtime);
    let times = stats.poll_times();
    assert_eq!(times.count(), stats.polled());
    // Load makes other polls longer.
    assert!(times.count_over(LIMIT) >= 2, "{times:?}");
    assert!(times.quantile(0.5).unwrap() < SHORT, "{times:?}");
    assert!(times.quantile(1.0).unwrap() >= LONG, "{times:?}");
}

#[test]
fn sampled_poll_times_add_up_to_all_polls() {
    let runtime = Builder::new().worker_threads(1).build().unwrap();
    for polls in [1, 10, 1000, 5000] {
        runtime
            .block_on(runtime.spawn(mixed_polls(0, polls)))
            .unwrap();
        let stats = final_stats(&runtime);
        assert_eq!(stats.poll_times().count(), stats.polled());
    }
}

#[test]
fn sampled_times_are_exact_for_single_polls() {
    let runtime = Builder::new().worker_threads(1).build().unwrap();
    for time in [Duration::ZERO, LONG, Duration::ZERO, LONG] {
        let poll = runtime.spawn(async move { thread::sleep(time) });
        runtime.block_on(poll).unwrap();
        final_stats(&runtime);
    }
    let times = final_stats(&runtime).poll_times();
    assert_eq!(
        (times.count(), times.count_over(LIMIT)),
        (4, 2),
        "{times:?}"
    );
}

/// A report of a slow poll, as text and as data.
type Report = (String, SlowPoll);

fn reporting(builder: Builder) -> (Builder, Receiver<Report>) {
    let (send, reports) = channel();
    let send = Mutex::new(send);
    let report = move |slow_poll: &SlowPoll| {
        let report = (slow_poll.to_string(), slow_poll.clone());
        send.lock().unwrap().send(report).unwrap();
    };
    (builder.on_slow_poll(LIMIT, report), reports)
}

#[volt::state_machine]
async fn parse(rounds: u32) {
    for _ in 0..rounds {
        #[state(Ready)]
        yield_now().await;
        thread::sleep(LONG);
        #[state(Parsed)]
        yield_now().await;
    }
}

#[test]
fn slow_poll_is_reported_with_the_awaits_around_it() {
    let (builder, reports) = reporting(Builder::new().worker_threads(1));
    let runtime = builder.build().unwrap();
    let task = runtime.handle().spawn_named("parse", parse(2));
    let id = task.id();
    runtime.block_on(task).unwrap();
    for _ in 0..2 {
        let (text, report) = reports.recv_timeout(TIMEOUT).unwrap();
        assert_eq!((report.id(), report.name()), (id, Some("parse")));
        assert!(report.duration() >= LONG);
        assert_eq!(report.before()[0].name, "Ready", "{text}");
        assert_eq!(report.after()[0].name, "Parsed", "{text}");
        assert!(text.contains("\"parse\" was polled for"), "{text}");
        assert!(text.contains("on volt-worker-0, spawned at"), "{text}");
        assert!(text.contains("\n   before: Parse at Ready, "), "{text}");
        assert!(text.contains("\n   after: Parse at Parsed, "), "{text}");
    }
    drop(runtime);
    assert!(reports.recv().is_err(), "only two polls were slow");
}

#[test]
fn last_poll_of_a_task_is_reported() {
    let (builder, reports) = reporting(Builder::new().worker_threads(1));
    let runtime = builder.build().unwrap();
    let task = runtime.spawn(async { thread::sleep(LONG) });
    runtime.block_on(task).unwrap();
    let (text, report) = reports.recv_timeout(TIMEOUT).unwrap();
    assert!(report.before().is_empty(), "{text}");
    assert!(report.after().is_empty(), "{text}");
    assert_eq!(report.task().polls, 1);
}

#[test]
fn slow_poll_hook_may_use_the_runtime() {
    let (send, spawned) = channel();
    let send = Mutex::new(send);
    let hook = move |slow_poll: &SlowPoll| {
        let handle = volt::Handle::current();
        let is_listed = handle
            .dump()
            .tasks()
            .iter()
            .any(|task| task.id == slow_poll.id());
        send.lock()
            .unwrap()
            .send((is_listed, handle.spawn(async { 7 })))
            .unwrap();
    };
    let runtime = Builder::new()
        .worker_threads(1)
        .on_slow_poll(LIMIT, hook)
        .build()
        .unwrap();
    let task = runtime.spawn(parse(1));
    let (is_listed, spawned) = spawned.recv_timeout(TIMEOUT).unwrap();
    assert!(is_listed);
    assert_eq!(runtime.block_on(spawned).unwrap(), 7);
    runtime.block_on(task).unwrap();
}

#[test]
fn panicking_slow_poll_hook_does_not_stop_a_worker() {
    let calls = Arc::new(Mutex::new(0));
    let count = Arc::clone(&calls);
    let hook = move |_: &SlowPoll| {
        *count.lock().unwrap() += 1;
        std::panic::panic_any("on purpose");
    };
    let runtime = Builder::new()
        .worker_threads(1)
        .on_slow_poll(LIMIT, hook)
        .build()
        .unwrap();
    runtime.block_on(runtime.spawn(parse(3))).unwrap();
    drop(runtime);
    assert_eq!(*calls.lock().unwrap_or_else(|error| error.into_inner()), 3);
}

#[test]
fn local_runtime_reports_slow_polls() {
    let (builder, reports) = reporting(Builder::new());
    let runtime = builder.build_local().unwrap();
    runtime.block_on(async { volt::spawn_local(parse(1)).await.unwrap() });
    let (_, report) = reports.recv_timeout(TIMEOUT).unwrap();
    assert!(report.duration() >= LONG);
}

/// Returns the text of the only finding about slow polls, when there is one.
fn slow_polls_of(runtime: &Runtime) -> Option<(Finding, String)> {
    let findings = runtime.dump().findings().into_iter();
    let mut slow = findings.filter(|finding| finding.kind == FindingKind::SlowPolls);
    let found = slow.next()?;
    assert!(slow.next().is_none(), "one place is slow");
    Some((found.clone(), found.to_string()))
}

#[volt::state_machine]
async fn rare(rounds: u32) {
    for round in 0..rounds {
        #[state(Before)]
        yield_now().await;
        if round % 50 == 49 {
            thread::sleep(LONG * 2);
        }
        #[state(After)]
        yield_now().await;
    }
}

#[test]
fn rare_slow_polls_are_a_finding() {
    let runtime = Builder::new().worker_threads(1).build().unwrap();
    let task = runtime.handle().spawn_named("rare", rare(200));
    let id = task.id();
    runtime.block_on(task).unwrap();
    final_stats(&runtime);
    let (finding, text) = slow_polls_of(&runtime).expect("four polls were slow");
    assert_eq!(finding.tasks, [id], "{text}");
    assert!(finding.longest >= LONG * 2, "{text}");
    assert_eq!(finding.place.unwrap().state, "Before", "{text}");
    let line = "the slow code is between Rare at Before, ";
    assert!(
        text.contains(line) && text.contains(" and Rare at After, "),
        "{text}"
    );
    assert!(text.contains("\"rare\" took up to "), "{text}");
}

#[test]
fn short_polls_are_no_finding() {
    let runtime = Builder::new().worker_threads(1).build().unwrap();
    runtime
        .block_on(runtime.spawn(mixed_polls(1, 5000)))
        .unwrap();
    final_stats(&runtime);
    assert!(slow_polls_of(&runtime).is_none());
}

#[test]
fn slow_polls_are_found_beside_hooks() {
    let polls = Arc::new(AtomicUsize::new(0));
    let (before, after) = (Arc::clone(&polls), Arc::clone(&polls));
    let runtime = Builder::new()
        .worker_threads(1)
        .before_poll(move |_| _ = before.fetch_add(1, Ordering::Relaxed))
        .after_poll(move |_| _ = after.fetch_add(1, Ordering::Relaxed))
        .build()
        .unwrap();
    runtime.block_on(runtime.spawn(rare(200))).unwrap();
    let stats = final_stats(&runtime);
    assert!(slow_polls_of(&runtime).is_some());
    assert_eq!(polls.load(Ordering::Relaxed) as u64, 2 * stats.polled());
}

#[volt::state_machine]
async fn blocks_in_place(rounds: u32) {
    for _ in 0..rounds {
        volt::block_in_place(|| thread::sleep(LONG * 2));
        yield_now().await;
    }
}

#[test]
fn blocking_in_place_is_no_slow_poll() {
    let runtime = Builder::new().worker_threads(2).build().unwrap();
    runtime.block_on(runtime.spawn(blocks_in_place(4))).unwrap();
    final_stats(&runtime);
    assert!(slow_polls_of(&runtime).is_none());
}
