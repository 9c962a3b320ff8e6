//! From the attribute and what it stands on to the expansion.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Attribute, ItemFn, ItemImpl, ItemTrait, ReturnType};

use super::chosen;
use super::configured;
use super::dead::dead;
use super::impl_block;
use super::inner::{put_outside, put_outside_in};
use super::sketch::{sketch, sketch_of_block};
use crate::backend;
use crate::errors::{Became, Errors, Rule, Why, report, unless_panicking};
use crate::names;
use crate::native;
use crate::options::{Options, Send};
use crate::signature::{Signature, apart, is_rejected, leaves_out, names_undeclared};

/// Expands the attribute on `item`. A fault of the macro leaves the item as it was, beside an error.
pub(crate) fn expand(options: TokenStream, item: TokenStream) -> TokenStream {
    guarded(item, |item| expanded(options, item))
}

/// What the work makes of the item; if it panics, an error and the item as it was.
fn guarded(item: TokenStream, work: impl FnOnce(TokenStream) -> TokenStream) -> TokenStream {
    let written = item.clone();
    unless_panicking(|| work(item)).unwrap_or_else(|| {
        let mut errors = Errors::default();
        let place = match syn::parse2::<ItemFn>(written.clone()) {
            Ok(function) => Some(function.sig.ident.into()),
            Err(_) => written.clone().into_iter().next(),
        };
        errors.refuse(Rule::UnreadFunction, &place);
        let errors = errors.to_compile_errors();
        quote!(#errors #written)
    })
}

fn expanded(options: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let written = options.clone();
    let options = Options::default().with(options, &mut errors);
    if begins_block(&item)
        && let Ok(mut block) = syn::parse2::<ItemImpl>(item.clone())
    {
        put_outside_in(&mut block);
        if let Some(cases) = configured::split_block(&block) {
            let volt = &options.volt;
            let cases = cases.map(
                |(condition, block)| quote!(#condition #[#volt::state_machine(#written)] #block),
            );
            return quote!(#(#cases)*);
        }
        return impl_block::expand(&options, block, errors);
    }
    match syn::parse2::<ItemFn>(item.clone()) {
        Ok(mut parsed) => {
            put_outside(&mut parsed.attrs);
            configured::plain(&mut parsed.attrs);
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
    let mut words = item.clone().into_iter().filter_map(|token| match token {
        TokenTree::Ident(word) => Some(word.to_string()),
        _ => None,
    });
    words.find(|word| word == "impl" || word == "fn").as_deref() == Some("impl")
}

/// A function that parses. `words` are the tokens that it was parsed of, as to print it takes long, and `written`
/// are the options as they stand.
fn function(
    item: &ItemFn,
    words: &TokenStream,
    options: Options,
    written: &TokenStream,
    mut errors: Errors,
) -> TokenStream {
    if let Some(cases) = configured::split(&item.sig) {
        return each_case(item, cases, &options, written);
    }
    // The compiler says best which lifetime is missing.
    if names_undeclared(&item.sig, None) || is_rejected(&item.sig) || leaves_out_lifetime(item) {
        return quote!(#item);
    }
    if let Some((inner, runner)) = backend::split_runner(item) {
        let machine = under_runner(item, &inner, &options, written);
        return runner(machine);
    }
    let is_fit = backend::check(item, &options, &mut errors);
    if !errors.is_empty() {
        return refused(item, options, &errors, is_fit);
    }
    let ((function, beside), errors) = chosen::machine(item, None, Some(words), &options);
    quote!(#errors #function #beside)
}

/// Whether the output leaves out a lifetime that nothing among the arguments gives it.
fn leaves_out_lifetime(item: &ItemFn) -> bool {
    match &item.sig.output {
        ReturnType::Type(_, ty) if leaves_out(ty) => {
            leaves_out(&Signature::read(item, None).output)
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
/// written, and may change it. It may write it twice. Nobody else can name the machine, so it stays on its thread: to ask whether a
/// coroutine is `Send` may be an error of the compiler's, "not general enough", where all is well.
fn under_runner(
    item: &ItemFn,
    inner: &ItemFn,
    options: &Options,
    written: &TokenStream,
) -> TokenStream {
    let own = || apart(names::machine(None, &item.sig.ident), inner);
    let name = options.name.is_none().then(own);
    let name = name.map(|name| quote!(name = #name,));
    let local = matches!(options.send_of(), Send::Asked).then(|| quote!(local,));
    let volt = &options.volt;
    quote!(#[#volt::state_machine(#name #local #written)] #inner)
}

/// The errors, and the function without its body; with its machine, if it can have one.
fn refused(item: &ItemFn, options: Options, errors: &Errors, is_fit: bool) -> TokenStream {
    let name = &item.sig.ident;
    report(name, Became::Refused);
    if !is_fit {
        return dead(item, errors);
    }
    let why = Why::new("the attribute reports an error", name.span());
    let (function, beside) = native::machine(item, None, None, &options.of_native(), &why);
    let errors = errors.to_compile_errors();
    quote!(#errors #function #beside)
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
