//! A function applied to a future's output, or to one side of it.

use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use pin_project_lite::pin_project;

pin_project! {
    /// A future with the function that awaits its output, until both are gone.
    #[project = Part]
    enum Stage<A, F> {
        Waiting { #[pin] future: A, f: Option<F> },
        Done,
    }
}

impl<A: Future, F> Stage<A, F> {
    /// The output and the function, when the future is ready, and dropped.
    #[inline]
    fn finish(mut self: Pin<&mut Self>, cx: &mut Context<'_>, name: &str) -> Poll<(A::Output, F)> {
        let Part::Waiting { future, f } = self.as_mut().project() else {
            panic!("`{name}` polled after completion");
        };
        let output = ready!(future.poll(cx));
        let f = f.take().expect("there until the future completes");
        self.set(Self::Done);
        Poll::Ready((output, f))
    }
}

impl<A, F> Stage<A, F> {
    fn is_done(&self) -> bool {
        matches!(self, Self::Done)
    }
}

impl<A, F> fmt::Debug for Stage<A, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Waiting { .. } => "Waiting",
            Self::Done => "Done",
        })
    }
}

/// Defines a future that passes another's output through a function.
macro_rules! map {
    (
        $(#[$doc:meta])*
        $Map:ident<$T:ident $(, $E:ident)?>: $In:ty => $Out:ty,
        |$output:ident, $f:ident: fn($arg:ty)| $result:expr
    ) => {
        pin_project! {
            $(#[$doc])*
            ///
            /// The future is dropped before the function runs.
            #[must_use = "futures do nothing unless polled"]
            pub struct $Map<A, F> {
                #[pin]
                stage: Stage<A, F>,
            }
        }

        impl<A, F> $Map<A, F> {
            pub(crate) fn new(future: A, f: F) -> Self {
                Self {
                    stage: Stage::Waiting { future, f: Some(f) },
                }
            }

            /// Whether it has returned its output.
            pub fn is_terminated(&self) -> bool {
                self.stage.is_done()
            }
        }

        impl<A, F, $T, $($E,)? U> Future for $Map<A, F>
        where
            A: Future<Output = $In>,
            F: FnOnce($arg) -> U,
        {
            type Output = $Out;

            #[inline]
            fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
                let stage = self.project().stage;
                let ($output, $f) = ready!(stage.finish(cx, stringify!($Map)));
                Poll::Ready($result)
            }
        }

        impl<A, F> fmt::Debug for $Map<A, F> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($Map), "({:?})"), self.stage)
            }
        }
    };
}

map! {
    /// Applies a function to the output. Made by [`FutureExt::map`](crate::FutureExt::map).
    Map<T>: T => U,
    |output, f: fn(T)| f(output)
}

map! {
    /// Applies a function to the value of an `Ok`. Made by
    /// [`FutureExt::map_ok`](crate::FutureExt::map_ok).
    MapOk<T, E>: Result<T, E> => Result<U, E>,
    |output, f: fn(T)| output.map(f)
}

map! {
    /// Applies a function to the error of an `Err`. Made by
    /// [`FutureExt::map_err`](crate::FutureExt::map_err).
    MapErr<T, E>: Result<T, E> => Result<T, U>,
    |output, f: fn(E)| output.map_err(f)
}
