//! The expansion of the attribute's item: a function, an `impl` block, or neither.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Attribute, ItemFn, ItemImpl, ItemTrait, ReturnType};

use super::attributes::{move_outside, move_outside_in};
use super::bare_objects::name_bare_objects;
use super::cfg_arguments;
use super::choose_layout::{Expansion, expand_function};
use super::impl_block::expand_block;
use super::recover::{signature_stub, with_unparsed_bodies, with_unparsed_body};
use super::wrong_uses::has_wrong_use;
use crate::backend;
use crate::errors::{Errors, NativeReason, Outcome, Rule, catch_macro_panic, report};
use crate::names;
use crate::native;
use crate::options::{OlderNames, Options, Send};
use crate::signature::{
    FunctionTokens, Signature, has_elided_lifetime, has_undeclared_lifetime, is_rejected,
    unambiguous,
};
use crate::syntax::{charge_loops_of_blocks, take_secrets};

/// Expands the attribute on `item`. A panic of the macro leaves the item as it was, beside an
/// error.
pub(crate) fn expand(option_tokens: TokenStream, item_tokens: TokenStream) -> TokenStream {
    catch_panics(item_tokens, |item_tokens| {
        expand_item(option_tokens, item_tokens)
    })
}

/// Returns the expansion; if it panics, an error and the item as it was.
fn catch_panics(
    item_tokens: TokenStream,
    expand: impl FnOnce(TokenStream) -> TokenStream,
) -> TokenStream {
    let original = item_tokens.clone();
    catch_macro_panic(|| expand(item_tokens)).unwrap_or_else(|| {
        let mut errors = Errors::default();
        let place = match syn::parse2::<ItemFn>(original.clone()) {
            Ok(function) => Some(function.sig.ident.into()),
            Err(_) => original.clone().into_iter().next(),
        };
        errors.refuse(Rule::UnreadFunction, &place);
        let errors = errors.to_compile_errors();
        quote!(#errors #original)
    })
}

fn expand_item(option_tokens: TokenStream, item_tokens: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let options = Options::default().with(option_tokens.clone(), &mut errors);
    let item_tokens = name_bare_objects(item_tokens);
    if begins_block(&item_tokens)
        && let Ok(mut block) = syn::parse2::<ItemImpl>(item_tokens.clone())
    {
        move_outside_in(&mut block);
        let Some(cases) = cfg_arguments::split_block(&block) else {
            return expand_block(&options, block, errors);
        };
        let volt = &options.volt;
        let cases = cases.map(
            |(condition, block)| quote!(#condition #[#volt::state_machine(#option_tokens)] #block),
        );
        return quote!(#(#cases)*);
    }
    match syn::parse2::<ItemFn>(item_tokens.clone()) {
        Ok(mut item) => {
            move_outside(&mut item.attrs);
            cfg_arguments::simplify(&mut item.attrs);
            expand_parsed(item, &item_tokens, options, &option_tokens, errors)
        }
        Err(error) => expand_unparsed(options, item_tokens, &option_tokens, error, errors),
    }
}

/// Returns `true` if the item can be an `impl` block: that word precedes the first `fn`.
fn begins_block(item_tokens: &TokenStream) -> bool {
    let words = item_tokens.clone().into_iter();
    let mut words = words.filter_map(|token| match token {
        TokenTree::Ident(word) => Some(word.to_string()),
        _ => None,
    });
    words.find(|word| word == "impl" || word == "fn").as_deref() == Some("impl")
}

/// Expands an item that does not parse as a function: its body may not parse, or it is another
/// item.
fn expand_unparsed(
    options: Options,
    item_tokens: TokenStream,
    option_tokens: &TokenStream,
    error: syn::Error,
    mut errors: Errors,
) -> TokenStream {
    let Ok(item) = with_unparsed_body(item_tokens.clone(), &options.volt) else {
        return expand_other_item(&options, item_tokens, error, errors);
    };
    // The compiler has reported the error of the body. The explicit layout needs the body.
    if options.is_explicit() && !options.editor {
        errors.push(error);
    }
    let tokens = item.to_token_stream();
    expand_parsed(item, &tokens, options, option_tokens, errors)
}

/// Expands an `impl` block with a body that does not parse, or reports another item.
fn expand_other_item(
    options: &Options,
    item_tokens: TokenStream,
    error: syn::Error,
    mut errors: Errors,
) -> TokenStream {
    if let Ok(found) = syn::parse2::<ItemTrait>(item_tokens.clone()) {
        errors.refuse(Rule::OfTrait, &found.ident);
        let errors = errors.to_compile_errors();
        return quote!(#errors #item_tokens);
    }
    match with_unparsed_bodies(item_tokens.clone(), &options.volt) {
        Some(block) => expand_block(options, block, errors),
        None => {
            let error = error.to_compile_error();
            quote!(#error #item_tokens)
        }
    }
}

/// Expands a function that parses. `item_tokens` are the tokens from which it was parsed, because
/// printing them again is slow.
fn expand_parsed(
    mut item: ItemFn,
    item_tokens: &TokenStream,
    mut options: Options,
    option_tokens: &TokenStream,
    mut errors: Errors,
) -> TokenStream {
    if let Some(cases) = cfg_arguments::split(&item.sig) {
        return expand_cases(&item, cases, &options, option_tokens);
    }
    let mut tokens = FunctionTokens::of_item(item_tokens);
    // The compiler reports best which lifetime is missing.
    if has_undeclared_lifetime(&item.sig, None)
        || is_rejected(&item.sig)
        || leaves_out_lifetime(&item)
        || has_wrong_use(&tokens, &item.sig, &item.block, None)
    {
        return quote!(#item);
    }
    if let Some((inner, runner)) = backend::split_runner(&item) {
        let machine = expand_under_test_attribute(&item, &inner, &options, option_tokens);
        return runner(machine);
    }
    if tokens.contains("secret") {
        let secrets = take_secrets(&mut item.sig, &mut item.block);
        options.secrets.add(secrets);
        tokens = FunctionTokens::printed(&item, None);
    }
    if tokens.contains("stored") || tokens.contains("was") {
        let derives = options.snapshot().is_some();
        options.older = OlderNames::take(&mut item.sig, &mut item.block, derives, &mut errors);
        tokens = FunctionTokens::printed(&item, None);
    }
    let can_be_machine = backend::check(&item, &options, &mut errors);
    if !errors.is_empty() {
        return expand_rejected(&item, options, &errors, can_be_machine);
    }
    let (volt, mut is_changed) = (&options.volt, false);
    if !options.editor {
        is_changed = charge_loops_of_blocks(&mut item.block, volt);
        is_changed |= backend::discard_own_futures(&mut item, volt);
    }
    let tokens = (!is_changed).then_some(&tokens);
    let Expansion {
        function,
        items,
        errors,
    } = expand_function(&item, None, tokens, &options);
    quote!(#errors #function #items)
}

/// Returns `true` if the output elides a lifetime that the arguments do not determine.
fn leaves_out_lifetime(item: &ItemFn) -> bool {
    match &item.sig.output {
        ReturnType::Type(_, ty) if has_elided_lifetime(ty) => {
            has_elided_lifetime(&Signature::of(item, None).output)
        }
        _ => false,
    }
}

/// Writes the function once for each case, with the attribute.
fn expand_cases(
    item: &ItemFn,
    cases: [(Attribute, syn::Signature); 2],
    options: &Options,
    option_tokens: &TokenStream,
) -> TokenStream {
    let volt = &options.volt;
    let cases = cases.map(|(condition, sig)| {
        let item = ItemFn {
            sig,
            ..item.clone()
        };
        quote!(#condition #[#volt::state_machine(#option_tokens)] #item)
    });
    quote!(#(#cases)*)
}

/// The inner function of a function that another attribute runs, such as `#[tokio::test]`.
///
/// The other attribute sees the body as it was written. It may change the body, or write it twice.
/// No other code names the machine, so it stays on its thread. To query whether its coroutine is
/// `Send` could raise the error "not general enough" for correct code.
fn expand_under_test_attribute(
    item: &ItemFn,
    inner: &ItemFn,
    options: &Options,
    option_tokens: &TokenStream,
) -> TokenStream {
    let function = &item.sig.ident;
    let default_name = || unambiguous(names::machine(None, function), None, function, inner);
    let name = options.name.is_none().then(default_name);
    let name = name.map(|name| quote!(name = #name,));
    let local = matches!(options.send_of(), Send::Asked).then(|| quote!(local,));
    let volt = &options.volt;
    quote!(#[#volt::state_machine(#name #local #option_tokens)] #inner)
}

/// Returns the errors, and the function without its body; or with a native machine, if it can have
/// one.
fn expand_rejected(
    item: &ItemFn,
    options: Options,
    errors: &Errors,
    can_be_machine: bool,
) -> TokenStream {
    let name = &item.sig.ident;
    report(name, Outcome::Refused);
    if !can_be_machine {
        return signature_stub(item, errors);
    }
    let why = NativeReason::new("the attribute reports an error", name.span());
    let (function, items) = native::machine(item, None, None, &options.of_native(), &why);
    let errors = errors.to_compile_errors();
    quote!(#errors #function #items)
}
