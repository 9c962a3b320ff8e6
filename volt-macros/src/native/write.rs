//! Everything that takes the place of the function.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{Attribute, ItemFn, parse_quote};

use super::boxes::boxes;
use super::coroutine::{Coroutine, coroutine};
use super::foreign::{is_for_maker, is_outer};
use super::lints::WRITTEN;
use super::machine::{Machine, Room};
use crate::errors::{Became, Why, report};
use crate::names::{as_if_written, path_at};
use crate::options::{Options, Send};
use crate::signature::{Method, Signature, has_alias, impl_trait, is_receiver, machine_name};
use crate::syntax::holds_word;

/// The machine of a function, or of a method that was lifted out of its `impl`: what stands in its place, and what
/// stands beside that. `words` are the tokens of a function, where they are at hand.
pub(crate) fn machine(
    item: &ItemFn,
    method: Option<&Method>,
    words: Option<&TokenStream>,
    options: &Options,
    why: &Why,
) -> (TokenStream, TokenStream) {
    let words = || words.cloned().unwrap_or_else(|| item.to_token_stream());
    let signature = signature(item, method, options);
    let name = machine_name(options, item, method);
    let machine = Machine {
        send: send(&signature, options, || match method {
            Some(method) => method.original.to_token_stream(),
            None => words(),
        }),
        room: room(&signature, options, method, &name),
        parameter: parameter(&signature, words),
        vis: &item.vis,
        name,
        signature,
        method,
        options,
        why,
    };
    let body = machine
        .home()
        .map_or(&*item.block, |method| &method.original.block);
    let coroutine = coroutine(&machine, body);
    let became = match machine.is_boxed() {
        true => Became::Boxed(why),
        false => Became::Native(why),
    };
    report(&machine.signature.name, became);
    let function = machine.maker(&coroutine);
    let (beside, alias) = (machine.written(&coroutine), machine.alias());
    (function, quote!(#beside #alias))
}

fn signature(item: &ItemFn, method: Option<&Method>, options: &Options) -> Signature {
    let original = method.map_or(&item.sig, |method| &method.original.sig);
    let is_declared = method.is_some_and(|method| method.home.of.is_some());
    let mut signature = Signature::read(item, method);
    if is_declared || !options.boxed && options.inline.is_none() {
        signature.keep_anonymous(original, is_declared);
    }
    signature
}

/// Where the coroutine lies.
fn room<'a>(
    signature: &Signature,
    options: &'a Options,
    method: Option<&Method>,
    name: &Ident,
) -> Room<'a> {
    match &options.inline {
        _ if impl_trait(&signature.output).is_some() => Room::Open,
        Some(size) => Room::Given(size),
        None if !signature.is_generic() => Room::Measured,
        None if options.boxed || is_named(method, name) => Room::Boxed,
        None => Room::Open,
    }
}

/// Whether a type that the `impl` gives to its trait names the machine, with the parameters of the function alone.
fn is_named(method: Option<&Method>, name: &Ident) -> bool {
    let mut given = method.iter().flat_map(|method| &method.home.given);
    given.any(|(_, ty)| holds_word(ty.to_token_stream(), &name.to_string()))
}

/// A name for the parameter that is the coroutine, which only a machine with parameters has.
fn parameter(signature: &Signature, words: impl Fn() -> TokenStream) -> Ident {
    let mut name = "Coroutine".to_owned();
    let can_have_one = signature.is_generic() || impl_trait(&signature.output).is_some();
    while can_have_one && holds_word(words(), &name) {
        name.push('_');
    }
    Ident::new(&name, Span::call_site())
}

/// How it is known whether the machine may go to other threads.
fn send(signature: &Signature, options: &Options, words: impl Fn() -> TokenStream) -> Send {
    match options.send_of() {
        Send::Asked if boxes(&signature.name, &words()) => Send::Declared(signature.name.span()),
        send => send,
    }
}

impl Machine<'_> {
    /// The machine under the function's own name.
    fn alias(&self) -> Option<TokenStream> {
        let may_have = self.method.is_none() && self.coroutine().is_none();
        let has_alias = may_have && has_alias(self.options, &self.signature.name, &self.name);
        has_alias.then(|| self.signature.alias(self.vis, &self.returned()))
    }

    /// The function that makes the machine.
    fn maker(&self, coroutine: &Coroutine) -> TokenStream {
        let (signature, method) = (&self.signature, self.method);
        let attrs = signature.attrs.iter().filter(|attr| stays(attr));
        let vis = method.map_or(self.vis, |method| &method.original.vis);
        let (unsafety, fn_token, name) =
            (&signature.unsafety, &signature.fn_token, &signature.name);
        let parameters = signature.written_parameters(method);
        let bounds = match method {
            Some(method) => {
                let clause = method.original.sig.generics.where_clause.as_ref();
                clause.map(ToTokens::to_token_stream)
            }
            None => signature.bounds().map(|bounds| quote!(where #bounds)),
        };
        let params = self.maker_params();
        let ty = as_if_written(self.returned(), name.span());
        let body = self.maker_body(coroutine);
        // What `use` says is what edition 2024 says without, but for some.
        let captures = self.coroutine();
        let captures = captures.map(|_| quote!(impl_trait_redundant_captures,));
        quote! {
            #(#attrs)*
            #[allow(
                single_use_lifetimes,
                refining_impl_trait,
                unreachable_pub,
                private_interfaces,
                #captures
                clippy::all,
                clippy::nursery,
                clippy::pedantic,
                reason = #WRITTEN
            )]
            #vis #unsafety #fn_token #name<#parameters>(#(#params),*) -> #ty #bounds #body
        }
    }

    /// The arguments as that function takes them.
    fn maker_params(&self) -> impl Iterator<Item = TokenStream> {
        self.signature.arguments.iter().map(|argument| {
            let (name, ty) = (&argument.name, &argument.ty);
            let method = self.method.filter(|_| is_receiver(argument));
            let receiver = method.and_then(|method| method.receiver(ty));
            receiver.unwrap_or_else(|| {
                let ty = self.signature.with_impl_traits(ty);
                quote!(#name: #ty)
            })
        })
    }

    /// What it does: it stores the arguments.
    fn maker_body(&self, coroutine: &Coroutine) -> Group {
        let values = self.signature.arguments.iter().map(|argument| {
            let method = self.method.filter(|_| is_receiver(argument));
            match method.and_then(|method| method.original.sig.receiver()) {
                Some(receiver) => receiver.self_token.to_token_stream(),
                None => argument.name.to_token_stream(),
            }
        });
        let built = self.build(&quote!((#(#values,)*)), coroutine);
        let limit = self.limit();
        let mut body = Group::new(Delimiter::Brace, quote!(#limit #built));
        body.set_span(self.signature.name.span());
        body
    }

    /// The bound of `max_size`.
    fn limit(&self) -> Option<TokenStream> {
        let limit = self.options.max_size.as_ref()?;
        if self.coroutine().is_some() {
            return None;
        }
        let (volt, ty) = (self.volt(), self.returned());
        let at_most = path_at(&parse_quote!(#volt::__private::at_most), limit.span());
        Some(quote!(const { #at_most(::core::mem::size_of::<#ty>(), #limit) };))
    }
}

/// Attributes that stay on the function.
fn stays(attr: &Attribute) -> bool {
    is_outer(attr) && !attr.path().is_ident("must_use") || is_for_maker(attr)
}
