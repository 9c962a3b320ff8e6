//! What the futures of readers and writers have in common: what they are lent.

/// Declares the future of a method, and how a machine keeps a call of that method.
///
/// In `keeps` stands what a call remembers from poll to poll, which begins with its default. The
/// closure is a poll: it gets the context, what the method is called on, and what is kept, and names
/// what is lent.
macro_rules! lending_future {
    (
        $(#[$attribute:meta])*
        $Future:ident, $Call:ident on $Bound:path [$($lent:ident: $Lent:ty)?]
        $(keeps [$Kept:ty])? gives $Output:ty,
        |$cx:ident, $carrier:ident $(, $kept:ident)?| $poll:expr
    ) => {
        $(#[$attribute])*
        #[must_use = "futures do nothing unless polled"]
        pub struct $Future<'a, R: ?Sized> {
            call: $Call<R>,
            carrier: &'a mut R,
            $($lent: $Lent,)?
        }

        #[doc = concat!("What is left of a [`", stringify!($Future), "`] without what it is lent.")]
        pub struct $Call<R: ?Sized> {
            $($kept: $Kept,)?
            of: ::std::marker::PhantomData<fn(&R)>,
        }

        impl<'a, R: $Bound + Unpin + ?Sized> $Future<'a, R> {
            pub(in crate::io) fn new(carrier: &'a mut R $(, $lent: $Lent)?) -> Self {
                let call = $Call {
                    $($kept: <$Kept>::default(),)?
                    of: ::std::marker::PhantomData,
                };
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
                let Self { call, carrier $(, $lent)? } = self.get_mut();
                $crate::machine::LeafCall::poll(call, cx, (carrier, $($lent)?))
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
                $cx: &mut ::std::task::Context<'_>,
                ($carrier, $($lent)?): Self::Lent<'_>,
            ) -> ::std::task::Poll<Self::Output> {
                $(let $kept = &mut self.$kept;)?
                $poll
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
