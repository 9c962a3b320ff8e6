//! Macros that implement `Serialize` and `Deserialize` for an explicit machine.

/// Expands to the code that writes and reads the values of each state.
///
/// `forms` has each stored field once: the name of its form, its slot, and the trait whose text is
/// the error for a type that cannot be stored. The last tokens are the check, with the span of the
/// local. `states` has the number of each state in the tag, its index, and the nested list of its
/// values.
///
/// ```text
/// snapshot_values! {
///     (M, tag, mode)
///     forms { form_0 slot_0 Stored0 ["message"] ["label"] ["note"] ["help"] { Stored0::check(form_0) } }
///     states { 0 0 (form_0, ()); 1 1 (form_0, (form_1, ())); }
/// }
/// ```
#[cfg(feature = "serde")]
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_explicit_snapshot_values {
    (
        ($M:ident, $tag:ident, $mode:ident)
        forms { $(
            $form:ident $slot:ident $Stored:ident
            [$message:literal] [$label:literal] [$note:literal] [$help:literal] $check:block
        )* }
        states { $($number:literal $state:literal $values:tt;)* }
    ) => {
        $(
            #[diagnostic::on_unimplemented(
                message = $message, label = $label, note = $note, note = $help
            )]
            trait $Stored<T> {
                fn check(_: $crate::__private::inferred::FormOf<'_, T, Self>)
                where
                    Self: ::core::marker::Sized,
                {
                }
            }
            #[diagnostic::do_not_recommend]
            impl<T, K> $Stored<T> for $crate::__private::inferred::Storable<K> {}
            let $form = (&$slot.__volt_form_probe()).__volt_form();
            $check
        )*
        match $tag.get() {
            $($number => $crate::__private::inferred::SnapshotMode::visit_state(
                $mode, $state, $values,
            ),)*
            _ => {}
        }
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
#[cfg(feature = "serde")]
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_explicit_snapshot {
    (
        $Machine:ident [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*] $empty:tt
        names $names:tt tags $tags:tt fields $fields:tt
        $(older $states:tt $state_indices:tt $values:tt $value_indices:tt)?
    ) => {
        #[doc(hidden)]
        #[automatically_derived]
        // SAFETY: `advance` visits the slots of the state at the tag, by its mode.
        unsafe impl<$($parameters)*> $crate::__private::inferred::Snapshot for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
            const NAMES: &'static [&'static ::core::primitive::str] = &$names;
            const TAGS: &'static [::core::primitive::u8] = &$tags;
            const FIELDS: &'static [&'static [&'static ::core::primitive::str]] = &$fields;
            $(
                const ALL_NAMES: &'static [&'static ::core::primitive::str] = &$states;
                const OLDER_STATES: &'static [::core::primitive::usize] = &$state_indices;
                const ALL_FIELDS: &'static [&'static [&'static ::core::primitive::str]] = &$values;
                const OLDER_FIELDS: &'static [&'static [::core::primitive::usize]] =
                    &$value_indices;
            )?

            unsafe fn visit_values<__VoltMode: $crate::__private::inferred::Mode>(
                base: *mut ::core::primitive::u8,
                mode: &mut __VoltMode,
            ) {
                // SAFETY: promised by the caller.
                unsafe { $crate::__private::inferred::visit_by_advance::<Self, _>(base, mode) };
            }
        }

        $crate::__volt_explicit_snapshot! {
            @traits $Machine [$($parameters)*] [$($arguments)*] [$($bounds)*] $empty
        }
    };
    (
        @traits $Machine:ident [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*]
        [$empty:expr]
    ) => {
        #[automatically_derived]
        impl<$($parameters)*> $crate::__private::inferred::serde::Serialize
            for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
            fn serialize<__VoltSerializer: $crate::__private::inferred::serde::Serializer>(
                &self,
                serializer: __VoltSerializer,
            ) -> ::core::result::Result<__VoltSerializer::Ok, __VoltSerializer::Error> {
                $crate::__private::inferred::serialize(self, serializer)
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
                deserializer: __VoltDeserializer,
            ) -> ::core::result::Result<Self, __VoltDeserializer::Error> {
                // SAFETY: no slot of an empty machine has a value.
                unsafe { $crate::__private::inferred::deserialize($empty, deserializer) }
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
        $Machine:ident [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*] $empty:tt
        names $names:tt tags $tags:tt fields $fields:tt
        $(older $states:tt $state_indices:tt $values:tt $value_indices:tt)?
        [$Static:ty] ($M:ident, $tag:ident, $mode:ident)
        slots { $($slot:ident [$field:literal]: $slot_ty:ty;)* }
        $body:block
    ) => {
        #[doc(hidden)]
        #[automatically_derived]
        // SAFETY: `body` visits the slots of the state at the tag, by its mode.
        unsafe impl<$($parameters)*> $crate::__private::inferred::Snapshot for $Machine<$($arguments)*>
        where
            $($bounds)*
        {
            const NAMES: &'static [&'static ::core::primitive::str] = &$names;
            const TAGS: &'static [::core::primitive::u8] = &$tags;
            const FIELDS: &'static [&'static [&'static ::core::primitive::str]] = &$fields;
            $(
                const ALL_NAMES: &'static [&'static ::core::primitive::str] = &$states;
                const OLDER_STATES: &'static [::core::primitive::usize] = &$state_indices;
                const ALL_FIELDS: &'static [&'static [&'static ::core::primitive::str]] = &$values;
                const OLDER_FIELDS: &'static [&'static [::core::primitive::usize]] =
                    &$value_indices;
            )?

            unsafe fn visit_values<$M: $crate::__private::inferred::Mode>(
                base: *mut ::core::primitive::u8,
                $mode: &mut $M,
            ) {
                // SAFETY: promised by the caller.
                let $tag = &unsafe { $crate::__private::inferred::Tag::<Self>::of(base) };
                // SAFETY: promised by the caller.
                let slots = unsafe {
                    $crate::__private::inferred::SlotSet::<$Static, false>::of(base)
                };
                $(
                    // SAFETY: I1 and I2, by the code below.
                    let $slot = &unsafe { (&slots).at::<$slot_ty, $field>() };
                )*
                $body
            }
        }

        $crate::__volt_explicit_snapshot! {
            @traits $Machine [$($parameters)*] [$($arguments)*] [$($bounds)*] $empty
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
