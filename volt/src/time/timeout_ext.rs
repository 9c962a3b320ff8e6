//! `TimeoutExt`: timeouts as methods of futures.

use std::future::Future;
use std::time::{Duration, Instant};

use volt_combinators::{Compose, compose};

use super::timers::{Timeout, timeout, timeout_at};

/// [`timeout`](timeout()) and [`timeout_at`](timeout_at()) as methods of all futures.
///
/// The methods return a [`Compose`], like the methods of
/// [`FutureExt`](volt_combinators::FutureExt), so further methods can follow in a chain:
///
/// ```
/// use std::time::Duration;
/// use volt::future::compose;
/// use volt::time::TimeoutExt;
///
/// async fn fetch(page: u32) -> u32 {
///     page * 10
/// }
///
/// let page = compose(fetch(1))
///     .then(|first| fetch(first + 1))
///     .timeout(Duration::from_secs(1))
///     .map_err(|elapsed| format!("no page: {elapsed}"));
/// assert_eq!(volt::block_on(page), Ok(110));
/// ```
///
/// The time counts from the call, not from the first poll. The timeout applies to all steps before
/// it in the chain.
pub trait TimeoutExt: Future + Sized {
    /// Limits the time of the future: the output is `Ok` with its output, or
    /// [`Elapsed`](super::Elapsed) after `duration`.
    ///
    /// # Panics
    ///
    /// The future panics if that of [`timeout`](timeout()) does.
    ///
    /// # Cancel safety
    ///
    /// Cancel safe if the inner future is; see [`timeout`](timeout()).
    ///
    /// # Examples
    ///
    /// ```
    /// use std::future::pending;
    /// use std::time::Duration;
    /// use volt::time::TimeoutExt;
    ///
    /// let never = volt::Runtime::new()?.block_on(pending::<()>().timeout(Duration::from_millis(1)));
    /// assert!(never.is_err());
    /// # Ok::<_, std::io::Error>(())
    /// ```
    #[doc(alias = "withTimeout")]
    fn timeout(self, duration: Duration) -> Compose<Timeout<Self>> {
        compose(timeout(duration, self))
    }

    /// Limits the time of the future by a deadline; see [`timeout`](Self::timeout).
    #[doc(alias = "withTimeout")]
    fn timeout_at(self, deadline: impl Into<Instant>) -> Compose<Timeout<Self>> {
        compose(timeout_at(deadline, self))
    }
}

impl<F: Future> TimeoutExt for F {}
