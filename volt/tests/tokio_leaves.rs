//! Loops over leaves of tokio that are always ready, in plain `async` blocks: the budget of tokio
//! limits them inside of a timeout, and in each task of a runtime with a tokio context.

use std::future::{poll_fn, ready};
use std::pin::pin;
use std::sync::mpsc as threads;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::sync::mpsc::unbounded_channel;
use tokio::task::coop::has_budget_remaining;
use volt::time::timeout;
use volt::{LocalRuntime, Runtime};

const LIMIT: Duration = Duration::from_millis(5);
const LONG: Duration = Duration::from_secs(60);
/// More than the budget of one poll.
const MANY: usize = 1_000;

async fn receive_forever() {
    let (sender, mut receiver) = unbounded_channel();
    sender.send(0_u64).unwrap();
    loop {
        let number = receiver.recv().await.unwrap();
        sender.send(number + 1).unwrap();
    }
}

async fn receive(count: usize) -> usize {
    let (sender, mut receiver) = unbounded_channel();
    let mut sum = 0;
    for _ in 0..count {
        sender.send(1).unwrap();
        sum += receiver.recv().await.unwrap();
    }
    sum
}

async fn acquire_forever() {
    let permits = Semaphore::new(1);
    loop {
        drop(permits.acquire().await.unwrap());
    }
}

/// Runs `test` on a thread of its own, which is left behind if the test does not end.
#[track_caller]
fn assert_ends<T: Send + 'static>(test: impl FnOnce() -> T + Send + 'static) -> T {
    let (report, reported) = threads::channel();
    std::thread::spawn(move || report.send(test()));
    reported.recv_timeout(LONG).expect("the test ends")
}

async fn elapses() -> bool {
    let receives = timeout(LIMIT, receive_forever()).await;
    receives.is_err() && timeout(LIMIT, acquire_forever()).await.is_err()
}

fn with_context() -> Runtime {
    let builder = Runtime::builder();
    builder.worker_threads(1).tokio_context().build().unwrap()
}

#[test]
fn timeout_of_a_block_elapses_in_block_on() {
    assert!(assert_ends(|| volt::block_on(elapses())));
    assert!(assert_ends(|| Runtime::new().unwrap().block_on(elapses())));
    assert!(assert_ends(|| LocalRuntime::new()
        .unwrap()
        .block_on(elapses())));
    assert!(assert_ends(|| with_context().block_on(elapses())));
}

#[test]
fn timeout_of_a_block_elapses_in_tasks() {
    for build in [|| Runtime::new().unwrap(), with_context] {
        let is_elapsed = assert_ends(move || {
            let runtime = build();
            runtime.block_on(runtime.spawn(elapses())).unwrap()
        });
        assert!(is_elapsed);
    }
}

#[test]
fn timeout_of_a_block_elapses_in_other_executors() {
    assert!(assert_ends(|| {
        let runtime = Runtime::new().unwrap();
        let _entered = runtime.handle().enter();
        futures::executor::block_on(elapses())
    }));
    assert!(assert_ends(|| {
        let runtime = with_context();
        runtime
            .block_on(async { tokio::spawn(elapses()).await })
            .unwrap()
    }));
}

#[test]
fn task_in_a_tokio_context_gives_way() {
    let is_run = assert_ends(|| {
        let runtime = with_context();
        let greedy = runtime.spawn(receive_forever());
        let next = runtime.spawn(async { true });
        let is_run = runtime.block_on(next).unwrap();
        greedy.cancel();
        is_run
    });
    assert!(is_run);
}

#[test]
fn future_of_block_on_gives_way_to_its_own_parts() {
    let first = assert_ends(|| {
        with_context().block_on(async {
            let mut greedy = pin!(receive_forever());
            let mut polls = 0;
            poll_fn(|cx| {
                polls += 1;
                let is_pending = greedy.as_mut().poll(cx).is_pending();
                if is_pending && polls == 3 {
                    return Poll::Ready(polls);
                }
                Poll::Pending
            })
            .await
        })
    });
    assert_eq!(first, 3);
}

#[test]
fn many_messages_arrive_in_limited_polls() {
    let sum = assert_ends(|| {
        let runtime = with_context();
        let within = runtime.spawn(timeout(LONG, receive(MANY)));
        runtime.block_on(async { within.await.unwrap().unwrap() + receive(MANY).await })
    });
    assert_eq!(sum, 2 * MANY);
}

/// The calls within have no limit, because the executor of another crate would not return.
#[test]
fn blocking_code_in_a_limited_poll_has_no_limit() {
    let sum = assert_ends(|| {
        let runtime = with_context();
        let block = || volt::block_in_place(|| futures::executor::block_on(receive(MANY)));
        let in_place = runtime.spawn(timeout(LONG, async move { block() }));
        let job = runtime.spawn_blocking(|| futures::executor::block_on(receive(MANY)));
        runtime.block_on(async { in_place.await.unwrap().unwrap() + job.await.unwrap() })
    });
    assert_eq!(sum, 2 * MANY);
}

#[test]
fn unconstrained_future_has_no_limit_of_tokio() {
    let runtime = with_context();
    let polls = runtime.block_on(timeout(LONG, async {
        let mut many = pin!(volt::task::unconstrained(receive(MANY)));
        poll_fn(|cx| Poll::Ready(many.as_mut().poll(cx).is_ready())).await
    }));
    assert_eq!(polls, Ok(true));
    let outer = runtime.block_on(volt::task::unconstrained(async {
        let mut many = pin!(timeout(LONG, receive(MANY)));
        poll_fn(|cx| Poll::Ready(many.as_mut().poll(cx).is_ready())).await
    }));
    assert!(outer);
}

fn poll_many() -> Poll<usize> {
    pin!(receive(MANY)).poll(&mut Context::from_waker(Waker::noop()))
}

#[test]
fn thread_has_no_budget_of_tokio_after_a_poll() {
    let runtime = with_context();
    let _entered = runtime.handle().enter();
    for _ in 0..3 {
        assert_eq!(runtime.block_on(timeout(LONG, ready(1))), Ok(1));
        assert_eq!(poll_many(), Poll::Ready(MANY));
    }
    let panics = std::panic::catch_unwind(|| {
        let panics = poll_fn(|_| -> Poll<()> { panic!("a poll panics") });
        runtime.block_on(timeout(LONG, panics))
    });
    assert!(panics.is_err());
    assert_eq!(poll_many(), Poll::Ready(MANY));
}

/// Each poll begins with the whole budget, also after a poll that has spent it.
#[test]
fn each_poll_begins_with_a_full_budget() {
    let runtime = with_context();
    for _ in 0..3 {
        runtime.block_on(async {
            let mut many = pin!(receive(MANY));
            assert!(has_budget_remaining());
            let polled = poll_fn(|cx| Poll::Ready(many.as_mut().poll(cx))).await;
            assert!(polled.is_pending());
            assert!(!has_budget_remaining());
        });
    }
}

#[test]
fn timeout_in_a_task_of_tokio_uses_its_budget() {
    let is_pending = assert_ends(|| {
        with_context().block_on(async {
            let task = tokio::spawn(poll_fn(|cx| {
                assert!(pin!(receive(MANY)).poll(cx).is_pending());
                let limited = pin!(timeout(LONG, receive(1)));
                Poll::Ready(limited.poll(cx).is_pending())
            }));
            task.await.unwrap()
        })
    });
    assert!(is_pending);
}
