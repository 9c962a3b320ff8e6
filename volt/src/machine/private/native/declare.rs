//! The implementations of a native machine that its storage needs `unsafe` for.

/// Implements a machine whose struct has a field `native`.
///
/// Generics come in brackets: the parameters as declared, the arguments as named, and the where
/// clause. `make` makes the coroutine; every use of it names the same function.
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_native {
    (
        [$(#[$common:meta])*]
        machine $Machine:ident
        [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*]
        output [$($output:tt)*]
        make $make:expr
    ) => {
        $(#[$common])*
        #[automatically_derived]
        impl<$($parameters)*> ::core::future::Future for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
            type Output = $($output)*;

            #[inline]
            fn poll(
                self: ::core::pin::Pin<&mut Self>,
                cx: &mut ::core::task::Context<'_>,
            ) -> ::core::task::Poll<$($output)*> {
                // SAFETY: the storage is pinned as the machine is.
                let native = unsafe { self.map_unchecked_mut(|machine| &mut machine.native) };
                let first = $crate::__private::native::announce_first::<Self>;
                // SAFETY: N1: one function makes the coroutine, here and below, and its first
                // statements take the arguments.
                unsafe { native.poll($make, cx, first) }
            }
        }

        $(#[$common])*
        #[automatically_derived]
        impl<$($parameters)*> ::core::ops::Drop for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
            #[inline]
            fn drop(&mut self) {
                // SAFETY: N1, as above; nothing is called behind the end of the machine.
                unsafe { self.native.drop($make) }
            }
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

/// Implements a machine whose coroutine is its last type parameter, `C`.
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_native_open {
    (
        $Machine:ident [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*] $C:ident
        made of $tuple:ty, $Notes:ty, |$late:ident| $make:expr
    ) => {
        #[automatically_derived]
        // SAFETY: one function makes the coroutine, and its first statements take the arguments; the one that
        // makes the machine gives the parameter that type.
        unsafe impl<$($parameters)* $C: ::core::future::Future>
            $crate::__private::native::Makes<$tuple, $Notes, $C>
            for $Machine<$($arguments)* $C>
        where
            $($bounds)*
        {
            #[inline]
            unsafe fn make(
                $late: $crate::__private::native::Given<'static, $tuple, $Notes>,
                place: *mut $C,
            ) {
                let coroutine = $make;
                // SAFETY: promised by the caller, and as above.
                unsafe { $crate::__private::native::put(place, coroutine) };
            }
        }

        #[automatically_derived]
        impl<$($parameters)* $C: ::core::future::Future> $crate::__private::native::Opens
            for $Machine<$($arguments)* $C>
        where
            $($bounds)*
        {
            #[inline]
            fn at_site<
                __VoltCaller: $crate::__private::native::Table,
                const __VOLT_INDEX: usize,
                __VoltArguments,
            >(
                self,
                late: $crate::__private::native::Late<'_, __VoltArguments>,
            ) -> impl ::core::future::Future<Output = $C::Output> {
                $crate::__private::native::nest::<Self, __VoltCaller, __VOLT_INDEX, _, _>(
                    self.native,
                    late,
                )
            }
        }

        #[automatically_derived]
        impl<$($parameters)* $C: ::core::future::Future> ::core::future::Future
            for $Machine<$($arguments)* $C>
        where
            $($bounds)*
        {
            type Output = $C::Output;

            #[inline]
            fn poll(
                self: ::core::pin::Pin<&mut Self>,
                cx: &mut ::core::task::Context<'_>,
            ) -> ::core::task::Poll<$C::Output> {
                // SAFETY: the storage is pinned as the machine is.
                let native = unsafe { self.map_unchecked_mut(|machine| &mut machine.native) };
                native.run(cx, $crate::__private::native::announce_first::<Self>)
            }
        }
    };
}

/// Makes the storage of a machine whose coroutine is a parameter.
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_native_start {
    ($arguments:expr, |$late:ident| $make:expr) => {
        // SAFETY: the machine makes its coroutine by the same.
        unsafe { $crate::__private::native::Open::new($arguments, |$late| $make) }
    };
    ($arguments:expr, $make:path) => {
        // SAFETY: as above.
        unsafe { $crate::__private::native::Open::new($arguments, $make) }
    };
}

/// Implements what a machine tells of itself.
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_native_machine {
    (
        $Machine:ident [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*] $Table:ident
    ) => {
        impl<$($parameters)*> $Machine<$($arguments)*> where $($bounds)* {
            /// Whether the machine has returned: it must not be polled again.
            #[must_use]
            #[allow(dead_code, reason = "not every machine is asked")]
            pub fn is_terminated(&self) -> bool {
                $crate::__private::native::is_terminated(&self.native)
            }
        }

        #[automatically_derived]
        impl<$($parameters)*> $crate::machine::StateMachine for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
            const TABLES: &'static $crate::machine::Tables =
                <$Table as $crate::__private::native::Table>::TABLES;

            fn state(&self) -> &'static $crate::machine::State {
                $crate::__private::native::state::<$Table>(&self.native)
            }

            fn trace(
                &self,
                visit: &mut dyn ::core::ops::FnMut(&'static $crate::machine::State),
            ) {
                $crate::__private::native::trace::<$Table>(&self.native, visit);
            }
        }

        $crate::__volt_announced! {
            [] $Machine [$($parameters)*] [$($arguments)*] [$($bounds)*]
        }

        #[automatically_derived]
        impl<$($parameters)*> ::core::fmt::Debug for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                $crate::__private::debug(self, f)
            }
        }
    };
}
