//! Middleware for `tower`, whose futures are state machines.
//!
//! A `tower::Service` names the future of its answer, in `type Future`. Each layer here writes
//! that future as an `async fn`, and names the machine that the attribute makes of it: nothing is
//! boxed, nothing is pinned by hand, and there is no `unsafe`.
//!
//! | layer | machine | waits for |
//! | --- | --- | --- |
//! | [`TimeoutLayer`] | [`InTime`] | the answer, or the end of its time |
//! | [`RetryLayer`] | [`Attempts`] | an answer, a pause, readiness, and again |
//! | [`LimitLayer`] | [`Acquire`], [`Permitted`] | a permit; the answer, with the permit in hand |
//! | [`FilterLayer`] | [`Filtered`] | the answer, if the request was let through |
//! | [`AsyncFilterLayer`] | [`FilteredLater`] | the decision, then the answer |

mod timeout;

mod policy;
mod retry;

mod semaphore;
mod limit;

mod filter;
mod async_filter;

pub use self::async_filter::{AsyncFilter, AsyncFilterLayer, AsyncPredicate, FilteredLater};
pub use self::filter::{Filter, FilterError, FilterLayer, Filtered, Predicate};
pub use self::limit::{Limit, LimitLayer, Permitted};
pub use self::policy::{Backoff, Policy};
pub use self::retry::{Attempts, Retry, RetryLayer};
pub use self::semaphore::{Acquire, Permit, Semaphore, acquire};
pub use self::timeout::{InTime, Timeout, TimeoutError, TimeoutLayer};
