//! The expansion of a function in the native layout.

use std::cell::{Cell, OnceCell};

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{Attribute, ItemFn, Visibility};

use super::coroutine::{Coroutine, coroutine};
use super::in_editor::without_lifetime_spans;
use super::native_machine::{CoroutineStorage, NativeMachine};
use super::receiver::is_lifted;
use crate::backend::{function, interface, max_size_check, max_size_item, send, size_report};
use crate::errors::{NativeReason, Outcome, report};
use crate::names;
use crate::options::{Options, Send};
use crate::signature::{
    FunctionTokens, Method, Signature, body_name, has_alias, impl_trait, is_receiver, machine_name,
};
use crate::syntax::contains_ident;

/// Returns the machine of a function, or of a method that was lifted out of its `impl`: the
/// function, and the items next to it. `tokens` are those of a function, if the caller has them.
pub(crate) fn machine(
    item: &ItemFn,
    method: Option<&Method>,
    tokens: Option<&FunctionTokens>,
    options: &Options,
    why: &NativeReason,
) -> (TokenStream, TokenStream) {
    let signature = signature(item, method, options);
    let name = machine_name(options, item, method);
    let room = room(&signature, options, method, &name);
    let is_lifted = method.is_some_and(|method| is_lifted(method, &signature));
    let is_apart = method.is_none() || is_lifted;
    let machine = NativeMachine {
        item,
        body_name: own_body_name(item, tokens)
            .filter(|_| is_apart && !matches!(room, CoroutineStorage::Open))
            .unwrap_or_else(|| made_body_name(&signature.name, method.map(|_| &name))),
        send: send_kind(item, method, tokens, options, room),
        room,
        records_position: Cell::new(true),
        macros: Cell::default(),
        may_wait: Cell::new(true),
        parameter: parameter(&signature, || item.to_token_stream()),
        vis: options.vis.as_ref().unwrap_or(&item.vis),
        is_lifted,
        name,
        signature,
        method,
        options,
        why,
        assertion_path: OnceCell::new(),
        private: OnceCell::new(),
    };
    let body = machine
        .impl_target()
        .map_or(&*item.block, |method| &method.original.block);
    let mut coroutine = coroutine(&machine, body);
    let became = if machine.is_boxed() {
        Outcome::Boxed(why)
    } else {
        Outcome::Native(why)
    };
    report(&machine.signature.name, became);
    let (mut function, alias) = (machine.constructor(&item.vis, &coroutine), machine.alias());
    if options.editor {
        coroutine.item = TokenStream::new();
        function = machine.function_in_editor(item);
    }
    let mut items = machine.items(&coroutine);
    if options.editor {
        items = without_lifetime_spans(items);
    }
    let is_known = machine.coroutine().is_none();
    let sizes = is_known.then(|| machine.size_items());
    let public = interface(options, &machine.signature, &machine.name, !is_known);
    let private = machine.private();
    let alloc = machine
        .is_boxed()
        .then(|| quote!(#private::needs_alloc! {}));
    (function, quote!(#alloc #items #alias #sizes #public))
}

fn signature(item: &ItemFn, method: Option<&Method>, options: &Options) -> Signature {
    let original = method.map_or(&item.sig, |method| &method.original.sig);
    let is_declared = method.is_some_and(|method| method.impl_target.trait_path.is_some());
    let mut signature = Signature::of(item, method);
    if is_declared || !options.boxed && options.inline.is_none() {
        signature.keep_anonymous(original, is_declared);
    }
    signature
}

/// Returns the function's own name for the function with the body. The path of an item in the body
/// contains it, and macros read it there. Returns `None` if the function names itself: in the block
/// with the body the name would mean the body.
fn own_body_name(item: &ItemFn, tokens: Option<&FunctionTokens>) -> Option<Ident> {
    let function = &item.sig.ident;
    let own = names::own_name(function);
    let expected = usize::from(function == &own);
    let is_named_once = || {
        let is_doc = |attr: &Attribute| attr.path().is_ident("doc");
        expected == 1
            && item.attrs.iter().all(is_doc)
            && tokens.is_some_and(|tokens| tokens.has_once(&own))
    };
    let is_free = !own.starts_with("r#")
        && (is_named_once() || count_bare(item.to_token_stream(), &own) == expected);
    is_free.then(|| Ident::new(&own, function.span().resolved_at(Span::call_site())))
}

/// Returns the number of tokens that are the name, without methods, `.name`, and ends of paths,
/// `::name`.
fn count_bare(tokens: TokenStream, name: &str) -> usize {
    let (mut count, mut before) = (0, [false; 4]);
    for token in tokens {
        let [point, second_point, colon, second_colon] = before;
        let is_part = point && !second_point || colon && second_colon;
        count += match &token {
            TokenTree::Ident(word) => usize::from(!is_part && word == name),
            TokenTree::Group(group) => count_bare(group.stream(), name),
            _ => 0,
        };
        let is_mark = |mark| names::is_mark(&token, mark);
        before = [is_mark('.'), point, is_mark(':'), colon];
    }
    count
}

/// Returns a generated name for it. Methods of two traits with one name may be in one module.
fn made_body_name(function: &Ident, machine_of_method: Option<&Ident>) -> Ident {
    let name = body_name(function);
    match machine_of_method {
        Some(machine) => format_ident!("__{machine}{name}", span = name.span()),
        None => name,
    }
}

/// Returns the declaration of `Send`, or the way to determine it. If there is no type parameter, a
/// constant has the auto traits of the arguments.
fn send_kind(
    item: &ItemFn,
    method: Option<&Method>,
    tokens: Option<&FunctionTokens>,
    options: &Options,
    room: CoroutineStorage<'_>,
) -> Send {
    match send(item, method, tokens, options) {
        Send::OfArguments(place) | Send::OfCopy(place, _)
            if !matches!(room, CoroutineStorage::Measured) =>
        {
            Send::Declared(place)
        }
        Send::AskedInCycle if !matches!(room, CoroutineStorage::Measured) => Send::Asked,
        send => send,
    }
}

/// Returns the storage of the coroutine.
fn room<'a>(
    signature: &Signature,
    options: &'a Options,
    method: Option<&Method>,
    name: &Ident,
) -> CoroutineStorage<'a> {
    match &options.inline {
        _ if impl_trait(&signature.output).is_some() => CoroutineStorage::Open,
        Some(size) => CoroutineStorage::Given(size),
        None if !signature.is_generic() => CoroutineStorage::Measured,
        None if options.boxed || is_named(method, name) => CoroutineStorage::Boxed,
        None => CoroutineStorage::Open,
    }
}

/// Returns `true` if a type that the `impl` sets for its trait names the machine with the
/// parameters of the function only.
fn is_named(method: Option<&Method>, name: &Ident) -> bool {
    let mut assoc_types = method
        .iter()
        .flat_map(|method| &method.impl_target.assoc_types);
    assoc_types.any(|(_, ty)| contains_ident(ty.to_token_stream(), &name.to_string()))
}

/// Returns a name for the parameter that is the coroutine, which only a machine with type
/// parameters has.
fn parameter(signature: &Signature, words: impl Fn() -> TokenStream) -> Ident {
    let mut name = "Coroutine".to_owned();
    let can_have_one = signature.is_generic() || impl_trait(&signature.output).is_some();
    while can_have_one && contains_ident(words(), &name) {
        name.push('_');
    }
    Ident::new(&name, Span::call_site())
}

impl NativeMachine<'_> {
    /// Returns the alias with the function's own name.
    fn alias(&self) -> Option<TokenStream> {
        let may_have = self.method.is_none() && self.coroutine().is_none();
        let has_alias = may_have && has_alias(self.options, &self.signature.name, &self.name);
        has_alias.then(|| self.signature.alias(self.vis, &self.returned()))
    }

    /// Returns the function that creates the machine.
    fn constructor(&self, vis: &Visibility, coroutine: &Coroutine) -> TokenStream {
        // The captures that `use` declares are mostly the defaults of edition 2024.
        let captures = self.coroutine();
        let captures = captures.map(|_| quote!(impl_trait_redundant_captures,));
        let of = (&self.signature, self.method, vis);
        function(
            of,
            self.returned(),
            captures,
            self.constructor_body(coroutine),
        )
    }

    /// Returns the check of `max_size` and the report of sizes.
    fn size_items(&self) -> TokenStream {
        let (options, signature, name) = (self.options, &self.signature, &self.name);
        let volt = &options.volt;
        let limit = max_size_item(options, signature, name);
        let report = size_report(
            options,
            signature,
            name,
            |_| quote!(#volt::__private::FieldOffsets::NONE),
        );
        quote!(#limit #report)
    }

    /// Returns the arguments of the user's function as values.
    fn values(&self) -> impl Iterator<Item = TokenStream> {
        self.signature.arguments.iter().map(|argument| {
            let method = self.method.filter(|_| is_receiver(argument));
            match method.and_then(|method| method.original.sig.receiver()) {
                Some(receiver) => receiver.self_token.to_token_stream(),
                None => argument.name.to_token_stream(),
            }
        })
    }

    /// Returns its body, which stores the arguments.
    fn constructor_body(&self, coroutine: &Coroutine) -> TokenStream {
        let values = self.values();
        let built = self.constructor_value(&quote!((#(#values,)*)), coroutine);
        let is_known = self.coroutine().is_none();
        let limit =
            is_known.then(|| max_size_check(self.options, &self.signature, &self.returned()));
        let limit = limit.flatten();
        quote!(#limit #built)
    }
}
