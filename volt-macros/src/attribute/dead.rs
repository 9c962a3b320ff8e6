//! What is left of a function whose body is refused: its signature, and the errors.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Block, ImplItemFn, ItemFn, ReturnType, Signature, parse_quote};

use crate::errors::Errors;
use crate::signature::impl_trait;

/// The signature with a body that does nothing, so that callers see no errors of their own.
pub(crate) fn dead(function: &ItemFn, errors: &Errors) -> TokenStream {
    let errors = errors.to_compile_errors();
    let mut item = function.clone();
    item.attrs
        .retain(|attr| attr.path().is_ident("cfg") || attr.path().is_ident("doc"));
    *item.block = block(&item.sig, &item.block);
    let item = silent(item);
    quote!(#errors #item)
}

/// A method's signature with a body that does nothing; its errors stand elsewhere.
pub(crate) fn dead_method(method: &ImplItemFn) -> TokenStream {
    let mut method = method.clone();
    method.block = block(&method.sig, &method.block);
    silent(method)
}

/// An item of which no lint speaks.
fn silent(item: impl ToTokens) -> TokenStream {
    quote! {
        #[allow(unused, clippy::all, clippy::pedantic, reason = "`state_machine` refused the body")]
        #item
    }
}

/// A body that does nothing; the one that there is, if nobody else knows what it gives.
fn block(sig: &Signature, block: &Block) -> Block {
    match &sig.output {
        ReturnType::Type(_, ty) if impl_trait(ty).is_some() => block.clone(),
        _ => parse_quote!({ ::core::panic!("the state machine was refused") }),
    }
}
