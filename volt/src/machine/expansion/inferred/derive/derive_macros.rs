//! Macros that implement `Clone`, `PartialEq`, `Eq` and `Hash` for an explicit machine.

/// Expands to the code of derived traits for one state: each slot, and if it is stored only to be
/// dropped.
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_explicit_each_slot {
    ([$($Trait:ident)*] $M:ident, $mode:ident, $slots:tt) => {
        $($crate::__volt_explicit_each_slot! { @$Trait $M, $mode, $slots })*
    };
    (@Clone $M:ident, $mode:ident, [$($slot:ident $is_for_drop:literal),*]) => {
        if $M::CLONES {
            $(let $slot = $slot.cloned($mode, $is_for_drop);)*
            $(::core::option::Option::map($slot, $crate::__private::inferred::ClonedValue::store);)*
        }
    };
    (@PartialEq $M:ident, $mode:ident, [$($slot:ident $is_for_drop:literal),*]) => {
        if $M::COMPARES && (false $(|| !$slot.equals($mode, $is_for_drop))*) {
            $crate::__private::inferred::Mode::set_different($mode);
        }
    };
    (@Eq $M:ident, $mode:ident, [$($slot:ident $is_for_drop:literal),*]) => {
        $($slot.is_eq();)*
    };
    (@Hash $M:ident, $mode:ident, [$($slot:ident $is_for_drop:literal),*]) => {
        if $M::HASHES {
            $($slot.hash($mode, $is_for_drop);)*
        }
    };
}

/// Implements a derived trait by a mode of `advance`. No future of the machine borrows from it.
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_explicit_derive {
    (
        [$($Trait:ident)*] $Machine:ident $parameters:tt $arguments:tt $bounds:tt $empty:expr
    ) => {
        $($crate::__volt_explicit_derive! {
            @$Trait $Machine $parameters $arguments $bounds $empty
        })*
    };
    (
        @Clone $Machine:ident [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*] $empty:expr
    ) => {
        #[automatically_derived]
        impl<$($parameters)*> ::core::clone::Clone for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
            fn clone(&self) -> Self {
                let mut clone = $empty;
                // SAFETY: the clone stores nothing, and no future of this machine borrows from it.
                unsafe { $crate::__private::inferred::clone_into(self, &mut clone) };
                clone
            }
        }
    };
    (
        @PartialEq $Machine:ident [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*] $empty:expr
    ) => {
        #[automatically_derived]
        impl<$($parameters)*> ::core::cmp::PartialEq for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
            fn eq(&self, other: &Self) -> ::core::primitive::bool {
                $crate::__private::inferred::equal(self, other)
            }
        }
    };
    (
        @Eq $Machine:ident [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*] $empty:expr
    ) => {
        #[automatically_derived]
        impl<$($parameters)*> ::core::cmp::Eq for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
        }
    };
    (
        @Hash $Machine:ident [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*] $empty:expr
    ) => {
        #[automatically_derived]
        impl<$($parameters)*> ::core::hash::Hash for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
            fn hash<__VoltHasher: ::core::hash::Hasher>(&self, hasher: &mut __VoltHasher) {
                $crate::__private::inferred::hash(self, hasher);
            }
        }
    };
}

/// Implements a derived trait of a machine whose fields have written types. The same code is in the
/// trait's own `impl`, where its bounds hold.
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_explicit_derive_typed {
    (
        Clone $Machine:ident [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*] $ty:tt
        [$empty:expr] $names:tt slots $slots:tt $body:block
    ) => {
        #[automatically_derived]
        impl<$($parameters)*> ::core::clone::Clone for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
            fn clone(&self) -> Self {
                let mut clone = $empty;
                // SAFETY: the clone stores nothing, and no future of this machine borrows from it.
                let mut pair = unsafe { $crate::__private::inferred::clone_mode(self, &mut clone) };
                $crate::__volt_explicit_derive_typed! {
                    @run $ty pair [$crate::__private::inferred::PairMode<true>] $names $slots $body
                }
                pair.cloned(self);
                clone
            }
        }
    };
    (
        PartialEq $Machine:ident [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*] $ty:tt
        [$empty:expr] $names:tt slots $slots:tt $body:block
    ) => {
        #[automatically_derived]
        impl<$($parameters)*> ::core::cmp::PartialEq for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
            fn eq(&self, other: &Self) -> ::core::primitive::bool {
                let ::core::option::Option::Some(mut pair) =
                    $crate::__private::inferred::compare_mode(self, other)
                else {
                    return false;
                };
                $crate::__volt_explicit_derive_typed! {
                    @run $ty pair [$crate::__private::inferred::PairMode<false>] $names $slots $body
                }
                $crate::__private::inferred::PairMode::is_equal(&pair)
            }
        }
    };
    (
        Eq $Machine:ident [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*] $ty:tt
        [$empty:expr] $names:tt slots $slots:tt $body:block
    ) => {
        #[automatically_derived]
        impl<$($parameters)*> ::core::cmp::Eq for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
        }
    };
    (
        Hash $Machine:ident [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*] $ty:tt
        [$empty:expr] $names:tt slots $slots:tt $body:block
    ) => {
        #[automatically_derived]
        impl<$($parameters)*> ::core::hash::Hash for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
            fn hash<__VoltHasher: ::core::hash::Hasher>(&self, hasher: &mut __VoltHasher) {
                let mut hashing = $crate::__private::inferred::hash_mode(self, hasher);
                $crate::__volt_explicit_derive_typed! {
                    @run $ty hashing [$crate::__private::inferred::HashMode<'static>] $names $slots $body
                }
            }
        }
    };
    (
        @run [$Static:ty] $run:ident [$Mode:ty] ($M:ident, $tag:ident, $mode:ident)
        { $($slot:ident [$field:literal]: $slot_ty:ty;)* }
        $body:block
    ) => {
        use $crate::__private::inferred::Mode as _;
        type $M = $Mode;
        let $mode = &mut $run;
        let base = (&*$mode).base();
        // SAFETY: the machine is borrowed, and only read.
        let $tag = &unsafe { $crate::__private::inferred::Tag::<Self>::of(base) };
        // SAFETY: the machine is borrowed, and only read.
        let slots = unsafe { $crate::__private::inferred::SlotSet::<$Static, false>::of(base) };
        $(
            // SAFETY: I1 and I2, by the code below.
            let $slot = &unsafe {
                (&slots).at::<$slot_ty, $field>()
            };
        )*
        $body
    };
}
