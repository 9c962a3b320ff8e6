//! The macro that implements a machine that stores only its coroutine.

/// Implements a machine that stores only its coroutine, a
/// [`CompactStorage`](super::super::CompactStorage).
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_native_compact {
    (
        $Machine:ident [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*]
        future [$($future_parameters:tt)*] [$($future_bounds:tt)*] [$($future_output:tt)*]
        table $Table:ident of $Arguments:ty, suspend points $points:literal
    ) => {
        #[automatically_derived]
        #[doc(hidden)]
        impl $crate::__private::native::SuspendTable for $Table {
            $crate::__private::native::suspend_slots! { $points }
        }

        #[automatically_derived]
        #[doc(hidden)]
        // SAFETY: it is `repr(C)`, begins with the storage, and is declared with the same bounds.
        unsafe impl<$($parameters)*> $crate::__private::Introspect for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
            type Accessor = $crate::__private::native::CompactAccessor<$Table>;
        }

        #[automatically_derived]
        #[doc(hidden)]
        // SAFETY: as above; nothing that follows has a length.
        unsafe impl<$($parameters)*> $crate::__private::native::CompactMachine<$Arguments> for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
        }

        #[automatically_derived]
        impl<$($future_parameters)*> ::core::future::Future for $Machine<$($arguments)*>
        where
            $($future_bounds)*
        {
            type Output = $($future_output)*;

            #[inline]
            fn poll(
                self: ::core::pin::Pin<&mut Self>,
                cx: &mut ::core::task::Context<'_>,
            ) -> ::core::task::Poll<$($future_output)*> {
                $crate::__private::native::poll_compact(self, cx)
            }
        }
    };
}

/// Defines the slots of a machine's suspend points.
#[cfg(feature = "std")]
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_suspend_slots {
    ($points:literal) => {
        const SLOTS: &'static [$crate::__private::native::SuspendSlot] = {
            static SLOTS: [$crate::__private::native::SuspendSlot; $points] =
                [const { $crate::__private::native::SuspendSlot::new() }; $points];
            &SLOTS
        };
    };
}

/// Defines nothing: without the feature `std` a machine records its position.
#[cfg(not(feature = "std"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_suspend_slots {
    ($points:literal) => {};
}
