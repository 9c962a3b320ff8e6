//! Two futures in sequence, in the same place.

use core::fmt;
use core::future::Future;
use core::mem;
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use pin_project_lite::pin_project;

use super::end::End;

pin_project! {
    /// A first future with a function, then the future that the function made.
    #[project = Link]
    pub(super) enum Chain<A, B, F> {
        First { #[pin] first: A, f: Option<F> },
        Second { #[pin] second: B },
        Over { end: End },
    }
}

impl<A: Future, B: Future, F> Chain<A, B, F> {
    /// Polls on. `bridge` makes the second future of the first's output, or the result at once.
    ///
    /// # Panics
    ///
    /// Panics if the chain is over. A panic of a future, of its destructor or of `bridge` passes
    /// through, and leaves nothing that could be polled.
    #[inline]
    pub(super) fn poll_on(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bridge: impl FnOnce(F, A::Output) -> Result<B, B::Output>,
        name: &str,
    ) -> Poll<B::Output> {
        let mut bomb = Bomb(self);
        let polled = bomb.0.as_mut().step(cx, bridge, name);
        if polled.is_ready() {
            // The second future goes before it can be said that all went well.
            bomb.0.set(Self::Over { end: End::Panicked });
            bomb.0.set(Self::Over { end: End::Done });
        }
        mem::forget(bomb);
        polled
    }

    #[inline]
    fn step(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bridge: impl FnOnce(F, A::Output) -> Result<B, B::Output>,
        name: &str,
    ) -> Poll<B::Output> {
        if let Link::First { first, f } = self.as_mut().project() {
            let output = ready!(first.poll(cx));
            let f = f.take().expect("there until the first future completes");
            // The first future goes before the function runs.
            self.set(Self::Over { end: End::Panicked });
            match bridge(f, output) {
                Ok(second) => self.set(Self::Second { second }),
                Err(result) => return Poll::Ready(result),
            }
        }
        match self.project() {
            Link::Second { second } => second.poll(cx),
            Link::Over { end } => end.misused(name),
            Link::First { .. } => unreachable!("it went above"),
        }
    }
}

impl<A, B, F> Chain<A, B, F> {
    /// Whether it must not be polled again.
    pub(super) fn is_over(&self) -> bool {
        matches!(self, Self::Over { .. })
    }
}

/// Empties the place when a panic passes by.
struct Bomb<'a, A, B, F>(Pin<&'a mut Chain<A, B, F>>);

impl<A, B, F> Drop for Bomb<'_, A, B, F> {
    #[inline]
    fn drop(&mut self) {
        if !self.0.is_over() {
            self.0.set(Chain::Over { end: End::Panicked });
        }
    }
}

impl<A, B, F> fmt::Debug for Chain<A, B, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::First { .. } => f.write_str("First"),
            Self::Second { .. } => f.write_str("Second"),
            Self::Over { end } => end.fmt(f),
        }
    }
}
