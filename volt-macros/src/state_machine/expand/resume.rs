//! The segments behind the suspend points: the poll, and what it leads to.

use std::iter;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Expr;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;

use super::poll::{Poll, find_await};
use super::segment::{Entry, segment};
use crate::state_machine::body::{Await, Glue, LocalId, Operand};
use crate::state_machine::callee::arguments;
use crate::state_machine::composed::{LentCall, Part, called, operands};
use crate::state_machine::lending::may_borrow;
use crate::state_machine::liveness::Kept;
use crate::state_machine::model::State;
use crate::state_machine::names;
use crate::state_machine::scope::mentioned;
use crate::state_machine::substitute::{Replacement, Substitute};

impl Poll<'_> {
    pub(super) fn state(&self, state: &State) -> TokenStream {
        let Some(point) = find_await(&self.machine.body.root, state.node) else {
            return TokenStream::new();
        };
        let code = segment(
            self.machine,
            Entry::Resume(state.node),
            &state.kept,
            Some(state.rank()),
        );
        if !state.partial.is_empty() {
            return self.one_of(point, state, &code);
        }
        let this = names::local("state");
        let poll = self.poll(point, state, &[]);
        let taken = leaked_by_panic(point, &poll, &self.take(state));
        let beside = self.machine.bind_beside(&state.kept);
        let code = quote! {
            #beside
            #taken
            #code
        };
        let path = self.machine.path(&state.kept);
        let bound = self.machine.bound_along(&path, &quote!(mut #this));
        self.at(&state.variant, &bound, &code)
    }

    /// The segment behind a suspend point that is reached with and without some of its locals.
    fn one_of(&self, point: &Await, state: &State, code: &TokenStream) -> TokenStream {
        let (this, output) = (names::local("state"), names::local("output"));
        let (next, places) = (names::local("next"), &self.machine.names.next);
        let label = names::label("segment");
        let path = self.machine.path(&state.kept);
        let in_rooms = path.iter().map(|&room| self.machine.room_local(room));
        let in_rooms: Vec<_> = in_rooms.collect();
        let arms = state.variants().map(|(variant, gone)| {
            let poll = self.poll(point, state, gone);
            let there = self.machine.fields(&state.kept);
            let there = there.filter(|kept| !gone.contains(&kept.local));
            let fields = there.map(|kept| self.machine.name(kept.local));
            let values = self.machine.moved(&state.kept);
            let values = values.map(|kept| self.value(kept, gone));
            let bound = self.machine.bound_along(&path, &quote!(mut #this));
            let take = quote!(let (#this, (#(#fields,)*)) = #this.take(););
            let taken = leaked_by_panic(point, &poll, &take);
            quote! {
                #places::#variant(#bound) => {
                    #taken
                    (#this, #output, #(#in_rooms,)* #(#values,)*)
                }
            }
        });
        let locals = self.machine.moved(&state.kept);
        let locals = locals.map(|kept| self.binding(kept.local));
        let beside = self.machine.bind_beside(&state.kept);
        quote! {
            #label: {
                #beside
                let (#this, #output, #(mut #in_rooms,)* #(#locals,)*) = match #next {
                    #(#arms)*
                    _ => break #label,
                };
                #code
            }
        }
    }

    /// What the poll gives, when it is ready.
    fn poll(&self, point: &Await, state: &State, gone: &[LocalId]) -> TokenStream {
        let (poll, viewed) = self.poll_operand(point, state);
        let poll = self.watched(state, &poll);
        let view = self.look(point, state, &viewed, gone);
        let output = names::local("output");
        quote! {
            {
                #view
                match #poll {
                    ::core::task::Poll::Ready(#output) => #output,
                    ::core::task::Poll::Pending => return ::core::task::Poll::Pending,
                }
            }
        }
    }

    /// The poll under the watch for forgotten wakers.
    fn watched(&self, state: &State, poll: &TokenStream) -> TokenStream {
        let cx = names::local("cx");
        let states = &self.machine.states;
        let index = states.iter().position(|found| found.node == state.node);
        let index = Literal::usize_unsuffixed(index.map_or(0, |index| index + 1));
        quote!(Self::watch(#index, #cx, |#cx| #poll))
    }

    /// Takes the locals of a state. Where two of them may drop, they are bound once more in the
    /// order of their declarations, for it is the reverse in which they are dropped.
    fn take(&self, state: &State) -> TokenStream {
        let this = names::local("state");
        let drops = |kept: &&Kept| self.machine.body.locals[kept.local].glue != Glue::None;
        let conditional = |kept: &Kept| self.machine.is_conditional(kept.local);
        let bindings = |kept: &Kept| self.binding(kept.local);
        let inward = self.machine.moved(&state.kept);
        let several = inward.clone().filter(drops).count() > 1;
        if !several && !state.kept.iter().any(conditional) {
            let locals = self.machine.fields(&state.kept).map(bindings);
            return quote!(let (#this, (#(#locals,)*)) = #this.take(););
        }
        let fields = self.machine.fields(&state.kept);
        let fields = fields.map(|kept| self.machine.name(kept.local));
        let values = inward.clone().map(|kept| self.value(kept, &[]));
        let bindings = inward.map(bindings);
        quote! {
            let (#this, (#(#fields,)*)) = #this.take();
            let (#(#bindings,)*) = (#(#values,)*);
        }
    }

    /// Borrows the awaited future, and the locals that its poll looks at.
    fn look(
        &self,
        point: &Await,
        state: &State,
        viewed: &[Ident],
        gone: &[LocalId],
    ) -> Option<TokenStream> {
        let stores = point.operand.stores();
        if !stores && viewed.is_empty() {
            return None;
        }
        let (this, future) = (names::local("state"), &self.machine.names.future);
        let future = if stores { quote!(#future) } else { quote!(_) };
        let there = self.machine.fields(&state.kept);
        let there = there.filter(|kept| !gone.contains(&kept.local));
        let locals = there.map(|kept| match self.machine.name(kept.local) {
            name if viewed.contains(name) => quote!(#name),
            _ => quote!(_),
        });
        let locals = match viewed.is_empty() {
            true => quote!(_),
            false => quote!((#(#locals,)*)),
        };
        Some(quote!(let (#future, #locals) = #this.view();))
    }

    /// The call that polls the operand, and the kept locals that it looks at.
    fn poll_operand(&self, point: &Await, state: &State) -> (TokenStream, Vec<Ident>) {
        let volt = &self.machine.options.volt;
        let (future, cx) = (&self.machine.names.future, names::local("cx"));
        let mut viewed = Vec::new();
        let poll = match &point.operand {
            Operand::Stored { convert: true, .. } => {
                quote!(::core::future::Future::poll(#future, #cx))
            }
            Operand::Stored { .. } => quote!(#future.poll_lent(#cx, ())),
            Operand::Call {
                ty,
                value,
                lends,
                boxed,
            } => {
                let lent = self.lent(ty, value, lends, state, &mut viewed);
                let machine = boxed.as_ref().map(|_| quote!(.as_deref_mut()));
                quote!(#future #machine.poll_lent(#cx, #lent))
            }
            Operand::Composed { value, parts, .. } => {
                let future = future.to_token_stream();
                self.poll_composed(&future, value, parts, state, &mut viewed)
            }
            Operand::Closure(closure) => {
                let closure = self.view(closure, state, &mut viewed);
                quote!(#volt::__private::poll_once(#cx, #closure))
            }
            Operand::Borrowed(borrow) => {
                let borrow = self.view(borrow, state, &mut viewed);
                quote!(#volt::__private::poll_unpin(#borrow, #cx))
            }
        };
        (poll, viewed)
    }

    /// The tuple of what a call is lent.
    fn lent(
        &self,
        ty: &TokenStream,
        call: &Expr,
        lends: &[Option<Expr>],
        state: &State,
        viewed: &mut Vec<Ident>,
    ) -> TokenStream {
        let volt = &self.machine.options.volt;
        let given = arguments(call).map(Some).chain(iter::repeat(None));
        let lent = lends.iter().zip(given).enumerate();
        let lent = lent.map(|(index, (lend, given))| match (lend, given) {
            (Some(lend), _) => self.view(lend, state, viewed),
            (None, Some(given)) if may_borrow(given) => self.unless_lent(ty, index, given.span()),
            (None, _) => quote!(#volt::__private::Evaluated),
        });
        quote!((#(#lent,)*))
    }

    /// The poll of a combinator: a closure for each of its futures.
    fn poll_composed(
        &self,
        future: &TokenStream,
        call: &Expr,
        parts: &[Part],
        state: &State,
        viewed: &mut Vec<Ident>,
    ) -> TokenStream {
        let volt = names::path_at(&self.machine.options.volt, called(call));
        let (child, cx) = (names::local("child"), names::local("cx"));
        let polls = operands(call).into_iter().zip(parts);
        let polls = polls.filter_map(|(operand, part)| match part {
            Part::Value => None,
            Part::Owned => Some(quote!(::core::future::Future::poll)),
            Part::Lent(LentCall { ty, lends, boxed }) => {
                let lent = self.lent(ty, operand, lends, state, viewed);
                let machine = boxed.as_ref().map(|_| quote!(.as_deref_mut()));
                Some(quote!(|#child, #cx| #child #machine.machine().poll_lent(#cx, #lent)))
            }
            Part::Borrowed(_, borrow) => {
                let borrow = self.view(borrow, state, viewed);
                Some(quote!(|_, #cx| #volt::__private::poll_unpin(#borrow, #cx)))
            }
            Part::Composed(parts) => {
                let child = child.to_token_stream();
                let poll = self.poll_composed(&child, operand, parts, state, viewed);
                Some(quote!(|#child, #cx| #poll))
            }
        });
        let lend = quote_spanned!(called(call)=> #volt::__private::Lend::lend(#future));
        quote!(#lend.poll(#cx, #(#polls),*))
    }

    /// What stands for an argument that cannot be lent, if the callee stores it; else an error.
    fn unless_lent(&self, ty: &TokenStream, index: usize, span: Span) -> TokenStream {
        let volt = names::path_at(&self.machine.options.volt, span);
        let (ty, index) = (ty, Literal::usize_unsuffixed(index));
        quote_spanned! {span=>
            <<#ty as #volt::__private::Argument<#index>>::Is as #volt::__private::Given>::PLACE
        }
    }

    /// An expression over kept locals, which are reached through references meanwhile.
    fn view(&self, expr: &Expr, state: &State, viewed: &mut Vec<Ident>) -> TokenStream {
        let mut words = Vec::new();
        mentioned(quote!(#expr), &mut words);
        let mut names = Vec::new();
        for kept in self.machine.moved(&state.kept) {
            let name = self.machine.name(kept.local);
            if words.iter().any(|word| name == word) {
                names.push((name.to_string(), Replacement::Place));
                if !viewed.contains(name) {
                    viewed.push(name.clone());
                }
            }
        }
        let mut expr = expr.clone();
        Substitute::new(names).visit_expr_mut(&mut expr);
        quote!(#expr)
    }
}

/// The output of a poll, and then the state taken, with which the future goes. If its destructor panics,
/// the compiler's own future leaks the output; so does this.
fn leaked_by_panic(point: &Await, poll: &TokenStream, take: &TokenStream) -> TokenStream {
    let output = names::local("output");
    if !point.operand.stores() {
        return quote!(let #output = #poll; #take);
    }
    quote! {
        let #output = ::core::mem::ManuallyDrop::new(#poll);
        #take
        let #output = ::core::mem::ManuallyDrop::into_inner(#output);
    }
}
