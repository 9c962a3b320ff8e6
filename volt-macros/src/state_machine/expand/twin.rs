//! The compiler's own version of the function, beside the machine and never called.
//!
//! It has the compiler check the text as it was written, and it is the measure of the size.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Block, Expr, GenericParam, ImplItem, Stmt, parse_quote};

use super::believed::Believed;
use super::claimed::claims;
use super::{alone, constants, identity, places, plain_types};
use crate::state_machine::callee::without_lifetimes;
use crate::state_machine::composed::operands_mut;
use crate::state_machine::method::Method;
use crate::state_machine::model::Machine;
use crate::state_machine::names;
use crate::state_machine::parse::{Function, is_in_place};

/// The twin and what is proven by it; nothing if it is switched off.
pub(crate) fn twin(machine: &Machine) -> TokenStream {
    if !machine.options.twin {
        return TokenStream::new();
    }
    let conditions: Vec<_> = machine.function.conditions().collect();
    let (constant, size) = size(machine);
    let method = machine.function.method.as_ref();
    let beside = method.and_then(|method| twin_of(machine, method));
    let within = beside.is_none().then(|| twin_function(machine));
    quote! {
        #beside

        #(#conditions)*
        #[doc(hidden)]
        #constant = {
            #within
            #size
        };
    }
}

/// The function under another name.
fn twin_function(machine: &Machine) -> TokenStream {
    let mut item = machine.function.original.clone();
    StripLabels.visit_item_fn_mut(&mut item);
    item.attrs.extend(prove(machine, &mut item.block));
    Believed::new(&machine.options.volt).visit_item_fn_mut(&mut item);
    let lifted = machine.function.method.is_some();
    let generics = match lifted {
        true => machine.function.generics.params.iter().collect(),
        false => item.sig.generics.params.iter().collect::<Vec<_>>(),
    };
    let claims = claims(machine, &generics);
    insert(&mut item.block, claims);
    item.sig.ident = machine.names.twin.clone();
    item.vis = syn::Visibility::Inherited;
    item.attrs
        .retain(|attr| !is_doc(attr) && !attr.path().is_ident("cfg"));
    if lifted {
        name_lifetimes(&machine.function, &mut item.sig);
    }
    let lifted = lifted.then(|| {
        quote! {
            #[allow(
                single_use_lifetimes,
                clippy::extra_unused_lifetimes,
                clippy::extra_unused_type_parameters,
                clippy::needless_lifetimes,
                clippy::used_underscore_binding,
                reason = "the signature is that of the `impl` too"
            )]
        }
    });
    quote! {
        #[allow(dead_code, clippy::unused_async, reason = "never called")]
        #lifted
        #item
    }
}

/// Puts statements behind the items that a body begins with.
fn insert(body: &mut Block, stmts: Vec<Stmt>) {
    let items = body.stmts.iter();
    let items = items
        .take_while(|stmt| matches!(stmt, Stmt::Item(_)))
        .count();
    body.stmts.splice(items..items, stmts);
}

/// Has the compiler prove in the twin what the machine takes names for, and gives what that needs.
fn prove(machine: &Machine, block: &mut Block) -> Option<Attribute> {
    let enclosed = alone::enclose(block, &machine.doubts.macros);
    let relied = [&machine.relied[..], &enclosed.items[..]].concat();
    identity::ask(block, &relied, &machine.options.volt);
    constants::ask(block);
    places::ask(machine, block);
    plain_types::ask(machine, block);
    // Of a macro in parentheses, the last `;` is one too many.
    enclosed.any.then(|| {
        parse_quote! {
            #[allow(semicolon_in_expressions_from_macros, reason = "they are statements")]
        }
    })
}

/// Writes what the language leaves out next to a receiver, which is an argument like others now.
fn name_lifetimes(function: &Function, sig: &mut syn::Signature) {
    sig.generics = function.generics.clone();
    for lifetime in function.lent.iter().rev() {
        sig.generics.params.insert(0, parse_quote!(#lifetime));
    }
    for (input, param) in sig.inputs.iter_mut().zip(&function.params) {
        if let syn::FnArg::Typed(input) = input {
            *input.ty = param.ty.clone();
        }
    }
    let output = &function.output;
    sig.output = parse_quote!(-> #output);
}

/// The method under another name, in an `impl` of its type.
fn twin_of(machine: &Machine, method: &Method) -> Option<TokenStream> {
    let mut block = method.twin(&machine.names.twin)?;
    StripLabels.visit_item_impl_mut(&mut block);
    for item in &mut block.items {
        if let ImplItem::Fn(method) = item {
            method.attrs.extend(prove(machine, &mut method.block));
        }
    }
    Believed::new(&machine.options.volt).visit_item_impl_mut(&mut block);
    let own = &method.original.sig.generics.params;
    let generics: Vec<_> = method.home.generics.params.iter().chain(own).collect();
    let claims = claims(machine, &generics);
    if let Some(syn::ImplItem::Fn(twin)) = block.items.first_mut() {
        insert(&mut twin.block, claims);
    }
    let conditions = machine.function.conditions();
    Some(quote! {
        #(#conditions)*
        #[automatically_derived]
        #[doc(hidden)]
        #block
    })
}

/// The constant that the twin stands in: where it can be told, it is the size of the twin's
/// future, with the proof that the machine is no larger.
fn size(machine: &Machine) -> (TokenStream, Option<TokenStream>) {
    if !is_size_known(machine) {
        return (quote!(const _: ()), None);
    }
    let (volt, name) = (&machine.options.volt, &machine.names.twin);
    let method = machine.function.method.as_ref();
    let own = method.filter(|method| method.home.of.is_none());
    let owner = own.map(|method| {
        let mut ty = method.home.self_ty.clone();
        MakeStatic.visit_type_mut(&mut ty);
        quote!(<#ty>::)
    });
    let unsafety = machine.function.unsafety();
    let any = machine.function.params.iter().map(|_| quote!(_));
    let (ty, size) = (static_type(machine), names::local("size"));
    let constant = &machine.names.native_size;
    let constant = quote! {
        #[allow(non_upper_case_globals, reason = "named for the machine")]
        const #constant: ::core::primitive::usize
    };
    let size = quote! {
        let #size = #volt::__private::size_of_native(#owner #name as #unsafety fn(#(#any),*) -> _);
        ::core::assert!(
            ::core::mem::size_of::<#ty>() <= #size,
            "the state machine is larger than the compiler's future",
        );
        #size
    };
    (constant, Some(size))
}

/// Whether there is a twin whose size can be told.
fn is_size_known(machine: &Machine) -> bool {
    let function = &machine.function;
    let fits = function.params.len() <= 12;
    let told = machine.options.twin && !function.is_generic() && !function.refused;
    told && fits && machine.is_reached()
}

/// `NATIVE_SIZE` of the machine, where it can be told.
pub(crate) fn native_size(machine: &Machine) -> Option<TokenStream> {
    let constant = &machine.names.native_size;
    is_size_known(machine).then(|| {
        quote! {
            const NATIVE_SIZE: ::core::option::Option<::core::primitive::usize> =
                ::core::option::Option::Some(#constant);
        }
    })
}

/// Whether an attribute of the function says something to the reader of its documentation.
fn is_doc(attr: &Attribute) -> bool {
    attr.path().is_ident("doc")
}

/// The lifetimes of the machine replaced by `'static`, for a type that stands in a constant.
fn static_type(machine: &Machine) -> TokenStream {
    let name = &machine.names.machine;
    let lent = machine
        .function
        .lent
        .iter()
        .map(|lent| syn::Lifetime::new("'static", lent.span()));
    let stored = machine
        .function
        .generics
        .params
        .iter()
        .map(|param| match param {
            GenericParam::Lifetime(param) => {
                syn::Lifetime::new("'static", param.lifetime.span()).into_token_stream()
            }
            GenericParam::Type(param) => param.ident.to_token_stream(),
            GenericParam::Const(param) => param.ident.to_token_stream(),
        });
    quote!(#name<#(#lent,)* #(#stored),*>)
}

/// Replaces every lifetime by `'static`.
struct MakeStatic;

impl VisitMut for MakeStatic {
    fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
        *lifetime = syn::Lifetime::new("'static", lifetime.span());
    }
}

/// Takes off what only the attribute knows.
struct StripLabels;

impl VisitMut for StripLabels {
    fn visit_attributes_mut(&mut self, attrs: &mut Vec<syn::Attribute>) {
        attrs.retain(|attr| !attr.path().is_ident("state") && !is_in_place(attr));
    }

    fn visit_expr_await_mut(&mut self, node: &mut syn::ExprAwait) {
        strip_calls(&mut node.base);
        visit_mut::visit_expr_await_mut(self, node);
    }
}

/// Takes the lifetimes off a call, and off the calls that it is given.
fn strip_calls(expr: &mut Expr) {
    if let Expr::Call(call) = expr {
        *call = without_lifetimes(call);
    }
    operands_mut(expr).into_iter().for_each(strip_calls);
}
