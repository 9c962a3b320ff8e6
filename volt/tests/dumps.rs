//! The content of dumps, with idle, running and blocked workers.

mod held;

use std::future::pending;
use std::thread;
use std::time::{Duration, Instant};

use held::{Block, blocked, named};
use volt::Runtime;
use volt::runtime::Dump;
use volt::task::{Lifecycle, TaskInfo, shielded, yield_now};
use volt::time::timeout;

fn running(dump: &Dump) -> Vec<&TaskInfo> {
    let tasks = dump.tasks().iter();
    tasks
        .filter(|task| task.lifecycle == Lifecycle::Running)
        .collect()
}

#[test]
fn blockers_are_named_while_every_worker_is_blocked() {
    let (runtime, block) = blocked(2, "culprit");
    for _ in 0..1_000 {
        runtime.spawn(pending::<()>()).detach();
    }
    thread::sleep(Duration::from_millis(50));
    let (best, dump) = (0..20)
        .map(|_| {
            let before = Instant::now();
            let dump = runtime.dump();
            (before.elapsed(), dump)
        })
        .min_by_key(|(took, _)| *took)
        .unwrap();
    // A dump that waited for a thread would take as long as its limit, 250 ms, each time.
    assert!(best < Duration::from_millis(200), "{best:?}");
    assert_eq!(dump.tasks().len(), 1_002);
    let culprits = running(&dump);
    let mut workers: Vec<_> = culprits.iter().map(|task| task.worker.unwrap()).collect();
    workers.sort_unstable();
    assert_eq!(workers, [0, 1]);
    for culprit in culprits {
        assert_eq!(culprit.name.as_deref(), Some("culprit"));
        assert!(culprit.thread.as_deref().unwrap().starts_with("post-"));
        assert!(dump.time_since(culprit) >= Duration::from_millis(50));
    }
    let text = dump.to_string();
    assert!(text.contains("\"culprit\": running for "), "{text}");
    assert!(
        text.contains(" ms on post-0 in poll 1, spawned at "),
        "{text}"
    );
    let of_type = format!(
        ", a {}\n",
        dump.tasks()
            .iter()
            .find(|task| task.name.is_some())
            .unwrap()
            .type_name
    );
    assert!(
        text.contains(&of_type) && of_type.contains("held"),
        "{text}"
    );
    block.release();
}

#[test]
fn dump_leaves_the_queues_unchanged() {
    let (runtime, block) = blocked(1, "blocker");
    for _ in 0..10 {
        runtime.spawn(pending::<()>()).detach();
    }
    for _ in 0..200 {
        assert_eq!(runtime.dump().tasks().len(), 11);
    }
    let stats = runtime.stats();
    assert_eq!(stats.queued + stats.workers[0].queued, 10);
    block.release();
    while runtime.stats().orphans < 10 {
        thread::yield_now();
    }
}

#[volt::state_machine]
async fn rest<const KIND: u8>() {
    yield_now().await;
    let forever: std::future::Pending<()> = pending();
    forever.await;
}

/// A machine that never completes.
#[volt::state_machine(explicit)]
async fn polled_early() {
    let forever = pending::<()>();
    forever.await;
}

#[test]
fn machine_polled_before_any_runtime_is_found() {
    let mut machine = Box::pin(polled_early());
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    assert!(machine.as_mut().poll(&mut cx).is_pending());
    let runtime = Runtime::builder().worker_threads(1).build().unwrap();
    let task = runtime.spawn(machine);
    assert_eq!(position(&runtime), ["await forever"]);
    task.cancel();
}

/// Returns the names of the states of the only task, once it waits.
fn position(runtime: &Runtime) -> Vec<&'static str> {
    while runtime.stats().orphans == 0 && runtime.stats().sleeping == 0 {
        thread::yield_now();
    }
    for _ in 0..1_000 {
        let dump = runtime.dump();
        let names: Vec<_> = dump.tasks()[0].position.iter().map(|at| at.name).collect();
        if names == ["await forever"] {
            return names;
        }
        thread::sleep(Duration::from_millis(1));
    }
    Vec::new()
}

#[test]
fn machine_is_found_through_its_wrappers() {
    const LONG: Duration = Duration::from_secs(3600);
    let runtime = || Runtime::builder().worker_threads(1).build().unwrap();
    let check = |runtime: Runtime, wrapper: &str| {
        assert_eq!(position(&runtime), ["await forever"], "{wrapper}");
    };
    let one = runtime();
    one.spawn(timeout(LONG, rest::<0>())).detach();
    check(one, "timeout");
    let one = runtime();
    one.spawn(Box::pin(rest::<1>())).detach();
    check(one, "box");
    let one = runtime();
    one.spawn(shielded(rest::<2>())).detach();
    check(one, "shield");
    let one = runtime();
    one.spawn(Box::pin(timeout(LONG, Box::pin(rest::<3>()))))
        .detach();
    check(one, "boxed timeout of a box");
    let one = runtime();
    one.spawn(shielded(timeout(LONG, rest::<4>()))).detach();
    check(one, "shielded timeout");
}

#[cfg(feature = "serde")]
#[test]
fn dump_is_data_for_serde() {
    let (runtime, block) = blocked(1, "culprit");
    let data = serde_json::to_value(runtime.dump()).unwrap();
    let columns = data["columns"].as_array().unwrap();
    let value = |name: &str| {
        let column = columns.iter().position(|column| column == name).unwrap();
        &data["tasks"][0][column]
    };
    assert_eq!(value("name"), "culprit");
    assert_eq!(value("state"), "r");
    assert_eq!(value("thread"), "post-0");
    assert_eq!(*value("trace"), serde_json::json!([]));
    assert_eq!(data["workers"][0]["running"], *value("id"));
    let spawned = value("spawned").as_u64().unwrap() as usize;
    let file = data["places"][spawned][2].as_str();
    assert!(
        file.is_some_and(|file| file.ends_with("held/mod.rs")),
        "{file:?}"
    );
    block.release();
}

#[cfg(all(feature = "signal", unix))]
#[test]
fn signal_dumps_while_every_worker_is_blocked() {
    use signal_hook::consts::SIGUSR2;
    use std::sync::mpsc::channel;

    let (runtime, block) = blocked(2, "culprit");
    let (send, dumps) = channel();
    let show = move |dump: Dump| send.send(dump).unwrap();
    let guard = runtime.handle().dump_on_signal(SIGUSR2, show).unwrap();
    for _ in 0..2 {
        signal_hook::low_level::raise(SIGUSR2).unwrap();
        let dump = dumps.recv_timeout(Duration::from_secs(10)).unwrap();
        assert_eq!(running(&dump).len(), 2);
    }
    guard.stop();
    assert!(dumps.recv().is_err(), "the thread of the dumps has ended");
    block.release();
}

#[test]
fn tree_of_a_task_ends_at_its_timer() {
    const LONG: Duration = Duration::from_secs(3600);
    let runtime = Runtime::builder().worker_threads(1).build().unwrap();
    let task = runtime.spawn(timeout(LONG, volt::time::sleep(3 * LONG)));
    let has_timers = |dump: &Dump| {
        let nodes = dump.tree(&dump.tasks()[0]);
        nodes.iter().any(|node| node.waits_for.is_some())
    };
    let dump = dump_where(&runtime, has_timers);
    let nodes = dump.tree(&dump.tasks()[0]);
    assert_eq!(nodes[0].place.name, "Timeout");
    let sleep = nodes
        .iter()
        .find(|node| node.place.name == "Sleep")
        .unwrap();
    let event = sleep.waits_for.as_deref().unwrap();
    assert!(event.starts_with("a timer in 3.0 h"), "{event}");
    let text = dump.to_string();
    assert!(text.contains("Sleep, waits for a timer in 3.0 h"), "{text}");
    let json = dump.json().to_string();
    assert!(json.contains(r#"["waits for","a timer in 3.0 h"#), "{json}");
    assert!(
        !dump
            .json()
            .without_trees()
            .to_string()
            .contains("waits for")
    );
    task.cancel();
}

#[test]
fn dump_of_one_task_has_its_waits() {
    let runtime = Runtime::builder().worker_threads(2).build().unwrap();
    let handle = runtime.handle();
    let awaited = handle.spawn(pending::<()>());
    let awaited_id = awaited.id();
    let task = handle.spawn(async move { _ = awaited.await });
    drop(dump_where(&runtime, |dump| {
        dump.tasks().iter().any(|task| !task.waits_for.is_empty())
    }));
    let dump = handle.dump_task(task.id()).unwrap();
    assert_eq!(dump.tasks().len(), 1);
    assert_eq!(dump.tasks()[0].id, task.id());
    assert_eq!(dump.tasks()[0].waits_for, [awaited_id]);
    let id = task.id();
    task.cancel();
    drop(dump_where(&runtime, |dump| {
        dump.tasks().iter().all(|task| task.id != id)
    }));
    assert!(handle.dump_task(id).is_none());
}

/// Takes dumps until one matches the predicate.
fn dump_where(runtime: &Runtime, matches: impl Fn(&Dump) -> bool) -> Dump {
    for _ in 0..2_000 {
        let dump = runtime.dump();
        if matches(&dump) {
            return dump;
        }
        thread::sleep(Duration::from_millis(1));
    }
    panic!("no dump matches: {}", runtime.dump());
}

#[test]
fn awaits_of_handles_are_shown() {
    let runtime = Runtime::builder().worker_threads(2).build().unwrap();
    let handle = runtime.handle();
    let (go, gone) = futures::channel::oneshot::channel::<()>();
    let last = handle.spawn_named("last", async move { _ = gone.await });
    let middle = handle.spawn_named("middle", async move { last.await.unwrap() });
    let first = handle.spawn_named("first", async move { middle.await.unwrap() });
    let matches = |dump: &Dump| {
        let waits = |name| !named(dump, name).waits_for.is_empty();
        waits("first") && waits("middle")
    };
    let dump = dump_where(&runtime, matches);
    let id = |name| named(&dump, name).id;
    assert_eq!(named(&dump, "first").waits_for, [id("middle")]);
    assert_eq!(named(&dump, "middle").waits_for, [id("last")]);
    assert!(named(&dump, "last").waits_for.is_empty());
    assert!(dump.wait_cycles().is_empty());
    let text = dump.to_string();
    assert!(
        text.contains(&format!(", waits for task {}, spawned at", id("last"))),
        "{text}"
    );
    go.send(()).unwrap();
    runtime.block_on(first).unwrap();
    assert!(
        runtime
            .dump()
            .tasks()
            .iter()
            .all(|task| task.waits_for.is_empty())
    );
}

#[test]
fn cycle_of_awaits_is_reported() {
    let runtime = Runtime::builder().worker_threads(2).build().unwrap();
    let handle = runtime.handle();
    let (give, given) = futures::channel::oneshot::channel::<volt::JoinHandle<()>>();
    let one = handle.spawn_named("one", async move { _ = given.await.unwrap().await });
    let two = handle.spawn_named("two", async move { _ = one.await });
    give.send(two).unwrap();
    let dump = dump_where(&runtime, |dump| !dump.wait_cycles().is_empty());
    let (one, two) = (named(&dump, "one").id, named(&dump, "two").id);
    assert_eq!(dump.wait_cycles(), [[one.min(two), one.max(two)]]);
    let (first, second) = (one.min(two), one.max(two));
    let title = |id| format!("task {id} {:?}", if id == one { "one" } else { "two" });
    let (first, second) = (title(first), title(second));
    let end = "waits for the end of";
    let line = format!("cycle: {first} {end} {second}, which {end} {first}; ");
    assert!(dump.to_string().contains(&line), "{dump}");
}

#[test]
fn blocking_joins_are_shown() {
    let runtime = Runtime::builder().worker_threads(2).build().unwrap();
    let handle = runtime.handle();
    let (go, gone) = futures::channel::oneshot::channel::<()>();
    let last = handle.spawn_named("last", async move { _ = gone.await });
    let joiner = handle.spawn_named("joiner", async move { last.join().unwrap() });
    // A dump reads the state of a task before its waits. Its poll may begin in between.
    let dump = dump_where(&runtime, |dump| {
        let joiner = named(dump, "joiner");
        joiner.lifecycle == Lifecycle::Running && !joiner.waits_for.is_empty()
    });
    assert_eq!(named(&dump, "joiner").waits_for, [named(&dump, "last").id]);
    go.send(()).unwrap();
    runtime.block_on(joiner).unwrap();
}

#[test]
fn blocking_jobs_are_shown_until_they_end() {
    let runtime = Runtime::builder()
        .worker_threads(1)
        .max_blocking_threads(1)
        .thread_name("post")
        .build()
        .unwrap();
    let block = Block::default();
    let held = block.clone();
    let line = line!() + 1;
    let job = runtime.spawn_blocking(move || held.hold());
    block.wait_for(1);
    let queued = runtime.spawn_blocking(|| ());
    let task = runtime
        .handle()
        .spawn_named("waiter", async move { queued.await.unwrap() });
    thread::sleep(Duration::from_millis(20));
    let dump = dump_where(&runtime, |dump| !named(dump, "waiter").waits_for.is_empty());
    let jobs: Vec<_> = dump.tasks().iter().filter(|task| task.blocking).collect();
    assert_eq!(jobs.len(), 2);
    let (runs, waits) = (jobs[0], jobs[1]);
    assert_eq!(
        (runs.lifecycle, waits.lifecycle),
        (Lifecycle::Running, Lifecycle::Scheduled)
    );
    assert_eq!(
        (runs.location.file(), runs.location.line()),
        (file!(), line)
    );
    assert!(dump.time_since(runs) >= Duration::from_millis(20));
    assert_eq!(named(&dump, "waiter").waits_for, [waits.id]);
    let text = dump.to_string();
    let (begins, ends) = (
        format!("blocking job {}: running for ", runs.id),
        " on post-blocking in",
    );
    assert!(text.contains(&begins) && text.contains(ends), "{text}");
    block.release();
    runtime.block_on(job).unwrap();
    runtime.block_on(task).unwrap();
    drop(dump_where(&runtime, |dump| dump.tasks().is_empty()));
}

#[test]
fn unpolled_external_task_has_no_time() {
    let (runtime, block) = blocked(1, "blocker");
    thread::sleep(Duration::from_millis(20));
    runtime
        .handle()
        .spawn_named("patient", pending::<()>())
        .detach();
    let dump = runtime.dump();
    assert_eq!(dump.time_since(named(&dump, "patient")), Duration::ZERO);
    let text = dump.to_string();
    assert!(
        text.contains("\"patient\": queued, not polled yet, spawned at"),
        "{text}"
    );
    block.release();
}
