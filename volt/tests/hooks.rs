//! Hooks of runtimes, and task-local values.

use std::collections::HashMap;
use std::future::pending;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use volt::task::{TaskId, scope, yield_now};
use volt::{Builder, TaskBuilder};

type Log = Arc<Mutex<HashMap<TaskId, Vec<&'static str>>>>;

fn logging(log: &Log, event: &'static str) -> impl Fn(TaskId) + Send + Sync + 'static {
    let log = Arc::clone(log);
    move |task| log.lock().unwrap().entry(task).or_default().push(event)
}

fn observed(log: &Log) -> Builder {
    Builder::new()
        .worker_threads(2)
        .on_task_spawn(logging(log, "spawn"))
        .before_poll(logging(log, "before"))
        .after_poll(logging(log, "after"))
        .on_task_terminate(logging(log, "end"))
}

fn counting(count: &Arc<AtomicUsize>) -> impl Fn() + Send + Sync + 'static {
    let count = Arc::clone(count);
    move || {
        count.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn task_hooks_are_called_in_order() {
    let log = Log::default();
    let runtime = observed(&log).build().unwrap();
    let (once, twice, panics) = runtime.block_on(async {
        let once = volt::spawn(async { volt::task::id().unwrap() });
        let twice = volt::spawn(async {
            yield_now().await;
            volt::task::id().unwrap()
        });
        let panics = volt::spawn(async { panic!("on purpose") });
        let id = panics.id();
        assert!(panics.await.unwrap_err().is_panic());
        (once.await.unwrap(), twice.await.unwrap(), id)
    });
    drop(runtime);
    let log = log.lock().unwrap();
    assert_eq!(log[&once], ["spawn", "before", "end", "after"]);
    assert_eq!(
        log[&twice],
        ["spawn", "before", "after", "before", "end", "after"]
    );
    assert_eq!(log[&panics], ["spawn", "before", "end", "after"]);
}

#[test]
fn every_spawn_hook_has_one_terminate_hook() {
    let log = Log::default();
    let runtime = observed(&log).build().unwrap();
    for _ in 0..100 {
        runtime.spawn(pending::<()>()).detach();
    }
    runtime.spawn(pending::<()>()).cancel();
    let handle = runtime.handle().clone();
    drop(runtime);
    let late = handle.spawn(async {});
    let log = log.lock().unwrap();
    assert!(!log.contains_key(&late.id()), "the task was never started");
    assert!(log.values().all(|events| events.first() == Some(&"spawn")));
    let ends = |events: &&Vec<&str>| events.iter().filter(|&&event| event == "end").count() == 1;
    let ended = log.values().filter(ends).count();
    assert_eq!(ended, log.len());
}

#[test]
fn park_and_unpark_hooks_are_paired() {
    let (parks, unparks, starts, stops) = <(Arc<_>, Arc<_>, Arc<_>, Arc<_>)>::default();
    let runtime = Builder::new()
        .worker_threads(2)
        .on_thread_start(counting(&starts))
        .on_thread_stop(counting(&stops))
        .on_thread_park(counting(&parks))
        .on_thread_unpark(counting(&unparks))
        .build()
        .unwrap();
    for _ in 0..5 {
        runtime.block_on(runtime.spawn(async {})).unwrap();
        thread::sleep(Duration::from_millis(2));
    }
    drop(runtime);
    let read = |count: &Arc<AtomicUsize>| count.load(Ordering::SeqCst);
    assert_eq!((read(&starts), read(&stops)), (2, 2));
    assert!(read(&parks) >= 2);
    assert_eq!(read(&parks), read(&unparks));
}

#[test]
fn panicking_hook_does_not_stop_a_worker() {
    let panics = |_: TaskId| panic!("on purpose");
    let runtime = Builder::new()
        .worker_threads(2)
        .on_task_spawn(panics)
        .on_task_terminate(panics)
        .before_poll(panics)
        .after_poll(panics)
        .on_thread_start(|| panic!("on purpose"))
        .on_thread_stop(|| panic!("on purpose"))
        .on_thread_park(|| panic!("on purpose"))
        .on_thread_unpark(|| panic!("on purpose"))
        .build()
        .unwrap();
    runtime.block_on(async {
        for nth in 0..20 {
            let task = volt::spawn(async move {
                yield_now().await;
                nth
            });
            assert_eq!(task.await.unwrap(), nth);
        }
    });
}

#[test]
fn task_spawned_by_a_park_hook_is_run() {
    let spawned = Arc::new(AtomicUsize::new(0));
    let (count, ran) = (Arc::clone(&spawned), Arc::new(AtomicUsize::new(0)));
    let done = Arc::clone(&ran);
    let runtime = Builder::new().worker_threads(1).on_thread_park(move || {
        if count.fetch_add(1, Ordering::SeqCst) < 3 {
            let done = Arc::clone(&done);
            volt::spawn(async move {
                done.fetch_add(1, Ordering::SeqCst);
            })
            .detach();
        }
    });
    let runtime = runtime.build().unwrap();
    while ran.load(Ordering::SeqCst) < 3 {
        thread::sleep(Duration::from_millis(1));
    }
    drop(runtime);
}

/// The task is queued after the worker has searched all queues, while the worker still counts as
/// searching. So the spawn wakes no worker. The worker must search once more after it has announced
/// its sleep.
#[test]
fn external_task_spawned_during_a_park_hook_is_run() {
    let armed = Arc::new(AtomicUsize::new(0));
    let ran = Arc::new(AtomicUsize::new(0));
    let (trigger, done) = (Arc::clone(&armed), Arc::clone(&ran));
    let runtime = Builder::new().worker_threads(1).on_thread_park(move || {
        if trigger.swap(0, Ordering::SeqCst) == 0 {
            return;
        }
        let (runtime, done) = (volt::Handle::current(), Arc::clone(&done));
        let task = async move { _ = done.fetch_add(1, Ordering::SeqCst) };
        let outside = thread::spawn(move || runtime.spawn(task).detach());
        outside.join().unwrap();
    });
    let runtime = runtime.build().unwrap();
    for round in 1..=100 {
        armed.store(1, Ordering::SeqCst);
        runtime.spawn(async {}).detach();
        let begin = Instant::now();
        while ran.load(Ordering::SeqCst) < round {
            assert!(begin.elapsed() < Duration::from_secs(20), "round {round}");
            thread::yield_now();
        }
    }
}

#[test]
fn local_runtime_has_the_hooks_too() {
    let log = Log::default();
    let runtime = observed(&log).build_local().unwrap();
    let id = runtime.block_on(async {
        let task = volt::spawn_local(async {});
        let id = task.id();
        task.await.unwrap();
        id
    });
    drop(runtime);
    assert_eq!(
        log.lock().unwrap()[&id],
        ["spawn", "before", "end", "after"]
    );
}

/// Joins that poll their targets, outside and on a worker.
#[test]
fn polls_inside_of_joins_call_hooks_and_are_counted() {
    let log = Log::default();
    let runtime = observed(&log).worker_threads(1).build().unwrap();
    let (release, hold) = std::sync::mpsc::channel::<()>();
    let outer = runtime.spawn(async move {
        let inner = volt::spawn(async {});
        let id = inner.id();
        inner.join().unwrap();
        hold.recv().unwrap();
        id
    });
    let id = outer.id();
    while runtime.stats().polled() < 2 {
        thread::yield_now();
    }
    assert_eq!(runtime.stats().workers[0].polled, 2);
    let outside: Vec<_> = (0..20)
        .map(|_| {
            let task = runtime.spawn(async {});
            let id = task.id();
            let joiner = runtime.spawn(async { task.join().unwrap() });
            joiner.join().unwrap();
            id
        })
        .collect();
    let stats = runtime.stats();
    assert!(stats.polled_elsewhere >= 40, "{stats:?}");
    assert_eq!(stats.workers[0].polled, 2);
    release.send(()).unwrap();
    let inner = outer.join().unwrap();
    // The worker removes the queue entries of tasks that other threads have polled.
    runtime.block_on(runtime.spawn(async {})).unwrap();
    assert_eq!(runtime.stats().polled(), 43);
    drop(runtime);
    let log = log.lock().unwrap();
    assert_eq!(log[&id], ["spawn", "before", "end", "after"]);
    assert_eq!(log[&inner], ["spawn", "before", "end", "after"]);
    for id in outside {
        assert_eq!(log[&id], ["spawn", "before", "end", "after"]);
    }
}

#[test]
fn built_task_has_its_name() {
    let runtime = Builder::new().worker_threads(1).build().unwrap();
    let builder = TaskBuilder::new().name("sleeper");
    let task = builder.clone().spawn_on(runtime.handle(), pending::<()>());
    let _entered = runtime.enter();
    let other = builder.spawn(pending::<()>());
    let dump = runtime.dump();
    assert_eq!(dump.tasks().len(), 2, "{dump}");
    for task in dump.tasks() {
        assert_eq!(task.name.as_deref(), Some("sleeper"), "{dump}");
        assert!(task.location.file().ends_with("hooks.rs"), "{dump}");
    }
    task.cancel();
    other.cancel();
}

volt::task_local! {
    /// The name of a caller.
    static NAME: String;
    static DEPTH: u32;
}

#[volt::test(workers = 2)]
async fn task_local_moves_with_its_task() {
    let tasks: Vec<_> = (0..50_u32)
        .map(|nth| {
            volt::spawn(scope(&DEPTH, nth, async move {
                for _ in 0..20 {
                    yield_now().await;
                    assert_eq!(DEPTH.get(), nth);
                }
            }))
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    assert!(DEPTH.try_with(|_| ()).is_err());
}

#[volt::test]
async fn scopes_nest_and_are_not_inherited() {
    let inner = NAME.scope("inner".into(), async { NAME.get() });
    let outer = async {
        assert_eq!(inner.await, "inner");
        let spawned = volt::spawn(async { NAME.try_with(|_| ()).is_err() });
        assert!(spawned.await.unwrap());
        NAME.sync_scope("sync".into(), || assert_eq!(NAME.get(), "sync"));
        NAME.with(|name| name.len())
    };
    assert_eq!(NAME.scope("outer".into(), outer).await, 5);
}

#[volt::test]
async fn task_local_is_set_in_drop_and_unset_after_panic() {
    struct Finds;
    impl Drop for Finds {
        fn drop(&mut self) {
            assert_eq!(DEPTH.get(), 3);
        }
    }
    let finds = Finds;
    drop(DEPTH.scope(3, async move {
        let _finds = finds;
        pending::<()>().await;
    }));
    let panics = volt::spawn(DEPTH.scope(4, async { panic!("on purpose") }));
    assert!(panics.await.unwrap_err().is_panic());
    assert!(DEPTH.try_with(|_| ()).is_err());
}

#[test]
fn task_local_outside_its_scope_panics_with_advice() {
    let refused = std::panic::catch_unwind(|| DEPTH.get());
    let payload = refused.expect_err("the value is not set");
    let text = payload.downcast_ref::<String>().expect("a text");
    assert!(text.contains("volt::task::scope"), "{text}");
}
