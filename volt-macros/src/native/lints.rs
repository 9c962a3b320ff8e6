//! The lints that generated items are let off.

use proc_macro2::TokenStream;
use quote::quote;

/// Why. A literal within `quote!` is parsed by the compiler each time, and this one is not.
pub(super) const WRITTEN: &str = "written by `state_machine`";

/// What generated items are allowed.
pub(super) fn allow() -> TokenStream {
    quote! {
        #[allow(
            non_camel_case_types,
            non_local_definitions,
            non_snake_case,
            private_bounds,
            private_interfaces,
            single_use_lifetimes,
            type_alias_bounds,
            unused_lifetimes,
            unreachable_pub,
            missing_docs,
            clippy::extra_unused_lifetimes,
            clippy::multiple_bound_locations,
            clippy::needless_lifetimes,
            clippy::type_complexity,
            reason = #WRITTEN
        )]
    }
}
