//! Everything that takes the place of a function.

use proc_macro2::TokenStream;
use quote::quote;

use super::declaration::declarations;
use super::twin::twin;
use super::{face, lender};
use crate::state_machine::model::Machine;

/// Everything that takes the place of the function.
pub(crate) fn machine(machine: &Machine) -> TokenStream {
    let (function, beside) = (face::function(machine), beside(machine));
    quote!(#function #beside)
}

/// Everything that stands beside the function.
pub(crate) fn beside(machine: &Machine) -> TokenStream {
    let types = declarations(machine);
    let advance = face::advance(machine);
    let face = if machine.function.splits() {
        lender::lender(machine)
    } else {
        face::future(machine)
    };
    let inspect = face::inspect(machine);
    let twin = twin(machine);
    quote! {
        #types
        #face
        #inspect
        #advance
        #twin
    }
}
