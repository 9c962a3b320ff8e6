//! Everything that takes the place of the function.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{Attribute, Block, ItemFn, parse_quote};

use super::boxes::boxes;
use super::coroutine::{Coroutine, coroutine};
use super::foreign::{is_for_maker, is_outer};
use super::lints::WRITTEN;
use super::machine::Machine;
use super::receiver::hands;
use crate::errors::{Became, Why, report};
use crate::names::{as_if_written, path_at};
use crate::options::{Options, Send};
use crate::signature::{Method, Signature, impl_trait, is_receiver, machine_name};
use crate::syntax::holds_word;

/// The machine of a free function; `words` are its tokens.
pub(crate) fn function(
    item: &ItemFn,
    words: &TokenStream,
    options: &Options,
    why: &Why,
) -> TokenStream {
    let mut signature = Signature::read(item, false);
    if !options.boxed && options.inline.is_none() {
        signature.keep_anonymous(&item.sig, false);
    }
    let name = machine_name(options, item, None);
    let machine = Machine {
        name: &name,
        signature: &signature,
        options,
        why,
        vis: item.vis.to_token_stream(),
        is_hidden: false,
        send: send(&signature, options, words),
        is_named: false,
        parameter: parameter(&signature, words),
        hands: hands(&signature, None, options.trace),
    };
    let (function, beside) = write(&machine, None, &item.block, &item.vis.to_token_stream());
    let has_alias = options.alias && machine.coroutine().is_none();
    let alias = has_alias.then(|| {
        let vis = item.vis.to_token_stream();
        signature.alias(&vis, &machine.returned().to_token_stream())
    });
    quote!(#function #beside #alias)
}

/// The machine of a method: what stands in the `impl`, and what stands behind it.
pub(crate) fn method(
    method: &Method,
    options: &Options,
    why: &Why,
) -> Option<(TokenStream, TokenStream)> {
    let lifted = method.function()?;
    let has_receiver = method.original.sig.receiver().is_some();
    let mut signature = Signature::read(&lifted, has_receiver);
    if !options.boxed && options.inline.is_none() || method.home.of.is_some() {
        signature.keep_anonymous(&method.original.sig, method.home.of.is_some());
    }
    let name = machine_name(options, &lifted, method.home.name());
    let is_hidden = method.is_hidden();
    let words = lifted.to_token_stream();
    let vis = match (&options.vis, method.home.of.is_some()) {
        (Some(vis), _) => vis.to_token_stream(),
        (None, true) => TokenStream::new(),
        (None, false) => method.original.vis.to_token_stream(),
    };
    let machine = Machine {
        name: &name,
        signature: &signature,
        options,
        why,
        vis,
        is_hidden,
        send: send(&signature, options, &method.original.to_token_stream()),
        is_named: is_named(method, &name),
        parameter: parameter(&signature, &words),
        hands: hands(&signature, Some(method), options.trace),
    };
    let body = match method.home.of {
        Some(_) => &lifted.block,
        None => &method.original.block,
    };
    let own = method.original.vis.to_token_stream();
    let (function, beside) = write(&machine, Some(method), body, &own);
    Some((function, beside))
}

/// A name for the parameter that is the coroutine, which only a machine with parameters has.
fn parameter(signature: &Signature, words: &TokenStream) -> Ident {
    let mut name = "Coroutine".to_owned();
    let can_have_one = signature.is_generic() || impl_trait(&signature.output).is_some();
    while can_have_one && holds_word(words.clone(), &name) {
        name.push('_');
    }
    Ident::new(&name, Span::call_site())
}

/// Whether a type that the `impl` gives to its trait names the machine.
fn is_named(method: &Method, name: &Ident) -> bool {
    let mut types = method.home.types.iter();
    types.any(|ty| holds_word(ty.to_token_stream(), &name.to_string()))
}

/// How it is known whether the machine may go to other threads.
fn send(signature: &Signature, options: &Options, function: &TokenStream) -> Send {
    match options.send_of() {
        Send::Asked if boxes(&signature.name, function) => Send::Declared(signature.name.span()),
        send => send,
    }
}

/// The function that makes the machine, and what stands beside it.
fn write(
    machine: &Machine<'_>,
    method: Option<&Method>,
    body: &Block,
    vis: &TokenStream,
) -> (TokenStream, TokenStream) {
    let became = match machine.is_boxed() {
        true => Became::Boxed(machine.why),
        false => Became::Inline(machine.why),
    };
    report(&machine.signature.name, became);
    let table = machine.table().to_token_stream();
    let coroutine = coroutine(
        machine.signature,
        method,
        body,
        &table,
        machine.volt(),
        machine.is_traced(),
    );
    let function = maker(machine, method, vis, &coroutine);
    (function, machine.written(&coroutine))
}

/// The function that makes the machine.
fn maker(
    machine: &Machine<'_>,
    method: Option<&Method>,
    vis: &TokenStream,
    coroutine: &Coroutine,
) -> TokenStream {
    let signature = machine.signature;
    let attrs = signature.attrs.iter().filter(|attr| stays(attr));
    let (name, ty) = (&signature.name, machine.returned());
    let (unsafety, parameters) = (&signature.unsafety, signature.written_parameters(method));
    let bounds = match method {
        Some(method) => {
            let clause = method.original.sig.generics.where_clause.as_ref();
            clause.map(ToTokens::to_token_stream)
        }
        None => signature.bounds().map(|bounds| quote!(where #bounds)),
    };
    let params = signature.arguments.iter().map(|argument| {
        let (name, ty) = (&argument.name, &argument.ty);
        let receiver = method.filter(|_| is_receiver(argument));
        let receiver = receiver.and_then(|method| method.receiver(ty));
        let ty = signature.with_impl_traits(ty);
        receiver.unwrap_or_else(|| quote!(#name: #ty))
    });
    let values = signature.arguments.iter().map(|argument| {
        let receiver = method.filter(|_| is_receiver(argument));
        let receiver = receiver.and_then(|method| method.original.sig.receiver());
        match receiver {
            Some(receiver) => receiver.self_token.to_token_stream(),
            None => argument.name.to_token_stream(),
        }
    });
    let built = machine.build(&quote!((#(#values,)*)), coroutine);
    let limit = limit(machine);
    let ty = as_if_written(ty, name.span());
    let mut body = Group::new(Delimiter::Brace, quote!(#limit #built));
    body.set_span(name.span());
    let fn_token = &signature.fn_token;
    quote! {
        #(#attrs)*
        #[allow(
            single_use_lifetimes,
            refining_impl_trait,
            unreachable_pub,
            private_interfaces,
            clippy::all,
            clippy::nursery,
            clippy::pedantic,
            reason = #WRITTEN
        )]
        #vis #unsafety #fn_token #name<#parameters>(#(#params),*) -> #ty #bounds #body
    }
}

/// Attributes that stay on the function.
fn stays(attr: &Attribute) -> bool {
    is_outer(attr) && !attr.path().is_ident("must_use") || is_for_maker(attr)
}

/// The bound of `max_size`.
fn limit(machine: &Machine<'_>) -> Option<TokenStream> {
    let limit = machine.options.max_size.as_ref()?;
    if machine.coroutine().is_some() {
        return None;
    }
    let ty = machine.returned();
    let volt = machine.volt();
    let at_most = path_at(&parse_quote!(#volt::__private::at_most), limit.span());
    Some(quote!(const { #at_most(::core::mem::size_of::<#ty>(), #limit) };))
}
