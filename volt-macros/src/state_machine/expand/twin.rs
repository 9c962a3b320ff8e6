//! The compiler's own version of the function, beside the machine and never called.
//!
//! It has the compiler check the text as it was written, and it is the measure of the size.

use proc_macro2::TokenStream;
use quote::quote;
use syn::visit_mut::VisitMut;

use super::face::{is_doc, static_type};
use crate::state_machine::model::Machine;

/// The twin and what is proven by it; nothing if it is switched off.
pub(crate) fn twin(machine: &Machine) -> TokenStream {
    if !machine.options.twin {
        return TokenStream::new();
    }
    let mut item = machine.function.original.clone();
    let name = &machine.names.twin;
    StripLabels.visit_block_mut(&mut item.block);
    item.sig.ident = name.clone();
    item.vis = syn::Visibility::Inherited;
    item.attrs
        .retain(|attr| !is_doc(attr) && !attr.path().is_ident("cfg"));
    let conditions = machine.function.conditions();
    let size = size(machine);
    quote! {
        #(#conditions)*
        #[doc(hidden)]
        const _: () = {
            #[allow(dead_code, clippy::unused_async, reason = "never called")]
            #item

            #size
        };
    }
}

/// The proof that the machine is no larger than the twin's future.
fn size(machine: &Machine) -> Option<TokenStream> {
    let function = &machine.function;
    let count = function.params.len();
    if function.is_generic() || function.refused || count > 12 {
        return None;
    }
    let (volt, name) = (&machine.options.volt, &machine.names.twin);
    let any = (0..count).map(|_| quote!(_));
    let ty = static_type(machine);
    Some(quote! {
        ::core::assert!(
            ::core::mem::size_of::<#ty>()
                <= #volt::__private::size_of_native(#name as fn(#(#any),*) -> _),
            "the state machine is larger than the compiler's future",
        );
    })
}

/// Takes off the labels of states, which only the attribute knows.
struct StripLabels;

impl VisitMut for StripLabels {
    fn visit_attributes_mut(&mut self, attrs: &mut Vec<syn::Attribute>) {
        attrs.retain(|attr| !attr.path().is_ident("state"));
    }
}
