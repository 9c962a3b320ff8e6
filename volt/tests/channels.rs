//! Channels and locks of other crates on volt: values arrive, waiting tasks are woken, and endless
//! tasks let others run.
#![cfg(not(any(miri, loom, shuttle)))]

use std::cell::Cell;
use std::future::Future;
use std::rc::Rc;
use std::sync::Arc;

use volt::task::{cooperative, yield_now};
use volt::{LocalRuntime, Runtime};

const COUNT: u64 = 1000;
const SUM: u64 = COUNT * (COUNT - 1) / 2;

fn run<F: Future>(future: F) -> F::Output {
    Runtime::new().expect("a runtime").block_on(future)
}

/// Returns `true` if another task runs while this task awaits ready futures in a loop.
///
/// The runtime has one thread, so a task that never yields would keep it.
fn lets_others_run<F>(mut step: impl FnMut() -> F + 'static) -> bool
where
    F: Future + 'static,
{
    /// More steps than any budget.
    const STEPS: u32 = 10_000;
    let runtime = LocalRuntime::new().expect("a runtime");
    runtime.block_on(async move {
        let has_run = Rc::new(Cell::new(false));
        let seen = Rc::clone(&has_run);
        let busy = volt::spawn_local(async move {
            for _ in 0..STEPS {
                cooperative(step()).await;
            }
            seen.get()
        });
        volt::spawn_local(async move { has_run.set(true) }).detach();
        busy.await.expect("no panic")
    })
}

#[test]
fn async_channel_carries_everything() {
    run(async {
        let (send, received) = async_channel::bounded(3);
        let senders: Vec<_> = (0..4)
            .map(|part| {
                let send = send.clone();
                volt::spawn(async move {
                    for n in (0..COUNT).filter(|n| n % 4 == part) {
                        send.send(n).await.expect("a receiver exists");
                    }
                })
            })
            .collect();
        drop(send);
        let mut sum = 0;
        while let Ok(n) = received.recv().await {
            sum += n;
        }
        assert_eq!(sum, SUM);
        for sender in senders {
            sender.await.expect("no panic");
        }
    });
    let (send, received) = async_channel::unbounded();
    assert!(lets_others_run(move || {
        send.try_send(1).expect("room");
        let received = received.clone();
        async move { assert_eq!(received.recv().await, Ok(1)) }
    }));
}

#[test]
fn flume_carries_everything() {
    run(async {
        let (send, received) = flume::bounded(3);
        let sender = volt::spawn(async move {
            for n in 0..COUNT {
                send.send_async(n).await.expect("a receiver exists");
            }
        });
        let mut sum = 0;
        while let Ok(n) = received.recv_async().await {
            sum += n;
        }
        assert_eq!(sum, SUM);
        sender.await.expect("no panic");
    });
    let (send, received) = flume::unbounded();
    assert!(lets_others_run(move || {
        send.send(1).expect("room");
        let received = received.clone();
        async move { assert_eq!(received.recv_async().await, Ok(1)) }
    }));
}

#[test]
fn channels_of_tokio_carry_everything() {
    use tokio::sync::{broadcast, mpsc, oneshot, watch};
    run(async {
        let (send, mut received) = mpsc::channel(3);
        let (done, is_done) = oneshot::channel();
        let (watched, mut watcher) = watch::channel(0);
        let (broadcast, mut subscriber) = broadcast::channel(2000);
        volt::spawn(async move {
            for n in 0..COUNT {
                send.send(n).await.expect("a receiver exists");
                broadcast.send(n).expect("a subscriber exists");
            }
            watched.send(COUNT).expect("a watcher exists");
            done.send(()).expect("a receiver exists");
        })
        .detach();
        let (mut sum, mut echo) = (0, 0);
        while let Some(n) = received.recv().await {
            sum += n;
        }
        while let Ok(n) = subscriber.recv().await {
            echo += n;
        }
        assert_eq!((sum, echo), (SUM, SUM));
        assert_eq!(
            watcher.wait_for(|n| *n == COUNT).await.map(|n| *n).ok(),
            Some(COUNT)
        );
        is_done.await.expect("sent");
    });
    let (send, received) = mpsc::unbounded_channel();
    let received = Arc::new(tokio::sync::Mutex::new(received));
    assert!(lets_others_run(move || {
        send.send(1).expect("room");
        let received = Arc::clone(&received);
        async move { assert_eq!(received.lock().await.recv().await, Some(1)) }
    }));
}

#[test]
fn locks_of_async_lock_exclude_and_wake() {
    run(async {
        let lock = Arc::new(async_lock::Mutex::new(0));
        let permits = Arc::new(async_lock::Semaphore::new(3));
        let barrier = Arc::new(async_lock::Barrier::new(8));
        let tasks: Vec<_> = (0..8)
            .map(|_| {
                let (lock, permits) = (Arc::clone(&lock), Arc::clone(&permits));
                let barrier = Arc::clone(&barrier);
                volt::spawn(async move {
                    for _ in 0..100 {
                        let _permit = permits.acquire().await;
                        let mut count = lock.lock().await;
                        let before = *count;
                        yield_now().await;
                        *count = before + 1;
                    }
                    barrier.wait().await;
                })
            })
            .collect();
        for task in tasks {
            task.await.expect("no panic");
        }
        assert_eq!(*lock.lock().await, 800);
    });
    let lock = Arc::new(async_lock::RwLock::new(1));
    assert!(lets_others_run(move || {
        let lock = Arc::clone(&lock);
        async move { assert_eq!(*lock.read().await, 1) }
    }));
}

#[test]
fn locks_of_tokio_exclude_and_wake() {
    run(async {
        let lock = Arc::new(tokio::sync::Mutex::new(0));
        let permits = Arc::new(tokio::sync::Semaphore::new(3));
        let notify = Arc::new(tokio::sync::Notify::new());
        let tasks: Vec<_> = (0..8)
            .map(|_| {
                let (lock, permits) = (Arc::clone(&lock), Arc::clone(&permits));
                let notify = Arc::clone(&notify);
                volt::spawn(async move {
                    for _ in 0..100 {
                        let _permit = permits.acquire().await.expect("open");
                        let mut count = lock.lock().await;
                        let before = *count;
                        yield_now().await;
                        *count = before + 1;
                    }
                    notify.notify_one();
                })
            })
            .collect();
        notify.notified().await;
        for task in tasks {
            task.await.expect("no panic");
        }
        assert_eq!(*lock.lock().await, 800);
    });
    let lock = Arc::new(tokio::sync::Mutex::new(1));
    assert!(lets_others_run(move || {
        let lock = Arc::clone(&lock);
        async move { assert_eq!(*lock.lock().await, 1) }
    }));
}
