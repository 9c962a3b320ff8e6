//! Two futures in sequence, in the same place.

use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use pin_project_lite::pin_project;

pin_project! {
    /// A first future with a function, then the future that the function made.
    #[project = Link]
    pub(super) enum Chain<A, B, F> {
        First { #[pin] first: A, f: Option<F> },
        Second { #[pin] second: B },
        Done,
    }
}

impl<A: Future, B: Future, F> Chain<A, B, F> {
    /// Polls on. `bridge` makes the second future of the first's output, or the result at once.
    #[inline]
    pub(super) fn poll_on(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bridge: impl FnOnce(F, A::Output) -> Result<B, B::Output>,
        name: &str,
    ) -> Poll<B::Output> {
        if let Link::First { first, f } = self.as_mut().project() {
            let output = ready!(first.poll(cx));
            let f = f.take().expect("there until the first future completes");
            // The first future goes before the function runs.
            self.set(Self::Done);
            match bridge(f, output) {
                Ok(second) => self.set(Self::Second { second }),
                Err(result) => return Poll::Ready(result),
            }
        }
        let Link::Second { second } = self.as_mut().project() else {
            panic!("`{name}` polled after completion");
        };
        let result = ready!(second.poll(cx));
        self.set(Self::Done);
        Poll::Ready(result)
    }
}

impl<A, B, F> Chain<A, B, F> {
    pub(super) fn is_done(&self) -> bool {
        matches!(self, Self::Done)
    }
}

impl<A, B, F> fmt::Debug for Chain<A, B, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::First { .. } => "First",
            Self::Second { .. } => "Second",
            Self::Done => "Done",
        })
    }
}
