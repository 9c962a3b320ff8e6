//! Everything that takes the place of a function.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::declaration::declarations;
use super::derive::derives;
use super::face::output_type;
use super::twin::twin;
use super::{face, lender};
use crate::state_machine::model::Machine;
use crate::state_machine::names;

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
    let (twin, send, derives) = (twin(machine), send(machine), derives(machine));
    quote! {
        #types
        #face
        #inspect
        #advance
        #twin
        #send
        #derives
    }
}

/// The assertion that the machine may go to another thread, for whatever its parameters are.
fn send(machine: &Machine) -> Option<TokenStream> {
    let span = machine.options.send?;
    let function = &machine.function;
    let (parameters, bounds) = (function.parameters(), function.bounds());
    let (lent, ty) = (&function.lent, output_type(machine));
    let volt = names::path_at(&machine.options.volt, span);
    let conditions = function.conditions();
    let assert = quote_spanned!(span=> #volt::__private::assert_send::<#ty>());
    Some(quote! {
        #(#conditions)*
        const _: () = {
            #[allow(unused, single_use_lifetimes, reason = "asserted, never called")]
            fn is_send<#(#lent,)* #parameters>() where #bounds {
                #assert
            }
        };
    })
}
