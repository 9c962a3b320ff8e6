//! The shutdown of an executor with a blocked worker.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::contestants::{OnTokio, OnVolt};
use crate::executor::{Ends, Executor, WORKERS};
use crate::workload::{Describe, Run};

/// The limit of the shutdown.
const LIMIT: Duration = Duration::from_millis(5);

/// The time of a shutdown beyond its limit.
pub(crate) struct Shutdown;

impl Describe for Shutdown {
    const NAME: &'static str = "shutdown, one worker blocked";
    const ABOUT: &'static str = "the time beyond its limit of 5 ms";
}

impl Shutdown {
    /// Returns a run for each executor with a shutdown. Each run starts its own executors.
    pub(crate) fn prepare() -> Vec<(&'static str, Run)> {
        vec![
            (OnVolt::NAME, run::<OnVolt>()),
            (OnTokio::NAME, run::<OnTokio>()),
        ]
    }
}

fn run<E: Ends>() -> Run {
    Box::new(|costs| {
        let executor = E::start(WORKERS);
        let (entered, blocked) = mpsc::channel();
        let (release, released) = mpsc::channel::<()>();
        E::detach(executor.spawn(async move {
            entered.send(()).expect("the receiver exists");
            // `recv` returns an error when the sender is dropped.
            released.recv().expect_err("nothing is sent");
        }));
        blocked.recv().expect("the task begins");
        let start = Instant::now();
        executor.shutdown(LIMIT);
        costs.push(start.elapsed().as_secs_f64() - LIMIT.as_secs_f64());
        drop(release);
        // The task owns the sender, so the error means that the task has ended.
        blocked.recv().expect_err("the task ends");
    })
}
