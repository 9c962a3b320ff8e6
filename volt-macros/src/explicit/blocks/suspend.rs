//! The end of a block that waits: the future is created, and stored next to the live locals.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::super::explicit_machine::local_ident;
use super::super::rewrite::Variant;
use super::block::BlockWriter;
use crate::cfg::BlockId;
use crate::hir::{AwaitId, ExprId, LocalId, Use, is_copy};
use crate::layout::Place;
use crate::liveness::{Live, Need, QueryId};

impl BlockWriter<'_> {
    /// Creates the future, stores it next to the live locals, and sets the state.
    pub(crate) fn suspend(&mut self, id: AwaitId, resume: BlockId) {
        if self.input.layout.recreated[id.0] {
            return self.suspend_recreated(id, resume);
        }
        self.prepare([self.input.body.awaits[id.0].operand]);
        let operand = &self.input.liveness.operands[id.0];
        match operand.query {
            Some(query) => self.suspend_with_query(id, resume, query),
            None => {
                let mut end = self.branch_off(Variant::Only);
                end.suspend_borrowing(id, resume, &operand.borrows, &TokenStream::new());
                self.write(end.code.into_tokens());
            }
        }
    }

    /// Creates the future of a method, in two variants: one for a method that moves the local, and
    /// one for a method that borrows it.
    fn suspend_with_query(&mut self, id: AwaitId, resume: BlockId, query: (LocalId, QueryId)) {
        let (local, query) = query;
        let gate = self.input.gate(query);
        let borrowed = &self.input.liveness.operands[id.0].borrows;
        let mut moving = self.branch_off(Variant::Moves(local));
        moving.suspend_borrowing(id, resume, borrowed, &quote!(#gate::assume_moved();));
        let mut borrowing = self.branch_off(Variant::Borrows);
        let is_stable = self.input.liveness.stable.contains(&local);
        let receiver = Some(local).filter(|_| !is_stable);
        let borrowed: Vec<_> = borrowed.iter().copied().chain(receiver).collect();
        borrowing.suspend_borrowing(id, resume, &borrowed, &quote!(#gate::assume_borrowed();));
        let (moving, borrowing) = (moving.code.into_tokens(), borrowing.code.into_tokens());
        let written = self.input.if_moved(query, &moving, &borrowing);
        self.write(written);
    }

    /// `gate` also precedes the code of closures, because the compiler checks them separately.
    fn suspend_borrowing(
        &mut self,
        id: AwaitId,
        resume: BlockId,
        borrowed: &[LocalId],
        gate: &TokenStream,
    ) {
        let operand = self.input.body.awaits[id.0].operand;
        let named = self.input.body.named(operand);
        self.arrange_locals(borrowed, id, resume, &named);
        let printed = self.print(operand, Use::Value);
        let (slot, region) = (self.input.layout.future(id), local_ident("region"));
        let slot = super::super::explicit_machine::slot(slot);
        let put = if borrowed.is_empty() {
            quote!(#slot.store_future(#region, #printed);)
        } else {
            let claims = self
                .input
                .gate_of_claims()
                .filter(|_| self.is_claimed(operand, &named));
            self.store_borrowing(&slot, &named, &quote!(#claims #gate #printed))
        };
        self.write(put);
        self.wait(id, resume);
    }

    /// Returns `true` if the operand moves what the machine borrows in case a claim is refuted: a
    /// temporary, or a part of a local.
    fn is_claimed(&self, operand: ExprId, named: &BTreeSet<LocalId>) -> bool {
        let claims = &self.input.liveness.claims;
        self.input.body.moved_receivers.contains(&operand)
            || claims.iter().any(|(query, _)| named.contains(&query.local))
    }

    /// Stores a future that borrows the locals in its operand that are in their places.
    fn store_borrowing(
        &self,
        slot: &Ident,
        named: &BTreeSet<LocalId>,
        operand: &TokenStream,
    ) -> TokenStream {
        let (region, token) = (local_ident("region"), local_ident("token"));
        let stable = &self.input.liveness.stable;
        let is_borrowed = |local: &&LocalId| {
            named.contains(local) && self.scope.is_in_place(**local) && !stable.contains(local)
        };
        let borrowed = self.scope.locals().iter().filter(is_borrowed);
        let borrowed: Vec<&Ident> = borrowed.map(|local| self.input.ident(*local)).collect();
        quote! {
            #slot.store_borrowing(
                #region,
                (#(__WellTyped::borrow(&#borrowed, #token),)*),
                move |(#(#borrowed,)*)| { #operand },
            );
        }
    }

    /// Suspends at a future that each poll creates again, from live locals.
    fn suspend_recreated(&mut self, id: AwaitId, resume: BlockId) {
        let slot = super::super::explicit_machine::slot(self.input.layout.future(id));
        let region = local_ident("region");
        self.write(quote!(#slot.store(#region, ());));
        self.wait(id, resume);
    }

    /// Sets the state of an await. An await that is counted may be beyond the limit of the poll.
    fn wait(&mut self, id: AwaitId, resume: BlockId) {
        let (puts, tag, next, mode) = (
            self.puts(resume),
            local_ident("tag"),
            local_ident("next"),
            local_ident("mode"),
        );
        let (number, on) = (self.input.number(resume), self.jump_to(resume));
        let set = if self.input.layout.counted[id.0] {
            quote!(if #tag.set_in_loop(#number, #mode) { return __volt::Pending; })
        } else {
            quote!(#tag.set(#number);)
        };
        self.write(quote!(#puts #set #next = #number; #on));
    }

    /// Stores borrowed locals in their places, where they stay from now on. Moves locals out of
    /// their places that are named for the last time. The others keep their order.
    pub(crate) fn arrange_locals(
        &mut self,
        borrowed: &[LocalId],
        id: AwaitId,
        resume: BlockId,
        named: &BTreeSet<LocalId>,
    ) {
        let mut is_moving = false;
        for local in self.scope.locals().to_vec() {
            let is_held = self.scope.is_in_place(local);
            let (is_borrowed, is_named) = (borrowed.contains(&local), named.contains(&local));
            let stays = self.lives_on(local, resume);
            let is_early = !is_named && self.is_stored_early(local, id, resume);
            if (is_borrowed || is_early) && !is_held {
                is_moving = true;
                self.move_into_slot(local);
            } else if is_held && is_named && !is_borrowed && !stays {
                is_moving = true;
                self.move_out_of_slot(local);
            } else if let Some(query) = self.query_of_block(resume, local)
                && is_moving
                && stays
            {
                self.redeclare_unless_moved(local, query);
            } else if is_moving && (is_named || stays) {
                self.redeclare(local, is_named);
            }
        }
    }

    /// Returns `true` if a local is stored in its place before the future is created.
    ///
    /// If it were stored later, the compiler could also compute it later. The parts of its value
    /// would then be alive in the code that creates the future, and be saved one by one.
    ///
    /// The place may share its bytes with a value that the await does not keep, and that the
    /// operand reads. So each value that is in its place now must be kept. The local has no
    /// destructor. A path that leaves the operand would store it a second time.
    fn is_stored_early(&self, local: LocalId, id: AwaitId, resume: BlockId) -> bool {
        let operand = self.input.body.awaits[id.0].operand;
        let is_kept = |other: &LocalId| self.is_used_after(*other, resume);
        self.variant == Variant::Only
            && self.input.body.has_type(local, is_copy)
            && matches!(self.input.layout.places[local.0], Place::Field(_))
            && self.is_used_after(local, resume)
            && self.input.cfg.jumps_of(operand).next().is_none()
            && self.scope.in_place().iter().all(is_kept)
    }

    /// Returns `true` if a local has a place of its own after the await, whatever its type is.
    fn is_used_after(&self, local: LocalId, resume: BlockId) -> bool {
        let need = Need::Used;
        let is_dead_borrow = (self.input.liveness.dead_borrows).contains_key(&(resume, local));
        self.input.entry(resume).contains(&Live { local, need }) && !is_dead_borrow
    }

    /// Returns `true` if a local is live after the await, in the current variant of the code.
    fn lives_on(&self, local: LocalId, resume: BlockId) -> bool {
        let mut entry = self.input.entry(resume).iter();
        self.variant != Variant::Moves(local) && entry.any(|live| live.local == local)
    }

    /// Stores a local in its place, and guards it there.
    fn move_into_slot(&mut self, local: LocalId) {
        self.scope.put_in_place(local);
        let (ident, slot) = (self.input.ident(local), self.input.slot(local));
        let (guard, region) = (self.input.guard(local), local_ident("region"));
        self.write(quote!(#slot.store(#region, #ident); let mut #guard = #slot.guard();));
    }

    /// Moves a local out of its place.
    fn move_out_of_slot(&mut self, local: LocalId) {
        self.scope.take_from_place(local);
        let guard = self.input.guard(local);
        let pattern = self.pattern(local);
        self.write(quote!(let #pattern = __WellTyped::take(#guard);));
    }

    /// Declares a local or its guard again, so that it is dropped in its order.
    fn redeclare(&mut self, local: LocalId, is_named: bool) {
        let guard = if self.scope.is_in_place(local) {
            self.input.guard(local)
        } else {
            self.input.ident(local).clone()
        };
        let pattern = self.pattern(local);
        self.write(quote!(let #pattern = #guard;));
        if is_named {
            self.bind_reference(local);
        }
    }

    /// Declares a guard again that a method of this block may have moved. Only a borrowed value is
    /// still there.
    fn redeclare_unless_moved(&mut self, local: LocalId, query: QueryId) {
        let (pattern, guard, old) = (
            self.pattern(local),
            self.input.guard(local),
            local_ident("old"),
        );
        let (save, restore) = (quote!(#old = #guard;), quote!(#guard = #old;));
        let save = self.input.if_moved(query, &TokenStream::new(), &save);
        let restore = self.input.if_moved(query, &TokenStream::new(), &restore);
        self.write(quote!(let #old; #save let #pattern; #restore));
    }
}
