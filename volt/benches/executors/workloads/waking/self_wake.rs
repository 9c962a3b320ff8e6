//! Tasks that wake themselves while they run.

use std::pin::Pin;
use std::task::{Context, Poll};

use crate::executor::Executor;
use crate::workload::{Describe, Run, Workload, timed_each};

/// A future that wakes itself a number of times.
struct Restless(usize);

impl Future for Restless {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.0 == 0 {
            return Poll::Ready(());
        }
        self.0 -= 1;
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

/// One task.
pub(crate) struct SelfWake;

impl Describe for SelfWake {
    const NAME: &'static str = "one task waking itself";
    const ABOUT: &'static str = "100,000 times, each a poll";
}

impl Workload for SelfWake {
    fn prepare<E: Executor>(executor: &E) -> Run {
        run(executor, 1, 100_000)
    }
}

/// A thousand tasks.
pub(crate) struct SelfWakeMany;

impl Describe for SelfWakeMany {
    const NAME: &'static str = "1,000 tasks waking themselves";
    const ABOUT: &'static str = "100 times each; the cost is that of one poll";
}

impl Workload for SelfWakeMany {
    fn prepare<E: Executor>(executor: &E) -> Run {
        run(executor, 1_000, 100)
    }
}

fn run<E: Executor>(executor: &E, tasks: usize, wakes: usize) -> Run {
    let executor = executor.clone();
    timed_each(tasks * wakes, move || {
        let task = executor.spawn(async move {
            let handles: Vec<_> = (0..tasks).map(|_| E::spawn_here(Restless(wakes))).collect();
            for handle in handles {
                E::join(handle).await;
            }
        });
        executor.block_on(E::join(task));
    })
}
