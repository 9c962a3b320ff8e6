//! Dumps by poll: tasks that are polled once to find the functions that wait.
#![cfg(feature = "inspect")]

use std::future::{pending, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::channel;
use std::task::Poll;
use std::thread;
use std::time::Duration;

use tokio::sync::{Notify, oneshot};
use volt::runtime::{Dump, FindingKind, LocalRuntime, Place, PollLimits, Runtime, UnreachedReason};
use volt::task::{Lifecycle, TaskInfo, yield_now};
use volt::time::sleep;

const HOUR: Duration = Duration::from_secs(3600);
const WAIT: u32 = line!() + 3;

async fn wait(notify: Arc<Notify>) {
    notify.notified().await;
}

async fn run_boxed(future: Pin<Box<dyn Future<Output = ()> + Send>>) {
    future.await;
}

fn runtime(workers: usize) -> Runtime {
    Runtime::builder().worker_threads(workers).build().unwrap()
}

/// Waits until `count` tasks are idle.
fn settle(runtime: &Runtime, count: usize) {
    let is_idle = |task: &&TaskInfo| task.lifecycle == Lifecycle::Idle;
    while runtime.dump().tasks().iter().filter(is_idle).count() < count {
        thread::sleep(Duration::from_millis(1));
    }
}

fn limits(within: u64) -> PollLimits {
    let mut limits = PollLimits::default();
    limits.within = Duration::from_millis(within);
    limits
}

fn reasons(dump: &Dump) -> Vec<UnreachedReason> {
    let report = dump.poll_report().expect("this is a dump by poll");
    report.unreached.iter().map(|task| task.reason).collect()
}

/// Returns the functions of this file in the tree of a task, as a line or as a name. Without debug
/// information, names are known and lines are not.
fn functions(dump: &Dump, task: &TaskInfo) -> Vec<String> {
    let tree = dump.tree(task);
    let places = tree.iter().map(|node| node.place);
    let text = |place: Place| match place.line {
        0 => place.name.to_owned(),
        line => line.to_string(),
    };
    let is_own = |place: &Place| {
        let is_named = place.line == 0 && place.name.starts_with("dump_by_poll::");
        is_named || place.file.ends_with("dump_by_poll.rs")
    };
    places.filter(is_own).map(text).collect()
}

/// Returns the functions of this file in the tree of the only task.
fn only_functions(dump: &Dump) -> Vec<String> {
    let [task] = dump.tasks() else {
        panic!("{dump}");
    };
    functions(dump, task)
}

/// Returns `true` if a function is the one of this name, or at this line.
fn is_at(function: &str, name: &str, line: u32) -> bool {
    function == format!("dump_by_poll::{name}") || function == line.to_string()
}

fn is_wait(function: &str) -> bool {
    is_at(function, "wait", WAIT)
}

#[test]
fn plain_future_shows_its_functions_and_its_leaf() {
    let runtime = runtime(1);
    let notify = Arc::new(Notify::new());
    let inner = notify.clone();
    let task = runtime.spawn(async move {
        run_boxed(Box::pin(wait(inner))).await;
    });
    settle(&runtime, 1);
    assert!(only_functions(&runtime.dump()).is_empty());
    let dump = runtime.dump_by_poll(&PollLimits::default());
    let block = line!() - 5;
    let functions = only_functions(&dump);
    let [outer, inner, innermost] = &functions[..] else {
        panic!("{dump}");
    };
    let name = "plain_future_shows_its_functions_and_its_leaf";
    assert!(is_at(outer, name, block), "{dump}");
    assert!(is_at(inner, "run_boxed", WAIT + 4), "{dump}");
    assert!(is_wait(innermost), "{dump}");
    let tree = dump.tree(&dump.tasks()[0]);
    let leaf = tree.last().unwrap().place.name;
    assert!(leaf.starts_with("tokio::sync::notify"), "{leaf}");
    notify.notify_one();
    runtime.block_on(task).unwrap();
}

#[test]
fn polls_and_time_of_the_task_stay() {
    let runtime = runtime(1);
    let task = runtime.spawn(async { sleep(HOUR).await });
    settle(&runtime, 1);
    let before = runtime.dump().tasks()[0].clone();
    thread::sleep(Duration::from_millis(20));
    for _ in 0..3 {
        let dump = runtime.dump_by_poll(&PollLimits::default());
        let after = &dump.tasks()[0];
        assert_eq!(dump.poll_report().unwrap().polled, 1);
        assert_eq!((after.polls, after.since), (before.polls, before.since));
        assert_eq!(after.wakers, before.wakers);
    }
    task.cancel();
}

#[test]
fn waker_of_each_polled_task_wakes_it() {
    const TASKS: usize = if cfg!(miri) { 20 } else { 10_000 };
    let runtime = runtime(2);
    let notify = Arc::new(Notify::new());
    let tasks: Vec<_> = (0..TASKS)
        .map(|_| runtime.spawn(wait(notify.clone())))
        .collect();
    settle(&runtime, TASKS);
    let dump = runtime.dump_by_poll(&limits(60_000));
    assert_eq!(
        dump.poll_report().unwrap().polled,
        TASKS,
        "{}",
        dump.summary()
    );
    assert_eq!(dump.groups().len(), 1);
    assert!(is_wait(&functions(&dump, &dump.tasks()[0])[0]));
    notify.notify_waiters();
    for task in tasks {
        runtime.block_on(task).unwrap();
    }
}

#[test]
fn task_of_a_local_runtime_is_polled_on_its_thread() {
    let runtime = LocalRuntime::new().unwrap();
    let handle = runtime.handle().clone();
    let (send, dumps) = channel();
    let (notify, thread_id) = (Arc::new(Notify::new()), thread::current().id());
    let inner = notify.clone();
    let task = runtime.spawn_local(async move {
        let mut notified = std::pin::pin!(inner.notified());
        poll_fn(|cx| {
            assert_eq!(thread::current().id(), thread_id);
            notified.as_mut().poll(cx)
        })
        .await;
    });
    let inspector = thread::spawn(move || {
        while handle.stats().alive == 0 || handle.dump().tasks()[0].lifecycle != Lifecycle::Idle {
            thread::yield_now();
        }
        send.send(handle.dump_by_poll(&limits(60_000))).unwrap();
        notify.notify_one();
    });
    runtime.block_on(task).unwrap();
    inspector.join().unwrap();
    let dump = dumps.recv().unwrap();
    assert_eq!(dump.poll_report().unwrap().polled, 1, "{dump}");
    assert!(!only_functions(&dump).is_empty(), "{dump}");
}

#[test]
fn local_runtime_outside_of_block_on_is_not_reached() {
    let runtime = LocalRuntime::new().unwrap();
    runtime.spawn_local(sleep(HOUR)).detach();
    runtime.block_on(yield_now());
    let dump = runtime.handle().dump_by_poll(&limits(20));
    assert_eq!(reasons(&dump), [UnreachedReason::WorkersBlocked]);
}

#[test]
fn blocked_workers_are_reported() {
    let runtime = runtime(1);
    let (release, released) = channel::<()>();
    runtime.spawn(sleep(HOUR)).detach();
    settle(&runtime, 1);
    let blocker = runtime.spawn(async move { released.recv().unwrap() });
    while runtime
        .dump()
        .tasks()
        .iter()
        .all(|task| task.lifecycle != Lifecycle::Running)
    {
        thread::yield_now();
    }
    let dump = runtime.dump_by_poll(&limits(50));
    assert!(
        reasons(&dump).contains(&UnreachedReason::WorkersBlocked),
        "{dump}"
    );
    assert_eq!(dump.poll_report().unwrap().polled, 0);
    assert!(dump.to_string().contains("no worker was free"), "{dump}");
    release.send(()).unwrap();
    runtime.block_on(blocker).unwrap();
}

#[test]
fn running_task_and_orphan_are_reported() {
    let runtime = runtime(2);
    let (release, released) = channel::<()>();
    runtime.spawn(pending::<()>()).detach();
    settle(&runtime, 1);
    let blocker = runtime.spawn(async move { released.recv().unwrap() });
    while runtime
        .dump()
        .tasks()
        .iter()
        .all(|task| task.lifecycle != Lifecycle::Running)
    {
        thread::yield_now();
    }
    let dump = runtime.dump_by_poll(&limits(60_000));
    let mut reasons = reasons(&dump);
    reasons.sort();
    assert_eq!(
        reasons,
        [UnreachedReason::Running, UnreachedReason::Orphaned]
    );
    release.send(()).unwrap();
    runtime.block_on(blocker).unwrap();
}

#[test]
fn limit_leaves_tasks_of_each_spawn() {
    let runtime = runtime(1);
    for _ in 0..20 {
        runtime.spawn(sleep(HOUR)).detach();
    }
    let notify = Arc::new(Notify::new());
    runtime.spawn(wait(notify)).detach();
    settle(&runtime, 21);
    let mut limits = limits(60_000);
    limits.tasks = 2;
    let dump = runtime.dump_by_poll(&limits);
    assert_eq!(dump.poll_report().unwrap().polled, 2);
    assert_eq!(reasons(&dump), [UnreachedReason::Limit; 19]);
    let waits = |task| functions(&dump, task).iter().any(|text| is_wait(text));
    assert!(dump.tasks().iter().any(waits), "{dump}");
}

#[test]
fn single_task_is_polled() {
    let runtime = runtime(1);
    let notify = Arc::new(Notify::new());
    let task = runtime.spawn(wait(notify.clone()));
    runtime.spawn(wait(notify)).detach();
    settle(&runtime, 2);
    let mut limits = limits(60_000);
    limits.only = Some(task.id());
    let dump = runtime.dump_by_poll(&limits);
    assert!(is_wait(&only_functions(&dump)[0]), "{dump}");
    limits.only = "99.9".parse().ok();
    assert!(runtime.dump_by_poll(&limits).tasks().is_empty());
}

#[test]
fn woken_future_completes_in_the_inspection_poll() {
    let runtime = runtime(1);
    let ready = Arc::new(AtomicBool::new(false));
    let inner = ready.clone();
    let mut kept = None;
    let task = runtime.spawn(poll_fn(move |cx| {
        let before = kept.replace(cx.waker().clone());
        if before.is_some() && inner.load(SeqCst) {
            return Poll::Ready(7);
        }
        Poll::Pending
    }));
    settle(&runtime, 1);
    ready.store(true, SeqCst);
    let dump = runtime.dump_by_poll(&limits(60_000));
    assert_eq!(dump.poll_report().unwrap().ended, [task.id()]);
    assert_eq!(runtime.block_on(task).unwrap(), 7);
}

#[test]
fn panic_in_the_inspection_poll_ends_the_task() {
    let runtime = runtime(1);
    let mut kept = None;
    let task = runtime.spawn(poll_fn(move |cx| -> Poll<()> {
        assert!(kept.is_none(), "the second poll panics");
        kept = Some(cx.waker().clone());
        Poll::Pending
    }));
    settle(&runtime, 1);
    let dump = runtime.dump_by_poll(&limits(60_000));
    assert_eq!(dump.poll_report().unwrap().ended, [task.id()]);
    assert!(runtime.block_on(task).unwrap_err().is_panic());
}

#[test]
fn more_wakers_than_clones_are_a_finding() {
    let runtime = runtime(1);
    let (_keep, received) = oneshot::channel::<()>();
    let task = runtime.spawn(async move {
        let mut received = std::pin::pin!(received);
        let first = poll_fn(|cx| Poll::Ready(received.as_mut().poll(cx).is_pending())).await;
        sleep(HOUR).await;
        received.await.ok();
        first
    });
    // Without a task that waits for a lock, an additional waker is no fault.
    let lock = Arc::new(tokio::sync::Mutex::new(()));
    let _guard = lock.clone().try_lock_owned().unwrap();
    runtime
        .spawn(async move { drop(lock.lock().await) })
        .detach();
    settle(&runtime, 2);
    thread::sleep(Duration::from_millis(20));
    let mut finding_limits = volt::runtime::FindingLimits::default();
    finding_limits.long = Duration::from_millis(1);
    let kinds = |dump: &Dump| -> Vec<_> {
        let findings = dump.findings_with(&finding_limits);
        findings.iter().map(|finding| finding.kind).collect()
    };
    assert_eq!(kinds(&runtime.dump()), []);
    let dump = runtime.dump_by_poll(&limits(60_000));
    let expected = [FindingKind::LockWaits, FindingKind::MoreWakersThanLeaves];
    assert_eq!(kinds(&dump), expected, "{dump}");
    task.cancel();
}

#[test]
fn json_has_the_report_and_the_functions() {
    let runtime = runtime(1);
    let notify = Arc::new(Notify::new());
    runtime.spawn(wait(notify)).detach();
    runtime.spawn(pending::<()>()).detach();
    settle(&runtime, 2);
    let text = runtime.dump_by_poll(&limits(60_000)).json().to_string();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["by_poll"]["polled"], 1);
    assert_eq!(json["by_poll"]["unreached"][0][0], "orphaned");
    assert_eq!(json["by_poll"]["unreached"][0][1], 1);
    let places = json["places"].as_array().unwrap();
    let is_shown = |place: &serde_json::Value| {
        let name = place[0].as_str().unwrap_or_default();
        place[3] == WAIT || is_wait(name)
    };
    assert!(places.iter().any(is_shown), "{text}");
}
