//! The future of `block_on`, as the loops see it that poll it.

use std::pin::Pin;

/// A future that blocks its thread, and that the thread can inspect between two polls.
pub(crate) trait BlockingFuture: Future {
    /// Answers the requests of dumps.
    fn inspect(self: Pin<&mut Self>);

    /// Sets the time of the last poll, as a timestamp of tasks. Zero means that it is unknown.
    fn set_polled(self: Pin<&mut Self>, now: u32);
}
