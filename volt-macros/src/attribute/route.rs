//! From the attribute and what it stands on to the expansion.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Attribute, ItemFn, ItemImpl, ItemTrait, ReturnType};

use super::configured;
use super::dead::dead;
use super::explicit;
use super::impl_block;
use super::inner::{put_outside, put_outside_in};
use super::sketch::{sketch, sketch_of_block};
use crate::doubt::Doubts;
use crate::errors::{Became, Errors, Rule, Why, report, unless_panicking};
use crate::names;
use crate::native;
use crate::options::{Layout, Options};
use crate::signature::{Signature, apart, leaves_out, names_undeclared};

/// Expands the attribute on `item`. A fault of the macro leaves the item as it was, beside an error.
pub(crate) fn expand(options: TokenStream, item: TokenStream) -> TokenStream {
    guarded(item, |item| expanded(options, item))
}

/// What the work makes of the item; if it panics, an error and the item as it was.
fn guarded(item: TokenStream, work: impl FnOnce(TokenStream) -> TokenStream) -> TokenStream {
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
    if begins_block(&item)
        && let Ok(mut block) = syn::parse2::<ItemImpl>(item.clone())
    {
        put_outside_in(&mut block);
        return impl_block::expand(&options, block, errors);
    }
    if let Some(vis) = &options.vis {
        errors.refuse(Rule::VisOfMethod, vis);
    }
    match syn::parse2::<ItemFn>(item.clone()) {
        Ok(mut parsed) => {
            put_outside(&mut parsed);
            function(&parsed, &item, options, &written, errors)
        }
        Err(error) => unread(options, item, &written, error, errors),
    }
}

/// What does not parse as a function: one whose body does not, or something else.
fn unread(
    options: Options,
    item: TokenStream,
    written: &TokenStream,
    error: syn::Error,
    mut errors: Errors,
) -> TokenStream {
    let Some(parsed) = sketch(item.clone(), &options.volt) else {
        return unread_block(&options, item, error, errors);
    };
    // The compiler has read the body before, and said what is wrong in it.
    if options.is_explicit() {
        errors.push(error);
    }
    function(&parsed, &parsed.to_token_stream(), options, written, errors)
}

/// Whether it can be an `impl` block: that word comes before the one of a function.
fn begins_block(item: &TokenStream) -> bool {
    item.clone().into_iter().find_map(|token| match token {
        TokenTree::Ident(word) => match &*word.to_string() {
            "impl" => Some(true),
            "fn" => Some(false),
            _ => None,
        },
        _ => None,
    }) == Some(true)
}

/// A function that parses. `words` are the tokens that it was parsed of, as to print it takes long, and `written`
/// are the options as they stand.
fn function(
    item: &ItemFn,
    words: &TokenStream,
    options: Options,
    written: &TokenStream,
    errors: Errors,
) -> TokenStream {
    if let Some(cases) = configured::split(&item.sig) {
        return each_case(item, cases, &options, written);
    }
    // The compiler says best which lifetime is missing.
    if names_undeclared(&item.sig, None) || leaves_out_lifetime(item) {
        return quote!(#item);
    }
    if let Some((inner, runner)) = native::split_runner(item) {
        let machine = under_runner(item, &inner, &options, written);
        return runner.around(&machine);
    }
    match options.layout {
        Some((Layout::Native, span)) => {
            native_function(item, words, &options, &Why::asked(span), errors)
        }
        _ => explicit_or_native(item, words, options, errors),
    }
}

/// Whether the output leaves out a lifetime that nothing among the arguments gives it.
fn leaves_out_lifetime(item: &ItemFn) -> bool {
    match &item.sig.output {
        ReturnType::Type(_, ty) if leaves_out(ty) => {
            leaves_out(&Signature::read(item, false).output)
        }
        _ => false,
    }
}

/// The function once for each case, with the attribute.
fn each_case(
    item: &ItemFn,
    cases: [(Attribute, syn::Signature); 2],
    options: &Options,
    written: &TokenStream,
) -> TokenStream {
    let volt = &options.volt;
    let cases = cases.map(|(condition, sig)| {
        let item = ItemFn {
            sig,
            ..item.clone()
        };
        quote!(#condition #[#volt::state_machine(#written)] #item)
    });
    quote!(#(#cases)*)
}

/// What becomes the machine of a function that another attribute runs: that attribute sees the body as it was
/// written, and may change it. It may write it twice.
fn under_runner(
    item: &ItemFn,
    inner: &ItemFn,
    options: &Options,
    written: &TokenStream,
) -> TokenStream {
    let own = || apart(names::machine(None, &item.sig.ident), inner);
    let name = options.name.is_none().then(own);
    let name = name.map(|name| quote!(name = #name,));
    let volt = &options.volt;
    quote!(#[#volt::state_machine(#name #written)] #inner)
}

/// The explicit machine of a function. Where that is in doubt the native one, or an error if the options
/// ask for what only an explicit machine has.
fn explicit_or_native(
    item: &ItemFn,
    words: &TokenStream,
    options: Options,
    mut errors: Errors,
) -> TokenStream {
    native::check(item, &mut errors);
    native::check_recursion(item, &options, &mut errors);
    if !errors.is_empty() {
        return refused(item, options, errors);
    }
    match explicit::function(item, &options) {
        Ok(machine) => {
            report(&item.sig.ident, Became::Explicit);
            machine
        }
        Err(doubts) if options.is_explicit() => doubted(item, options, &doubts),
        Err(doubts) => {
            let why = doubts.why(&item.sig.ident);
            native_function(item, words, &options, &why, errors)
        }
    }
}

/// The doubts as errors, beside a native machine, so that its callers have one.
fn doubted(item: &ItemFn, options: Options, doubts: &Doubts) -> TokenStream {
    let why = doubts.why(&item.sig.ident);
    let options = options.of_native();
    let (errors, machine) = (
        doubts.to_compile_errors(),
        native::function(item, &item.to_token_stream(), &options, &why),
    );
    quote!(#errors #machine)
}

/// The machine in the native layout, unless the function can have none.
fn native_function(
    item: &ItemFn,
    words: &TokenStream,
    options: &Options,
    why: &Why,
    mut errors: Errors,
) -> TokenStream {
    native::check(item, &mut errors);
    native::check_options(options, &mut errors);
    native::check_recursion(item, options, &mut errors);
    match errors.is_empty() {
        true => native::function(item, words, options, why),
        false => refused(item, options.clone(), errors),
    }
}

/// The errors, and the function without its body; with its machine, if it can have one.
fn refused(item: &ItemFn, options: Options, errors: Errors) -> TokenStream {
    report(&item.sig.ident, Became::Refused);
    let mut wrong = Errors::default();
    native::check(item, &mut wrong);
    native::check_recursion(item, &options, &mut wrong);
    if !wrong.is_empty() {
        return dead(item, &errors);
    }
    let why = refusal(&item.sig.ident);
    let (errors, machine) = (
        errors.to_compile_errors(),
        native::function(item, &item.to_token_stream(), &options.of_native(), &why),
    );
    quote!(#errors #machine)
}

fn refusal(name: &Ident) -> Why {
    Why {
        text: "the macro says why".to_owned(),
        span: name.span(),
    }
}

/// An `impl` block of which a body does not parse, or what is neither function nor block.
fn unread_block(
    options: &Options,
    item: TokenStream,
    error: syn::Error,
    mut errors: Errors,
) -> TokenStream {
    if let Ok(found) = syn::parse2::<ItemTrait>(item.clone()) {
        errors.refuse(Rule::OfTrait, &found.ident);
        let errors = errors.to_compile_errors();
        return quote!(#errors #item);
    }
    match sketch_of_block(item.clone(), &options.volt) {
        Some(block) => impl_block::expand(options, block, errors),
        None => {
            let error = error.to_compile_error();
            quote!(#error #item)
        }
    }
}
