//! What the generated items are allowed.
//!
//! Lints speak of the user's text once: they see it in the twin. If there is none, what the
//! language denies by itself is still said of the machine.

use proc_macro2::TokenStream;
use quote::quote;

use crate::state_machine::model::Machine;

/// What a generated item is allowed.
pub(crate) fn allow(machine: &Machine) -> TokenStream {
    let denied = machine.options.twin.then(|| {
        quote! {
            arithmetic_overflow,
            invalid_from_utf8_unchecked,
            invalid_reference_casting,
            let_underscore_lock,
            overflowing_literals,
            unconditional_panic,
            undropped_manually_drops,
            useless_deprecated,
        }
    });
    quote! {
        #[allow(
            unused,
            private_interfaces,
            private_bounds,
            single_use_lifetimes,
            deprecated,
            dropping_copy_types,
            dropping_references,
            for_loops_over_fallibles,
            forgetting_copy_types,
            forgetting_references,
            irrefutable_let_patterns,
            non_shorthand_field_patterns,
            non_snake_case,
            suspicious_double_ref_op,
            unused_comparisons,
            while_true,
            #denied
            clippy::all,
            clippy::pedantic,
            reason = "written by `state_machine`"
        )]
    }
}
