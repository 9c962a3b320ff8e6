//! From the machine to tokens.
//!
//! - `types` declares the states and the machine that holds them;
//! - `poll` writes the body of a poll, `segment` the code between two suspend points, `rewrite`
//!   what changes within code that stays whole;
//! - `face` writes what a user of the machine sees;
//! - `twin` puts the compiler's own version beside it, for its errors and its size;
//! - `dead` keeps the signature when the body is refused.

mod rewrite;
mod segment;
mod poll;
mod types;
mod twin;
mod face;
mod lender;
mod dead;

use proc_macro2::TokenStream;
use quote::quote;

use super::model::Machine;
pub(crate) use dead::dead;

/// Everything that takes the place of the function.
pub(crate) fn machine(machine: &Machine) -> TokenStream {
    let types = types::types(machine);
    let advance = face::advance(machine);
    let face = if machine.function.lends() {
        lender::lender(machine)
    } else {
        face::future(machine)
    };
    let inspect = face::inspect(machine);
    let function = face::function(machine);
    let twin = twin::twin(machine);
    quote! {
        #function
        #types
        #face
        #inspect
        #advance
        #twin
    }
}
