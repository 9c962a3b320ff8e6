//! The shutdown of a scheduler: every task completes or is cancelled, in any state.

use std::future::{pending, poll_fn};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use std::thread;
use std::time::Duration;

use futures_lite::future::{block_on, yield_now};

use super::{LIMIT, Running, spawn_here, within};
use crate::scheduler::batched_arc::BatchedArc;
use crate::scheduler::threads::build;
use crate::scheduler::{BlockKind, block_worker};
use crate::task::{new_task, shield};

/// A value in each future of a test: its strong count shows how many futures are not dropped.
type Life = Arc<()>;

#[test]
fn idle_tasks_are_dropped_and_their_handles_cancelled() {
    for workers in [1, 2, 65] {
        within(LIMIT, move || {
            let life = Life::new(());
            let running = Running::new(workers);
            let handles: Vec<_> = (0..1000)
                .map(|_| {
                    let life = Arc::clone(&life);
                    running.spawn(async move {
                        pending::<()>().await;
                        drop(life);
                    })
                })
                .collect();
            running.settle();
            let handle = running.stop();
            assert_eq!((Arc::strong_count(&life), handle.stats().alive), (1, 0));
            for handle in handles {
                assert!(block_on(handle).unwrap_err().is_cancelled());
            }
        });
    }
}

#[test]
fn queued_tasks_are_dropped_without_a_poll() {
    within(LIMIT, || {
        let life = Life::new(());
        let running = Running::new(1);
        let (release, entered) = (
            Arc::new(AtomicBool::new(false)),
            Arc::new(AtomicBool::new(false)),
        );
        let (flag, at) = (Arc::clone(&release), Arc::clone(&entered));
        let inner = Arc::clone(&life);
        let blocker = running.spawn(async move {
            // One task in the slot, some in the ring, some in the global queue.
            for _ in 0..300 {
                let life = Arc::clone(&inner);
                spawn_here(async move {
                    drop(life);
                    panic!("polled");
                })
                .detach();
            }
            at.store(true, Ordering::SeqCst);
            while !flag.load(Ordering::SeqCst) {
                thread::sleep(Duration::from_millis(1));
            }
            7
        });
        while !entered.load(Ordering::SeqCst) {
            thread::yield_now();
        }
        running.handle.stop();
        release.store(true, Ordering::SeqCst);
        let handle = running.stop();
        // A running poll is not interrupted, and its result counts.
        assert_eq!(block_on(blocker).unwrap(), 7);
        assert_eq!((Arc::strong_count(&life), handle.stats().alive), (1, 0));
    });
}

#[test]
fn endless_tasks_are_cancelled_at_shutdown() {
    within(LIMIT, || {
        let life = Life::new(());
        let running = Running::new(2);
        let handles: Vec<_> = (0..10)
            .map(|_| {
                let life = Arc::clone(&life);
                running.spawn(async move {
                    let _life = life;
                    loop {
                        yield_now().await;
                    }
                })
            })
            .collect();
        thread::sleep(Duration::from_millis(5));
        running.stop();
        assert_eq!(Arc::strong_count(&life), 1);
        for handle in handles {
            assert!(block_on(handle).unwrap_err().is_cancelled());
        }
    });
}

#[test]
fn shielded_tasks_are_stopped_too() {
    within(LIMIT, || {
        let life = Life::new(());
        let inner = Arc::clone(&life);
        let running = Running::new(1);
        let handle = running.spawn(async move {
            let _life = inner;
            let _shield = shield();
            pending::<()>().await;
        });
        running.settle();
        running.stop();
        assert_eq!(Arc::strong_count(&life), 1);
        assert!(block_on(handle).unwrap_err().is_cancelled());
    });
}

#[test]
fn spawn_after_the_end_is_cancelled_at_once() {
    let life = Life::new(());
    let inner = Arc::clone(&life);
    let handle = Running::new(2).stop();
    let late = handle.spawn(async move { drop(inner) }, std::panic::Location::caller());
    assert_eq!(Arc::strong_count(&life), 1);
    assert!(late.is_finished());
    assert!(block_on(late).unwrap_err().is_cancelled());
}

/// A thread was about to queue a task when the last worker retired.
#[test]
fn task_queued_after_the_end_is_cancelled_at_once() {
    let life = Life::new(());
    let inner = Arc::clone(&life);
    let running = Running::new(2);
    let future = async move { drop(inner) };
    let location = std::panic::Location::caller();
    let scheduler = BatchedArc::new(&running.handle.0);
    let (task, join) = new_task(future, scheduler, location);
    drop(running.stop());
    task.schedule();
    assert_eq!(Arc::strong_count(&life), 1);
    assert!(block_on(join).unwrap_err().is_cancelled());
}

/// Spawns and wakes from many threads race with the shutdown. All registered tasks are completed or
/// cancelled.
#[test]
fn spawns_and_wakes_during_shutdown_leak_nothing() {
    within(LIMIT, || {
        for _ in 0..if cfg!(miri) { 2 } else { 100 } {
            let life = Life::new(());
            let running = Running::new(2);
            let handle = running.handle.clone();
            thread::scope(|scope| {
                for _ in 0..2 {
                    let (handle, life) = (&handle, &life);
                    scope.spawn(move || {
                        for _ in 0..200 {
                            let life = Arc::clone(life);
                            let child = handle.clone();
                            let task = async move {
                                let inner = Arc::clone(&life);
                                let sub = async move { drop(inner) };
                                child.spawn(sub, std::panic::Location::caller()).detach();
                                yield_now().await;
                                drop(life);
                            };
                            handle.spawn(task, std::panic::Location::caller()).detach();
                        }
                    });
                }
                thread::yield_now();
                running.stop();
            });
            assert_eq!((Arc::strong_count(&life), handle.stats().alive), (1, 0));
        }
    });
}

/// Destructors that spawn and wake run while the workers retire.
#[test]
fn destructors_may_spawn_and_wake() {
    struct Spawner(Arc<std::sync::Mutex<Vec<std::task::Waker>>>, Life);
    impl Drop for Spawner {
        fn drop(&mut self) {
            let life = Arc::clone(&self.1);
            if let Some(handle) = crate::scheduler::SchedulerHandle::current() {
                handle
                    .spawn(async move { drop(life) }, std::panic::Location::caller())
                    .detach();
            }
            let wakers = std::mem::take(&mut *self.0.lock().unwrap());
            wakers.into_iter().for_each(std::task::Waker::wake);
        }
    }
    within(LIMIT, || {
        let life = Life::new(());
        let running = Running::new(2);
        let wakers = Arc::default();
        for _ in 0..100 {
            let guard = Spawner(Arc::clone(&wakers), Arc::clone(&life));
            let task = poll_fn(move |cx| {
                guard.0.lock().unwrap().push(cx.waker().clone());
                Poll::<()>::Pending
            });
            running.spawn(task).detach();
        }
        running.settle();
        running.stop();
        drop(wakers);
        assert_eq!(Arc::strong_count(&life), 1);
    });
}

#[test]
fn stop_from_a_worker_does_not_wait_for_itself() {
    within(LIMIT, || {
        let mut running = Running::new(2);
        let threads = running.threads.take().unwrap();
        let handle = running.handle.clone();
        running.run(async move {
            handle.stop();
            threads.join();
        });
    });
}

/// The worker exists all the same, and so do its tasks.
#[test]
fn panicking_start_hook_costs_no_worker() {
    within(LIMIT, || {
        for workers in [1, 2] {
            let mut config = crate::scheduler::Config::new(workers);
            config.on_start = Some(Box::new(|| panic!("on purpose: the thread starts")));
            config.on_stop = Some(Box::new(|| panic!("on purpose: the thread stops")));
            let life = Life::new(());
            let inner = Arc::clone(&life);
            let running = Running::with(config);
            running.run(async {});
            let waits = running.spawn(async move {
                pending::<()>().await;
                drop(inner);
            });
            running.run(async {});
            assert_eq!(running.handle.0.shutdown.active(), workers);
            running.stop();
            assert_eq!(Arc::strong_count(&life), 1);
            assert!(block_on(waits).unwrap_err().is_cancelled());
        }
    });
}

/// No hook can cause this, but queued tasks would wait forever.
#[test]
fn dropping_the_last_worker_begins_shutdown() {
    within(LIMIT, || {
        let (driver, driver_handle) = crate::driver::Driver::new().unwrap();
        let (workers, handle) = build(crate::scheduler::Config::new(2), driver, driver_handle);
        let spawn = || handle.spawn(async {}, std::panic::Location::caller());
        let queued = spawn();
        for (nth, worker) in workers.into_iter().enumerate() {
            assert!(!queued.is_finished(), "worker {nth}");
            drop(worker);
        }
        for task in [queued, spawn()] {
            assert!(block_on(task).unwrap_err().is_cancelled());
        }
    });
}

/// A thread that sleeps in a join and keeps its core is woken, and moves the core to another
/// thread.
#[test]
fn cores_of_blocked_threads_retire() {
    within(LIMIT, || {
        let mut running = Running::new(2);
        let [sleeps, called] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
        let (sets_sleeps, reads_called) = (Arc::clone(&sleeps), Arc::clone(&called));
        let shared = Arc::clone(&running.handle.0);
        let sleeper = running.spawn(async move {
            let slept = block_worker(BlockKind::Short, |release_core| {
                release_core().expect("a thread is granted");
                sets_sleeps.store(true, Ordering::SeqCst);
                while !reads_called.load(Ordering::SeqCst) {
                    thread::yield_now();
                }
                release_core().expect("a thread is granted");
                while shared.shutdown.active() > 0 {
                    thread::yield_now();
                }
            });
            slept.expect("another worker is awake");
        });
        while !sleeps.load(Ordering::SeqCst) {
            thread::yield_now();
        }
        running.handle.stop();
        called.store(true, Ordering::SeqCst);
        running.halt();
        assert!(block_on(sleeper).is_ok());
    });
}
