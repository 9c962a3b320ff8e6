//! Many concurrent tasks, spawned and awaited by one task.

use crate::executor::Executor;
use crate::workload::{Describe, Run, Workload, timed_each};

const TASKS: usize = 10_000;

pub(crate) struct FanOut;

impl Describe for FanOut {
    const NAME: &'static str = "fan-out of 10,000, per task";
    const ABOUT: &'static str = "a task spawns 10,000, then awaits them all";
}

impl Workload for FanOut {
    fn prepare<E: Executor>(executor: &E) -> Run {
        let executor = executor.clone();
        timed_each(TASKS, move || {
            let task = executor.spawn(async {
                let handles: Vec<_> = (0..TASKS).map(|_| E::spawn_here(async {})).collect();
                for handle in handles {
                    E::join(handle).await;
                }
            });
            executor.block_on(E::join(task));
        })
    }
}
