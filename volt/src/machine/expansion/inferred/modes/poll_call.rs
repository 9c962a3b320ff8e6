//! A way to poll what is awaited.

use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

/// A way to poll a future.
pub trait How<F> {
    /// What the future gives.
    type Output;

    /// Polls it.
    fn poll(future: Pin<&mut F>, cx: &mut Context<'_>) -> Poll<Self::Output>;
}

/// By its own poll.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Told;

impl<F: Future> How<F> for Told {
    type Output = F::Output;

    #[inline]
    fn poll(future: Pin<&mut F>, cx: &mut Context<'_>) -> Poll<F::Output> {
        future.poll(cx)
    }
}
