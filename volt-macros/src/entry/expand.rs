//! The expansion of `#[volt::main]` and `#[volt::test]`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, ItemFn};

use super::options::{EntryOptions, Flavor, refuse};
use crate::attribute::with_unparsed_body;
use crate::errors::Errors;
use crate::names::last_of;
use crate::options::{body_in_editor, is_editor};
use crate::syntax::charge_awaits;

/// The attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryKind {
    /// `#[volt::main]`.
    Main,
    /// `#[volt::test]`.
    Test,
}

/// Expands the attribute on `item`. After an error, the function still exists, so its callers have
/// no errors of their own.
pub(crate) fn expand(kind: EntryKind, options: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let default = match kind {
        EntryKind::Main => Flavor::MultiThread,
        EntryKind::Test => Flavor::CurrentThread,
    };
    let options = EntryOptions::parse(options, default, &mut errors);
    // The compiler has reported the errors of a body that does not parse.
    let parsed = syn::parse2::<ItemFn>(item.clone());
    let parsed = parsed.or_else(|_| with_unparsed_body(item.clone(), &options.volt));
    let mut function = match parsed {
        Ok(function) => function,
        Err(error) => {
            let error = error.to_compile_error();
            return quote!(#error #item);
        }
    };
    check(kind, &function, &mut errors);
    let entry = if errors.is_empty() {
        if !is_editor() {
            charge_awaits(&mut function.block, &options.volt);
        }
        entry(kind, &function, &options)
    } else {
        refused(&function)
    };
    let errors = errors.to_compile_errors();
    quote!(#errors #entry)
}

fn check(kind: EntryKind, function: &ItemFn, errors: &mut Errors) {
    let signature = &function.sig;
    let mut refuse = |span, fault, note, help| {
        errors.push(refuse(span, fault, note, help));
    };
    if signature.asyncness.is_none() {
        let fault = "the attribute requires an `async fn`";
        let note = "the function has no await, so it needs no runtime";
        let help = "write `async fn`, or remove the attribute";
        refuse(signature.fn_token.span(), fault, note, help);
    }
    if let Some(input) = signature.inputs.first() {
        let fault = "this function cannot have arguments";
        let note = "no caller can pass them";
        refuse(input.span(), fault, note, "create the values in the body");
    }
    if let Some(parameter) = signature.generics.params.first() {
        let fault = "this function cannot be generic";
        let note = "no caller can choose the parameters";
        let help = "call a generic function from its body";
        refuse(parameter.span(), fault, note, help);
    }
    // `#[test]`, `#[some::test]`.
    let is_test = |attr: &&Attribute| last_of(attr.path()).is_some_and(|last| last == "test");
    if kind == EntryKind::Test
        && let Some(attribute) = function.attrs.iter().find(is_test)
    {
        let fault = "the function has a second test attribute";
        let note = "the test would run twice";
        refuse(attribute.span(), fault, note, "remove one of the two");
    }
}

/// Expands to:
///
/// ```text
/// #[test]
/// fn name() -> Output {
///     async fn name() -> Output { .. volt::__entry::charged(..).await .. }
///     volt::__entry::block_on(volt::Builder::new().worker_threads(2), name())
/// }
/// ```
fn entry(kind: EntryKind, function: &ItemFn, options: &EntryOptions) -> TokenStream {
    let (attributes, visibility) = (&function.attrs, &function.vis);
    let (name, output) = (&function.sig.ident, &function.sig.output);
    let block = body_in_editor(&function.block);
    let test = (kind == EntryKind::Test).then(|| quote!(#[::core::prelude::v1::test]));
    let (volt, builder) = (&options.volt, builder(options));
    let block_on = match options.flavor {
        Flavor::MultiThread => quote!(block_on),
        Flavor::CurrentThread => quote!(block_on_local),
    };
    quote! {
        #test
        #(#attributes)*
        #visibility fn #name() #output {
            async fn #name() #output #block
            #volt::__entry::#block_on(
                #builder,
                #name(),
            )
        }
    }
}

/// The builder of the runtime, with the options.
fn builder(options: &EntryOptions) -> TokenStream {
    let volt = &options.volt;
    let workers = options.workers.iter();
    let paused = options.start_paused.iter();
    // With the span of the option, because the method exists only with the feature `tokio`.
    let tokio = options.tokio_context.iter().filter(|value| value.value);
    let tokio = tokio.map(|value| quote_spanned!(value.span=> .tokio_context()));
    let orphans = options.orphans.iter();
    quote! {
        #volt::Builder::new()
            #(.orphans(#volt::runtime::OrphanPolicy::#orphans))*
            #(.worker_threads(#workers))*
            #(.start_paused(#paused))*
            #(#tokio)*
    }
}

/// A refused function: it can be called, and its body is not compiled.
fn refused(function: &ItemFn) -> TokenStream {
    let (name, output) = (&function.sig.ident, &function.sig.output);
    let visibility = &function.vis;
    quote! {
        #[allow(dead_code, reason = "the attribute is refused")]
        #visibility fn #name() #output { ::core::panic!("the attribute is refused") }
    }
}
