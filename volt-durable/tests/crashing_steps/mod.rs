//! Workers that crash at random polls around steps with transactions.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use volt_durable::store::{ClaimToken, Filter, Status, Store};
use volt_durable::{Client, Durable, Worker};

/// The number of steps of each machine.
pub(crate) const STEPS: u64 = 4;

/// The largest number of polls of a worker before its crash.
const MOST_POLLS: u64 = 9;

/// The lease of a claim that the store runs after the crash of its worker.
pub(crate) const LEASE: Duration = Duration::from_millis(300);

/// Returns the seeds of a test: `SEEDS` of them, or a few.
pub(crate) fn seeds() -> std::ops::Range<u64> {
    let seeds = std::env::var("SEEDS").ok();
    0..seeds.and_then(|seeds| seeds.parse().ok()).unwrap_or(12)
}

/// A small generator of numbers, so that the places of the crashes can be repeated.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

/// Completes after a number of polls, or when the future does. The caller then drops the future,
/// and the operations of the store that are in progress go on.
async fn crash_after(polls: u64, future: impl Future) -> bool {
    let (mut future, mut left) = (pin!(future), polls);
    let poll = poll_fn(|cx| {
        left -= 1;
        match future.as_mut().poll(cx) {
            Poll::Ready(_) => Poll::Ready(false),
            Poll::Pending if left == 0 => Poll::Ready(true),
            Poll::Pending => Poll::Pending,
        }
    });
    poll.await
}

/// Ends the leases of all machines, as if the time of their leases had passed.
pub(crate) async fn expire_leases<S: Store>(store: &S) {
    let filter = Filter {
        status: Some(Status::Runnable),
        limit: 1_000_000,
        ..Filter::default()
    };
    let rows = store.list(&filter).await.expect("rows");
    let held = rows.iter().map(|row| ClaimToken {
        id: row.id,
        fence: row.fence,
    });
    let held: Vec<_> = held.collect();
    let expired = store.renew(&held, Duration::ZERO).await;
    expired.expect("a result");
}

/// Runs a machine whose workers crash, and returns the number of crashes.
pub(crate) async fn run_with_crashes<S: Store + Clone, M: Durable<Outcome = u64>>(
    store: &S,
    machine: M,
    seed: u64,
) -> u32 {
    let mut numbers = Numbers(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let client = Client::new(store.clone()).poll_interval(Duration::from_millis(20));
    client.start("a", machine).await.expect("a machine");
    let outcome = || async {
        let outcome = client.outcome::<M>("a").await;
        assert_eq!(outcome.expect("an outcome"), STEPS);
    };
    let worker = || {
        let worker = Worker::new(store.clone()).runs::<M>().lease(LEASE);
        let worker = worker.max_attempts(1_000_000).on_error(|_| {});
        worker.poll_interval(Duration::from_millis(20))
    };
    let mut crashes = 0;
    while crash_after(numbers.below(MOST_POLLS) + 1, worker().run_until(outcome())).await {
        crashes += 1;
        expire_leases(store).await;
        if crashes == 20 {
            // Some operations of the crashed workers may still be in progress.
            worker().run_until(outcome()).await;
            break;
        }
    }
    crashes
}
