//! `LocalRuntime`: a runtime on one thread.

use std::cell::{Cell, RefCell};
use std::future::{pending, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::{Arc, Mutex, mpsc};
use std::task::{Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

use volt::task::yield_now;
use volt::time::{now, sleep};
use volt::{Builder, LocalRuntime, spawn, spawn_blocking, spawn_local};

fn local() -> LocalRuntime {
    LocalRuntime::new().expect("a runtime")
}

#[test]
fn tasks_run_on_the_thread_of_block_on() {
    let here = thread::current().id();
    local().block_on(async move {
        let at = move || assert_eq!(thread::current().id(), here);
        let tasks = [
            spawn(async move { at() }),
            spawn_local(async move {
                sleep(Duration::from_millis(2)).await;
                at();
            }),
        ];
        for task in tasks {
            task.await.unwrap();
        }
        let elsewhere = spawn_blocking(|| thread::current().id()).await.unwrap();
        assert_ne!(elsewhere, here);
        at();
    });
}

#[test]
fn tasks_run_in_the_order_of_their_spawns_and_wakes() {
    let runtime = local();
    let log = Rc::new(RefCell::new(Vec::new()));
    runtime.block_on(async {
        let tasks: Vec<_> = (0..100)
            .map(|nth| {
                let log = Rc::clone(&log);
                spawn_local(async move {
                    for round in 0..3 {
                        log.borrow_mut().push((round, nth));
                        yield_now().await;
                    }
                })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
    });
    let expected: Vec<_> = (0..3)
        .flat_map(|round| (0..100).map(move |nth| (round, nth)))
        .collect();
    assert_eq!(*log.borrow(), expected);
}

#[test]
fn tasks_do_not_run_between_block_on_calls() {
    let runtime = local();
    let polls = Rc::new(Cell::new(0));
    let counted = Rc::clone(&polls);
    let task = runtime.spawn_local(async move {
        loop {
            counted.set(counted.get() + 1);
            yield_now().await;
        }
    });
    assert_eq!(polls.get(), 0);
    runtime.block_on(yield_now());
    let after = polls.get();
    assert!(after > 0);
    thread::sleep(Duration::from_millis(5));
    assert_eq!(polls.get(), after);
    task.cancel();
    assert!(runtime.block_on(task).unwrap_err().is_cancelled());
}

#[test]
fn busy_tasks_starve_neither_block_on_nor_tasks() {
    let runtime = local();
    for _ in 0..3 {
        let spin = async {
            loop {
                yield_now().await;
            }
        };
        runtime.spawn_local(spin).detach();
    }
    runtime.block_on(async {
        for _ in 0..100 {
            yield_now().await;
        }
        sleep(Duration::from_millis(5)).await;
        let (sender, receiver) = futures::channel::oneshot::channel();
        let outside = thread::spawn(move || sender.send(7));
        assert_eq!(receiver.await, Ok(7));
        outside.join().unwrap().unwrap();
    });
}

#[test]
fn external_wakes_reach_block_on_and_tasks() {
    let runtime = local();
    let handle = runtime.handle().clone();
    let waker: Arc<Mutex<Option<Waker>>> = Arc::default();
    let (stop, stopped) = mpsc::channel::<()>();
    let seen = Arc::clone(&waker);
    let outside = thread::spawn(move || {
        while stopped.recv_timeout(Duration::from_micros(50)).is_err() {
            if let Some(waker) = seen.lock().unwrap().take() {
                waker.wake();
            }
        }
        handle.spawn(async { 6 * 7 })
    });
    let wait = |waker: Arc<Mutex<Option<Waker>>>| async move {
        let mut waited = false;
        poll_fn(|cx| match std::mem::replace(&mut waited, true) {
            true if waker.lock().unwrap().is_none() => Poll::Ready(()),
            _ => {
                *waker.lock().unwrap() = Some(cx.waker().clone());
                Poll::Pending
            }
        })
        .await;
    };
    runtime.block_on(async {
        for _ in 0..500 {
            wait(Arc::clone(&waker)).await;
            spawn_local(wait(Arc::clone(&waker))).await.unwrap();
        }
    });
    stop.send(()).unwrap();
    let task = outside.join().unwrap();
    assert_eq!(runtime.block_on(task).unwrap(), 42);
}

#[test]
fn drop_drops_every_future_on_its_thread() {
    struct Dropped(Rc<Cell<u32>>);
    impl Drop for Dropped {
        fn drop(&mut self) {
            assert!(volt::Handle::try_current().is_some());
            self.0.set(self.0.get() + 1);
        }
    }
    let drops = Rc::new(Cell::new(0));
    let runtime = local();
    let tasks: Vec<_> = (0..1_000)
        .map(|nth| {
            let guard = Dropped(Rc::clone(&drops));
            runtime.spawn_local(async move {
                let _guard = guard;
                if nth % 2 == 0 {
                    yield_now().await;
                }
                pending::<()>().await;
            })
        })
        .collect();
    runtime.block_on(yield_now());
    let handle = runtime.handle().clone();
    drop(runtime);
    assert_eq!(drops.get(), 1_000);
    for task in tasks {
        assert!(
            futures_lite::future::block_on(task)
                .unwrap_err()
                .is_cancelled()
        );
    }
    let late = handle.spawn(async {});
    assert!(
        futures_lite::future::block_on(late)
            .unwrap_err()
            .is_cancelled()
    );
}

#[test]
fn output_without_send_is_returned() {
    let runtime = local();
    let task = runtime.spawn_local(async { Rc::new(5) });
    assert_eq!(*runtime.block_on(task).unwrap(), 5);
    runtime.spawn_local(async { Rc::new(5) }).detach();
    runtime.block_on(yield_now());
}

#[test]
fn handle_on_another_thread_waits_for_local_tasks() {
    let runtime = local();
    let task = runtime.spawn_local(async {
        sleep(Duration::from_millis(5)).await;
        String::from("done")
    });
    let handle = runtime.handle().clone();
    let outside = thread::spawn(move || handle.block_on(task).unwrap());
    runtime.block_on(async {
        while !outside.is_finished() {
            sleep(Duration::from_millis(1)).await;
        }
    });
    assert_eq!(outside.join().unwrap(), "done");
}

#[test]
fn spawn_local_outside_block_on_panics() {
    fn refusal(result: thread::Result<()>) -> String {
        let payload = result.expect_err("a panic");
        let text = payload.downcast_ref::<&str>().map(ToString::to_string);
        text.or(payload.downcast_ref::<String>().cloned()).unwrap()
    }
    let many = Builder::new().worker_threads(1).build().unwrap();
    let spawned = many.block_on(many.spawn(async { spawn_local(async {}).detach() }));
    assert!(spawned.unwrap_err().is_panic());
    let runtime = local();
    let _entered = runtime.enter();
    let outside = catch_unwind(|| spawn_local(async {}).detach());
    assert!(refusal(outside).contains("LocalRuntime::block_on"));
}

#[test]
fn nested_block_on_panics_and_keeps_the_runtime() {
    let runtime = local();
    let nested = catch_unwind(AssertUnwindSafe(|| {
        runtime.block_on(async { runtime.block_on(async {}) });
    }));
    assert!(nested.is_err());
    assert_eq!(
        runtime.block_on(async { spawn(async { 3 }).await.unwrap() }),
        3
    );
}

#[test]
fn paused_clock_jumps_when_the_thread_is_idle() {
    let runtime = Builder::new().start_paused(true).build_local().unwrap();
    let start = Instant::now();
    runtime.block_on(async {
        let begun = now();
        let task = spawn_local(sleep(Duration::from_secs(7_200)));
        sleep(Duration::from_secs(3_600)).await;
        assert_eq!(now() - begun, Duration::from_secs(3_600));
        spawn_blocking(|| thread::sleep(Duration::from_millis(10)))
            .await
            .unwrap();
        assert_eq!(now() - begun, Duration::from_secs(3_600));
        task.await.unwrap();
        assert_eq!(now() - begun, Duration::from_secs(7_200));
        volt::time::advance(Duration::from_secs(1)).await;
    });
    assert!(start.elapsed() < Duration::from_secs(60));
}

#[test]
fn join_polls_ready_tasks_and_rejects_deadlocks() {
    let runtime = local();
    let here = thread::current().id();
    let at = move || thread::current().id() == here;
    runtime.block_on(async {
        assert!(spawn(async move { at() }).join().unwrap());
        let waits = spawn_local(sleep(Duration::from_secs(3_600)));
        assert!(waits.join().unwrap_err().is_deadlock());
        let nested = spawn_local(async move {
            let inner = spawn_local(async { yield_now().await });
            inner.join().unwrap_err().is_deadlock()
        });
        assert!(nested.await.unwrap());
        let job = spawn_blocking(|| thread::sleep(Duration::from_millis(5)));
        job.join().unwrap();
    });
    // A join on another thread waits, and polls nothing.
    let task = runtime.spawn(async move { at() });
    let handle = runtime.handle().clone();
    let outside = thread::spawn(move || {
        let _entered = handle.enter();
        task.join().unwrap()
    });
    thread::sleep(Duration::from_millis(10));
    runtime.block_on(async {
        while !outside.is_finished() {
            sleep(Duration::from_millis(1)).await;
        }
    });
    assert!(outside.join().unwrap());
}

/// The tasks run in `block_on` only.
#[test]
fn join_outside_of_block_on_is_an_error() {
    let (runtime, other) = (local(), local());
    let ran = Arc::new(Mutex::new(Vec::new()));
    let task = |name| {
        let ran = Arc::clone(&ran);
        runtime.spawn(async move { ran.lock().unwrap().push(name) })
    };
    assert!(task("outside").join().unwrap_err().is_deadlock());
    let entered = runtime.enter();
    assert!(task("entered").join().unwrap_err().is_deadlock());
    drop(entered);
    let stays = runtime.spawn_local(async {});
    assert!(stays.join().unwrap_err().is_deadlock());
    other.block_on(async {
        assert!(task("from another").join().unwrap_err().is_deadlock());
    });
    let complete = task("complete");
    runtime.block_on(yield_now());
    assert_eq!(
        *ran.lock().unwrap(),
        ["outside", "entered", "from another", "complete"]
    );
    complete.join().unwrap();
    // The drop of the runtime cancels its tasks.
    let cancelled = runtime.spawn(pending::<()>());
    drop(runtime);
    assert!(cancelled.join().unwrap_err().is_cancelled());
}

/// The future waits for a timer of the driver, and never becomes idle.
#[test]
fn busy_block_on_still_polls_driver() {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        local().block_on(async {
            let sleeper = spawn(sleep(Duration::from_millis(5)));
            while !sleeper.is_finished() {
                yield_now().await;
            }
        });
        sender.send(())
    });
    assert!(receiver.recv_timeout(Duration::from_secs(20)).is_ok());
}

#[test]
fn join_error_names_the_thread_of_the_task() {
    let runtime = local();
    let error = runtime.spawn(async { 1 }).join().unwrap_err();
    assert!(error.is_deadlock());
    let text = error.to_string();
    assert!(text.contains("runs on the thread that joins it"), "{text}");
}
