//! `now`: the clock of the store.

use std::time::SystemTime;

use super::poll_context::PollContext;

/// Returns the time of the store's clock. The durations of [`sleep`](fn@crate::sleep) begin at it.
///
/// A test with a paused clock moves it by [`MemoryStore::advance`], unlike [`SystemTime::now`]. The
/// time may be later than that of the store by as long as a claim takes, and is not earlier. So the
/// end of a timer is not after it.
///
/// Code after the last snapshot runs again after a crash, and reads a later time then. A local that
/// is live across a durable await keeps its time.
///
/// [`MemoryStore::advance`]: crate::store::MemoryStore::advance
///
/// # Examples
///
/// ```
/// use std::time::{Duration, SystemTime};
///
/// use volt_durable::{now, sleep_until};
///
/// const DAY: Duration = Duration::from_secs(86_400);
///
/// #[volt::state_machine(derive(Serialize, Deserialize))]
/// async fn bill(months: u32) -> SystemTime {
///     let mut next = now();
///     for _ in 0..months {
///         // Without drift: the next month begins at the end of this one, not at `now()`.
///         next += DAY * 30;
///         #[state(InMonth)]
///         sleep_until(next).await;
///     }
///     next
/// }
/// # let _ = bill(12);
/// ```
///
/// # Panics
///
/// Panics if the caller is not polled by a [`Worker`](crate::Worker), for example in a task that a
/// step has spawned.
#[must_use]
pub fn now() -> SystemTime {
    PollContext::with_current(|context| context.latest.into())
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Waker};
    use std::time::Duration;

    use super::now;
    use crate::leaves::{PollContext, sleep_until};
    use crate::store::Timestamp;

    /// A timer from this time is as late as one of the same duration.
    #[test]
    fn time_is_the_later_bound_of_the_clock() {
        let cx = Context::from_waker(Waker::noop());
        let mut context = PollContext::with_messages(Vec::new());
        context.begin_poll(Timestamp::from_millis(10), Timestamp::from_millis(20));
        let time = context.enter(now);
        assert_eq!(Timestamp::from(time), Timestamp::from_millis(20));
        let mut timer = sleep_until(time + Duration::from_millis(5));
        context.begin_poll(Timestamp::from_millis(24), Timestamp::from_millis(40));
        assert!(!timer.poll_in(&mut context, &cx));
    }

    #[test]
    #[should_panic(expected = "require its worker")]
    fn time_without_a_worker_panics() {
        let _ = now();
    }
}
