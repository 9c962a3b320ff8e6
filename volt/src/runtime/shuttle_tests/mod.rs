//! Models of whole runtimes under shuttle, which runs one thread at a time in a random order.
//!
//! Loom explores every order of one small protocol. Here all protocols run together, and each round
//! tries one order. No thread sleeps with a timeout, so a lost wake-up is a deadlock. Shuttle
//! reports it with the schedule that replays the round.
//!
//! `RUSTFLAGS="--cfg shuttle" cargo test -p volt-async --release --lib shuttle_tests::` runs them.
//! `SHUTTLE_ROUNDS` is the number of rounds of each kind.

mod blocked_futures;
mod cancellation;
mod joins;
mod local_runtime;
mod paused_clock;
mod shutdown;
mod spawns;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Waker;

use shuttle::scheduler::{PctScheduler, RandomScheduler};
use shuttle::sync::Mutex;

use super::{Builder, Runtime};

/// The number of preemptions in the rounds that search for rare orders.
const PREEMPTIONS: usize = 3;

/// Runs the scenario in many orders. Half of the rounds select each step at random; the other half
/// have few preemptions, at random steps.
fn explore(scenario: impl Fn() + Send + Sync + 'static) {
    let rounds =
        std::env::var("SHUTTLE_ROUNDS").map_or(1_000, |text| text.parse().expect("a number"));
    let scenario = Arc::new(scenario);
    let mut config = shuttle::Config::new();
    config.stack_size = 1 << 18;
    let again = Arc::clone(&scenario);
    let random = RandomScheduler::new(rounds);
    shuttle::Runner::new(random, config.clone()).run(move || again());
    let preempting = PctScheduler::new(PREEMPTIONS, rounds);
    shuttle::Runner::new(preempting, config).run(move || scenario());
}

/// Starts a runtime with a paused clock, so that no timer of the system affects the order.
fn runtime(workers: usize) -> Runtime {
    let builder = Builder::new().worker_threads(workers).start_paused(true);
    builder.build().expect("three descriptors")
}

/// Counts live values.
#[derive(Clone, Default)]
struct Census(Arc<AtomicUsize>);

struct Counted(Arc<AtomicUsize>);

impl Census {
    fn enter(&self) -> Counted {
        self.0.fetch_add(1, Ordering::Relaxed);
        Counted(Arc::clone(&self.0))
    }

    #[track_caller]
    fn assert_empty(&self) {
        assert_eq!(self.0.load(Ordering::Relaxed), 0, "a value was leaked");
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A flag that one task waits for.
#[derive(Clone, Default)]
struct Flag(Arc<Mutex<(bool, Option<Waker>)>>);

impl Flag {
    fn raise(&self) {
        let mut state = self.0.lock().unwrap();
        state.0 = true;
        let waker = state.1.take();
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Waits until the flag is set, and clears it.
    async fn raised(&self) {
        std::future::poll_fn(|cx| {
            let mut state = self.0.lock().unwrap();
            if std::mem::take(&mut state.0) {
                return std::task::Poll::Ready(());
            }
            state.1 = Some(cx.waker().clone());
            std::task::Poll::Pending
        })
        .await;
    }
}
