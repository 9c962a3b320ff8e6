//! The promise of a machine that may announce itself to the runtime.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::lints::allow;
use crate::state_machine::model::Machine;

/// Says that the machine may announce itself, with the lifetimes of what it is lent in front.
pub(crate) fn announced(
    machine: &Machine,
    name: &Ident,
    lent: Option<&TokenStream>,
) -> TokenStream {
    let (function, volt) = (&machine.function, &machine.options.volt);
    let (parameters, arguments, bounds) = (
        function.parameters(),
        function.arguments(),
        function.bounds(),
    );
    let (conditions, allow) = (function.conditions(), allow(machine));
    quote! {
        #volt::__private::announced! {
            [#(#conditions)* #allow] #name [#lent #parameters] [#lent #arguments] [#bounds]
        }
    }
}
