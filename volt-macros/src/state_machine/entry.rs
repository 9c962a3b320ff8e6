//! From the attribute and what it stands on to the expansion.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{ItemFn, ItemImpl};

use super::args::Options;
use super::errors::{Errors, Rule};
use super::expand::{dead, machine as expand_machine};
use super::impl_block;
use super::parse::Function;
use super::pipeline::{model, stand_in};

/// Expands the attribute on `item`.
pub(crate) fn expand(options: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let options = Options::parse(options, &mut errors);
    if let Ok(block) = syn::parse2::<ItemImpl>(item.clone()) {
        return impl_block::expand(&options, block, errors);
    }
    let function = match syn::parse2::<ItemFn>(item.clone()) {
        Ok(function) => function,
        Err(error) => {
            let error = error.to_compile_error();
            return quote!(#error #item);
        }
    };
    if let Some(vis) = &options.vis {
        errors.refuse(Rule::VisOfMethod, vis);
    }
    let Some(function) = Function::parse(function.clone(), &mut errors) else {
        return dead(&function, &errors);
    };
    match model(function, options.clone(), &mut errors) {
        Ok(machine) => expand_machine(&machine),
        Err(function) => {
            let machine = stand_in(*function, options).map(|machine| expand_machine(&machine));
            let errors = errors.to_compile_errors();
            quote!(#errors #machine)
        }
    }
}
