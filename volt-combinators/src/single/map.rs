//! A function applied to a future's output, or to one side of it.

use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use pin_project_lite::pin_project;

/// Defines a future that passes another's output through a function.
macro_rules! map {
    (
        $(#[$doc:meta])*
        $Map:ident, $Part:ident,
        <$T:ident $(, $E:ident)?> $In:ty => $Out:ty,
        |$arg:ty, $f:ident, $output:ident| $result:expr
    ) => {
        pin_project! {
            $(#[$doc])*
            #[must_use = "futures do nothing unless polled"]
            #[project = $Part]
            pub enum $Map<A, F> {
                #[doc(hidden)]
                Waiting { #[pin] future: A, f: Option<F> },
                #[doc(hidden)]
                Done,
            }
        }

        impl<A, F> $Map<A, F> {
            pub(crate) fn new(future: A, f: F) -> Self {
                Self::Waiting { future, f: Some(f) }
            }
        }

        impl<A, F, $T, $($E,)? U> Future for $Map<A, F>
        where
            A: Future<Output = $In>,
            F: FnOnce($arg) -> U,
        {
            type Output = $Out;

            #[inline]
            fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
                let $Part::Waiting { future, f } = self.as_mut().project() else {
                    panic!(concat!("`", stringify!($Map), "` polled after completion"));
                };
                let $output = ready!(future.poll(cx));
                let $f = f.take().expect("there until the future completes");
                // The future goes before the function runs.
                self.set(Self::Done);
                Poll::Ready($result)
            }
        }

        impl<A, F> fmt::Debug for $Map<A, F> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let state = match self {
                    Self::Waiting { .. } => "Waiting",
                    Self::Done => "Done",
                };
                write!(f, concat!(stringify!($Map), "({})"), state)
            }
        }
    };
}

map! {
    /// Applies a function to the output. Made by [`FutureExt::map`](crate::FutureExt::map).
    Map, MapPart,
    <T> T => U,
    |T, f, output| f(output)
}

map! {
    /// Applies a function to the value of an `Ok`. Made by
    /// [`FutureExt::map_ok`](crate::FutureExt::map_ok).
    MapOk, MapOkPart,
    <T, E> Result<T, E> => Result<U, E>,
    |T, f, output| output.map(f)
}

map! {
    /// Applies a function to the error of an `Err`. Made by
    /// [`FutureExt::map_err`](crate::FutureExt::map_err).
    MapErr, MapErrPart,
    <T, E> Result<T, E> => Result<T, U>,
    |E, f, output| output.map_err(f)
}
