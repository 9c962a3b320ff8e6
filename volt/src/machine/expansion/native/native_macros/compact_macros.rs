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

/// Implements a machine whose coroutine is its last type parameter, `C`, and all that it stores.
///
/// The implementations are for all types that the struct carries behind `C`. Within an `async`
/// block that has to be `Send`, the compiler replaces each lifetime by one of its own, so the
/// lifetimes of a carried type would differ from those of the machine.
#[cfg(feature = "std")]
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_native_compact_generic {
    (
        $Machine:ident [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*] $C:ident
        table $Table:ident
        carries [$($carried:tt)*]
        made of $tuple:ty, $Notes:ty, |$input:ident| $make:expr,
        suspend points $($points:tt)*
    ) => {
        #[automatically_derived]
        #[doc(hidden)]
        impl $crate::__private::native::SuspendTable for $Table {
            $crate::__private::native::suspend_slots! { $($points)* }
        }

        #[automatically_derived]
        #[doc(hidden)]
        // SAFETY: it is `repr(C)`, begins with the coroutine, and is declared with the same bounds.
        unsafe impl<$($parameters)* $C: ::core::future::Future $($carried)*> $crate::__private::Introspect for $Machine<$($arguments)* $C $($carried)*>
        where
            $($bounds)*
        {
            type Accessor = $crate::__private::native::CoroutineAccessor<$Table, $C>;
        }

        $crate::__volt_native_await_generic! {
            $Machine [$($parameters)*] [$($arguments)*] [$($bounds)*] $C [$($carried)*]
            |native, ptr| native.at_site::<Self, __VoltCaller, __VOLT_INDEX, _>(ptr),
            native.in_compact::<Self, __VoltCaller, __VOLT_INDEX, _>(ptr)
        }
    };
}

/// Implements a machine that records its position, because there is no feature `std`.
#[cfg(not(feature = "std"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_native_compact_generic {
    (
        $Machine:ident $parameters:tt $arguments:tt $bounds:tt $C:ident
        table $Table:ident
        carries $carried:tt
        made of $tuple:ty, $Notes:ty, |$input:ident| $make:expr,
        suspend points $($points:tt)*
    ) => {
        $crate::__volt_native_generic! {
            $Machine $parameters $arguments $bounds $C
            table $Table
            made of $tuple, $Notes, |$input| $make
        }
    };
}

/// Creates the storage of such a machine, with its coroutine.
#[cfg(feature = "std")]
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_native_start_compact {
    ($arguments:expr, |$input:ident| $make:expr) => {
        // SAFETY: it is the coroutine of the machine, which `receive_arguments` begins.
        unsafe { $crate::__private::native::CompactCoroutine::start($arguments, |$input| $make) }
    };
    ($arguments:expr, $make:path) => {
        // SAFETY: as above.
        unsafe { $crate::__private::native::CompactCoroutine::start($arguments, $make) }
    };
}

/// Creates the storage of such a machine, which records its position.
#[cfg(not(feature = "std"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_native_start_compact {
    ($($start:tt)*) => {
        $crate::__volt_native_start_generic!($($start)*)
    };
}

/// Moves out the arguments of a coroutine that is created together with its machine.
#[cfg(feature = "std")]
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_receive_arguments {
    ($($start:tt)*) => {{
        let held = $crate::__private::native::HeldArguments($crate::__volt_take_arguments!($($start)*));
        $crate::__private::native::StartGate.await;
        held.0
    }};
}

/// Moves out the arguments of such a coroutine, which the first poll creates.
#[cfg(not(feature = "std"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_receive_arguments {
    ($($start:tt)*) => {
        $crate::__volt_take_arguments!($($start)*)
    };
}

/// Returns the value that marks the awaits of a coroutine that captures its arguments.
///
/// It calls nothing. A value that is live across a call that may panic is dropped as a whole there,
/// so the compiler would store an argument and the parts that the body moves out of it.
#[cfg(feature = "std")]
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_captured_pointer {
    ($captured:ident) => {
        $captured.pointer
    };
}

/// Returns the value that marks the awaits of such a coroutine, which is its capture.
#[cfg(not(feature = "std"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_captured_pointer {
    ($captured:ident) => {
        $captured
    };
}

/// Defines the slots of a machine's suspend points.
#[cfg(feature = "std")]
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_suspend_slots {
    ($points:literal of each type $($gated:literal)?) => {
        const SLOTS: &'static [$crate::__private::native::SuspendSlot] = &[];
        const POINTS: ::core::primitive::usize = $points;
        $(const IS_GATED: ::core::primitive::bool = $gated;)?
    };
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
    ($($points:tt)*) => {};
}
