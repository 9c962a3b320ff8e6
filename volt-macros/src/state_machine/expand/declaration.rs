//! The types: states, the machine, the places of `poll`, the name in the type namespace.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::fields::{Field, fields, start};
use super::lints::allow;
use super::room::Variant;
use crate::state_machine::method::Method;
use crate::state_machine::model::Machine;
use crate::state_machine::names;

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
    let allow = allow(machine);
    let start = start(machine);
    let start = start
        .iter()
        .map(|Field { name, ty, .. }| quote!(#name: #ty,));
    let outermost = machine.level(None);
    let variants = outermost.iter().map(|found| variant(machine, found));
    let indices = 1..=outermost.len();
    let (core, states, next) = (&names.core, &names.states, &names.next);
    let (likely, rooms) = (likely(&outermost, machine), rooms_of(machine, None));
    let jumps = jumps(machine);
    let (doc, beside) = (doc(machine), machine.declared_beside());
    let is_hidden = function.method.as_ref().is_some_and(Method::is_hidden);
    let hidden = is_hidden.then(|| quote!(#[doc(hidden)]));
    let inner = (0..machine.rooms.0.len()).map(|index| room(machine, index));
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
            #beside
            enum #states {
                0usize Start { #(#start)* }
                #(#indices #variants)*
            }
            likely { #likely }
            rooms { #rooms }
            next #next [#(#jumps),*]
        }
        #(#inner)*
        #alias
    }
}

/// Declares the states in a room.
fn room(machine: &Machine, index: usize) -> TokenStream {
    let function = &machine.function;
    let volt = &machine.options.volt;
    let (parameters, arguments, bounds) = (
        function.parameters(),
        function.arguments(),
        function.bounds(),
    );
    let (conditions, allow) = (function.conditions(), allow(machine));
    let level = machine.level(Some(index));
    let variants = level.iter().map(|found| variant(machine, found));
    let indices = 0..level.len();
    let (likely, rooms) = (likely(&level, machine), rooms_of(machine, Some(index)));
    let (states, next) = (
        &machine.room_names[index].states,
        &machine.room_names[index].next,
    );
    let marker = &machine.names.marker;
    let phantom = function.mentions_all().map(|ty| quote!(#marker: #ty));
    quote! {
        #volt::__private::room! {
            [#(#conditions)* #allow] [#parameters] [#arguments] [#bounds]
            enum #states { #(#indices #variants)* }
            likely { #likely }
            begins {} ()
            ends {} resumed_in_vacant_room
            marker { #phantom }
            rooms { #rooms }
            next #next []
        }
    }
}

/// The variant that is asked for first: the only one, or one in which more are asked for.
fn likely<'m>(level: &[Variant<'m>], machine: &'m Machine) -> Option<&'m Ident> {
    let room = level.iter().find(|found| matches!(found, Variant::Room(_)));
    let only = (level.len() == 1).then(|| &level[0]);
    room.or(only).map(|found| match found {
        Variant::State(_, name, _) => *name,
        Variant::Room(room) => &machine.room_names[*room].variant,
    })
}

/// The variants of a set of states that are rooms, and the fields of the states in them.
fn rooms_of(machine: &Machine, within: Option<usize>) -> TokenStream {
    let at = &machine.names.at;
    let level = machine.level(within);
    let rooms = level.iter().filter_map(|found| match found {
        Variant::Room(room) => {
            let name = &machine.room_names[*room].variant;
            Some(quote!(#name #at))
        }
        Variant::State(..) => None,
    });
    rooms.collect()
}

/// Where a poll can stand besides at the outermost states: in the rooms, and at the jumps.
fn jumps(machine: &Machine) -> Vec<&Ident> {
    let rooms = 0..machine.rooms.0.len();
    let inner = rooms.flat_map(|room| machine.level(Some(room)));
    let inner = inner.map(|found| match found {
        Variant::State(_, name, _) => name,
        Variant::Room(room) => &machine.room_names[room].variant,
    });
    let jumps = machine.jumps.iter().map(|jump| &jump.variant);
    inner.chain(jumps).collect()
}

fn variant(machine: &Machine, found: &Variant<'_>) -> TokenStream {
    let (name, fields) = fields(machine, found);
    let fields = fields.iter().map(|field| {
        let (name, ty) = (&field.name, &field.ty);
        let pin = field.pinned.then(|| quote!(#[pin]));
        quote!(#pin #name: #ty,)
    });
    quote!(#name { #(#fields)* })
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
    let (bounds, allow) = (function.bounds(), allow(machine));
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
        #[allow(unused, non_camel_case_types, private_interfaces, type_alias_bounds, reason = "the name of its function")]
        #vis type #name<#(#parameters),*> = #core<#arguments>;
    }
}
