//! Macros that implement `Serialize` and `Deserialize` for an explicit machine.

/// Expands to the code that writes and reads the values of each state.
///
/// `known` has the fields whose written types have their own form: the name of the form, and the
/// slot. `forms` has each other stored field once, with the probe of its form and a conversion to
/// the trait object whose text is the error for a type that cannot be stored. It has the span of
/// the local. `values` is the nested list of all values. `conditions` has the values of states that
/// their slots may lack.
///
/// ```text
/// snapshot_values! {
///     (M, tag, mode)
///     known { form_0 slot_0; }
///     forms { form_1 slot_1 __volt_form_probe { let _: &dyn Stored1 = form_1.__volt_kind(); } }
///     values (form_0, (form_1, ()))
///     conditions [(1, 0, StoredUnless::NoDestructor)]
/// }
/// ```
#[cfg(feature = "serde")]
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_explicit_snapshot_values {
    (
        ($M:ident, $tag:ident, $mode:ident)
        known { $($known_form:ident $known_slot:ident;)* }
        forms { $($form:ident $slot:ident $probe:ident $(::<$is_unstored:tt>)? $check:block)* }
        values $values:tt
        conditions $conditions:tt
    ) => {
        $(let $known_form = $known_slot.__volt_own_form();)*
        $(let $form = $slot.$probe$(::<$is_unstored>)?().__volt_form();)*
        if false {
            $($check)*
        }
        __volt::SnapshotMode::visit_values($mode, $tag.get(), $values, &$conditions);
    };
}

/// Without the feature `serde` there is no code; `snapshot!` reports the error.
#[cfg(not(feature = "serde"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_explicit_snapshot_values {
    ($($tokens:tt)*) => {};
}

/// Implements both traits for a machine whose fields have inferred types.
///
/// `traits` has the trait of each stored field whose form the compiler finds. They are outside of
/// `advance`, because an error contains their path.
#[cfg(feature = "serde")]
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_explicit_snapshot {
    (
        $Machine:ident [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*]
        traits { $(
            $Stored:ident [$message:literal] [$label:literal] [$note:literal] [$help:literal]
        )* }
        names $names:expr;
    ) => {
        $(
            #[diagnostic::on_unimplemented(
                message = $message, label = $label, note = $note, note = $help
            )]
            trait $Stored {}
            #[diagnostic::do_not_recommend]
            impl $Stored for __volt::OnlyDropped {}
        )*

        #[doc(hidden)]
        #[automatically_derived]
        // SAFETY: `advance` visits the slots of the state at the tag, by its mode.
        unsafe impl<$($parameters)*> __volt::Snapshot for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
            const NAMES: __volt::SnapshotNames = $names;
        }

        $crate::__volt_explicit_snapshot! {
            @traits $Machine [$($parameters)*] [$($arguments)*] [$($bounds)*]
        }
    };
    (
        @traits $Machine:ident [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*]
    ) => {
        #[automatically_derived]
        impl<$($parameters)*> __volt::serde::Serialize
            for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
            fn serialize<__VoltSerializer: __volt::serde::Serializer>(
                &self,
                serializer: __VoltSerializer,
            ) -> ::core::result::Result<__VoltSerializer::Ok, __VoltSerializer::Error> {
                __volt::serialize(self, serializer)
            }
        }

        #[automatically_derived]
        impl<'__volt_de, $($parameters)*>
            __volt::serde::Deserialize<'__volt_de>
            for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
            fn deserialize<
                __VoltDeserializer: __volt::serde::Deserializer<'__volt_de>,
            >(
                deserializer: __VoltDeserializer,
            ) -> ::core::result::Result<Self, __VoltDeserializer::Error> {
                __volt::deserialize(deserializer)
            }
        }
    };
}

/// The error of a machine that derives the traits without the feature.
#[cfg(not(feature = "serde"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_explicit_snapshot {
    ($($tokens:tt)*) => {
        ::core::compile_error!(
            "`derive(Serialize, Deserialize)` requires the feature `serde` of `volt-async`\n  = help: write \
             `features = [\"serde\"]` in the dependency, or remove the derive"
        );
    };
}

/// Implements both traits for a machine whose fields have written types, with their bounds.
#[cfg(feature = "serde")]
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_explicit_snapshot_typed {
    (
        $Machine:ident [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*]
        traits { $(
            $Stored:ident [$message:literal] [$label:literal] [$note:literal] [$help:literal]
        )* }
        names $names:expr;
        [$Static:ty] ($M:ident, $tag:ident, $mode:ident)
        slots { $($slot:ident [$field:literal]: $slot_ty:ty;)* }
        $body:block
    ) => {
        $(
            #[diagnostic::on_unimplemented(
                message = $message, label = $label, note = $note, note = $help
            )]
            trait $Stored {}
            #[diagnostic::do_not_recommend]
            impl $Stored for __volt::OnlyDropped {}
        )*

        #[doc(hidden)]
        #[automatically_derived]
        // SAFETY: `body` visits the slots of the state at the tag, by its mode.
        unsafe impl<$($parameters)*> __volt::Snapshot for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
            const NAMES: __volt::SnapshotNames = $names;

            unsafe fn visit_values<$M: __volt::Mode>(
                base: *mut ::core::primitive::u8,
                $mode: &mut $M,
            ) {
                // SAFETY: promised by the caller.
                let $tag = &unsafe { __volt::Tag::<Self>::of(base) };
                // SAFETY: promised by the caller.
                let slots = unsafe {
                    __volt::SlotSet::<$Static, false>::of(base)
                };
                $(
                    // SAFETY: I1 and I2, by the code below.
                    let $slot = &unsafe { (&slots).at::<$slot_ty, $field>() };
                )*
                $body
            }
        }

        $crate::__volt_explicit_snapshot! {
            @traits $Machine [$($parameters)*] [$($arguments)*] [$($bounds)*]
        }
    };
}

/// The error of a machine that derives the traits without the feature.
#[cfg(not(feature = "serde"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_explicit_snapshot_typed {
    ($($tokens:tt)*) => {
        $crate::__volt_explicit_snapshot! {}
    };
}

/// Implements both traits for the native machine of a function that the macro refuses. They are
/// never called, because the function is an error.
#[cfg(feature = "serde")]
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_explicit_snapshot_stub {
    ($Machine:ident [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*]) => {
        #[automatically_derived]
        impl<$($parameters)*> $crate::__private::inferred::serde::Serialize
            for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
            fn serialize<__VoltSerializer: $crate::__private::inferred::serde::Serializer>(
                &self,
                _: __VoltSerializer,
            ) -> ::core::result::Result<__VoltSerializer::Ok, __VoltSerializer::Error> {
                ::core::unreachable!()
            }
        }

        #[automatically_derived]
        impl<'__volt_de, $($parameters)*>
            $crate::__private::inferred::serde::Deserialize<'__volt_de>
            for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
            fn deserialize<
                __VoltDeserializer: $crate::__private::inferred::serde::Deserializer<'__volt_de>,
            >(
                _: __VoltDeserializer,
            ) -> ::core::result::Result<Self, __VoltDeserializer::Error> {
                ::core::unreachable!()
            }
        }
    };
}

/// Without the feature there is no code.
#[cfg(not(feature = "serde"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_explicit_snapshot_stub {
    ($($tokens:tt)*) => {};
}
