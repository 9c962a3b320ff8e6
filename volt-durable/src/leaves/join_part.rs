//! `Part`: a future of a join, or its output.

use std::mem::replace;
use std::pin::Pin;
use std::task::{Context, Poll};

use serde::{Deserialize, Serialize};

/// A future of a join.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Part<F, T> {
    Waits(F),
    Done(T),
    /// The output is returned. A join in this state is not stored, because it is ready.
    Returned,
}

impl<F: Future<Output = T> + Unpin, T> Part<F, T> {
    /// Polls the future if it is not ready. Returns `true` if the output is stored.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> bool {
        if let Self::Waits(future) = self
            && let Poll::Ready(output) = Pin::new(future).poll(cx)
        {
            *self = Self::Done(output);
        }
        !matches!(self, Self::Waits(_))
    }

    pub(super) fn take(&mut self) -> T {
        match replace(self, Self::Returned) {
            Self::Done(output) => output,
            Self::Waits(_) | Self::Returned => panic!("a join was polled after its end"),
        }
    }
}
