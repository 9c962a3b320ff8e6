//! `OwnTraits`: the auto traits that a copy of a function assumes of the own machine.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// The auto traits of the future that replaces the machine in a copy.
#[derive(Clone, Copy)]
pub(super) enum OwnTraits {
    Send,
    SendAndSync,
}

impl OwnTraits {
    /// The method that replaces a machine by such a future.
    pub(super) fn mark(self) -> Ident {
        match self {
            Self::Send => format_ident!("__volt_own"),
            Self::SendAndSync => format_ident!("__volt_own_sync"),
        }
    }

    /// The last parameter of the future: a type with its auto traits.
    pub(super) fn parameter(self) -> TokenStream {
        match self {
            Self::Send => quote!(::core::cell::Cell<()>),
            Self::SendAndSync => quote!(()),
        }
    }
}

/// Returns the function that marks a path that is no call, and the one that replaces the own
/// function.
pub(super) fn value_marks(mark: &Ident) -> [Ident; 2] {
    ["value", "function"].map(|kind| format_ident!("{mark}_{kind}"))
}
