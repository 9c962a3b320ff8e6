//! The public interface of a machine type, checked where the function is written.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Error, GenericParam};

use crate::names::located_at;
use crate::options::{Options, Public};
use crate::signature::Signature;

/// Returns the checks of the option `public`, for a machine with or without a parameter for its
/// coroutine.
pub(crate) fn interface(
    options: &Options,
    signature: &Signature,
    name: &Ident,
    is_open: bool,
) -> Option<TokenStream> {
    let public = options.public.as_ref()?;
    let count = parameters_error(public, signature, is_open);
    if is_open {
        let text = "the machine has a type parameter for its coroutine, so its shape depends on the body\n  \
                    = help: write the types of its locals and futures, or use `boxed` or `inline`";
        let error = Error::new(public.span, text).to_compile_error();
        return Some(quote!(#count #error));
    }
    let traits = public
        .traits
        .iter()
        .map(|of| implements(of, signature, name));
    let conditions = signature.conditions();
    let (parameters, bounds) = (signature.parameters(), signature.bounds());
    Some(quote! {
        #count
        #(#conditions)*
        const _: () = {
            #[allow(dead_code, single_use_lifetimes, clippy::all, clippy::pedantic, reason = "written by `state_machine`")]
            fn __volt_public<#parameters>() where #bounds {
                #(#traits)*
            }
        };
    })
}

/// Requires that the machine implements an auto trait, if its parameters do.
fn implements(of: &Ident, signature: &Signature, name: &Ident) -> TokenStream {
    let (arguments, parameters) = (signature.arguments(), signature.parameters());
    let types: Vec<_> = signature
        .generics
        .type_params()
        .map(|param| &param.ident)
        .collect();
    let path = if of == "Unpin" {
        quote!(::core::marker::Unpin)
    } else {
        quote!(::core::marker::#of)
    };
    let bounds = signature.bounds();
    let check = located_at(quote!(__volt_implements::<#name<#arguments>>()), of.span());
    quote_spanned! {of.span()=>
        {
            fn __volt_implements<__VoltMachine: #path>() {}
            fn __volt_check<#parameters>() where #bounds #(#types: #path,)* {
                #check
            }
        }
    }
}

/// Returns an error if the machine has another number of type and const parameters.
fn parameters_error(public: &Public, signature: &Signature, is_open: bool) -> Option<TokenStream> {
    let expected = public.parameters.as_ref()?;
    let params = signature.generics.params.iter();
    let own = params
        .filter(|param| !matches!(param, GenericParam::Lifetime(_)))
        .count();
    let count = own + usize::from(is_open);
    match expected.base10_parse::<usize>() {
        Ok(number) if number == count => None,
        Ok(number) => {
            let coroutine = if is_open {
                ", one of them for its coroutine"
            } else {
                ""
            };
            let text = format!(
                "the machine has {count} type and const parameters{coroutine}, and `public` expects {number}"
            );
            Some(Error::new(expected.span(), text).to_compile_error())
        }
        Err(error) => Some(error.to_compile_error()),
    }
}
