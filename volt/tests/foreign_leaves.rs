//! Futures of other crates that are always ready. A task that awaits them in a loop gives way if it
//! is a machine or uses `cooperative`, and timeouts around it elapse.
#![cfg(not(miri))]

use std::future::{Ready, pending, poll_fn, ready};
use std::pin::{Pin, pin};
use std::sync::mpsc as threads;
use std::task::Poll;
use std::time::{Duration, Instant};

use tokio::sync::mpsc::{Receiver, Sender};
use volt::Runtime;
use volt::task::{consume_budget, cooperative, has_budget_remaining, unconstrained};
use volt::time::{timeout, timeout_at};

fn runtime() -> Runtime {
    Runtime::builder().worker_threads(1).build().unwrap()
}

/// Asserts that a timeout around `endless` elapses on the only worker.
#[track_caller]
fn assert_limit_passes<F>(endless: F)
where
    F: Future<Output: Send + 'static> + Send + 'static,
{
    let (report, reported) = threads::channel();
    let runtime = runtime();
    runtime
        .spawn(async move {
            let passes = timeout(Duration::from_millis(10), endless).await.is_err();
            report.send(passes).unwrap();
        })
        .detach();
    let passes = reported.recv_timeout(Duration::from_secs(10));
    if passes != Ok(true) {
        // The drop of the runtime would wait for its worker.
        std::mem::forget(runtime);
    }
    assert_eq!(passes, Ok(true));
}

/// Returns a full channel of tokio.
fn never_empty() -> (Sender<u64>, Receiver<u64>) {
    let (sender, receiver) = tokio::sync::mpsc::channel(64);
    (0..64).for_each(|number| sender.try_send(number).unwrap());
    (sender, receiver)
}

#[test]
fn budget_of_foreign_leaves() {
    let (sender, mut receiver) = never_empty();
    assert_limit_passes(async move {
        loop {
            let number = cooperative(receiver.recv()).await.unwrap();
            sender.try_send(number).unwrap();
        }
    });
}

#[test]
fn loop_consuming_budget_lets_a_timeout_elapse() {
    let (sender, mut receiver) = never_empty();
    assert_limit_passes(async move {
        loop {
            let number = receiver.recv().await.unwrap();
            sender.try_send(number).unwrap();
            consume_budget().await;
        }
    });
}

#[test]
fn inner_timeouts_let_the_outer_one_elapse() {
    let (sender, mut receiver) = never_empty();
    assert_limit_passes(async move {
        loop {
            let number = timeout(Duration::MAX, receiver.recv()).await;
            sender.try_send(number.unwrap().unwrap()).unwrap();
        }
    });
    assert_limit_passes(async {
        let deadline = Instant::now() + Duration::from_secs(3600);
        loop {
            timeout_at(deadline, ready(())).await.unwrap();
        }
    });
}

#[volt::state_machine]
async fn always_ready(times: &mut u64, turn: Ready<u64>) {
    *times += turn.await;
}

#[volt::state_machine]
async fn leaves_of_a_machine(mut times: u64) -> u64 {
    unconstrained(always_ready(&mut times, ready(1))).await;
    while times > 0 {
        cooperative(always_ready(&mut times, ready(1))).await;
    }
    times
}

#[test]
fn foreign_leaf_of_a_machine_lets_a_timeout_elapse() {
    assert_limit_passes(leaves_of_a_machine(0));
}

/// Receives from a channel of tokio that is never empty, in the explicit layout.
#[volt::state_machine(explicit)]
async fn drain(mut receiver: Receiver<u64>, sender: Sender<u64>) -> u64 {
    loop {
        let number: Option<u64> = receiver.recv().await;
        if sender.try_send(number.unwrap()).is_err() {
            return 0;
        }
    }
}

/// The same function in the native layout.
#[volt::state_machine]
async fn drain_natively<T: Send>(mut receiver: Receiver<T>, sender: Sender<T>) {
    let send = |number: Option<T>| sender.try_send(number.unwrap()).is_ok();
    while send(receiver.recv().await) {}
}

#[volt::state_machine]
async fn nothing_to_wait_for<T: Send>(value: T) -> T {
    value
}

#[volt::state_machine]
async fn loop_of_machines() {
    let mut times: u64 = 1;
    while nothing_to_wait_for(times).await > 0 {
        times = nothing_to_wait_for(times).await;
    }
}

#[volt::state_machine]
async fn limits_a_loop_of_its_own(receiver: Receiver<u64>, sender: Sender<u64>) -> bool {
    let drained = timeout(Duration::from_millis(10), drain(receiver, sender)).await;
    drained.is_err()
}

#[test]
fn awaits_of_a_machine_give_way() {
    let (sender, receiver) = never_empty();
    assert_limit_passes(drain(receiver, sender));
    let (sender, receiver) = never_empty();
    assert_limit_passes(drain_natively(receiver, sender));
    assert_limit_passes(loop_of_machines());
    assert_limit_passes(always_ready_in_a_box());
    let (sender, receiver) = never_empty();
    let runtime = runtime();
    let limited = runtime.spawn(limits_a_loop_of_its_own(receiver, sender));
    assert!(limited.join().unwrap());
}

#[volt::state_machine]
async fn always_ready_in_a_box() {
    let mut times: u64 = 1;
    while times > 0 {
        let boxed: Pin<Box<dyn Future<Output = u64> + Send>> = Box::pin(ready(1));
        times = boxed.await;
    }
}

/// A future next to an endless machine in the same task is polled too.
#[test]
fn branch_beside_an_endless_machine_is_polled() {
    #[volt::state_machine]
    async fn waits(receiver: tokio::sync::oneshot::Receiver<u8>) -> u8 {
        receiver.await.unwrap_or(0)
    }
    let (sender, receiver) = never_empty();
    let (value_sender, value_receiver) = tokio::sync::oneshot::channel();
    let runtime = runtime();
    let task = runtime.spawn(async move {
        let (mut endless, mut waits) = (pin!(drain(receiver, sender)), pin!(waits(value_receiver)));
        poll_fn(|cx| {
            let _ = endless.as_mut().poll(cx);
            waits.as_mut().poll(cx)
        })
        .await
    });
    std::thread::sleep(Duration::from_millis(20));
    value_sender.send(7).unwrap();
    assert_eq!(task.join().unwrap(), 7);
}

#[volt::state_machine]
async fn awaits_many(times: u64) -> u64 {
    let mut sum: u64 = 0;
    let mut done: u64 = 0;
    while done < times {
        sum += ready(1_u64).await;
        done += 1;
    }
    sum
}

/// The same function in the native layout.
#[volt::state_machine]
async fn awaits_many_natively<T: Into<u64> + Send>(times: u64, value: fn() -> T) -> u64 {
    let mut sum: u64 = 0;
    for _ in 0..times {
        sum += ready(value()).await.into();
    }
    sum
}

#[test]
fn machine_gives_way_after_256_awaits() {
    assert_eq!(polls(awaits_many(255)), (1, 255));
    assert_eq!(polls(awaits_many(256)), (2, 256));
    let native = |times| awaits_many_natively(times, || 1_u8);
    assert_eq!(polls(native(255)), (1, 255));
    assert_eq!(polls(native(256)), (2, 256));
    assert_eq!(polls(native(2560)).1, 2560);
    assert_eq!(polls(unconstrained(awaits_many(10_000))), (1, 10_000));
    assert_eq!(polls(unconstrained(native(10_000))), (1, 10_000));
    // Outside of tasks there is no budget.
    let (mut machine, mut native) = (pin!(awaits_many(10_000)), pin!(native(10_000)));
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    assert_eq!(machine.as_mut().poll(&mut cx), Poll::Ready(10_000));
    assert_eq!(native.as_mut().poll(&mut cx), Poll::Ready(10_000));
}

#[volt::state_machine(explicit)]
async fn awaits_loops(times: u64) -> u64 {
    let first: u64 = awaits_many(times).await;
    let second: u64 = cooperative(awaits_many(times)).await;
    first + second
}

#[test]
fn machine_within_a_machine_gives_way_once_per_limit() {
    assert_eq!(polls(awaits_loops(255)), (1, 510));
    assert_eq!(polls(awaits_loops(600)), (5, 1200));
    assert_eq!(polls(unconstrained(awaits_loops(600))), (1, 1200));
}

/// The limit is reached thousands of times there, each time in a poll of the one before.
#[test]
fn awaits_outside_of_tasks_need_no_stack() {
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    let mut machine = pin!(awaits_loops(1_000_000));
    assert_eq!(machine.as_mut().poll(&mut cx), Poll::Ready(2_000_000));
}

/// Each turn passes the first await; the others are in no loop, or in one that passes it too.
#[volt::state_machine(explicit)]
async fn awaits_in_and_out_of_a_loop(times: u64) -> u64 {
    let mut sum: u64 = ready(1_u64).await;
    let mut done: u64 = 0;
    while done < times {
        let more: u64 = ready(1_u64).await;
        sum += ready(more).await;
        done += 1;
    }
    let last: u64 = ready(1_u64).await;
    sum + last
}

#[test]
fn turns_of_a_loop_are_counted_once() {
    assert_eq!(polls(awaits_in_and_out_of_a_loop(255)), (1, 257));
    assert_eq!(polls(awaits_in_and_out_of_a_loop(256)), (2, 258));
}

/// Runs a future as a task, and returns the number of its polls and its output.
#[volt::test]
async fn loop_in_a_test_body_lets_a_timeout_elapse() {
    let (sender, mut receiver) = never_empty();
    let endless = async move {
        loop {
            let number = receiver.recv().await.unwrap();
            sender.try_send(number).unwrap();
        }
    };
    assert!(timeout(Duration::from_millis(10), endless).await.is_err());
}

#[volt::test]
async fn body_of_a_test_charges_each_ready_future_once() {
    let body = async {
        for _ in 0..1000 {
            ready(()).await;
            consume_budget().await;
        }
    };
    let mut polls = 0;
    let mut body = pin!(body);
    let counted = poll_fn(|cx| {
        polls += 1;
        body.as_mut().poll(cx)
    });
    counted.await;
    assert_eq!(polls, 16);
    assert_eq!(
        size_of_val(&volt::__entry::charged(ready(1_u8))),
        size_of_val(&ready(1_u8))
    );
}

fn polls<F>(future: F) -> (usize, F::Output)
where
    F: Future<Output: Send + 'static> + Send + 'static,
{
    let counted = async {
        let mut polls = 0;
        let mut future = pin!(future);
        let output = poll_fn(|cx| {
            polls += 1;
            future.as_mut().poll(cx)
        });
        let output = output.await;
        (polls, output)
    };
    runtime().spawn(counted).join().unwrap()
}

#[test]
fn budget_lasts_for_128_consumptions() {
    let consumes = |times| async move {
        for _ in 0..times {
            consume_budget().await;
        }
    };
    assert_eq!(polls(consumes(128)).0, 1);
    assert_eq!(polls(consumes(129)).0, 2);
    assert_eq!(polls(consumes(1024)).0, 8);
}

#[test]
fn pending_cooperative_future_spends_no_budget() {
    let spends = async {
        for _ in 0..1000 {
            let mut waits = pin!(cooperative(pending::<()>()));
            let polled = poll_fn(|cx| Poll::Ready(waits.as_mut().poll(cx))).await;
            assert!(polled.is_pending());
        }
        has_budget_remaining()
    };
    assert_eq!(polls(spends), (1, true));
}

#[test]
fn unconstrained_future_spends_no_budget() {
    let spends = async {
        let mut within = 0;
        unconstrained(async {
            for _ in 0..1000 {
                consume_budget().await;
                cooperative(ready(())).await;
                within += 1;
            }
        })
        .await;
        (within, has_budget_remaining())
    };
    assert_eq!(polls(spends), (1, (1000, true)));
}

#[test]
fn spent_budget_is_reported() {
    let spent = async {
        let mut times = 0;
        while has_budget_remaining() {
            consume_budget().await;
            times += 1;
        }
        times
    };
    assert_eq!(polls(spent), (1, 128));
}

#[test]
fn consume_budget_outside_tasks_is_always_ready() {
    futures_lite::future::block_on(async {
        for _ in 0..1000 {
            consume_budget().await;
            assert!(has_budget_remaining());
        }
    });
}
