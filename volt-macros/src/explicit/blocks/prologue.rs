//! The beginning of a block: live locals are guarded or moved out, in the order of their
//! declarations.

use std::collections::BTreeSet;

use proc_macro2::{Span, TokenStream};
use quote::quote;

use super::super::explicit_machine::local_ident;
use super::block::BlockWriter;
use crate::hir::{AwaitId, LocalId, is_fully_written};
use crate::liveness::{Live, Need};

/// Gives the span of the user to the outer tokens of a call, so that debug information has the line
/// of the user's code. A token of the expansion would have the line of the attribute. The outer
/// tokens contain no local, because a local has the hygiene of its span.
fn with_span(call: TokenStream, span: Span) -> TokenStream {
    let tokens = call.into_iter().map(|mut token| {
        token.set_span(span);
        token
    });
    tokens.collect()
}

impl BlockWriter<'_> {
    pub(crate) fn prologue(&mut self) {
        let entry = self.input.entry(self.id).to_vec();
        let named = &self.named;
        // A local that is stored only for its drop has no value if it has no destructor. Then an
        // expression with its name means a field.
        let is_named = |live: &&Live| live.need == Need::Used && named.contains(&live.local);
        let is_taken = |live| is_named(&live) && !self.input.is_in_place(live.local);
        let taken: Vec<bool> = entry.iter().map(is_taken).collect();
        let referred = entry.iter().filter(is_named);
        let referred: BTreeSet<_> = referred.map(|live| live.local).collect();
        match self.input.cfg.awaited_before(self.id) {
            Some(id) => self.resume(id, &entry, &taken),
            None => self.begin(&entry, &taken),
        }
        for local in self.scope.in_place().to_vec() {
            if referred.contains(&local) {
                self.bind_reference(local);
            }
        }
    }

    /// Begins a block that follows no await: live locals are guarded or moved out, each in its
    /// order.
    fn begin(&mut self, entry: &[Live], taken: &[bool]) {
        for (live, is_taken) in entry.iter().zip(taken) {
            self.declare_uninitialized_before(live.local);
            self.declare(&[live.local]);
            self.guard_or_take(*live, *is_taken);
        }
        self.declare_uninitialized(|_| true);
    }

    /// Binds the name of a local that stays in place to a reference.
    pub(crate) fn bind_reference(&mut self, local: LocalId) {
        if self.scope.is_in_place(local) && self.input.is_unmoved(local) {
            let reference = self.reference(local);
            self.write(reference);
        }
    }

    fn reference(&self, local: LocalId) -> TokenStream {
        let (ident, guard) = (self.input.ident(local), self.input.guard(local));
        quote!(let #ident = &mut *#guard;)
    }

    /// Declares the uninitialized locals that come before a local.
    pub(crate) fn declare_uninitialized_before(&mut self, local: LocalId) {
        let in_scope = &self.input.cfg.blocks[self.id.0].in_scope;
        let end = in_scope.iter().position(|other| *other == local);
        let before = in_scope[..end.unwrap_or(0)].to_vec();
        self.declare_uninitialized(|local| before.contains(&local));
    }

    pub(crate) fn declare_uninitialized(&mut self, is_due: impl Fn(LocalId) -> bool) {
        for local in self.input.liveness.uninitialized[self.id.0].clone() {
            if is_due(local) && !self.scope.contains(local) && self.named.contains(&local) {
                self.declare(&[local]);
                let pattern = self.input.pattern(local);
                let ty = self.input.typed(local);
                self.write(quote!(let #pattern #ty;));
                self.tie_to_slot(local);
            }
        }
    }

    /// Gives the type of its slot to a local that some block declares again, if its type is not
    /// written.
    pub(crate) fn tie_to_slot(&mut self, local: LocalId) {
        let mut bare = self.input.liveness.uninitialized.iter().flatten();
        if !bare.any(|other| *other == local) || self.input.body.has_type(local, is_fully_written) {
            return;
        }
        let (private, ident) = (self.input.private(), self.input.ident(local));
        let slot = self.input.slot(local);
        // The local may be uninitialized. The compiler checks no borrows after `never`.
        self.write(quote! {
            if false {
                let _never = #private::never();
                #slot.is(&#ident);
            }
        });
    }

    fn guard_or_take(&mut self, live: Live, is_taken: bool) {
        let slot = self.input.slot(live.local);
        let value = if is_taken {
            quote!(#slot.take())
        } else {
            self.input.guard_of(live)
        };
        if !is_taken {
            self.scope.put_in_place(live.local);
        }
        let pattern = self.pattern(live.local);
        self.write(quote!(let #pattern = #value;));
    }

    /// Begins a block that follows an await: all locals are guarded until the future is ready.
    pub(crate) fn resume(&mut self, id: AwaitId, entry: &[Live], taken: &[bool]) {
        self.poll(id, entry);
        // After the first guard that is moved or declared again, all others are declared again.
        let mut is_moving = false;
        for (live, is_taken) in entry.iter().zip(taken) {
            is_moving |= self.declare_after_await(live.local) || *is_taken;
            self.guard_after_await(*live, *is_taken, is_moving);
        }
        let before = self.code.open_count();
        self.declare_uninitialized(|_| true);
        let output = self.input.body.awaits[id.0].output;
        self.declare(&[output]);
        if is_moving || self.code.open_count() > before {
            let output = self.input.ident(output);
            self.write(quote!(let #output = #output;));
        }
    }

    /// Guards all stored locals, and polls the future.
    fn poll(&mut self, id: AwaitId, entry: &[Live]) {
        let private = self.input.private();
        let guards = entry.iter().map(|live| self.input.guard(live.local));
        let guards: Vec<_> = guards.collect();
        let helds = entry.iter().map(|live| self.input.guard_of(*live));
        let pending = match &guards[..] {
            [] => quote!(__volt::Pending),
            guards => quote!(#private::leave_pending((#(#guards,)*))),
        };
        let output = self.input.ident(self.input.body.awaits[id.0].output);
        let mut polled = self.poll_expr(id, entry);
        if self.input.body.awaits[id.0].is_step {
            let call = quote!((#private::poll_in_step)(|| #polled));
            polled = with_span(call, self.input.body.awaits[id.0].span);
        }
        self.write(quote! {
            #(let mut #guards = #helds;)*
            let __volt::Ready(#output) = #polled else {
                return #pending;
            };
        });
    }

    /// Returns the poll of the future. A future that each poll creates again is created from
    /// guarded locals.
    ///
    /// The call has the span of the await, so a backtrace of the poll has the line of the await.
    fn poll_expr(&self, id: AwaitId, entry: &[Live]) -> TokenStream {
        let span = self.input.body.awaits[id.0].span;
        let (private, mode, tag) = (
            self.input.private(),
            local_ident("mode"),
            local_ident("tag"),
        );
        let state = proc_macro2::Literal::usize_unsuffixed(id.0 + 1);
        if !self.input.layout.recreated[id.0] {
            let slot = super::super::explicit_machine::slot(self.input.layout.future(id));
            return with_span(quote!((#slot).__volt_poll(#mode, #tag, #state)), span);
        }
        let all: Vec<_> = entry.iter().map(|live| live.local).collect();
        let operand = self.input.body.awaits[id.0].operand;
        let named = self.input.body.named(operand).into_iter();
        let named = named.filter(|local| all.contains(local) && self.input.is_unmoved(*local));
        let references: TokenStream = named.map(|local| self.reference(local)).collect();
        let operand = self.print_recreated(operand, &all);
        let poll = match self.input.typed {
            Some(_) => quote!(poll_recreated_fn),
            None => quote!(poll_recreated),
        };
        let call = quote!((#private::#poll)(#operand, #mode, #tag.state(#state)));
        let call = with_span(call, span);
        quote!(({ #references #call }))
    }

    /// Declares a local after the await, and the uninitialized locals before it. Returns `true` if
    /// its guard has to be declared again, so that it is dropped in its order.
    fn declare_after_await(&mut self, local: LocalId) -> bool {
        let (braces, locals) = (self.code.open_count(), self.scope.locals().len());
        self.declare_uninitialized_before(local);
        let has_new_locals = self.scope.locals().len() > locals;
        self.declare(&[local]);
        has_new_locals || self.code.open_count() > braces
    }

    /// Moves a local out of its place, or keeps its guard.
    fn guard_after_await(&mut self, live: Live, is_taken: bool, is_redeclared: bool) {
        if !is_taken {
            self.scope.put_in_place(live.local);
        }
        let (pattern, guard) = (self.pattern(live.local), self.input.guard(live.local));
        if is_taken {
            self.write(quote!(let #pattern = __WellTyped::take(#guard);));
        } else if is_redeclared {
            self.write(quote!(let #pattern = #guard;));
        }
    }
}
