//! From the attribute and its function to the expansion, or to the errors.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ItemFn;

use super::args::Options;
use super::errors::Errors;
use super::expand::{dead, machine as expand_machine};
use super::model::Machine;
use super::parse::Function;
use super::sketch::sketch;
use super::{check, flow, liveness, lower, shadow};

/// Expands the attribute on `item`.
pub(crate) fn expand(options: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let options = Options::parse(options, &mut errors);
    let (item, unread) = match syn::parse2::<ItemFn>(item.clone()) {
        Ok(item) => (item, None),
        Err(error) => match sketch(item.clone()) {
            Some(item) => (item, Some(error)),
            None => {
                let error = error.to_compile_error();
                return quote!(#error #item);
            }
        },
    };
    let before = errors.len();
    let function = Function::read(item.clone(), &mut errors);
    let is_signed = before == errors.len();
    if let Some(error) = unread {
        errors.push(error);
        let options = Options {
            twin: false,
            ..options
        };
        return refused(function, options, &errors);
    }
    match model(function, options.clone(), &mut errors) {
        _ if !is_signed => dead(&item, &errors),
        Ok(machine) => expand_machine(&machine),
        Err(function) => refused(*function, options, &errors),
    }
}

/// The errors, and what stands in for the machine.
fn refused(function: Function, options: Options, errors: &Errors) -> TokenStream {
    let machine = stand_in(function, options).map(|machine| expand_machine(&machine));
    let errors = errors.to_compile_errors();
    quote!(#errors #machine)
}

/// A machine of the same signature that does nothing, for a body that is refused. Its twin still
/// has the body, so that the compiler finds the other mistakes in it.
fn stand_in(mut function: Function, mut options: Options) -> Option<Machine> {
    function.item.block = syn::parse_quote!({ ::core::panic!("the state machine is refused") });
    options.max_size = None;
    function.refused = true;
    model(function, options, &mut Errors::default()).ok()
}

/// The model of a function, or the function as it was if something in it is refused.
pub(crate) fn model(
    mut function: Function,
    options: Options,
    errors: &mut Errors,
) -> Result<Machine, Box<Function>> {
    shadow::rename(&mut function, errors);
    let body = check::body(&function, &options.volt, errors);
    let flow = flow::draw(&function, &body);
    let points = liveness::decide(&function, &body, &flow, errors);
    if !errors.is_empty() {
        return Err(Box::new(function));
    }
    Ok(lower::lower(function, options, body, &flow, points))
}
