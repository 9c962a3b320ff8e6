//! A local runtime that a foreign event loop drives by short calls of `block_on`.
#![cfg(not(miri))]

use std::future::ready;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use std::task::Waker;
use std::thread;
use std::time::{Duration, Instant};

use volt::net::TcpListener;
use volt::task::yield_now;
use volt::time::sleep;
use volt::{Builder, LocalRuntime};

const MOMENT: Duration = Duration::from_millis(1);

fn local() -> LocalRuntime {
    LocalRuntime::new().expect("a runtime")
}

/// Spawns a task that sleeps for a moment. The returned flag is set at its end.
fn sleeper(runtime: &LocalRuntime) -> Arc<AtomicBool> {
    let done = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&done);
    let nap = async move {
        sleep(MOMENT).await;
        flag.store(true, SeqCst);
    };
    runtime.spawn(nap).detach();
    done
}

/// Returns the number of the call in which the task ends.
fn turns(done: &AtomicBool, mut turn: impl FnMut()) -> Option<u32> {
    (1..=200).find(|_| {
        turn();
        thread::sleep(MOMENT);
        done.load(SeqCst)
    })
}

#[test]
fn timer_fires_between_short_calls() {
    for yields in [1, 63, 65] {
        let runtime = local();
        let done = sleeper(&runtime);
        let turn = turns(&done, || {
            runtime.block_on(async {
                for _ in 0..yields {
                    yield_now().await;
                }
            });
        });
        assert!(turn.is_some_and(|turn| turn < 10), "{yields}: {turn:?}");
    }
}

#[test]
fn tasks_run_between_calls_with_ready_futures() {
    let runtime = local();
    let done = sleeper(&runtime);
    let turn = turns(&done, || runtime.block_on(ready(())));
    assert!(turn.is_some_and(|turn| turn < 10), "{turn:?}");
}

#[test]
fn timer_fires_between_calls_of_other_threads() {
    let runtime = local();
    let done = sleeper(&runtime);
    let turn = turns(&done, || {
        runtime.handle().block_on(ready(()));
        runtime.block_on(yield_now());
        runtime.handle().block_on(yield_now());
    });
    assert!(turn.is_some_and(|turn| turn < 10), "{turn:?}");
}

fn accepts(runtime: &LocalRuntime) -> (SocketAddr, Arc<AtomicBool>) {
    let done = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&done);
    let listener = runtime.block_on(async { TcpListener::bind("127.0.0.1:0") });
    let listener = listener.expect("a port");
    let address = listener.local_addr().expect("bound");
    let accept = async move {
        listener.accept().await.expect("a connection");
        flag.store(true, SeqCst);
    };
    runtime.spawn(accept).detach();
    runtime.block_on(yield_now());
    (address, done)
}

#[test]
fn socket_is_ready_between_short_calls() {
    let runtime = local();
    let (address, done) = accepts(&runtime);
    let _client = std::net::TcpStream::connect(address).expect("an address");
    let turn = turns(&done, || runtime.block_on(yield_now()));
    assert!(turn.is_some_and(|turn| turn < 10), "{turn:?}");
}

#[test]
fn paused_clock_keeps_sockets_ready_in_short_calls() {
    let runtime = Builder::new().start_paused(true).build_local().unwrap();
    let (address, done) = accepts(&runtime);
    let _client = std::net::TcpStream::connect(address).expect("an address");
    let turn = turns(&done, || runtime.block_on(yield_now()));
    assert!(turn.is_some(), "{turn:?}");
}

#[test]
fn timer_fires_while_a_park_hook_wakes_the_caller() {
    let place = Arc::new(std::sync::Mutex::new(None::<Waker>));
    let (hook, parks) = (Arc::clone(&place), Arc::new(AtomicU32::new(0)));
    let count = Arc::clone(&parks);
    let builder = Builder::new().on_thread_park(move || {
        count.fetch_add(1, SeqCst);
        if let Some(waker) = hook.lock().unwrap().take() {
            waker.wake();
        }
    });
    let runtime = builder.build_local().unwrap();
    let done = sleeper(&runtime);
    let place = &place;
    let woken_by_hook = || {
        let mut polled = false;
        std::future::poll_fn(move |cx| {
            if std::mem::replace(&mut polled, true) {
                return std::task::Poll::Ready(());
            }
            *place.lock().unwrap() = Some(cx.waker().clone());
            std::task::Poll::Pending
        })
    };
    let turn = turns(&done, || runtime.block_on(woken_by_hook()));
    assert!(turn.is_some_and(|turn| turn < 10), "{turn:?}");
    // The same holds within one call.
    let done = sleeper(&runtime);
    runtime.block_on(async {
        let end = Instant::now() + Duration::from_secs(10);
        while !done.load(SeqCst) && Instant::now() < end {
            woken_by_hook().await;
        }
    });
    assert!(done.load(SeqCst));
    assert!(parks.load(SeqCst) > 0);
    assert_eq!(runtime.stats().parked(), 0, "the worker never slept");
}

async fn work() {
    for _ in 0..50 {
        let part = async {
            thread::sleep(MOMENT);
            yield_now().await;
        };
        volt::spawn(part).await.expect("no panic");
    }
}

/// Asserts that the busy time of the worker is most of the time that a future takes.
fn assert_is_counted(runtime: &LocalRuntime, future: impl Future<Output = ()>) {
    let (begun, before) = (Instant::now(), runtime.stats().workers[0].busy);
    runtime.block_on(future);
    let took = begun.elapsed();
    let busy = runtime.stats().workers[0].busy - before;
    assert!(busy <= took && busy * 2 > took, "{busy:?} of {took:?}");
}

#[test]
fn local_worker_is_busy_while_it_polls() {
    let runtime = local();
    // Busy in spawned tasks, in the future of `block_on`, and between its yields.
    assert_is_counted(&runtime, work());
    assert_is_counted(&runtime, async { thread::sleep(50 * MOMENT) });
    assert_is_counted(&runtime, async {
        for _ in 0..50 {
            thread::sleep(MOMENT);
            yield_now().await;
        }
    });
}

#[test]
fn local_worker_is_not_busy_between_calls() {
    let runtime = local();
    runtime.spawn(std::future::pending::<()>()).detach();
    for _ in 0..20 {
        runtime.block_on(yield_now());
        thread::sleep(5 * MOMENT);
    }
    runtime.block_on(sleep(50 * MOMENT));
    let worker = &runtime.stats().workers[0];
    assert!(worker.busy < 50 * MOMENT, "{:?}", worker.busy);
    assert!((1..50).contains(&worker.parked), "{}", worker.parked);
}

#[test]
fn polls_and_parks_are_counted_on_both_runtimes() {
    let (local, shared) = (
        local(),
        Builder::new().worker_threads(1).build().expect("a runtime"),
    );
    let naps = || async {
        for _ in 0..10 {
            sleep(MOMENT).await;
        }
    };
    local.block_on(local.spawn(naps())).expect("no panic");
    shared.block_on(shared.spawn(naps())).expect("no panic");
    for stats in [local.stats(), shared.stats()] {
        let worker = &stats.workers[0];
        assert!((11..=13).contains(&worker.polled), "{worker:?}");
        assert!((5..=40).contains(&worker.parked), "{worker:?}");
    }
}
