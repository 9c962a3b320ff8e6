//! Replacements of locals, `return`, `?` and jumps: in `advance`, and in the probe.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::Token;
use syn::spanned::Spanned;

use super::explicit_machine::{ExplicitMachine, local_ident};
use crate::hir::{Body, ExprId, LocalId, ReceiverQuery, Rewrite, Use, is_mutable_reference};
use crate::names::{in_place_of, within_user};

/// The user's text in a block of `advance`.
pub(crate) struct InBlock<'b> {
    pub(crate) input: &'b ExplicitMachine<'b>,
    /// Locals that are in their places: their names are those of guards.
    pub(crate) in_place: &'b [LocalId],
    pub(crate) variant: Variant,
    /// Writes a jump.
    pub(crate) jump: &'b dyn Fn(usize, Option<TokenStream>) -> TokenStream,
}

/// The variant of the code that is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Variant {
    /// The usual code of a block.
    Only,
    /// The awaited method moves this local into its future. A query selects this variant or
    /// [`Borrows`](Self::Borrows).
    Moves(LocalId),
    /// The awaited method borrows the local.
    Borrows,
    /// A closure that each poll creates again, and that moves nothing.
    Recreated,
}

impl Rewrite for InBlock<'_> {
    fn local(&self, id: LocalId, used: Use) -> TokenStream {
        let data = &self.input.body.locals[id.0];
        let ident = &data.ident;
        let is_mutable = data.ty.as_ref().is_some_and(is_mutable_reference);
        if !self.in_place.contains(&id) {
            return ident.to_token_stream();
        }
        let place = if self.input.liveness.stable.contains(&id) {
            quote!((*__WellTyped::as_ptr(&#ident)))
        } else {
            quote!((*#ident))
        };
        // A value that would be reborrowed, although the text names no borrow, is no place behind
        // a pointer.
        let is_moved = used == Use::Moved && !self.input.is_copied(id);
        if is_moved && self.variant != Variant::Recreated {
            let guard = self.input.guard(id);
            // As a part of a tuple it has no expected type: it may be coerced, also from `!`.
            quote!(((__WellTyped::take(#guard),).0))
        } else if used == Use::Value && is_mutable {
            quote!((&mut *#place))
        } else {
            place
        }
    }

    fn receivers(&self, query: ReceiverQuery) -> Vec<TokenStream> {
        let is_held = self.in_place.contains(&query.local);
        let is_selected = matches!(self.variant, Variant::Moves(_) | Variant::Borrows);
        if !is_held || is_selected || self.input.query_number(query).is_none() {
            return Vec::new();
        }
        let taken = self.local(query.local, Use::Moved);
        vec![taken, self.local(query.local, Use::Receiver)]
    }

    fn query(&self, query: ReceiverQuery, calls: &[TokenStream]) -> TokenStream {
        let (Some(asked), [taken, looked]) = (self.input.query_number(query), calls) else {
            return calls.iter().cloned().collect();
        };
        self.input.if_moved(asked, taken, looked)
    }

    fn ret(&self, value: Option<TokenStream>) -> TokenStream {
        returned(value)
    }

    fn try_operator(&self, value: TokenStream, token: Token![?]) -> TokenStream {
        let (returned, tag) = (&self.input.signature.output, local_ident("tag"));
        self.input.try_operator(&value, token, |residual| {
            quote!({
                return __volt::Ready(#tag.returned(
                    (move || -> #returned { match #residual #token {} })()
                ))
            })
        })
    }

    fn jump(&self, number: usize, value: Option<TokenStream>) -> TokenStream {
        (self.jump)(number, value)
    }
}

impl ExplicitMachine<'_> {
    /// Returns the operand of a `?`. `leave` returns the residual from the function.
    fn try_operator(
        &self,
        value: &TokenStream,
        token: Token![?],
        leave: impl FnOnce(&Ident) -> TokenStream,
    ) -> TokenStream {
        // An error is converted at the beginning of the expression, as the language specifies.
        let start = self.start_of(value).unwrap_or_else(|| token.span());
        let residual = Ident::new("residual", start.resolved_at(token.span()));
        let (output, leave) = (local_ident("output"), leave(&residual));
        let branch = in_place_of(value, quote!(__WellTyped::branch(#value)));
        // Another `?` after it begins there, too.
        let begin = Ident::new("match", Span::mixed_site().located_at(start));
        let taken_apart = quote!((#begin #branch {
            __volt::Continue(#output) => #output.0,
            __volt::Break(#residual) => #leave,
        }));
        // More operators may follow it: `parse(text)? + 1`.
        within_user(taken_apart, start)
    }

    /// Returns the place where an expression begins in the source. An expression that begins with
    /// the output of an await begins where the operand does.
    fn start_of(&self, tokens: &TokenStream) -> Option<Span> {
        match tokens.clone().into_iter().next()? {
            TokenTree::Group(group) if group.span().start() == Span::call_site().start() => {
                self.start_of(&group.stream())
            }
            TokenTree::Ident(ident) => {
                let awaits = &self.body.awaits;
                let found = awaits.iter().find(|data| *self.ident(data.output) == ident);
                match found {
                    Some(data) => {
                        let operand = self.body.exprs[data.operand.0].to_token_stream();
                        self.start_of(&operand)
                    }
                    None => Some(ident.span()),
                }
            }
            token => Some(token.span()),
        }
    }
}

/// Returns `return value` of the function.
pub(crate) fn returned(value: Option<TokenStream>) -> TokenStream {
    let value = value.unwrap_or_else(|| quote!(()));
    let tag = local_ident("tag");
    quote!(return __volt::Ready(#tag.returned(#value)))
}

/// The user's text in the probe, which is never run.
pub(crate) struct InProbe<'b>(pub(crate) &'b ExplicitMachine<'b>);

impl Rewrite for InProbe<'_> {
    fn local(&self, id: LocalId, _: Use) -> TokenStream {
        self.0.ident(id).to_token_stream()
    }

    fn receivers(&self, query: ReceiverQuery) -> Vec<TokenStream> {
        let is_asked = self.0.query_number(query).is_some() || self.0.claim_of(query).is_some();
        is_asked
            .then(|| self.0.probed_receiver())
            .into_iter()
            .collect()
    }

    fn claimed(&self, query: ReceiverQuery, place: TokenStream) -> TokenStream {
        self.0.note_claimed(query, place)
    }

    fn query(&self, query: ReceiverQuery, calls: &[TokenStream]) -> TokenStream {
        let call = calls.iter().cloned().collect();
        match self.0.query_number(query) {
            Some(number) => self.0.probe_receiver(number, query.local, &call),
            None => self.0.probe_part(query, &call),
        }
    }

    fn plain(&self, id: ExprId, value: TokenStream) -> TokenStream {
        self.0.note_plain(id, value)
    }

    fn unnamed_receiver(&self) -> Option<TokenStream> {
        Some(self.0.probed_receiver())
    }

    fn unnamed_call(&self, call: &TokenStream, receiver: TokenStream) -> TokenStream {
        self.0.probe_unnamed(call, &receiver)
    }

    fn trusted_call(
        &self,
        method: &Ident,
        call: &TokenStream,
        place: Option<TokenStream>,
    ) -> Option<TokenStream> {
        Some(self.0.note_output(method, call, place))
    }

    fn ret(&self, value: Option<TokenStream>) -> TokenStream {
        quote!(return #value)
    }

    fn try_operator(&self, value: TokenStream, token: Token![?]) -> TokenStream {
        let leave = |residual: &Ident| quote!(match #residual #token {});
        self.0.try_operator(&value, token, leave)
    }

    fn jump(&self, number: usize, value: Option<TokenStream>) -> TokenStream {
        let leaving = self.0.body.jumps[number];
        let label = Body::label(leaving.target);
        if leaving.is_continue {
            quote!(continue #label)
        } else {
            quote!(break #label #value)
        }
    }
}
