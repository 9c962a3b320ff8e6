//! What the futures of readers and writers have in common.

/// Declares the future of a method.
///
/// In `keeps` stands what a call remembers from poll to poll, which begins with its default. The
/// closure is a poll: it gets the context, what the method is called on, and what is kept, and names
/// the buffer in brackets.
macro_rules! io_future {
    (
        $(#[$attribute:meta])*
        $Future:ident on $Bound:path [$($lent:ident: $Lent:ty)?]
        $(keeps [$Kept:ty])? gives $Output:ty,
        |$cx:ident, $carrier:ident $(, $kept:ident)?| $poll:expr
    ) => {
        $(#[$attribute])*
        #[must_use = "futures do nothing unless polled"]
        pub struct $Future<'a, R: ?Sized> {
            carrier: &'a mut R,
            $($lent: $Lent,)?
            $($kept: $Kept,)?
        }

        impl<'a, R: $Bound + Unpin + ?Sized> $Future<'a, R> {
            pub(in crate::io) fn new(carrier: &'a mut R $(, $lent: $Lent)?) -> Self {
                Self {
                    carrier,
                    $($lent,)?
                    $($kept: <$Kept>::default(),)?
                }
            }
        }

        impl<R: $Bound + Unpin + ?Sized> ::std::future::Future for $Future<'_, R> {
            type Output = $Output;

            fn poll(
                self: ::std::pin::Pin<&mut Self>,
                $cx: &mut ::std::task::Context<'_>,
            ) -> ::std::task::Poll<Self::Output> {
                let Self { carrier: $carrier $(, $lent)? $(, $kept)? } = self.get_mut();
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
