//! Short sleeps, and timeouts that never fire.

use std::future::ready;
use std::hint::black_box;
use std::time::Duration;

use crate::executor::Drives;
use crate::workload::{Describe, DriverWorkload, Run, Target, timed_each};

const SLEEPS: usize = 20;
const TIMEOUTS: usize = 10_000;
/// Longer than any run.
const FAR: Duration = Duration::from_secs(60);

/// Sequential sleeps.
pub(crate) struct ShortSleep;

impl Describe for ShortSleep {
    const NAME: &'static str = "sleep of 100 µs";
    const ABOUT: &'static str = "average duration of 20 in sequence";
    const TARGET: Option<Target> = Some(Target::AtMost(0.25e-3));
}

impl DriverWorkload for ShortSleep {
    fn prepare<E: Drives>(executor: &E) -> Run {
        let executor = executor.clone();
        timed_each(SLEEPS, move || {
            let task = executor.spawn(async {
                for _ in 0..SLEEPS {
                    E::sleep(Duration::from_micros(100)).await;
                }
            });
            executor.block_on(E::join(task));
        })
    }
}

/// A timeout whose timer is never registered.
pub(crate) struct TimeoutOfReady;

impl Describe for TimeoutOfReady {
    const NAME: &'static str = "timeout of a ready future";
    const ABOUT: &'static str = "a minute for a future that is ready at its first poll";
}

impl DriverWorkload for TimeoutOfReady {
    fn prepare<E: Drives>(executor: &E) -> Run {
        let executor = executor.clone();
        timed_each(TIMEOUTS, move || {
            let task = executor.spawn(async {
                for n in 0..TIMEOUTS {
                    black_box(E::timeout(FAR, ready(black_box(n))).await);
                }
            });
            executor.block_on(E::join(task));
        })
    }
}

/// A timeout whose timer is registered, and dropped before its deadline.
pub(crate) struct TimeoutOfYield;

impl Describe for TimeoutOfYield {
    const NAME: &'static str = "timeout of a future that yields once";
    const ABOUT: &'static str = "a minute for a future that is ready at its second poll";
}

impl DriverWorkload for TimeoutOfYield {
    fn prepare<E: Drives>(executor: &E) -> Run {
        let executor = executor.clone();
        timed_each(TIMEOUTS, move || {
            let task = executor.spawn(async {
                for _ in 0..TIMEOUTS {
                    black_box(E::timeout(FAR, E::yield_now()).await);
                }
            });
            executor.block_on(E::join(task));
        })
    }
}
