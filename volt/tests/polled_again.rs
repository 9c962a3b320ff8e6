//! Code that polls a future several times within one poll of a task. It makes progress, although
//! its leaves spend the budget.
#![cfg(not(miri))]

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use futures::StreamExt as _;
use futures::stream::FuturesUnordered;
use volt::task::{consume_budget, yield_now};
use volt::time::{sleep, timeout};
use volt::{Builder, LocalRuntime};

const LONG: Duration = Duration::from_secs(20);

/// Fails if the future does not end in time, as a task or in `block_on`.
#[track_caller]
fn assert_ends<F>(future: impl Fn() -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    let (done, ended) = channel();
    let runtime = Builder::new().worker_threads(2).build().unwrap();
    let (in_task, blocked_on) = (future(), future());
    let report = done.clone();
    let task = async move {
        in_task.await;
        let _ = report.send(());
    };
    runtime.spawn(task).detach();
    std::thread::spawn(move || {
        LocalRuntime::new().unwrap().block_on(blocked_on);
        let _ = done.send(());
    });
    for _ in 0..2 {
        if ended.recv_timeout(LONG).is_err() {
            // The drop of the runtime would wait for its worker.
            std::mem::forget(runtime);
            panic!("the future makes no progress");
        }
    }
}

#[volt::state_machine]
async fn machine_of_foreign_leaves() {
    let mut n: u32 = 0;
    while n < 1000 {
        std::future::ready(()).await;
        n += 1;
    }
}

#[test]
fn foreign_block_on_continues_with_a_spent_budget() {
    assert_ends(|| async {
        for _ in 0..1000 {
            futures::executor::block_on(consume_budget());
        }
    });
    assert_ends(|| async {
        for _ in 0..10 {
            futures::executor::block_on(async {
                for _ in 0..1000 {
                    consume_budget().await;
                    yield_now().await;
                }
            });
        }
    });
    assert_ends(|| async {
        futures_lite::future::block_on(async {
            for _ in 0..1000 {
                timeout(LONG, std::future::ready(())).await.unwrap();
            }
        });
    });
    assert_ends(|| async {
        for _ in 0..10 {
            futures_lite::future::block_on(machine_of_foreign_leaves());
        }
    });
}

/// The future also waits for wakes of other threads.
#[test]
fn foreign_block_on_waits_for_the_runtime() {
    let runtime = Builder::new().worker_threads(2).build().unwrap();
    let task = runtime.spawn(async {
        for _ in 0..300 {
            futures::executor::block_on(async {
                volt::spawn(async {}).await.unwrap();
                sleep(Duration::from_micros(10)).await;
            });
        }
    });
    runtime.block_on(async { timeout(LONG, task).await.unwrap().unwrap() });
}

struct Flag(AtomicBool);

impl Wake for Flag {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Polls its children again as long as one of them was woken during its own poll.
async fn eager(mut children: Vec<Pin<Box<dyn Future<Output = ()> + Send>>>) {
    let flags: Vec<_> = children
        .iter()
        .map(|_| Arc::new(Flag(true.into())))
        .collect();
    let mut done = vec![false; children.len()];
    poll_fn(|_| {
        while let Some(at) = (0..flags.len()).find(|&at| flags[at].0.load(Ordering::SeqCst)) {
            // The other children are polled before this child is polled again.
            for at in at..flags.len() {
                if !flags[at].0.swap(false, Ordering::SeqCst) || done[at] {
                    continue;
                }
                let waker = Waker::from(Arc::clone(&flags[at]));
                let polled = children[at].as_mut().poll(&mut Context::from_waker(&waker));
                done[at] = polled.is_ready();
            }
        }
        if done.iter().all(|&done| done) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
}

#[test]
fn repolling_combinators_make_progress() {
    async fn leaves() {
        for _ in 0..1000 {
            consume_budget().await;
        }
    }
    for count in [1, 2, 10] {
        assert_ends(move || eager((0..count).map(|_| Box::pin(leaves()) as _).collect()));
    }
    // With the waker of the task, and with a no-op waker.
    assert_ends(|| {
        let mut child = Box::pin(leaves());
        poll_fn(move |cx| {
            while child.as_mut().poll(cx).is_pending() {}
            Poll::Ready(())
        })
    });
    assert_ends(|| async {
        let mut child = pin!(leaves());
        let mut cx = Context::from_waker(Waker::noop());
        while child.as_mut().poll(&mut cx).is_pending() {}
    });
}

/// Returns the number of polls of a task next to an endless task on the only worker.
fn turns_beside<F>(endless: impl FnOnce() -> F) -> u32
where
    F: Future<Output = ()> + Send + 'static,
{
    let runtime = Builder::new().worker_threads(1).build().unwrap();
    let endless = runtime.spawn(endless());
    let other = runtime.spawn(async {
        let mut turns = 0;
        let end = std::time::Instant::now() + Duration::from_millis(100);
        while std::time::Instant::now() < end {
            yield_now().await;
            turns += 1;
        }
        turns
    });
    let turns = futures_lite::future::block_on(other).unwrap();
    endless.cancel();
    turns
}

#[test]
fn passes_over_many_leaves_still_give_way() {
    async fn endless() {
        loop {
            consume_budget().await;
        }
    }
    for count in [1, 30, 2000] {
        let turns = turns_beside(|| async move {
            let mut all: FuturesUnordered<_> = (0..count).map(|_| endless()).collect();
            all.next().await;
        });
        assert!(turns > 5, "{count}: {turns}");
        let turns = turns_beside(|| async move {
            futures::future::select_all((0..count).map(|_| Box::pin(endless()))).await;
        });
        assert!(turns > 5, "{count}: {turns}");
        let turns = turns_beside(|| async move {
            volt::future::join_all((0..count).map(|_| endless())).await;
        });
        assert!(turns > 5, "{count}: {turns}");
    }
}
