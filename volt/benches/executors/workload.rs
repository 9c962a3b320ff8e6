//! What a workload is.

use std::time::Instant;

use crate::executor::Executor;

/// Runs a workload once and returns what it cost: seconds, in general.
pub(crate) type Run = Box<dyn FnMut() -> f64>;

/// One row of the table.
pub(crate) trait Workload {
    const NAME: &'static str;
    const ABOUT: &'static str;

    /// Builds what is not measured.
    fn prepare<E: Executor>(executor: &E) -> Run;
}

/// A run that costs the time it takes.
pub(crate) fn timed(mut body: impl FnMut() + 'static) -> Run {
    Box::new(move || {
        let start = Instant::now();
        body();
        start.elapsed().as_secs_f64()
    })
}
