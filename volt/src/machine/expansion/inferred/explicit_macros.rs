//! Macros that implement an explicit machine: its `unsafe` code, and the code that all machines
//! have.

/// Implements a machine whose struct begins with its `Bytes`.
///
/// It is expanded where `__volt` is the name of this module, because the compiler and the attribute
/// process each word of a path.
///
/// A trait of the user may have a method by value for all types, which the compiler prefers to a
/// method by reference. So the receiver of a method call is a reference already, or a value that is
/// generic over its trait, where the method of the type itself comes first. Methods that are found
/// by autoref specialization have names that begin with `__volt_`.
///
/// Generics are in brackets: the parameters of the declaration, the arguments, and the bounds. The
/// generics after `dropped` are those of the destructor, which exists for all types that a struct
/// accepts. Then follow the tables, the slots, and the blocks of `advance`, which see the names in
/// parentheses:
///
/// ```text
/// machine! {
///     machine Fetch ['a] ['a] [] [Fetch<'static>]
///     output [usize] as ['a] [] [usize]
///     dropped ['a] ['a] []
///     name "Fetch"
///     states 3 [("start", 1, 1, 1, NONE), ("await get", 2, 9, 0, 1), ("done", 1, 1, 0, NONE)]
///     locals 1 [("url", "&Url", 0)]
///     steps 2 [(0, 1), (1, 2)]
///     register [Fetch<'static>]
///     advance (M, tag, next, mode, region, token)
///     slots [UNPIN] { slot_0 [0]: &'a Url; slot_1 [1]: _; }
///     stacks { stack_2 }
///     { .. }
/// }
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_explicit {
    (
        machine $Machine:ident [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*] [$Static:ty]
        output [$($output:tt)*]
        as [$($future_parameters:tt)*] [$($future_bounds:tt)*] [$($future_output:tt)*]
        dropped [$($dropped_parameters:tt)*] [$($dropped_arguments:tt)*] [$($dropped_bounds:tt)*]
        name $name:literal
        states $states:literal $rows:tt
        locals $locals:literal $kept:tt
        steps $steps:literal $pairs:tt
        register $register:tt
        advance ($M:ident, $tag:ident, $next:ident, $mode:ident, $region:ident $(, $token:ident)?)
        slots [$unpin:expr] { $($slot:ident [$field:literal]: $slot_ty:ty;)* }
        stacks { $($stack:ident)* }
        $body:tt
    ) => {
        // SAFETY: written by `state_machine`: the struct begins with its bytes. Each block guards
        // the slots of its state, and stores the values of the next one.
        #[automatically_derived]
        #[doc(hidden)]
        unsafe impl<$($parameters)*> __volt::ExplicitMachine
            for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
            type Static = $Static;

            #[inline]
            unsafe fn advance<'__volt, $M: __volt::Mode>(
                base: *mut ::core::primitive::u8,
                mut $next: ::core::primitive::u8,
                $mode: &mut $M,
                $region: &__volt::Region<'__volt>,
            ) -> ::core::task::Poll<$($output)*>
            where
                Self: '__volt,
            {
                $(let $token = &__volt::Token::new();)?
                // SAFETY: promised by the caller.
                let slots = unsafe {
                    __volt::SlotSet::<$Static, { $unpin }>::of(base)
                };
                // SAFETY: promised by the caller.
                let $tag = &unsafe { (&slots).tag::<Self>() };
                $(
                    // SAFETY: I1 and I2, by the code below.
                    let $slot = &unsafe {
                        (&slots).at::<$slot_ty, $field>()
                    };
                )*
                $(
                    // SAFETY: I1, by the code below.
                    let $stack = &unsafe { (&slots).stack() };
                )*
                // SAFETY: I3: its only unsafe operations are reads of places, which the macro
                // writes.
                unsafe $body
            }
        }

        #[automatically_derived]
        #[doc(hidden)]
        impl<$($parameters)*> __volt::native::Table for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
            type Rows = __volt::ExplicitRows<$states, $locals, $steps>;

            const ROWS: Self::Rows = __volt::ExplicitRows {
                name: $name,
                file: ::core::file!(),
                states: $rows,
                locals: $kept,
                steps: $pairs,
                register_once: __volt::machine!(@register $register),
            };
        }

        #[automatically_derived]
        #[doc(hidden)]
        // SAFETY: its tag has the state, whatever its lifetimes, and its type is declared with the
        // same bounds.
        unsafe impl<$($parameters)*> __volt::Introspect for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
            type Accessor = __volt::TagAccessor;
        }

        impl<$($parameters)*> $Machine<$($arguments)*>
        where
            $($bounds)*
        {
            /// Returns `true` if the machine has returned. It must not be polled again then.
            #[must_use]
            pub fn is_terminated(&self) -> ::core::primitive::bool {
                __volt::is_terminated(self)
            }
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
                __volt::poll(self, cx)
            }
        }

        #[automatically_derived]
        impl<$($dropped_parameters)*> ::core::ops::Drop for $Machine<$($dropped_arguments)*>
        where
            $($dropped_bounds)*
        {
            #[inline]
            fn drop(&mut self) {
                // SAFETY: nothing is called after the end of the machine.
                unsafe { __volt::cancel(self) }
            }
        }

        #[automatically_derived]
        impl<$($parameters)*> ::core::fmt::Debug for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                __volt::debug(self, f)
            }
        }
    };
    (@register []) => {
        ::core::option::Option::None
    };
    (@register [$Static:ty]) => {{
        static REGISTER_ONCE: __volt::RegisterOnce =
            __volt::RegisterOnce::new::<$Static>();
        ::core::option::Option::Some(&REGISTER_ONCE)
    }};
}

/// Implements the code of a machine that carries its signature, [`CarriedCode`]. Its
/// [`machine!`](crate::__volt_explicit) calls this code.
///
/// [`CarriedCode`]: crate::__private::inferred::CarriedCode
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_explicit_carried_code {
    (
        $Machine:ident [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*] of [$Types:ty]
        output [$Output:ty] size [$size:expr]
        advance ($M:ident, $tag:ident, $next:ident, $mode:ident, $region:ident $(, $token:ident)?)
        slots { $($slot:ident [$field:literal]: $slot_ty:ty;)* }
        stacks { $($stack:ident)* }
        $body:tt
    ) => {
        #[automatically_derived]
        #[doc(hidden)]
        // SAFETY: as in `machine!`.
        unsafe impl<$($parameters)*> __volt::CarriedCode<$Types> for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
            type Output = $Output;

            const REFERENCE_SIZE: ::core::primitive::usize = $size;

            #[inline]
            unsafe fn advance_carried<'__volt, $M: __volt::Mode>(
                base: *mut ::core::primitive::u8,
                mut $next: ::core::primitive::u8,
                $mode: &mut $M,
                $region: &__volt::Region<'__volt>,
            ) -> ::core::task::Poll<$Output>
            where
                Self: '__volt,
            {
                $(let $token = &__volt::Token::new();)?
                // SAFETY: promised by the caller.
                let slots = unsafe { __volt::SlotSet::<Self, false>::of(base) };
                // SAFETY: promised by the caller.
                let $tag = &unsafe { (&slots).tag::<Self>() };
                $(
                    // SAFETY: I1 and I2, by the code below.
                    let $slot = &unsafe {
                        (&slots).at::<$slot_ty, $field>()
                    };
                )*
                $(
                    // SAFETY: I1, by the code below.
                    let $stack = &unsafe { (&slots).stack() };
                )*
                // SAFETY: I3, as in `machine!`.
                unsafe $body
            }
        }
    };
}

/// Allows lints once for all items next to the reference function that contain text of the user.
/// The compiler processes each lint of a list, and resolves the names of clippy's lints only if
/// clippy runs. `warnings` alone covers neither a lint that a crate denies by its group, nor one
/// that is denied by default.
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_explicit_allow_lints {
    ($beside:tt) => {
        #[allow(
            warnings,
            unused,
            nonstandard_style,
            unreachable_pub,
            single_use_lifetimes,
            arithmetic_overflow,
            dangerous_implicit_autorefs,
            enum_intrinsics_non_enums,
            invalid_atomic_ordering,
            let_underscore_lock,
            overflowing_literals,
            unconditional_panic,
            undropped_manually_drops,
            reason = "written by `state_machine`"
        )]
        #[cfg_attr(
            clippy,
            allow(
                clippy::all,
                clippy::pedantic,
                clippy::nursery,
                reason = "written by `state_machine`"
            )
        )]
        $beside
    };
}

/// The code of a probe. The compiler reports an unsafe operation outside of `unsafe` in the
/// reference function, with the level of `unsafe_op_in_unsafe_fn` there. The probe would report it
/// again in other words.
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_explicit_probed {
    ($body:tt) => {
        // SAFETY: it is never run, and the reference function contains the same operations.
        unsafe $body
    };
}

/// The body of a function that is an item of the user's function. The compiler reports an unsafe
/// operation outside of `unsafe` in the reference function, which has the same item.
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_explicit_unsafe_of_reference {
    ($body:tt) => {
        // SAFETY: the reference function has the same operations, and is an error if one of them
        // is outside of the user's own `unsafe`.
        unsafe $body
    };
}

/// Creates a machine from its arguments: first an empty one, into which they are written.
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_explicit_start {
    // All fields but the bytes have size zero. So nothing has to be copied.
    ([$Static:ty], $arguments:tt) => {{
        let mut machine = ::core::mem::MaybeUninit::uninit();
        let base: *mut ::core::primitive::u8 = (&raw mut machine).cast();
        // SAFETY: the struct begins with its bytes.
        unsafe { $crate::__private::inferred::write_start_tag::<$Static>(base) };
        $crate::__private::inferred::start!(@arguments base [$Static] $arguments);
        // SAFETY: bytes may be uninitialized, and no other field has a size.
        unsafe { machine.assume_init() }
    }};
    ([$Static:ty] $empty:expr, $arguments:tt) => {{
        let mut machine = $empty;
        let base: *mut ::core::primitive::u8 = (&raw mut machine).cast();
        $crate::__private::inferred::start!(@arguments base [$Static] $arguments);
        machine
    }};
    (@arguments $base:ident [$Static:ty] { $($argument:expr => $index:literal,)* }) => {
        $(
            // SAFETY: the place of the argument, by `assign_offsets`. The struct begins with its
            // bytes.
            unsafe {
                $crate::__private::inferred::write_argument::<_, $Static, $index>($base, $argument)
            };
        )*
    };
}
