//! A task that blocks its worker, and a task that must run elsewhere.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::wake_signal::WakeSignal;
use crate::executor::{Drives, Executor};
use crate::workload::{Describe, DriverWorkload, Run, Target, Workload};

/// The pause before a run, in which all workers fall asleep.
const PAUSE: Duration = Duration::from_micros(200);

/// A task that is woken by a task which then blocks the worker.
pub(crate) struct WokenByBlocker;

impl Describe for WokenByBlocker {
    const NAME: &'static str = "wake followed by a blocking call";
    const ABOUT: &'static str =
        "from the wake to the poll; the waker blocks for 20 ms, others sleep";
    const TARGET: Option<Target> = Some(Target::AtMost(1e-3));
    const IN_README: bool = true;
}

impl Workload for WokenByBlocker {
    fn prepare<E: Executor>(executor: &E) -> Run {
        let executor = executor.clone();
        Box::new(move |costs| {
            let signal = Arc::new(WakeSignal::default());
            let sender_signal = Arc::clone(&signal);
            let woken = executor.spawn(async move { signal.received().await });
            sender_signal.wait_for_listener();
            thread::sleep(PAUSE);
            let blocker = executor.spawn(async move {
                sender_signal.send();
                thread::sleep(Duration::from_millis(20));
            });
            costs.push(executor.block_on(E::join(woken)).as_secs_f64());
            executor.block_on(E::join(blocker));
        })
    }
}

/// A sleep while the worker that waited for timers is blocked by a task.
pub(crate) struct SleepBesideBlocker;

impl Describe for SleepBesideBlocker {
    const NAME: &'static str = "5 ms sleep next to a blocking task";
    const ABOUT: &'static str = "duration; the other task sleeps for 1 ms, then blocks for 40 ms";
    const TARGET: Option<Target> = Some(Target::AtMost(6e-3));
}

impl DriverWorkload for SleepBesideBlocker {
    fn prepare<E: Drives>(executor: &E) -> Run {
        let executor = executor.clone();
        Box::new(move |costs| {
            thread::sleep(PAUSE);
            let blocker = executor.spawn(async {
                E::sleep(Duration::from_millis(1)).await;
                thread::sleep(Duration::from_millis(40));
            });
            let sleeper = executor.spawn(async {
                let start = Instant::now();
                E::sleep(Duration::from_millis(5)).await;
                start.elapsed()
            });
            costs.push(executor.block_on(E::join(sleeper)).as_secs_f64());
            executor.block_on(E::join(blocker));
        })
    }
}
