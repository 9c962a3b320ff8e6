//! Macros that implement a native machine. Its storage needs `unsafe` code.

mod auto_traits;
mod boxed_machine;
mod compact_macros;
mod take_arguments;

/// Implements a machine that begins with an [`Inline`](super::Inline). Its
/// [`CoroutineInfo`](super::CoroutineInfo) has the properties of its coroutine.
///
/// Generics are in brackets: the parameters of the declaration, the arguments, and the where
/// clause.
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_native_inline {
    (
        $Machine:ident [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*]
        future [$($future_parameters:tt)*] [$($future_bounds:tt)*] [$($future_output:tt)*]
        table $Table:ident as $How:ty, of $Arguments:ty
    ) => {
        #[automatically_derived]
        #[doc(hidden)]
        // SAFETY: it is `repr(C)`, begins with the storage, and is declared with the same bounds.
        unsafe impl<$($parameters)*> $crate::__private::Introspect for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
            type Accessor = $crate::__private::native::HeaderAccessor<$Table, $How>;
        }

        #[automatically_derived]
        #[doc(hidden)]
        // SAFETY: as above; nothing that follows has a length.
        unsafe impl<$($parameters)*> $crate::__private::native::InlineMachine<$Arguments> for $Machine<$($arguments)*>
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
                $crate::__private::native::poll_inline(self, cx)
            }
        }
    };
}

/// Implements [`CoroutineInfo`](super::CoroutineInfo): size and alignment, and the auto traits if
/// they are not declared.
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_native_measure {
    (plain [$($parameters:tt)*] $Machine:ty where [$($bounds:tt)*] $made:expr) => {
        #[automatically_derived]
        #[doc(hidden)]
        // SAFETY: one function creates the coroutine, and its first statements move the arguments
        // out.
        unsafe impl<$($parameters)*> $crate::__private::native::CoroutineInfo for $Machine
        where
            $($bounds)*
        {
            const RECURSIVE_MACHINE_NEEDS_BOX_PIN: $crate::__private::native::Measured =
                $crate::__private::native::measure($made);
        }
    };
    (asked [$($parameters:tt)*] $Machine:ty where [$($bounds:tt)*] $made:expr) => {
        #[automatically_derived]
        #[doc(hidden)]
        // SAFETY: one function creates the coroutine, and its first statements move the arguments
        // out.
        unsafe impl<$($parameters)*> $crate::__private::native::CoroutineInfo for $Machine
        where
            $($bounds)*
        {
            const RECURSIVE_MACHINE_NEEDS_BOX_PIN: $crate::__private::native::Measured =
                $crate::__private::native::measure_with_auto_traits(
                    $made,
                    || {
                        let _never = $crate::__private::inferred::never();
                        $crate::__private::native::probe_auto_traits($made).__volt_auto()
                    },
                );
        }
    };
}

/// Implements a machine whose coroutine is its last type parameter, `C`.
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_native_generic {
    (
        $Machine:ident [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*] $C:ident
        table $Table:ident
        made of $tuple:ty, $Notes:ty, |$input:ident| $make:expr
    ) => {
        #[automatically_derived]
        #[doc(hidden)]
        // SAFETY: it is `repr(C)`, begins with the storage, and is declared with the same bounds.
        unsafe impl<$($parameters)* $C: ::core::future::Future> $crate::__private::Introspect for $Machine<$($arguments)* $C>
        where
            $($bounds)*
        {
            type Accessor = $crate::__private::native::HeaderAccessor<$Table, $crate::__private::native::GenericHeader<$Notes>>;
        }

        #[automatically_derived]
        #[doc(hidden)]
        // SAFETY: one function creates the coroutine, and its first statements move the arguments
        // out. The function that creates the machine gives the parameter that type.
        unsafe impl<$($parameters)* $C: ::core::future::Future>
            $crate::__private::native::MakeCoroutine<$tuple, $Notes, $C>
            for $Machine<$($arguments)* $C>
        where
            $($bounds)*
        {
            #[inline]
            unsafe fn make(
                $input: $crate::__private::native::CoroutineInput<'static, $tuple, $Notes>,
                place: *mut $C,
            ) {
                let coroutine = $make;
                // SAFETY: promised by the caller, and as above.
                unsafe { $crate::__private::native::write_coroutine(place, coroutine) };
            }
        }

        $crate::__volt_native_await_generic! {
            $Machine [$($parameters)*] [$($arguments)*] [$($bounds)*] $C []
            |native, ptr| $crate::__private::native::await_storage::<Self, __VoltCaller, __VOLT_INDEX, _, _>(native, ptr),
            $crate::__private::native::await_in_compact::<Self, __VoltCaller, __VOLT_INDEX, _, _>(native, ptr)
        }
    };
}

/// Implements the future of a machine whose coroutine is a type parameter, and its await by the
/// storage alone: in a machine that records its position, and in a compact one.
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_native_await_generic {
    (
        $Machine:ident [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*] $C:ident [$($carried:tt)*]
        |$native:ident, $ptr:ident| $at_site:expr, $in_compact:expr
    ) => {
        #[automatically_derived]
        #[doc(hidden)]
        impl<$($parameters)* $C: ::core::future::Future $($carried)*> $crate::__private::native::GenericMachine
            for $Machine<$($arguments)* $C $($carried)*>
        where
            $($bounds)*
        {
            #[inline]
            #[allow(clippy::future_not_send, reason = "it is `Send` if its coroutine is")]
            fn __volt_at_site<
                __VoltCaller: $crate::__private::native::Table,
                const __VOLT_INDEX: ::core::primitive::usize,
                __VoltCallerArguments,
            >(
                self,
                $ptr: $crate::__private::native::ArgumentsPtr<'_, __VoltCallerArguments>,
            ) -> impl ::core::future::Future<Output = $C::Output> {
                let $native = self.native;
                $at_site
            }

            #[inline]
            #[allow(clippy::future_not_send, reason = "it is `Send` if its coroutine is")]
            fn __volt_compact<
                __VoltCaller: $crate::__private::native::Table,
                const __VOLT_INDEX: ::core::primitive::usize,
                __VoltCallerArguments,
            >(
                self,
                $ptr: $crate::__private::native::CompactPtr<'_, __VoltCallerArguments>,
            ) -> impl ::core::future::Future<Output = $C::Output> {
                let $native = self.native;
                $in_compact
            }
        }

        #[automatically_derived]
        impl<$($parameters)* $C: ::core::future::Future $($carried)*> ::core::future::Future
            for $Machine<$($arguments)* $C $($carried)*>
        where
            $($bounds)*
        {
            type Output = $C::Output;

            #[inline]
            fn poll(
                self: ::core::pin::Pin<&mut Self>,
                cx: &mut ::core::task::Context<'_>,
            ) -> ::core::task::Poll<$C::Output> {
                // SAFETY: the storage is pinned because the machine is.
                let native = unsafe { self.map_unchecked_mut(|machine| &mut machine.native) };
                native.run(cx, $crate::__private::native::register_on_first_poll::<Self>)
            }
        }
    };
}

/// Creates the storage of a machine whose coroutine is a type parameter.
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_native_start_generic {
    ($arguments:expr, |$input:ident| $make:expr) => {
        // SAFETY: the machine creates its coroutine by the same expression.
        unsafe { $crate::__private::native::GenericStorage::new($arguments, |$input| $make) }
    };
    ($arguments:expr, $make:path) => {
        // SAFETY: as above.
        unsafe { $crate::__private::native::GenericStorage::new($arguments, $make) }
    };
}

/// Expands to a machine: the struct, the items outside of its block, and a block with all
/// implementations.
///
/// The parts that every machine has are in this macro and not in the attribute, because tokens of
/// an attribute take longer to process.
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_native_machine {
    (
        [$($condition:tt)*] { $($declared:tt)* } { $($outside:tt)* }
        $Machine:ident [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*]
        table $Table:ident $name:literal
        states $states:literal $places:tt
        arguments $locals:literal $kept:tt
        steps $steps:literal $pairs:tt
        $Storage:ident because $why:literal on $line:literal
        $(pinned $pinned:tt)?
        $(hides awaits $hides:literal)?
        { $($inside:tt)* }
    ) => {
        $($condition)*
        #[allow(
            explicit_outlives_requirements,
            non_camel_case_types,
            non_snake_case,
            private_bounds,
            private_interfaces,
            single_use_lifetimes,
            unused_lifetimes,
            unreachable_pub,
            reason = "written by `state_machine`"
        )]
        $($declared)*

        $($outside)*

        $($condition)*
        #[allow(
            non_camel_case_types,
            non_local_definitions,
            non_snake_case,
            private_bounds,
            single_use_lifetimes,
            unused_lifetimes,
            unreachable_pub,
            reason = "written by `state_machine`"
        )]
        const _: () = {
            $($inside)*

            #[automatically_derived]
            impl $crate::__private::native::Table for $Table {
                type Rows = $crate::__private::native::NativeRows<$states, $locals, $steps>;

                const ROWS: Self::Rows = $crate::__private::native::NativeRows {
                    name: $name,
                    file: ::core::file!(),
                    states: $places,
                    arguments: $kept,
                    steps: $pairs,
                    layout: $crate::machine::Layout::Native {
                        why: $why,
                        line: $line,
                        storage: $crate::machine::Storage::$Storage,
                    },
                };

                $(const PINNED: &'static [&'static ::core::primitive::str] = &$pinned;)?
                $(const HIDES_AWAITS: ::core::primitive::bool = $hides;)?
            }

            impl<$($parameters)*> $Machine<$($arguments)*> where $($bounds)* {
                /// Returns `true` if the machine has returned. It must not be polled again then.
                #[must_use]
                #[allow(dead_code, reason = "not every machine is checked")]
                pub fn is_terminated(&self) -> ::core::primitive::bool {
                    $crate::__private::native::is_terminated(self)
                }
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
    };
}

/// Expands to the table of an `async` block.
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_native_block_table {
    (
        $Table:ident $name:literal
        states $states:literal $places:tt
        steps $steps:literal $pairs:tt
        on $line:literal
        pinned $pinned:tt
        $(hides awaits $hides:literal)?
        $(suspend points $($points:tt)*)?
    ) => {
        #[allow(dead_code, reason = "only its constants are used")]
        struct $Table;

        #[automatically_derived]
        impl $crate::__private::native::Table for $Table {
            type Rows = $crate::__private::native::NativeRows<$states, 0, $steps>;

            const ROWS: Self::Rows = $crate::__private::native::NativeRows {
                name: $name,
                file: ::core::file!(),
                states: $places,
                arguments: [],
                steps: $pairs,
                layout: $crate::machine::Layout::Native {
                    why: "it is an `async` block",
                    line: $line,
                    storage: $crate::machine::Storage::Inline,
                },
            };

            const PINNED: &'static [&'static ::core::primitive::str] = &$pinned;
            $(const HIDES_AWAITS: ::core::primitive::bool = $hides;)?
        }

        $(
            #[automatically_derived]
            impl $crate::__private::native::SuspendTable for $Table {
                $crate::__private::native::suspend_slots! { $($points)* }
            }
        )?
    };
}

/// Expands to nothing: there is an allocator for boxed machines.
#[cfg(feature = "alloc")]
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_needs_alloc {
    () => {};
}

/// Reports that a boxed machine needs an allocator.
#[cfg(not(feature = "alloc"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_needs_alloc {
    () => {
        ::core::compile_error!(
            "a machine in a box needs the feature `alloc` of `volt-async`\n  = help: write \
             `features = [\"alloc\"]`, or `inline = N` in place of `boxed`"
        );
    };
}
