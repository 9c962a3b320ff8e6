//! The limits and guards of inspection polls.
#![cfg(feature = "inspect")]

use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::task::Poll;
use std::thread;
use std::time::Duration;

use volt::runtime::{Dump, PollLimits, Runtime, UnreachedReason};
use volt::task::{Lifecycle, TaskInfo};
use volt_inspect::is_inspection_poll;

fn runtime() -> Runtime {
    Runtime::builder().worker_threads(1).build().unwrap()
}

fn settle(runtime: &Runtime) {
    let is_idle = |task: &TaskInfo| task.lifecycle == Lifecycle::Idle && task.polls > 0;
    while !runtime.dump().tasks().iter().all(is_idle) {
        thread::sleep(Duration::from_millis(1));
    }
}

fn dump(runtime: &Runtime, within: Duration) -> Dump {
    let mut limits = PollLimits::default();
    limits.within = within;
    runtime.dump_by_poll(&limits)
}

/// Spawns a task that waits, and calls `run` in each poll.
fn spawn_waiting(runtime: &Runtime, mut run: impl FnMut() + Send + 'static) {
    let mut kept = None;
    let waits = poll_fn(move |cx| -> Poll<()> {
        drop(kept.replace(cx.waker().clone()));
        run();
        Poll::Pending
    });
    runtime.spawn(waits).detach();
}

#[test]
fn time_limit_ends_the_polls_of_tasks() {
    const TASKS: usize = 40;
    let runtime = runtime();
    let polls = Arc::new(AtomicUsize::new(0));
    for _ in 0..TASKS {
        let polls = polls.clone();
        spawn_waiting(&runtime, move || {
            if is_inspection_poll() {
                polls.fetch_add(1, SeqCst);
                thread::sleep(Duration::from_millis(50));
            }
        });
    }
    settle(&runtime);
    let dump = dump(&runtime, Duration::from_millis(500));
    let report = dump.poll_report().unwrap();
    let is_late = |reason| [UnreachedReason::Time, UnreachedReason::Running].contains(&reason);
    assert!(report.unreached.iter().all(|task| is_late(task.reason)));
    assert_eq!(report.polled + report.unreached.len(), TASKS);
    assert!((1..TASKS).contains(&report.polled), "{dump}");
    // The poll that has begun ends, and no other one begins.
    thread::sleep(Duration::from_millis(300));
    let polls = polls.load(SeqCst);
    assert!(polls <= report.polled + 1, "{polls} polls\n{dump}");
}

#[test]
fn only_the_inspection_poll_is_one() {
    let runtime = runtime();
    let seen = Arc::new([const { AtomicUsize::new(0) }; 2]);
    let inner = seen.clone();
    spawn_waiting(&runtime, move || {
        inner[usize::from(is_inspection_poll())].fetch_add(1, SeqCst);
    });
    settle(&runtime);
    drop(dump(&runtime, Duration::from_secs(60)));
    assert!(!is_inspection_poll());
    assert_eq!([&seen[0], &seen[1]].map(|polls| polls.load(SeqCst)), [1, 1]);
}

#[test]
fn panic_ends_the_state_of_the_inspection_poll() {
    let runtime = runtime();
    let panics = Arc::new(AtomicBool::new(false));
    let inner = panics.clone();
    spawn_waiting(&runtime, move || {
        let panics = inner.swap(true, SeqCst);
        assert!(!panics, "the inspection poll panics");
    });
    settle(&runtime);
    let dump = dump(&runtime, Duration::from_secs(60));
    assert_eq!(dump.poll_report().unwrap().ended.len(), 1, "{dump}");
    // The only worker polls this task, too.
    let is_inspecting = runtime.spawn(async { is_inspection_poll() });
    assert!(!runtime.block_on(is_inspecting).unwrap());
}

#[test]
fn later_dump_by_poll_shows_the_same_functions() {
    let runtime = runtime();
    let notify = Arc::new(tokio::sync::Notify::new());
    let task = runtime.spawn(async move { notify.notified().await });
    settle(&runtime);
    let shown = || {
        let dump = dump(&runtime, Duration::from_secs(60));
        let tree = dump.tree(&dump.tasks()[0]);
        let names = tree.iter().map(|node| node.place.name);
        names
            .filter(|name| name.contains("tokio::sync::notify"))
            .count()
    };
    let first = shown();
    assert!(first > 0);
    // A stored waker of the first poll would be equal to that of the second one.
    assert_eq!(shown(), first);
    task.cancel();
}

async fn notified(notify: &tokio::sync::Notify) {
    notify.notified().await;
}

// The block has the line of the machine around it.
#[volt::state_machine(native)]
async fn in_a_block(notify: Arc<tokio::sync::Notify>) {
    async { notified(&notify).await }.await;
}

#[test]
fn functions_are_below_the_block_of_a_machine() {
    let runtime = runtime();
    let notify = Arc::new(tokio::sync::Notify::new());
    let task = runtime.spawn(in_a_block(notify));
    settle(&runtime);
    let dump = dump(&runtime, Duration::from_secs(60));
    let tree = dump.tree(&dump.tasks()[0]);
    let names: Vec<_> = tree.iter().map(|node| node.place.name).collect();
    assert_eq!(names[..2], ["InABlock", "InABlock::{async block}"]);
    let functions = names[2..].iter().filter(|name| name.contains("::notify::"));
    assert_eq!(functions.count(), 1, "{dump}");
    task.cancel();
}
