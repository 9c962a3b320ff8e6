//! Whole runtimes, run thread by thread in an order that is drawn.
//!
//! Loom tries every order of a protocol in the small; here all protocols are at work together, and
//! each round draws one order. Nobody sleeps with a timeout, so whatever is lost is a deadlock,
//! which shuttle reports together with what replays the round.
//!
//! `RUSTFLAGS="--cfg shuttle" cargo test -p volt-async --release --lib shuttle_tests::`, and `SHUTTLE_ROUNDS` says
//! how many rounds of each kind.

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

/// Steps of one thread that another overtakes, in the rounds that look for rare orders.
const CHANGES: usize = 3;

/// Plays the scenario in many orders: half of them drawn step by step, half of them such that few
/// threads are overtaken, but at the worst of times.
fn play(scenario: impl Fn() + Send + Sync + 'static) {
    let rounds = std::env::var("SHUTTLE_ROUNDS").map_or(1_000, |it| it.parse().expect("a number"));
    let scenario = Arc::new(scenario);
    let mut config = shuttle::Config::new();
    config.stack_size = 1 << 18;
    let again = Arc::clone(&scenario);
    let random = RandomScheduler::new(rounds);
    shuttle::Runner::new(random, config.clone()).run(move || again());
    let overtaking = PctScheduler::new(CHANGES, rounds);
    shuttle::Runner::new(overtaking, config).run(move || scenario());
}

/// The clock stands, so that no timer of the system's decides anything.
fn runtime(workers: usize) -> Runtime {
    let builder = Builder::new().worker_threads(workers).start_paused(true);
    builder.build().expect("three descriptors")
}

/// Counts what is alive.
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
        assert_eq!(self.0.load(Ordering::Relaxed), 0, "something was leaked");
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A flag that one waits for.
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

    /// Waits until it is raised, and takes it down.
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
