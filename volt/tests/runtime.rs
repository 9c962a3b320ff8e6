//! The public behaviour of a runtime: spawns, joins, blocking calls and the shutdown.

use std::collections::{HashMap, HashSet};
use std::future::{pending, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Duration;

use volt::{Handle, Runtime};

fn runtime(workers: usize) -> Runtime {
    Runtime::builder().worker_threads(workers).build().unwrap()
}

/// A guard that counts its drops.
struct Dropped(Arc<AtomicUsize>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn task_spawned_outside_returns_its_output() {
    let runtime = runtime(2);
    let task = runtime.spawn(async { 6 * 7 });
    assert_eq!(runtime.block_on(task).unwrap(), 42);
}

#[test]
fn task_spawned_inside_block_on_returns_its_output() {
    let outputs = runtime(2).block_on(async {
        let tasks: Vec<_> = (0..100).map(|n| volt::spawn(async move { n })).collect();
        let mut outputs = Vec::new();
        for task in tasks {
            outputs.push(task.await.unwrap());
        }
        outputs
    });
    assert_eq!(outputs, (0..100).collect::<Vec<_>>());
}

#[test]
fn panic_in_a_task_reaches_its_handle_only() {
    let runtime = runtime(1);
    let error = runtime.block_on(runtime.spawn(async { panic!("on purpose") }));
    assert!(error.unwrap_err().is_panic());
    assert_eq!(runtime.block_on(runtime.spawn(async { 1 })).unwrap(), 1);
}

#[test]
fn cancel_of_an_idle_task_drops_its_future() {
    let drops = Arc::new(AtomicUsize::new(0));
    let runtime = runtime(2);
    let guard = Dropped(Arc::clone(&drops));
    let task = runtime.spawn(async move {
        let _guard = guard;
        pending::<()>().await;
    });
    task.cancel();
    assert!(runtime.block_on(task).unwrap_err().is_cancelled());
    assert_eq!(drops.load(Ordering::SeqCst), 1);
}

#[test]
fn shutdown_drops_futures_and_completes_handles() {
    let drops = Arc::new(AtomicUsize::new(0));
    let runtime = runtime(2);
    let tasks: Vec<_> = (0..1000)
        .map(|n| {
            let guard = Dropped(Arc::clone(&drops));
            runtime.spawn(async move {
                let _guard = guard;
                if n % 2 == 0 {
                    volt::task::yield_now().await;
                }
                pending::<()>().await;
            })
        })
        .collect();
    drop(runtime);
    assert_eq!(drops.load(Ordering::SeqCst), 1000);
    for task in tasks {
        assert!(task.is_finished());
        assert!(
            futures_lite::future::block_on(task)
                .unwrap_err()
                .is_cancelled()
        );
    }
}

#[test]
fn spawn_after_shutdown_is_cancelled_at_once() {
    let runtime = runtime(1);
    let handle = runtime.handle().clone();
    drop(runtime);
    let task = handle.spawn(async {});
    assert!(
        futures_lite::future::block_on(task)
            .unwrap_err()
            .is_cancelled()
    );
    let job = handle.spawn_blocking(|| ());
    assert!(
        futures_lite::future::block_on(job)
            .unwrap_err()
            .is_cancelled()
    );
}

#[test]
fn blocking_jobs_run_in_parallel_in_their_runtime() {
    let runtime = runtime(1);
    let barrier = Arc::new(std::sync::Barrier::new(8));
    let jobs: Vec<_> = (0..8)
        .map(|n| {
            let barrier = Arc::clone(&barrier);
            runtime.spawn_blocking(move || {
                barrier.wait();
                assert!(Handle::try_current().is_some());
                n
            })
        })
        .collect();
    for (n, job) in jobs.into_iter().enumerate() {
        assert_eq!(runtime.block_on(job).unwrap(), n);
    }
}

#[test]
fn blocking_jobs_above_the_limit_wait_for_a_thread() {
    let builder = Runtime::builder().worker_threads(1).max_blocking_threads(2);
    let runtime = builder.build().unwrap();
    let running = Arc::new(AtomicUsize::new(0));
    let jobs: Vec<_> = (0..50)
        .map(|_| {
            let running = Arc::clone(&running);
            runtime.spawn_blocking(move || {
                let now = running.fetch_add(1, Ordering::SeqCst) + 1;
                std::thread::yield_now();
                running.fetch_sub(1, Ordering::SeqCst);
                now
            })
        })
        .collect();
    for job in jobs {
        assert!(runtime.block_on(job).unwrap() <= 2);
    }
}

#[test]
fn block_on_inside_a_task_panics_with_advice() {
    let runtime = runtime(1);
    let handle = runtime.handle().clone();
    let error = runtime.block_on(runtime.spawn(async move { handle.block_on(async {}) }));
    let payload = error.unwrap_err().into_panic();
    let text = payload.downcast_ref::<&str>().expect("a plain text");
    assert!(text.contains("spawn_blocking"), "{text}");
}

#[test]
fn spawn_outside_of_a_runtime_panics_with_advice() {
    let payload = catch_unwind(AssertUnwindSafe(|| volt::spawn(async {}))).unwrap_err();
    let text = payload.downcast_ref::<String>().cloned();
    let text = text.unwrap_or_else(|| payload.downcast_ref::<&str>().unwrap().to_string());
    assert!(
        text.contains("there is no volt runtime on this thread"),
        "{text}"
    );
}

#[test]
fn entered_handle_is_current_until_guard_drops() {
    let (outer, inner) = (runtime(1), runtime(1));
    assert!(Handle::try_current().is_none());
    {
        let _outer = outer.enter();
        {
            let _inner = inner.enter();
            assert_eq!(inner.block_on(volt::spawn(async { 1 })).unwrap(), 1);
        }
        assert_eq!(outer.block_on(volt::spawn(async { 2 })).unwrap(), 2);
    }
    assert!(Handle::try_current().is_none());
}

#[test]
fn two_runtimes_wake_each_other() {
    let (one, two) = (runtime(2), runtime(2));
    let (to_two, from_one) = futures::channel::mpsc::unbounded::<u32>();
    let (to_one, from_two) = futures::channel::mpsc::unbounded::<u32>();
    let relay = |mut from: futures::channel::mpsc::UnboundedReceiver<u32>,
                 to: futures::channel::mpsc::UnboundedSender<u32>| async move {
        use futures::StreamExt;
        while let Some(n) = from.next().await {
            if n == 0 || to.unbounded_send(n - 1).is_err() {
                break;
            }
        }
    };
    let first = one.spawn(relay(from_two, to_two.clone()));
    let second = two.spawn(relay(from_one, to_one));
    to_two.unbounded_send(20_000).unwrap();
    drop(to_two);
    one.block_on(first).unwrap();
    two.block_on(second).unwrap();
}

#[test]
fn self_waking_task_does_not_starve_others() {
    let runtime = runtime(1);
    let selfish = runtime.spawn(poll_fn::<(), _>(|cx| {
        cx.waker().wake_by_ref();
        Poll::Pending
    }));
    for _ in 0..100 {
        runtime.block_on(runtime.spawn(async {})).unwrap();
    }
    selfish.cancel();
    assert!(runtime.block_on(selfish).unwrap_err().is_cancelled());
}

#[test]
fn dump_shows_a_waiting_task_while_workers_block() {
    let runtime = runtime(2);
    let waiting = runtime.handle().spawn_named("waiter", pending::<()>());
    let (open, closed) = (
        Arc::new(std::sync::Barrier::new(3)),
        Arc::new(std::sync::Barrier::new(3)),
    );
    for _ in 0..2 {
        let (open, closed) = (Arc::clone(&open), Arc::clone(&closed));
        runtime
            .spawn(async move {
                open.wait();
                closed.wait();
            })
            .detach();
    }
    open.wait();
    let dump = runtime.dump();
    closed.wait();
    assert_eq!(dump.tasks().len(), 3);
    let text = dump.to_string();
    assert!(
        text.contains("\"waiter\"") && text.contains("tests/runtime.rs"),
        "{text}"
    );
    waiting.cancel();
}

#[test]
fn drop_of_a_runtime_in_its_own_task_ends() {
    let runtime = Arc::new(runtime(2));
    let (to_test, from_task) = std::sync::mpsc::channel();
    let inner = Arc::clone(&runtime);
    let (go, wait) = futures::channel::oneshot::channel::<()>();
    runtime
        .spawn(async move {
            wait.await.unwrap();
            drop(inner);
            to_test.send(()).unwrap();
        })
        .detach();
    drop(runtime);
    go.send(()).unwrap();
    from_task.recv_timeout(Duration::from_secs(60)).unwrap();
}

#[test]
fn child_of_a_group_is_listed_where_it_was_spawned() {
    let runtime = runtime(1);
    let dump = runtime.block_on(async {
        let mut group = volt::Group::new(volt::Current);
        group.spawn(pending::<()>());
        let dump = Handle::current().dump();
        group.shutdown().await;
        dump
    });
    assert_eq!(dump.tasks()[0].location.file(), file!());
}

#[test]
fn enter_guards_are_dropped_in_any_order() {
    let [one, two] = [1, 2].map(runtime);
    let here = || Handle::try_current().map(|handle| handle.stats().workers.len());
    let [first, second] = [one.enter(), two.enter()];
    drop(first);
    assert_eq!(here(), Some(2));
    let third = one.enter();
    drop(second);
    assert_eq!(here(), Some(1));
    drop(third);
    assert_eq!(here(), None);
    let (outer, inner) = (one.enter(), two.enter());
    drop(inner);
    assert_eq!(here(), Some(1));
    drop(outer);
    assert_eq!(here(), None);
}

/// The ids of all runtimes are keys of one map.
#[test]
fn tasks_of_two_runtimes_have_different_ids() {
    let seen = Arc::new(Mutex::new(HashMap::new()));
    let build = |number: usize| {
        let (begins, ends) = (Arc::clone(&seen), Arc::clone(&seen));
        volt::Builder::new()
            .worker_threads(1)
            .on_task_spawn(move |id| {
                let other = begins.lock().unwrap().insert(id, number);
                assert_eq!(other, None, "{id} is alive twice");
            })
            .on_task_terminate(move |id| {
                assert_eq!(ends.lock().unwrap().remove(&id), Some(number));
            })
            .build()
            .unwrap()
    };
    let runtimes: Vec<_> = (0..3).map(build).collect();
    let local = volt::LocalRuntime::new().unwrap();
    let mut ids = HashSet::new();
    let mut tasks = Vec::new();
    for _ in 0..200 {
        for runtime in &runtimes {
            tasks.push(runtime.spawn(std::future::pending::<()>()));
        }
        tasks.push(local.spawn(std::future::pending::<()>()));
    }
    assert!(tasks.iter().all(|task| ids.insert(task.id())));
    assert_eq!(seen.lock().unwrap().len(), 600);
    for runtime in &runtimes {
        let dumped = runtime.dump();
        assert_eq!(dumped.tasks().len(), 200);
        assert!(dumped.tasks().iter().all(|task| ids.remove(&task.id)));
    }
    drop(runtimes);
    assert!(seen.lock().unwrap().is_empty());
    for task in tasks.into_iter().filter(volt::JoinHandle::is_finished) {
        let id = task.id();
        assert!(
            task.join()
                .unwrap_err()
                .to_string()
                .contains(&id.to_string())
        );
    }
}

/// The slots of ended tasks are reused under new ids.
#[test]
fn successive_runtimes_reuse_id_blocks() {
    let place = |id: volt::task::TaskId| {
        let text = id.to_string();
        text.split_once('.').unwrap().0.parse::<u32>().unwrap()
    };
    let mut ids = HashSet::new();
    for _ in 0..500 {
        let runtime = volt::LocalRuntime::new().unwrap();
        let task = runtime.spawn(async {});
        assert!(ids.insert(task.id()), "{} is repeated", task.id());
    }
    let most = ids.into_iter().map(place).max().unwrap();
    assert!(most < 64 * 250, "{most}");
}
