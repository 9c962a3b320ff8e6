//! From the attribute and what it stands on to the expansion.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{ItemFn, ItemImpl, ItemTrait};

use super::args::{Layout, Options};
use super::configured;
use super::errors::{Errors, Rule};
use super::expand::{dead, machine as expand_machine};
use super::guard::unless_panicking;
use super::impl_block;
use super::inner::{put_outside, put_outside_in};
use super::native;
use super::parse::Function;
use super::pipeline::{model, stand_in};
use super::report::{Became, report};
use super::sketch::{sketch, sketch_of_block};
use super::why::Why;

/// Expands the attribute on `item`. A fault of the macro leaves the item as it was, beside an error.
pub(crate) fn expand(options: TokenStream, item: TokenStream) -> TokenStream {
    guarded(item, |item| expanded(options, item))
}

/// What the work makes of the item; if it panics, an error and the item as it was.
pub(crate) fn guarded(
    item: TokenStream,
    work: impl FnOnce(TokenStream) -> TokenStream,
) -> TokenStream {
    let written = item.clone();
    unless_panicking(|| work(item)).unwrap_or_else(|| {
        let mut errors = Errors::default();
        let name = syn::parse2::<ItemFn>(written.clone()).map(|item| item.sig.ident);
        match name {
            Ok(name) => errors.refuse(Rule::UnreadFunction, &name),
            Err(_) => {
                let first = written.clone().into_iter().next();
                errors.refuse(Rule::UnreadFunction, &first);
            }
        }
        let errors = errors.to_compile_errors();
        quote!(#errors #written)
    })
}

fn expanded(options: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let written = options.clone();
    let options = Options::parse(options, &mut errors);
    if let Ok(mut block) = syn::parse2::<ItemImpl>(item.clone()) {
        put_outside_in(&mut block);
        return impl_block::expand(&options, block, errors);
    }
    if let Some(vis) = &options.vis {
        errors.refuse(Rule::VisOfMethod, vis);
    }
    let (item, unread) = match syn::parse2::<ItemFn>(item.clone()) {
        Ok(mut item) => {
            put_outside(&mut item);
            (item, None)
        }
        Err(error) => match sketch(item.clone()) {
            Some(item) => (item, Some(error)),
            None => return unread_block(options, item, error, errors),
        },
    };
    match unread {
        Some(error) => {
            errors.push(error);
            unread_function(item, options, errors)
        }
        None => read_function(&item, options, written, errors),
    }
}

/// A function whose body does not parse.
fn unread_function(item: ItemFn, options: Options, mut errors: Errors) -> TokenStream {
    let function = Function::read(item, &mut errors);
    let options = Options {
        twin: false,
        ..options
    };
    refused(function, options, &errors)
}

/// A function that parses; `written` are the options as they stand.
fn read_function(
    item: &ItemFn,
    options: Options,
    written: TokenStream,
    errors: Errors,
) -> TokenStream {
    if !options.asks_for(Layout::Explicit)
        && let Some(cases) = configured::split(&item.sig)
    {
        let volt = &options.volt;
        let cases = cases.map(|(condition, sig)| {
            let item = ItemFn {
                sig,
                ..item.clone()
            };
            quote!(#condition #[#volt::state_machine(#written)] #item)
        });
        return quote!(#(#cases)*);
    }
    if let Some((inner, runner)) = native::split_runner(item) {
        let machine = under_runner(item, &inner, options, errors);
        return runner.around(&machine);
    }
    match options.layout {
        Some((Layout::Native, span)) => native_function(item, &options, &Why::asked(span), errors),
        _ => explicit_or_native(item, options, errors),
    }
}

/// The machine of a function that another attribute runs.
fn under_runner(item: &ItemFn, inner: &ItemFn, options: Options, errors: Errors) -> TokenStream {
    let name = options.name.clone();
    let name = name.unwrap_or_else(|| native::own_name(&item.sig.ident, inner));
    let options = Options {
        name: Some(name),
        ..options
    };
    let why = Why {
        text: "it runs under an attribute of its own".to_owned(),
        span: item.sig.ident.span(),
    };
    native_function(inner, &options, &why, errors)
}

/// The explicit machine of a function, and where that is in doubt the native one.
fn explicit_or_native(item: &ItemFn, options: Options, mut errors: Errors) -> TokenStream {
    let before = errors.len();
    let function = Function::read(item.clone(), &mut errors);
    native::check_recursion(item, &options, &mut errors);
    function.check_name(&options, &mut errors);
    function.check_derived(&options, &mut errors);
    let is_signed = before == errors.len();
    let model = model(function, options.clone(), &mut errors);
    if let Some(why) = options.doubt(&errors) {
        return native_function(item, &options, &why, Errors::default());
    }
    let became = match is_signed && model.is_ok() {
        true => Became::Explicit,
        false => Became::Refused,
    };
    report(&item.sig.ident, became);
    match model {
        _ if !is_signed => dead(item, &errors),
        Ok(machine) => expand_machine(&machine),
        Err(function) => refused(*function, options, &errors),
    }
}

/// The machine in the native layout, unless the function can have none.
fn native_function(item: &ItemFn, options: &Options, why: &Why, mut errors: Errors) -> TokenStream {
    native::check(item, options, &mut errors);
    match errors.is_empty() {
        true => native::function(item, options, why),
        false => {
            report(&item.sig.ident, Became::Refused);
            dead(item, &errors)
        }
    }
}

/// An `impl` block of which a body does not parse, or what is neither function nor block.
fn unread_block(
    options: Options,
    item: TokenStream,
    error: syn::Error,
    mut errors: Errors,
) -> TokenStream {
    if let Ok(found) = syn::parse2::<ItemTrait>(item.clone()) {
        errors.refuse(Rule::OfTrait, &found.ident);
        let errors = errors.to_compile_errors();
        return quote!(#errors #item);
    }
    let Some(block) = sketch_of_block(item.clone()) else {
        let error = error.to_compile_error();
        return quote!(#error #item);
    };
    let error = syn::parse2::<ItemImpl>(item).err().unwrap_or(error);
    errors.push(error);
    let options = Options {
        twin: false,
        ..options
    };
    impl_block::expand(&options, block, errors)
}

/// The errors, and what stands in for the machine.
fn refused(function: Function, options: Options, errors: &Errors) -> TokenStream {
    let machine = stand_in(function, options).map(|machine| expand_machine(&machine));
    let errors = errors.to_compile_errors();
    quote!(#errors #machine)
}
