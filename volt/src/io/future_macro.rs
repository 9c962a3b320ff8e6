//! The macro that declares the futures of readers and writers.

/// Declares the future of a method of a stream.
///
/// The brackets contain the argument of the method, if it has one. `state` is the type of a value
/// that is kept between polls, and starts with its default. The closure is the body of `poll`: its
/// parameters are the context, the stream and the state.
macro_rules! io_future {
    (
        $(#[$attribute:meta])*
        $Future:ident on $Bound:path [$($argument:ident: $Argument:ty)?]
        $(state [$State:ty])? -> $Output:ty,
        |$cx:ident, $stream:ident $(, $state:ident)?| $poll:expr
    ) => {
        $(#[$attribute])*
        #[must_use = "futures do nothing unless polled"]
        pub struct $Future<'a, R: ?Sized> {
            stream: &'a mut R,
            $($argument: $Argument,)?
            $($state: $State,)?
        }

        impl<'a, R: $Bound + Unpin + ?Sized> $Future<'a, R> {
            pub(in crate::io) fn new(stream: &'a mut R $(, $argument: $Argument)?) -> Self {
                Self {
                    stream,
                    $($argument,)?
                    $($state: <$State>::default(),)?
                }
            }
        }

        impl<R: $Bound + Unpin + ?Sized> ::std::future::Future for $Future<'_, R> {
            type Output = $Output;

            fn poll(
                self: ::std::pin::Pin<&mut Self>,
                $cx: &mut ::std::task::Context<'_>,
            ) -> ::std::task::Poll<Self::Output> {
                let Self { stream: $stream $(, $argument)? $(, $state)? } = self.get_mut();
                $poll
            }
        }

        impl<R: ?Sized> ::std::fmt::Debug for $Future<'_, R> {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.debug_struct(stringify!($Future)).finish_non_exhaustive()
            }
        }
    };
}
pub(in crate::io) use io_future;
