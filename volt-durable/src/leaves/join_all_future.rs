//! `JoinAll`: any number of durable futures.

use std::pin::Pin;
use std::task::{Context, Poll};

use serde::{Deserialize, Serialize};

use super::join_part::Part;

/// Waits for all of several durable futures, and returns their outputs in the order of the futures.
/// A snapshot contains the outputs of those that are ready.
///
/// # Panics
///
/// The future panics if it is polled by anything but a [`Worker`](crate::Worker), or after its end.
pub fn join_all<F: Future + Unpin>(futures: impl IntoIterator<Item = F>) -> JoinAll<F> {
    JoinAll {
        parts: futures.into_iter().map(Part::Waits).collect(),
        limit: None,
    }
}

/// The future of [`join_all`](fn@join_all), under the name of the function.
#[doc(hidden)]
#[allow(
    non_camel_case_types,
    reason = "a generic machine names the future by the function"
)]
pub type join_all<F> = JoinAll<F>;

/// The future of [`join_all`](fn@join_all).
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound(
    serialize = "F: Serialize, F::Output: Serialize",
    deserialize = "F: Deserialize<'de>, F::Output: Deserialize<'de>"
))]
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct JoinAll<F: Future> {
    parts: Vec<Part<F, F::Output>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    limit: Option<usize>,
}

impl<F: Future + Unpin> JoinAll<F> {
    /// Polls at most this many futures before one of them is ready. So at most this many
    /// [children](crate::child) run at the same time, and durations begin later.
    ///
    /// # Panics
    ///
    /// Panics if the limit is zero.
    #[track_caller]
    pub fn limit(self, limit: usize) -> Self {
        assert!(limit > 0, "the limit of a join is at least 1");
        Self {
            limit: Some(limit),
            ..self
        }
    }
}

/// The outputs are never pinned.
impl<F: Future + Unpin> Unpin for JoinAll<F> {}

impl<F: Future + Unpin> Future for JoinAll<F> {
    type Output = Vec<F::Output>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let limit = self.limit.unwrap_or(usize::MAX);
        let mut pending = 0;
        for part in &mut self.parts {
            if !part.poll(cx) {
                pending += 1;
            }
            if pending == limit {
                break;
            }
        }
        if pending > 0 {
            return Poll::Pending;
        }
        let parts = self.parts.iter_mut();
        Poll::Ready(parts.map(Part::take).collect())
    }
}
