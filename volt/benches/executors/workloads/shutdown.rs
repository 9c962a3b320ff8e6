//! The end of an executor one of whose workers is blocked.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::contestants::{OnTokio, OnVolt};
use crate::executor::{Ends, Executor, WORKERS};
use crate::workload::{Describe, Run};

/// The time that the caller grants.
const LIMIT: Duration = Duration::from_millis(5);

/// How much longer it takes.
pub(crate) struct Shutdown;

impl Describe for Shutdown {
    const NAME: &'static str = "shutdown beside a blocked worker";
    const ABOUT: &'static str = "how much more than the 5 ms that it is given it takes";
}

impl Shutdown {
    /// Those that can be ended, each on executors of its own.
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
            entered.send(()).expect("somebody waits for the block");
            // The error comes when the other end is dropped.
            released.recv().expect_err("nobody sends");
        }));
        blocked.recv().expect("the task begins");
        let start = Instant::now();
        executor.shutdown(LIMIT);
        costs.push(start.elapsed().as_secs_f64() - LIMIT.as_secs_f64());
        drop(release);
        // The task holds the other end: it is over when that is gone.
        blocked.recv().expect_err("the task ends");
    })
}
