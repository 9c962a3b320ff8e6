//! The types: states, the machine, the places of `poll`, the name in the type namespace.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::poll::{find_await, kept_type};
use crate::state_machine::body::{LocalId, Operand};
use crate::state_machine::method::Method;
use crate::state_machine::model::{Machine, State};
use crate::state_machine::names;

/// What a generated item is allowed: lints speak of the user's code, and see it in the twin.
pub(crate) fn allow() -> TokenStream {
    quote! {
        #[allow(
            unused,
            private_interfaces,
            private_bounds,
            single_use_lifetimes,
            clippy::all,
            clippy::pedantic,
            reason = "written by `state_machine`"
        )]
    }
}

/// Declares the types.
pub(crate) fn declarations(machine: &Machine) -> TokenStream {
    let function = &machine.function;
    let names = &machine.names;
    let (volt, vis) = (&machine.options.volt, function.machine_vis());
    let (parameters, arguments, bounds) = (
        function.parameters(),
        function.arguments(),
        function.bounds(),
    );
    let conditions: Vec<_> = function.conditions().collect();
    let allow = allow();
    let start = function.stored().map(|param| {
        let (name, ty) = (&param.name, &param.ty);
        quote!(#name: #ty,)
    });
    let marker = &names.marker;
    let phantom = function.phantom().map(|phantom| quote!(#marker: #phantom,));
    let variants = machine.states.iter().flat_map(|state| {
        let variants = state.variants();
        variants.map(|(name, gone)| variant(machine, state, name, gone))
    });
    let (core, states) = (&names.core, &names.states);
    let (view, own) = (&names.states_ref, &names.states_own);
    let doc = doc(machine);
    let is_hidden = function.method.as_ref().is_some_and(Method::is_hidden);
    let hidden = is_hidden.then(|| quote!(#[doc(hidden)]));
    let next = next(machine);
    let alias = match &machine.function.method {
        Some(method) => found(machine, method),
        None => alias(machine),
    };
    quote! {
        #volt::__private::states! {
            [#(#conditions)* #allow]
            #(#[doc = #doc])*
            #hidden
            #[must_use = "futures do nothing unless you `.await` or poll them"]
            machine [#vis] #core [#parameters] [#arguments] [#bounds]
            enum #states {
                Start { #(#start)* #phantom }
                #(#variants)*
            }
            ref #view
            own #own
        }
        #next
        #alias
    }
}

fn variant(machine: &Machine, state: &State, name: &Ident, gone: &[LocalId]) -> TokenStream {
    let field = &machine.names.future;
    let operand = find_await(&machine.body.root, state.node).map(|point| &point.operand);
    let future = match operand {
        Some(Operand::Stored { ty, .. } | Operand::Call { ty, .. }) => {
            Some(quote!(#[pin] #field: #ty,))
        }
        _ => None,
    };
    let kept = state.kept.iter().rev();
    let kept = kept.filter(|kept| !gone.contains(&kept.local));
    let locals = kept.map(|&kept| {
        let (name, ty) = (machine.name(kept.local), kept_type(machine, kept));
        quote!(#name: #ty,)
    });
    quote!(#name { #future #(#locals)* })
}

/// The function by its name, for documentation.
pub(crate) fn link(machine: &Machine) -> String {
    let name = &machine.function.item.sig.ident;
    let method = machine.function.method.as_ref();
    match method.and_then(|method| method.home.name()) {
        Some(owner) => format!("`{owner}::{name}`"),
        None => format!("[`{name}`](fn@{name})"),
    }
}

/// The documentation of the machine: what it is, and the table of its states.
fn doc(machine: &Machine) -> Vec<String> {
    let name = link(machine);
    let mut doc = vec![
        format!(" The state machine of {name}."),
        String::new(),
        " | state | line | keeps |".to_owned(),
        " | --- | --- | --- |".to_owned(),
    ];
    for state in &machine.states {
        let names = state
            .kept
            .iter()
            .map(|kept| format!("`{}`", names::written(machine.name(kept.local))));
        let names = names.collect::<Vec<_>>().join(", ");
        let line = state.span.start().line;
        doc.push(format!(" | {} | {line} | {names} |", state.title));
    }
    doc
}

fn next(machine: &Machine) -> Option<TokenStream> {
    let name = &machine.names.next;
    let allow = allow();
    let conditions = machine.function.conditions();
    let places: Vec<_> = machine.jumps.iter().map(|jump| &jump.variant).collect();
    (!places.is_empty()).then(|| {
        quote! {
            #(#conditions)*
            #allow
            enum #name<#(#places),*> {
                Resume,
                #(#places(#places),)*
            }
        }
    })
}

/// The machine as what a call of the method by its name gives, where that can be told from the
/// type and the name.
fn found(machine: &Machine, method: &Method) -> TokenStream {
    let function = &machine.function;
    let own = function.generics.params.iter();
    let own: Vec<_> = own.filter(|param| !method.is_outer(param)).collect();
    let is_type = |param: &&syn::GenericParam| matches!(param, syn::GenericParam::Type(_));
    if method.home.of.is_some() || !own.iter().all(is_type) {
        return TokenStream::new();
    }
    let own = own.iter().map(|param| names::parameter(param));
    let own = own.map(|name| format_ident!("{name}"));
    let (volt, ty) = (&machine.options.volt, &method.home.self_ty);
    let (core, name) = (&machine.names.core, function.item.sig.ident.to_string());
    let (parameters, arguments) = (function.parameters(), function.arguments());
    let (bounds, allow) = (function.bounds(), allow());
    let conditions = function.conditions();
    quote! {
        #(#conditions)*
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        #allow
        impl<#parameters> #volt::__private::Method<{ #volt::__private::method(#name) }, (#(#own,)*)>
            for #ty where #bounds
        {
            type Machine = #core<#arguments>;
        }
    }
}

/// The machine under the function's own name.
fn alias(machine: &Machine) -> TokenStream {
    let function = &machine.function;
    let (name, core, vis) = (
        &function.item.sig.ident,
        &machine.names.core,
        &function.item.vis,
    );
    let conditions = function.conditions();
    let arguments = function.arguments();
    let parameters = function.generics.params.iter().map(|param| match param {
        syn::GenericParam::Lifetime(param) => {
            let lifetime = &param.lifetime;
            quote!(#lifetime)
        }
        syn::GenericParam::Type(param) => {
            let name = &param.ident;
            let sized = param.bounds.iter().filter(|bound| {
                matches!(bound, syn::TypeParamBound::Trait(bound) if quote!(#bound).to_string().starts_with('?'))
            });
            quote!(#name: #(#sized)+*)
        }
        syn::GenericParam::Const(param) => {
            let (name, ty) = (&param.ident, &param.ty);
            quote!(const #name: #ty)
        }
    });
    let doc = format!(" What a state machine keeps while it awaits [`{name}`](fn@{name}).");
    quote! {
        #(#conditions)*
        #[doc = #doc]
        #[allow(unused, non_camel_case_types, private_interfaces, reason = "the name of its function")]
        #vis type #name<#(#parameters),*> = #core<#arguments>;
    }
}
