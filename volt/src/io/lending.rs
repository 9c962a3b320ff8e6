//! What the futures of readers and writers have in common: what they are lent.

/// Declares the future of a method, and says how a machine keeps a call of that method.
///
/// The call is declared beside it: a type with a parameter for what the method is called on, which
/// has a function `new` and a method `advance` that gets everything that is lent.
macro_rules! lending_future {
    (
        $(#[$attribute:meta])*
        $Future:ident, $Call:ident on $Bound:path [$($lent:ident: $Lent:ty)?] gives $Output:ty
    ) => {
        $(#[$attribute])*
        #[must_use = "futures do nothing unless polled"]
        pub struct $Future<'a, R: ?Sized> {
            call: $Call<R>,
            carrier: &'a mut R,
            $($lent: $Lent,)?
        }

        impl<'a, R: $Bound + Unpin + ?Sized> $Future<'a, R> {
            pub(in crate::io) fn new(carrier: &'a mut R $(, $lent: $Lent)?) -> Self {
                let call = $Call::new();
                Self { call, carrier $(, $lent)? }
            }

            #[doc(hidden)]
            pub fn into_machine(self) -> $crate::machine::Leaf<$Call<R>> {
                $crate::machine::Leaf::new(self.call)
            }
        }

        impl<R: $Bound + Unpin + ?Sized> ::std::future::Future for $Future<'_, R> {
            type Output = $Output;

            fn poll(
                self: ::std::pin::Pin<&mut Self>,
                cx: &mut ::std::task::Context<'_>,
            ) -> ::std::task::Poll<Self::Output> {
                let this = self.get_mut();
                this.call.advance(cx, this.carrier $(, this.$lent)?)
            }
        }

        impl<R: $Bound + Unpin + ?Sized> $crate::machine::LeafCall for $Call<R> {
            type Lent<'a>
                = (&'a mut R, $($Lent)?)
            where
                Self: 'a;
            type Output = $Output;

            fn poll(
                &mut self,
                cx: &mut ::std::task::Context<'_>,
                (carrier, $($lent)?): Self::Lent<'_>,
            ) -> ::std::task::Poll<Self::Output> {
                self.advance(cx, carrier $(, $lent)?)
            }
        }

        impl<R: ?Sized> ::std::fmt::Debug for $Future<'_, R> {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.debug_struct(stringify!($Future))
                    .field("call", &self.call)
                    .finish_non_exhaustive()
            }
        }

        impl<R: ?Sized> ::std::fmt::Debug for $Call<R> {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.debug_struct(stringify!($Call)).finish_non_exhaustive()
            }
        }
    };
}
pub(in crate::io) use lending_future;
