//! Deadlines at the end of a chain.

use std::future::Future;
use std::time::{Duration, Instant};

use volt_combinators::{Compose, compose};

use super::timers::{Timeout, timeout, timeout_at};

/// [`timeout`](timeout()) and [`timeout_at`](timeout_at()) as methods of every future.
///
/// They return a [`Compose`], as the methods of [`FutureExt`](volt_combinators::FutureExt) do, so that
/// a chain goes on behind them:
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
/// The time counts from the call, and not from the first poll: it is that of all that stands before it in
/// the chain.
pub trait TimeoutExt: Future + Sized {
    /// Gives the future a duration in which to be ready: the output is its own, or
    /// [`Elapsed`](super::Elapsed).
    ///
    /// # Panics
    ///
    /// As [`timeout`](timeout()).
    ///
    /// # Cancel safety
    ///
    /// As [`timeout`](timeout()).
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

    /// Gives the future until the deadline to be ready; see [`timeout`](Self::timeout).
    #[doc(alias = "withTimeout")]
    fn timeout_at(self, deadline: impl Into<Instant>) -> Compose<Timeout<Self>> {
        compose(timeout_at(deadline, self))
    }
}

impl<F: Future> TimeoutExt for F {}
