//! Blocking joins: in tasks and outside, in cycles, and during the shutdown.

use std::future::pending;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use volt::task::yield_now;
use volt::time::sleep;
use volt::{JoinHandle, Runtime};

/// Returns a runtime, and the number of worker threads that it has started.
fn counted(workers: usize) -> (Runtime, Arc<AtomicUsize>) {
    let threads = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&threads);
    let builder = Runtime::builder().worker_threads(workers);
    let builder = builder.on_thread_start(move || _ = count.fetch_add(1, Ordering::SeqCst));
    (builder.build().unwrap(), threads)
}

fn runtime(workers: usize) -> Runtime {
    counted(workers).0
}

/// Fails if `work` does not end in time.
fn within<R: Send + 'static>(work: impl FnOnce() -> R + Send + 'static) -> R {
    let (done, wait) = channel();
    thread::spawn(move || done.send(work()));
    wait.recv_timeout(Duration::from_secs(300)).expect("no end")
}

#[test]
fn join_returns_the_output_inside_and_outside() {
    within(|| {
        let runtime = runtime(2);
        assert_eq!(runtime.spawn(async { 1 }).join().unwrap(), 1);
        let inside = runtime.spawn(async { volt::spawn(async { 2 }).join().unwrap() });
        assert_eq!(inside.join().unwrap(), 2);
        let nested = runtime.block_on(async { volt::spawn(async { 3 }).join() });
        assert_eq!(nested.unwrap(), 3);
        let done = runtime.spawn(async { 4 });
        while !done.is_finished() {
            thread::yield_now();
        }
        assert_eq!(done.join().unwrap(), 4);
    });
}

#[test]
fn join_returns_the_errors_of_an_await() {
    within(|| {
        let runtime = runtime(1);
        let panics = runtime.spawn(async { volt::spawn(async { panic!("on purpose") }).join() });
        assert!(panics.join().unwrap().unwrap_err().is_panic());
        let cancelled = runtime.spawn(async {
            let task = volt::spawn(pending::<()>());
            task.cancel();
            task.join()
        });
        assert!(cancelled.join().unwrap().unwrap_err().is_cancelled());
    });
}

/// The joiner occupies the only worker, so no other thread can run the target.
#[test]
fn queued_task_is_polled_by_its_joiner() {
    within(|| {
        let (runtime, threads) = counted(1);
        let here = runtime.spawn(async {
            let (before, task) = (
                volt::task::id(),
                volt::spawn(async { thread::current().id() }),
            );
            let there = task.join().unwrap();
            assert_eq!(volt::task::id(), before);
            there == thread::current().id()
        });
        assert!(here.join().unwrap());
        assert_eq!(threads.load(Ordering::SeqCst), 1);
    });
}

/// A joiner that ran any queued task would run the task that needs its lock.
#[test]
fn no_other_task_runs_inside_of_a_join() {
    within(|| {
        let runtime = runtime(1);
        let lock = Arc::new(Mutex::new(0));
        let joiner = runtime.spawn(async move {
            let mut held = lock.lock().unwrap();
            let inner = Arc::clone(&lock);
            let other = volt::spawn(async move { *inner.lock().unwrap() });
            *held = volt::spawn(async { 7 }).join().unwrap();
            drop(held);
            other.join().unwrap()
        });
        assert_eq!(joiner.join().unwrap(), 7);
    });
}

#[test]
fn worker_hands_off_while_its_thread_waits() {
    within(|| {
        let (runtime, threads) = counted(1);
        let joiner = runtime.spawn(async {
            let slow = volt::spawn(sleep(Duration::from_secs(2)));
            volt::spawn(async {}).join().unwrap();
            slow.join().unwrap();
        });
        while threads.load(Ordering::SeqCst) < 2 {
            thread::yield_now();
        }
        let before = Instant::now();
        runtime.spawn(async {}).join().unwrap();
        assert!(before.elapsed() < Duration::from_millis(1_500) && !joiner.is_finished());
        joiner.join().unwrap();
        assert_eq!(threads.load(Ordering::SeqCst), 2);
        runtime.spawn(async {}).join().unwrap();
    });
}

/// The job needs a thread in the driver, and the only worker waits for the job.
#[test]
fn last_worker_hands_off_while_its_target_runs() {
    within(|| {
        let runtime = runtime(1);
        let handle = runtime.handle().clone();
        let joiner = runtime.spawn(async move {
            let started = Arc::new(AtomicBool::new(false));
            let flag = Arc::clone(&started);
            let job = volt::spawn_blocking(move || {
                flag.store(true, Ordering::SeqCst);
                handle.block_on(sleep(Duration::from_millis(50)));
            });
            while !started.load(Ordering::SeqCst) {
                thread::yield_now();
            }
            job.join().unwrap();
        });
        joiner.join().unwrap();
    });
}

#[test]
fn yielding_task_is_joined() {
    within(|| {
        let runtime = runtime(1);
        let joiner = runtime.spawn(async {
            let flag = Arc::new(AtomicBool::new(false));
            let (set, seen) = (Arc::clone(&flag), flag);
            volt::spawn(async move { set.store(true, Ordering::SeqCst) }).detach();
            let yields = volt::spawn(async move {
                while !seen.load(Ordering::SeqCst) {
                    yield_now().await;
                }
            });
            yields.join().unwrap();
        });
        joiner.join().unwrap();
    });
}

/// Spawns a task that joins the handle it receives.
fn with_handle(runtime: &Runtime, got: Receiver<JoinHandle<bool>>) -> JoinHandle<bool> {
    runtime.spawn(async move {
        let error = got.recv().unwrap().join();
        error.is_err_and(|error| error.is_deadlock())
    })
}

#[test]
fn join_of_itself_is_a_deadlock_error() {
    within(|| {
        let runtime = runtime(2);
        let (done, wait) = channel();
        let (give, got) = channel::<JoinHandle<()>>();
        let task = runtime.spawn(async move {
            let error = got.recv().unwrap().join().unwrap_err();
            done.send((error.is_deadlock(), error.to_string())).unwrap();
        });
        give.send(task).unwrap();
        let (deadlock, text) = wait.recv().unwrap();
        assert!(
            deadlock && text.ends_with("waits for the task that joins it"),
            "{text}"
        );
    });
}

#[test]
fn cycle_of_joins_fails_in_one_of_them() {
    for tasks in [2, 3, 4] {
        within(move || {
            let runtime = runtime(tasks);
            let (refused, count) = channel();
            let (mut gives, mut handles) = (Vec::new(), Vec::new());
            for _ in 0..tasks {
                let (give, got) = channel::<JoinHandle<()>>();
                let refused = refused.clone();
                gives.push(give);
                handles.push(runtime.spawn(async move {
                    if let Err(error) = got.recv().unwrap().join() {
                        refused.send(error.is_deadlock()).unwrap();
                    }
                }));
            }
            drop(refused);
            handles.rotate_left(1);
            for (give, handle) in gives.into_iter().zip(handles) {
                give.send(handle).unwrap();
            }
            assert_eq!(count.iter().collect::<Vec<_>>(), [true]);
        });
    }
}

/// The second task runs on the stack of the first.
#[test]
fn cycle_of_joins_on_one_stack_is_an_error() {
    within(|| {
        let runtime = runtime(1);
        let (give, got) = channel();
        let inner = with_handle(&runtime, got);
        let outer = runtime.spawn(async move { inner.join().unwrap() });
        let (answer, wait) = channel();
        let watch = runtime.spawn(async move { answer.send(()).unwrap() });
        give.send(outer).unwrap();
        wait.recv().unwrap();
        watch.join().unwrap();
    });
}

fn fib(n: u32) -> u64 {
    if n < 2 {
        return n.into();
    }
    let other = volt::spawn(async move { fib(n - 1) });
    fib(n - 2) + other.join().unwrap()
}

#[test]
fn recursive_joins_start_no_extra_threads() {
    within(|| {
        let n = if cfg!(debug_assertions) { 14 } else { 18 };
        let (runtime, threads) = counted(4);
        let answer = runtime
            .block_on(runtime.spawn(async move { fib(n) }))
            .unwrap();
        assert_eq!(answer, if n == 14 { 377 } else { 2584 });
        // The worker that starts last may not have called the hook yet.
        assert!(threads.load(Ordering::SeqCst) <= 4);
    });
}

#[test]
fn shutdown_ends_joins_inside_tasks() {
    within(|| {
        for workers in [1, 2] {
            let runtime = runtime(workers);
            let (sender, receiver) = channel();
            for _ in 0..3 {
                let sender = sender.clone();
                runtime
                    .spawn(async move {
                        let forever = volt::spawn(pending::<()>());
                        sender.send(None).unwrap();
                        sender.send(Some(forever.join())).unwrap();
                    })
                    .detach();
            }
            for _ in 0..3 {
                assert!(receiver.recv().unwrap().is_none());
            }
            let before = Instant::now();
            drop(runtime);
            assert!(
                before.elapsed() < Duration::from_secs(4),
                "{:?}",
                before.elapsed()
            );
            drop(sender);
            let results: Vec<_> = receiver.iter().flatten().collect();
            assert_eq!(results.len(), 3);
            assert!(
                results
                    .into_iter()
                    .all(|result| result.unwrap_err().is_cancelled())
            );
        }
    });
}

/// The worker of the joiner runs no other task, so it is not the last worker.
#[test]
fn shutdown_ends_a_join_without_core_handoff() {
    within(|| {
        let (runtime, threads) = counted(2);
        let [entered, release] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
        let (at, gate) = (Arc::clone(&entered), Arc::clone(&release));
        let target = runtime.spawn(async move {
            at.store(true, Ordering::SeqCst);
            while !gate.load(Ordering::SeqCst) {
                thread::yield_now();
            }
            pending::<()>().await;
        });
        while !entered.load(Ordering::SeqCst) {
            thread::yield_now();
        }
        let (sender, receiver) = channel();
        runtime
            .spawn(async move { sender.send(target.join()).unwrap() })
            .detach();
        // The joiner has found that its target is being polled, and falls asleep.
        while !runtime
            .dump()
            .tasks()
            .iter()
            .any(|task| !task.waits_for.is_empty())
        {
            thread::yield_now();
        }
        release.store(true, Ordering::SeqCst);
        while runtime.stats().sleeping == 0 {
            thread::yield_now();
        }
        assert_eq!(threads.load(Ordering::SeqCst), 2);
        let before = Instant::now();
        drop(runtime);
        assert!(
            before.elapsed() < Duration::from_secs(4),
            "{:?}",
            before.elapsed()
        );
        assert!(receiver.recv().unwrap().unwrap_err().is_cancelled());
    });
}

/// Joins and awaits of tasks that are queued, running, waiting and complete.
#[test]
fn joins_and_awaits_return_all_outputs() {
    within(|| {
        for workers in [1, 2, 4] {
            let runtime = runtime(workers);
            let joiners: Vec<_> = (0..200)
                .map(|n| {
                    runtime.spawn(async move {
                        let task = volt::spawn(async move {
                            match n % 3 {
                                0 => yield_now().await,
                                1 => sleep(Duration::from_micros(n)).await,
                                _ => {}
                            }
                            n
                        });
                        if n % 2 == 0 {
                            task.join().unwrap()
                        } else {
                            task.await.unwrap()
                        }
                    })
                })
                .collect();
            let sum: u64 = joiners.into_iter().map(|task| task.join().unwrap()).sum();
            assert_eq!(sum, 199 * 100);
        }
    });
}
