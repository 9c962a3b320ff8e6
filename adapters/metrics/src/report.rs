//! Figures that are brought up to date time and again.

use std::time::Duration;

use super::meters::Meters;

/// Records the statistics of a runtime now and after each `period`, until the future is dropped.
///
/// The labels are those of [`Meters::new`]. For other labels, create the meters and call
/// [`Meters::record`].
///
/// # Panics
///
/// When it is polled on a thread that is in no runtime, or `period` is zero.
///
/// # Cancel safety
///
/// Dropping the future ends the reports; nothing is lost.
pub fn report(
    handle: &volt::Handle,
    period: Duration,
) -> impl Future<Output = ()> + Send + 'static {
    let handle = handle.clone();
    async move {
        let meters = Meters::new(handle.stats().workers.len());
        let mut ticks = volt::time::interval(period);
        loop {
            ticks.tick().await;
            meters.record(&handle.stats());
        }
    }
}
