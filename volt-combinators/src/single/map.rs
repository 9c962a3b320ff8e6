//! A function applied to a future's output, or to one side of it.

use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

use pin_project_lite::pin_project;
use volt_inspect::{Inspector, registrable};

use super::stage::Stage;

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
                stage: Stage<A, Option<F>>,
            }
        }

        impl<A, F> $Map<A, F> {
            pub(crate) fn new(future: A, f: F) -> Self {
                Self {
                    stage: Stage::new(future, Some(f)),
                }
            }

            /// Returns `true` if it must not be polled again: it has returned its output, or
            /// panicked.
            pub fn is_terminated(&self) -> bool {
                self.stage.end().is_some()
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
                let last = |$output: A::Output, f: Option<F>| {
                    let $f = f.expect("there until the future completes");
                    $result
                };
                self.project().stage.finish(cx, stringify!($Map), last)
            }
        }

        impl<A, F> volt_inspect::Inspect for $Map<A, F> {
            fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
                self.project().stage.inspect(stringify!($Map), inspector);
            }
        }

        registrable!($Map<A, F>);

        impl<A, F> fmt::Debug for $Map<A, F> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($Map), "({:?})"), self.stage)
            }
        }
    };
}

map! {
    /// Applies a function to the output. Created by [`FutureExt::map`](crate::FutureExt::map).
    #[doc(alias = "MapFuture")]
    Map<T>: T => U,
    |output, f: fn(T)| f(output)
}

map! {
    /// Applies a function to the value of an `Ok`. Created by
    /// [`FutureExt::map_ok`](crate::FutureExt::map_ok).
    MapOk<T, E>: Result<T, E> => Result<U, E>,
    |output, f: fn(T)| output.map(f)
}

map! {
    /// Applies a function to the error of an `Err`. Created by
    /// [`FutureExt::map_err`](crate::FutureExt::map_err).
    MapErr<T, E>: Result<T, E> => Result<T, U>,
    |output, f: fn(E)| output.map_err(f)
}
