//! `Sleep`: a timer that is stored.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::poll_context::PollContext;
use crate::store::Timestamp;

/// Waits for a duration, for example days. Worker and process may change in the meantime.
///
/// The duration begins at the first poll. The timer is never early by the clock of the store; it
/// may be late by the time that workers need.
///
/// # Panics
///
/// The future panics if it is polled by anything but a [`Worker`](crate::Worker).
pub fn sleep(duration: Duration) -> Sleep {
    Sleep(Deadline::In(duration))
}

/// The future of [`sleep`](fn@sleep), under the name of the function.
#[doc(hidden)]
#[allow(
    non_camel_case_types,
    reason = "a generic machine names the future by the function"
)]
pub type sleep = Sleep;

/// Waits for a time of the store's clock.
///
/// # Panics
///
/// The future panics if it is polled by anything but a [`Worker`](crate::Worker).
pub fn sleep_until(time: SystemTime) -> Sleep {
    Sleep(Deadline::Until(Timestamp::from(time)))
}

/// The future of [`sleep_until`](fn@sleep_until), under the name of the function.
#[doc(hidden)]
#[allow(
    non_camel_case_types,
    reason = "a generic machine names the future by the function"
)]
pub type sleep_until = Sleep;

/// The future of [`sleep`](fn@sleep) and [`sleep_until`](fn@sleep_until).
#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent)]
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct Sleep(Deadline);

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Deadline {
    /// The timer has not been polled.
    In(Duration),
    Until(Timestamp),
}

impl Sleep {
    /// Returns `true` if the timer has expired. Otherwise the machine waits for it.
    pub(super) fn poll_in(&mut self, context: &mut PollContext, cx: &Context<'_>) -> bool {
        let until = match self.0 {
            Deadline::In(duration) => context.latest.after(duration),
            Deadline::Until(until) => until,
        };
        self.0 = Deadline::Until(until);
        let has_expired = context.earliest >= until;
        if !has_expired {
            context.wait_until(until, cx);
        }
        has_expired
    }
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let has_expired = PollContext::with_current(|context| self.poll_in(context, cx));
        if has_expired {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Waker};
    use std::time::Duration;

    use super::sleep;
    use crate::leaves::PollContext;
    use crate::store::Timestamp;

    /// The time of the store is known within bounds only. The timer begins at the later bound, and
    /// has expired when the earlier one has reached its end.
    #[test]
    fn timer_is_not_early_within_the_bounds_of_the_clock() {
        let cx = Context::from_waker(Waker::noop());
        let mut context = PollContext::with_messages(Vec::new());
        let mut timer = sleep(Duration::from_millis(5));
        let mut poll = |earliest, latest| {
            let (earliest, latest) = (
                Timestamp::from_millis(earliest),
                Timestamp::from_millis(latest),
            );
            context.begin_poll(earliest, latest);
            timer.poll_in(&mut context, &cx)
        };
        assert!(!poll(10, 20), "it ends at 25");
        assert!(!poll(24, 40));
        assert!(poll(25, 40));
    }
}
