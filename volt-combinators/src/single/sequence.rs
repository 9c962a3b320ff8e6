//! Two futures in sequence, in the same memory.

use core::fmt;
use core::future::Future;
use core::mem;
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use pin_project_lite::pin_project;
use volt_inspect::{Inspector, Node};

use super::end::End;

pin_project! {
    /// A first future with a function, then the future that the function creates.
    #[project = SequenceProjection]
    pub(super) enum Sequence<A, B, F> {
        First { #[pin] first: A, f: Option<F> },
        Second { #[pin] second: B },
        Over { end: End },
    }
}

impl<A: Future, B: Future, F> Sequence<A, B, F> {
    /// Polls the current future. `bridge` creates the second future from the output of the first,
    /// or returns the result.
    ///
    /// # Panics
    ///
    /// Panics if the sequence has ended. A panic of a future, of its destructor or of `bridge`
    /// passes through, and ends the sequence.
    #[inline]
    pub(super) fn poll_on(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bridge: impl FnOnce(F, A::Output) -> Result<B, B::Output>,
        name: &str,
    ) -> Poll<B::Output> {
        let mut guard = EndOnPanic(self);
        let polled = guard.0.as_mut().step(cx, bridge, name);
        if polled.is_ready() {
            // The second future is dropped before the end is recorded.
            guard.0.set(Self::Over { end: End::Panicked });
            guard.0.set(Self::Over { end: End::Done });
        }
        mem::forget(guard);
        polled
    }

    #[inline]
    fn step(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bridge: impl FnOnce(F, A::Output) -> Result<B, B::Output>,
        name: &str,
    ) -> Poll<B::Output> {
        if let SequenceProjection::First { first, f } = self.as_mut().project() {
            let output = ready!(first.poll(cx));
            let f = f.take().expect("there until the first future completes");
            // The first future is dropped before the function runs.
            self.set(Self::Over { end: End::Panicked });
            match bridge(f, output) {
                Ok(second) => self.set(Self::Second { second }),
                Err(result) => return Poll::Ready(result),
            }
        }
        match self.project() {
            SequenceProjection::Second { second } => second.poll(cx),
            SequenceProjection::Over { end } => end.panic_polled_again(name),
            SequenceProjection::First { .. } => unreachable!("it went above"),
        }
    }
}

impl<A, B, F> Sequence<A, B, F> {
    /// Reports the future that has this sequence: one node with the name `kind`.
    pub(super) fn inspect(self: Pin<&mut Self>, kind: &'static str, inspector: &mut Inspector<'_>) {
        let node = Node::new(kind);
        match self.project() {
            SequenceProjection::First { first, .. } => {
                inspector.node(&node.label("first"), |inspector| inspector.future(first));
            }
            SequenceProjection::Second { second } => {
                inspector.node(&node.label("second"), |inspector| inspector.future(second));
            }
            SequenceProjection::Over { end } => inspector.node(&node.status(end.status()), |_| ()),
        }
    }

    /// Returns `true` if it must not be polled again.
    pub(super) fn is_over(&self) -> bool {
        matches!(self, Self::Over { .. })
    }
}

/// Drops the futures during a panic.
struct EndOnPanic<'a, A, B, F>(Pin<&'a mut Sequence<A, B, F>>);

impl<A, B, F> Drop for EndOnPanic<'_, A, B, F> {
    #[inline]
    fn drop(&mut self) {
        if !self.0.is_over() {
            self.0.set(Sequence::Over { end: End::Panicked });
        }
    }
}

impl<A, B, F> fmt::Debug for Sequence<A, B, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::First { .. } => f.write_str("First"),
            Self::Second { .. } => f.write_str("Second"),
            Self::Over { end } => end.fmt(f),
        }
    }
}
