//! What a user of a machine sees: the function, the future, the states.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::announced::announced;
use super::lints::allow;
use super::poll::{self, find_await};
use super::twin::native_size;
use crate::state_machine::body::Operand;
use crate::state_machine::model::{Machine, State};
use crate::state_machine::names;
use crate::state_machine::source_text::source_text;

/// `impl Name<..> where ..` for the machine's core or its states.
pub(crate) fn implement(machine: &Machine, of: Option<TokenStream>, name: &Ident) -> TokenStream {
    let function = &machine.function;
    let (parameters, arguments, bounds) = (
        function.parameters(),
        function.arguments(),
        function.bounds(),
    );
    let conditions = function.conditions();
    let allow = allow(machine);
    let of = of.map(|of| quote!(#of for));
    quote! {
        #(#conditions)*
        #[automatically_derived]
        #allow
        impl<#parameters> #of #name<#arguments> where #bounds
    }
}

/// The function that makes the machine.
pub(crate) fn function(machine: &Machine) -> TokenStream {
    let function = &machine.function;
    let sig = &function.item.sig;
    let vis = match &function.method {
        Some(method) => &method.original.vis,
        None => &function.item.vis,
    };
    let attrs = function
        .item
        .attrs
        .iter()
        .filter(|attr| !attr.path().is_ident("must_use"));
    let (unsafety, fn_token, name) = (function.unsafety(), &sig.fn_token, &sig.ident);
    let (lent, parameters) = (&function.lent, function.parameters_of_function());
    let params = params(machine);
    let (bounds, receiver) = match &function.method {
        Some(method) => {
            let clause = &method.original.sig.generics.where_clause;
            let name = names::receiver(Span::call_site());
            let receiver = method.original.sig.receiver();
            (
                quote!(#clause),
                receiver.map(|receiver| {
                    let token = receiver.self_token;
                    quote!(let #name = #token;)
                }),
            )
        }
        None => {
            let clause = function.generics.where_clause.as_ref();
            let clause = clause.filter(|clause| !clause.predicates.is_empty());
            (quote!(#clause), None)
        }
    };
    let output = as_if_written(output_type(machine), name.span());
    let (build, limit) = (build(machine), limit(machine));
    let body = as_if_written(quote!({ #limit #receiver #build }), name.span());
    quote! {
        #(#attrs)*
        #[allow(
            single_use_lifetimes,
            refining_impl_trait,
            unreachable_pub,
            clippy::all,
            clippy::nursery,
            clippy::pedantic,
            reason = "written by `state_machine`"
        )]
        #vis #unsafety #fn_token #name<#(#lent,)* #parameters>(#(#params),*) -> #output #bounds
        #body
    }
}

/// The tokens, of which the last is as if the user had written it: that a function is never used
/// is said of one whose signature and body begin and end in the user's text.
fn as_if_written(tokens: TokenStream, span: Span) -> TokenStream {
    let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
    if let Some(last) = tokens.last_mut() {
        last.set_span(span);
    }
    tokens.into_iter().collect()
}

/// The parameters of the function as they are written again.
fn params(machine: &Machine) -> impl Iterator<Item = TokenStream> {
    let function = &machine.function;
    function.params.iter().map(|param| {
        let (name, ty) = (&param.name, &param.ty);
        let method = function.method.as_ref();
        let method = method.filter(|_| param.name == names::RECEIVER);
        let receiver = method.and_then(|method| method.receiver(ty));
        receiver.unwrap_or_else(|| quote!(#name: #ty))
    })
}

/// The type that the function returns.
pub(crate) fn output_type(machine: &Machine) -> TokenStream {
    let name = &machine.names.machine;
    let (lent, arguments) = (&machine.function.lent, machine.function.arguments());
    quote!(#name<#(#lent,)* #arguments>)
}

fn build(machine: &Machine) -> TokenStream {
    let (core, states) = (&machine.names.core, &machine.names.states);
    let stored = machine.function.stored().enumerate();
    let stored = stored.filter(|(local, _)| !machine.beside.contains(local));
    let stored = stored.map(|(_, param)| &param.name);
    let marker = &machine.names.marker;
    let phantom = machine.function.phantom();
    let phantom = phantom.map(|_| quote!(#marker: ::core::marker::PhantomData));
    let beside = machine.built_beside();
    let core = quote!(#core { states: #states::Start { #(#stored,)* #phantom }, #beside });
    if !machine.function.splits() {
        return core;
    }
    let name = &machine.names.machine;
    let lent = machine
        .function
        .params
        .iter()
        .filter(|param| param.lent.is_some());
    let lent = lent.map(|param| &param.name);
    quote!(#name { machine: #core, #(#lent),* })
}

/// The bound of `max_size`.
fn limit(machine: &Machine) -> Option<TokenStream> {
    let limit = machine.options.max_size.as_ref()?;
    let ty = output_type(machine);
    Some(quote! {
        const {
            ::core::assert!(
                ::core::mem::size_of::<#ty>() <= #limit,
                "the state machine is larger than its `max_size`",
            );
        }
    })
}

/// `advance`: one poll of the states.
pub(crate) fn advance(machine: &Machine) -> TokenStream {
    let implement = implement(machine, None, &machine.names.states);
    let implement_poison = implement_poison(machine);
    let output = &machine.function.output;
    let lent = machine.function.params.iter().filter_map(|param| {
        let reference = param.lent.as_ref()?;
        let (name, mutable, ty) = (&param.name, &reference.mutability, &reference.elem);
        Some(quote!(#name: &#mutable #ty,))
    });
    let (state, cx) = (names::local("state"), names::local("cx"));
    let (begin, volt) = (names::local("begin"), &machine.options.volt);
    let (beside, body) = (machine.lent_beside(), poll::advance(machine));
    // Who made the machine has promised what the function asks for.
    let body = match machine.function.unsafety() {
        Some(token) => quote!(#token { #body }),
        None => body,
    };
    quote! {
        #implement {
            fn advance(
                #state: ::core::pin::Pin<&mut Self>,
                #begin: #volt::__private::Begin<'_, impl #volt::__private::Poller>,
                #cx: &mut ::core::task::Context<'_>,
                #beside
                #(#lent)*
            ) -> ::core::task::Poll<#output> {
                #body
            }
        }

        #implement_poison
    }
}

fn implement_poison(machine: &Machine) -> TokenStream {
    let volt = &machine.options.volt;
    let implement = implement(
        machine,
        Some(quote!(#volt::__private::Poison)),
        &machine.names.states,
    );
    let (core, arguments) = (&machine.names.core, machine.function.arguments());
    quote! {
        #implement {
            type Machine = #core<#arguments>;

            #[inline]
            fn done() -> Self {
                Self::Done
            }
        }
    }
}

/// The future, for a machine that is lent nothing.
pub(crate) fn future(machine: &Machine) -> TokenStream {
    let names = &machine.names;
    let volt = &machine.options.volt;
    let (this, none) = (quote!(self), TokenStream::new());
    let cx = names::local("cx");
    let by_anybody = machine.drive(&quote!(#volt::__private::Anybody<Self>), &this, &none);
    let by_caller = machine.drive(&quote!(#volt::__private::Caller), &this, &none);
    let output = &machine.function.output;
    let implement_future = implement(machine, Some(quote!(::core::future::Future)), &names.core);
    let implement_call = implement(machine, None, &names.core);
    let vis = &machine.function.item.vis;
    let given = given(output);
    let announced = announced(machine, &names.core, None);
    quote! {
        #announced

        #implement_future {
            #given

            #[inline]
            fn poll(
                self: ::core::pin::Pin<&mut Self>,
                #cx: &mut ::core::task::Context<'_>,
            ) -> ::core::task::Poll<Self::Output> {
                #by_anybody
            }
        }

        #implement_call {
            /// Polls as a part of another machine, which speaks for it.
            #[doc(hidden)]
            #[inline]
            #vis fn poll_lent(
                self: ::core::pin::Pin<&mut Self>,
                #cx: &mut ::core::task::Context<'_>,
                _: impl ::core::marker::Sized,
            ) -> ::core::task::Poll<#output> {
                #by_caller
            }
        }
    }
}

/// What the future gives, where errors about it should point.
pub(crate) fn given(output: &syn::Type) -> TokenStream {
    quote_spanned!(output.span()=> type Output = #output;)
}

/// `StateMachine` and `Debug` of the core, and `is_terminated`.
pub(crate) fn inspect(machine: &Machine) -> TokenStream {
    let (core, volt) = (&machine.names.core, &machine.options.volt);
    let (table, state, trace) = (table(machine), state(machine), trace(machine));
    let implement_machine = implement(machine, Some(quote!(#volt::machine::StateMachine)), core);
    let implement_debug = implement(machine, Some(quote!(::core::fmt::Debug)), core);
    let implement = implement(machine, None, core);
    let name = machine.names.machine.to_string();
    let states = &machine.names.states;
    let native_size = native_size(machine);
    quote! {
        #implement {
            /// Whether the machine has returned: it must not be polled again.
            #[must_use]
            pub fn is_terminated(&self) -> bool {
                ::core::matches!(self.states, #states::Done)
            }
        }

        #implement_machine {
            const NAME: &'static ::core::primitive::str = #name;
            #table
            #native_size
            #state
            #trace
        }

        #implement_debug {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                #volt::__private::debug(self, f)
            }
        }
    }
}

fn location(span: proc_macro2::Span) -> TokenStream {
    let start = span.start();
    let line = u32::try_from(start.line).unwrap_or(u32::MAX);
    let column = u32::try_from(start.column + 1).unwrap_or(u32::MAX);
    quote!((::core::file!(), #line, #column))
}

fn table(machine: &Machine) -> TokenStream {
    let volt = &machine.options.volt;
    let name = machine.names.machine.to_string();
    let span = machine.function.item.sig.ident.span();
    let ends = location(span);
    let arguments = machine.function.stored().map(|param| {
        let (name, ty) = (names::written(&param.name), source_text(&param.ty));
        quote!(#volt::machine::Local::new(#name, #ty))
    });
    let states = machine.states.iter().enumerate().map(|(index, state)| {
        let (index, title) = (index + 1, &state.title);
        let place = location(state.span);
        let locals = locals(machine, state);
        quote!(#volt::machine::State::new(#name, #index, #title, #place, &[#(#locals),*]))
    });
    let last = machine.states.len() + 1;
    let steps = machine
        .transitions
        .iter()
        .map(|(from, to)| quote!(#volt::machine::Transition::new(#from, #to)));
    quote! {
        const STATES: &'static [#volt::machine::State] = &[
            #volt::machine::State::new(#name, 0usize, "start", #ends, &[#(#arguments),*]),
            #(#states,)*
            #volt::machine::State::new(#name, #last, "done", #ends, &[]),
        ];
        const TRANSITIONS: &'static [#volt::machine::Transition] = &[#(#steps),*];
    }
}

fn locals<'a>(machine: &'a Machine, state: &'a State) -> impl Iterator<Item = TokenStream> + 'a {
    let volt = &machine.options.volt;
    state.kept.iter().rev().map(move |kept| {
        let local = &machine.body.locals[kept.local];
        let written = || local.ty.as_ref().map_or_else(String::new, source_text);
        let ty = local.type_text.clone().unwrap_or_else(written);
        let name = names::written(&local.name);
        quote!(#volt::machine::Local::new(#name, #ty))
    })
}

fn state(machine: &Machine) -> TokenStream {
    let name = machine.names.machine.to_string();
    let (volt, states) = (&machine.options.volt, &machine.names.states);
    let variants = machine.states.iter().map(|state| {
        let variants = state.variants();
        let variants = variants.map(|(name, _)| machine.pattern(state, name, &quote!()));
        quote!(#(#variants)|*)
    });
    let indices = 1..=machine.states.len();
    let last = machine.states.len() + 1;
    let ends = location(machine.function.item.sig.ident.span());
    quote! {
        fn state(&self) -> &'static #volt::machine::State {
            const POISONED: &#volt::machine::State =
                &#volt::machine::State::new(#name, #last + 1, "poisoned", #ends, &[]);
            match &self.states {
                #states::Start { .. } => &Self::STATES[0],
                #(#variants => &Self::STATES[#indices],)*
                #states::Done => &Self::STATES[#last],
                _ => POISONED,
            }
        }
    }
}

fn trace(machine: &Machine) -> TokenStream {
    let (volt, field) = (&machine.options.volt, &machine.names.future);
    let stores = machine.states.iter().filter(|state| {
        let operand = find_await(&machine.body.root, state.node).map(|point| &point.operand);
        operand.is_some_and(Operand::stores)
    });
    let arms: Vec<_> = stores
        .map(|state| {
            let variants = state.variants();
            let found = quote!(#field,);
            let variants = variants.map(|(name, _)| machine.pattern(state, name, &found));
            quote! {
                #(#variants)|* => {
                    (&#volt::__private::Probe(#field)).trace_into(visit);
                }
            }
        })
        .collect();
    let inner = (!arms.is_empty()).then(|| {
        quote! {
            use #volt::__private::{TraceFuture as _, TraceMachine as _};
            match &self.states {
                #(#arms)*
                _ => {}
            }
        }
    });
    quote! {
        fn trace(&self, visit: &mut dyn ::core::ops::FnMut(&'static #volt::machine::State)) {
            visit(#volt::machine::StateMachine::state(self));
            #inner
        }
    }
}
