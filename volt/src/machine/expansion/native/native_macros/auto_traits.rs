//! Macros that implement the auto traits of a native or an explicit machine.

/// Implements the marker of a machine, and its auto traits. The lists have no bounds on lifetimes,
/// because the machine's own type implies them. The last list has the arguments, if their auto
/// traits are determined.
///
/// The bounds of the auto traits are over all lifetimes, so the compiler does not evaluate them at
/// their declaration.
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_native_marker {
    (
        $Machine:ident [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*]
        [$($answers:tt)*] [$($tuple:ty)?]
    ) => {
        #[automatically_derived]
        #[doc(hidden)]
        impl<'__volt, $($parameters)*> $crate::__private::native::HasMarker<'__volt> for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
            type Marker =
                $crate::__private::native::HeldAcrossAwait<$($answers)*>;
            $(
                const ARGUMENTS: $crate::__private::native::AutoTraits = $crate::__private::native::auto_traits_of(|| {
                    let _never = $crate::__private::inferred::never();
                    $crate::__private::native::probe_type::<$tuple, _>(()).__volt_auto()
                });
            )?
        }

        #[automatically_derived]
        // SAFETY: the marker is `Send` if the arguments and the coroutine of the machine are, by a
        // constant that determines that, or by a function that proves it.
        unsafe impl<$($parameters)*> ::core::marker::Send for $Machine<$($arguments)*>
        where
            $($bounds)*
            for<'x> $crate::__private::native::HeldValues<'x, $Machine<$($arguments)*>>: ::core::marker::Send,
        {
        }

        #[automatically_derived]
        // SAFETY: as above.
        unsafe impl<$($parameters)*> ::core::marker::Sync for $Machine<$($arguments)*>
        where
            $($bounds)*
            for<'x> $crate::__private::native::HeldValues<'x, $Machine<$($arguments)*>>: ::core::marker::Sync,
        {
        }
    };
}

/// Implements `Send` for a machine if its parameters are `Send`. A function next to it proves that.
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_native_send {
    (
        [$(#[$common:meta])*]
        $Machine:ident [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*]
    ) => {
        $(#[$common])*
        #[automatically_derived]
        // SAFETY: the coroutine is `Send` under the same bounds, which the function next to this
        // requires. The arguments are `Send` by the bounds.
        unsafe impl<$($parameters)*> ::core::marker::Send for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
        }
    };
}
