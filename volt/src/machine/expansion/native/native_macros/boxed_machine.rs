//! The macro that implements a machine whose storage is a box.

/// Implements a machine whose storage is a box. `make` creates the coroutine; every use of it names
/// the same function. The generics after `dropped` are those of the destructor, which exists for
/// all types that a struct accepts.
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_native_boxed {
    (
        $Machine:ident [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*]
        future [$($future_parameters:tt)*] [$($future_bounds:tt)*] [$($future_output:tt)*] by [$own:expr]
        dropped [$($dropped_parameters:tt)*] [$($dropped_arguments:tt)*] [$($dropped_bounds:tt)*]
        table $Table:ident
        make $make:expr
    ) => {
        #[automatically_derived]
        impl<$($parameters)*> $crate::machine::StateMachine for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
            const TABLES: &'static $crate::machine::Tables =
                $crate::__private::native::tables::<$Table>();

            fn state(&self) -> &'static $crate::machine::State {
                $crate::__private::native::state::<$Table>(&self.native)
            }

            fn trace(
                &self,
                visit: &mut dyn ::core::ops::FnMut(&'static $crate::machine::State),
            ) {
                $crate::__private::native::trace::<$Table>(&self.native, visit);
            }

            fn inspect_machine(
                self: ::core::pin::Pin<&mut Self>,
                inspector: &mut $crate::__private::Inspector<'_>,
            ) {
                $crate::__private::Inspect::inspect(self, inspector);
            }
        }

        #[automatically_derived]
        impl<$($parameters)*> $crate::__private::Inspect for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
            fn inspect(
                self: ::core::pin::Pin<&mut Self>,
                inspector: &mut $crate::__private::Inspector<'_>,
            ) {
                // SAFETY: the storage is pinned because the machine is.
                let native = unsafe { self.map_unchecked_mut(|machine| &mut machine.native) };
                $crate::__private::native::inspect::<$Table>(native, inspector);
            }
        }

        #[automatically_derived]
        #[doc(hidden)]
        // SAFETY: both are declared with the same bounds.
        unsafe impl<$($parameters)*> $crate::__private::Registrable for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
        }

        #[automatically_derived]
        #[doc(hidden)]
        // SAFETY: both are declared with the same bounds.
        unsafe impl<$($parameters)*> $crate::__private::Register for $Machine<$($arguments)*>
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
                // SAFETY: the storage is pinned because the machine is.
                let native = unsafe { self.map_unchecked_mut(|machine| &mut machine.native) };
                let first = $crate::__private::native::register_on_first_poll::<Self>;
                // SAFETY: N1: one function creates the coroutine, here and below, and its first
                // statements move the arguments out.
                unsafe { native.poll($make, cx, first) }.map($own)
            }
        }

        #[automatically_derived]
        #[doc(hidden)]
        impl<$($parameters)*> $crate::__private::native::EndsBoxed for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
            #[inline]
            unsafe fn __volt_end(&mut self) {
                // SAFETY: N1, as above; nothing is called after the end of the machine.
                unsafe { $crate::__private::native::Boxed::drop(&mut self.native, $make) }
            }
        }

        #[automatically_derived]
        impl<$($dropped_parameters)*> ::core::ops::Drop for $Machine<$($dropped_arguments)*>
        where
            $($dropped_bounds)*
        {
            #[inline]
            fn drop(&mut self) {
                // SAFETY: nothing is called after the destructor.
                unsafe { $crate::__private::native::EndsBoxed::__volt_end(self) }
            }
        }
    };
}
