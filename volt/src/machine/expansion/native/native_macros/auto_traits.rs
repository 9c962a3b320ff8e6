//! The implementations of auto traits that a native or an explicit machine needs.

/// Gives a machine its marker, and the auto traits of that. The lists have no bounds of lifetimes,
/// which the machine's own type implies, and the last one has the arguments, where these are asked
/// for.
///
/// The bounds of the auto traits are over all lifetimes, so the compiler does not ask them where
/// they are written.
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_native_marker {
    (
        $Machine:ident [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*]
        [$($answers:tt)*] [$($tuple:ty)?]
    ) => {
        #[automatically_derived]
        impl<'__volt, $($parameters)*> $crate::__private::native::HasMarker<'__volt> for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
            type Marker =
                $crate::__private::native::HeldAcrossAwait<$($answers)*>;
            $(
                const ARGUMENTS: $crate::__private::native::AutoTraits = $crate::__private::native::auto_traits_of(&|| {
                    let _never = $crate::__private::inferred::never();
                    $crate::__private::native::probe_type::<$tuple, _>(()).__volt_auto()
                });
            )?
        }

        #[automatically_derived]
        // SAFETY: the marker is `Send` if the arguments and the coroutine of the machine are, by a
        // constant that asks for them, or by a function that proves it.
        unsafe impl<$($parameters)*> ::core::marker::Send for $Machine<$($arguments)*>
        where
            $($bounds)*
            for<'__volt> <$Machine<$($arguments)*> as $crate::__private::native::HasMarker<'__volt>>::Marker:
                ::core::marker::Send,
        {
        }

        #[automatically_derived]
        // SAFETY: as above.
        unsafe impl<$($parameters)*> ::core::marker::Sync for $Machine<$($arguments)*>
        where
            $($bounds)*
            for<'__volt> <$Machine<$($arguments)*> as $crate::__private::native::HasMarker<'__volt>>::Marker:
                ::core::marker::Sync,
        {
        }
    };
}

/// Says that a machine is `Send` where its parameters are, which a function beside it proves.
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_native_send {
    (
        [$(#[$common:meta])*]
        $Machine:ident [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*]
    ) => {
        $(#[$common])*
        #[automatically_derived]
        // SAFETY: the coroutine is `Send` under the same bounds: the function beside this asks
        // for that; the arguments are by the bounds.
        unsafe impl<$($parameters)*> ::core::marker::Send for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
        }
    };
}
