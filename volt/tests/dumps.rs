//! What a dump tells, whatever the workers are at.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use volt::Runtime;
use volt::runtime::Dump;
use volt::task::{Lifecycle, TaskInfo, shielded, yield_now};
use volt::time::timeout;

/// Holds workers in a poll until it is told to let go.
#[derive(Clone, Default)]
struct Block {
    entered: Arc<AtomicUsize>,
    release: Arc<AtomicBool>,
}

impl Block {
    fn hold(&self) {
        self.entered.fetch_add(1, Ordering::SeqCst);
        while !self.release.load(Ordering::SeqCst) {
            thread::sleep(Duration::from_millis(1));
        }
    }

    fn wait_for(&self, workers: usize) {
        while self.entered.load(Ordering::SeqCst) < workers {
            thread::yield_now();
        }
    }

    fn release(&self) {
        self.release.store(true, Ordering::SeqCst);
    }
}

/// A runtime all of whose workers are blocked, each in a task of that name.
fn blocked(workers: usize, name: &str) -> (Runtime, Block) {
    let runtime = Runtime::builder()
        .worker_threads(workers)
        .thread_name("post")
        .build()
        .unwrap();
    let block = Block::default();
    for _ in 0..workers {
        let held = block.clone();
        runtime
            .handle()
            .spawn_named(name, async move { held.hold() })
            .detach();
    }
    block.wait_for(workers);
    (runtime, block)
}

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
    assert!(best < Duration::from_millis(5), "{best:?}");
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
    block.release();
}

#[test]
fn dumps_of_queued_tasks_leave_the_queues_as_they_are() {
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

/// The names of the states of the only task, once it waits for ever.
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
fn machine_is_seen_through_what_is_wrapped_around_it() {
    const LONG: Duration = Duration::from_secs(3600);
    let runtime = || Runtime::builder().worker_threads(1).build().unwrap();
    let check = |runtime: Runtime, what: &str| {
        assert_eq!(position(&runtime), ["await forever"], "{what}");
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
    assert_eq!(data[0]["name"], "culprit");
    assert_eq!(data[0]["lifecycle"], "running");
    assert_eq!(data[0]["thread"], "post-0");
    assert_eq!(data[0]["spawned_at"]["file"], file!());
    assert_eq!(data[0]["position"], serde_json::json!([]));
    block.release();
}

#[cfg(all(feature = "signal", unix))]
#[test]
fn signal_asks_for_a_dump_while_every_worker_is_blocked() {
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
    drop(guard);
    assert!(dumps.recv().is_err(), "its thread is gone");
    block.release();
}
