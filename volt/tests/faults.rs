//! Faults in the code of users do not spread.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::thread;
use std::time::Duration;

use volt::Runtime;
use volt::machine::{State, StateMachine, Transition};

fn runtime(workers: usize) -> Runtime {
    Runtime::builder().worker_threads(workers).build().unwrap()
}

#[test]
fn block_on_in_a_blocking_job_has_no_budget() {
    let runtime = runtime(1);
    let handle = runtime.handle().clone();
    let job = runtime.spawn_blocking(move || {
        handle.block_on(async {
            for _ in 0..1_000 {
                volt::spawn(async {}).await.unwrap();
            }
        });
    });
    runtime.block_on(job).unwrap();
}

#[test]
fn shutdown_waits_for_one_poll_of_each_worker() {
    let runtime = runtime(1);
    let polls = Arc::new(AtomicUsize::new(0));
    let tasks: Vec<_> = (0..200)
        .map(|_| {
            let polls = Arc::clone(&polls);
            runtime.spawn(async move {
                polls.fetch_add(1, Ordering::SeqCst);
                thread::sleep(Duration::from_millis(5));
            })
        })
        .collect();
    while polls.load(Ordering::SeqCst) == 0 {
        thread::yield_now();
    }
    let before = polls.load(Ordering::SeqCst);
    drop(runtime);
    let after = polls.load(Ordering::SeqCst);
    assert!(
        after <= before + 5,
        "{} polls after the end began",
        after - before
    );
    assert!(tasks.iter().all(volt::JoinHandle::is_finished));
}

/// A future that is never woken, and whose inspection panics.
struct Bad;

impl Future for Bad {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        Poll::Pending
    }
}

impl StateMachine for Bad {
    const NAME: &'static str = "Bad";
    const STATES: &'static [State] = &[];
    const TRANSITIONS: &'static [Transition] = &[];

    fn state(&self) -> &'static State {
        panic!("on purpose")
    }

    fn trace(&self, _: &mut dyn FnMut(&'static State)) {
        panic!("on purpose")
    }
}

#[volt::state_machine]
async fn wait_for(bad: Bad) {
    bad.await
}

#[test]
fn panic_in_a_trace_keeps_orphan_and_worker() {
    let runtime = runtime(1);
    let orphan = runtime.spawn(wait_for(Bad));
    assert_eq!(runtime.block_on(runtime.spawn(async { 1 })).unwrap(), 1);
    orphan.cancel();
    assert!(runtime.block_on(orphan).unwrap_err().is_cancelled());
}

/// A future with slow polls whose states cannot be read.
struct SlowBad {
    polls: u32,
}

impl Future for SlowBad {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.polls == 0 {
            return Poll::Ready(());
        }
        self.polls -= 1;
        std::thread::sleep(Duration::from_millis(120));
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

impl StateMachine for SlowBad {
    const NAME: &'static str = "SlowBad";
    const STATES: &'static [State] = &[];
    const TRANSITIONS: &'static [Transition] = &[];

    fn state(&self) -> &'static State {
        panic!("on purpose")
    }

    fn trace(&self, _: &mut dyn FnMut(&'static State)) {
        panic!("on purpose")
    }
}

#[volt::state_machine]
async fn wait_for_slow(bad: SlowBad) {
    bad.await
}

#[test]
fn panic_in_a_trace_of_a_slow_poll_keeps_the_worker() {
    let runtime = runtime(1);
    let slow = runtime.spawn(wait_for_slow(SlowBad { polls: 4 }));
    runtime.block_on(slow).unwrap();
    assert_eq!(runtime.block_on(runtime.spawn(async { 1 })).unwrap(), 1);
}
