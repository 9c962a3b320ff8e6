//! The end of a block that waits: the future is made, and put beside what lives on.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::super::explicit_machine::local_ident;
use super::block::BlockWriter;
use crate::cfg::BlockId;
use crate::hir::{AwaitId, LocalId, Use};
use crate::liveness::QueryId;

impl BlockWriter<'_> {
    /// Makes the future, puts it beside what lives on, and goes to the state.
    pub(crate) fn suspend(&mut self, id: AwaitId, resume: BlockId) {
        self.in_place_at_exits = Some(self.in_place.clone());
        if self.input.layout.recreated[id.0] {
            return self.suspend_recreated(id, resume);
        }
        self.prepare([self.input.body.awaits[id.0].operand]);
        let operand = &self.input.liveness.operands[id.0];
        match operand.query {
            Some(asks) => self.suspend_with_query(id, resume, asks),
            None => self.suspend_borrowing(id, resume, &operand.borrows, &TokenStream::new()),
        }
    }

    /// Makes the future of a method of which the compiler is asked whether it takes the local.
    fn suspend_with_query(&mut self, id: AwaitId, resume: BlockId, asks: (LocalId, QueryId)) {
        let (local, question) = asks;
        let gate = self.input.gate(question);
        let lends = &self.input.liveness.operands[id.0].borrows;
        let mut taken = self.variant(question);
        taken.moved_local = Some(local);
        taken.suspend_borrowing(id, resume, lends, &quote!(#gate::assume_moved();));
        let mut looked = self.variant(question);
        let is_stable = self.input.liveness.stable.contains(&local);
        let lent = Some(local).filter(|_| !is_stable);
        let lends: Vec<_> = lends.iter().copied().chain(lent).collect();
        looked.suspend_borrowing(id, resume, &lends, &quote!(#gate::assume_borrowed();));
        let written = self
            .input
            .if_moved(question, &taken.into_tokens(), &looked.into_tokens());
        self.write(written);
    }

    /// The same writer with nothing written.
    fn variant(&self, question: QueryId) -> Self {
        Self {
            code: Vec::new(),
            gate: Some(question),
            ..self.clone()
        }
    }

    /// All that was written, as one list of tokens.
    pub(crate) fn into_tokens(self) -> TokenStream {
        self.code.into_iter().collect()
    }

    /// `gate` stands in front of the code of closures, too, which are checked by themselves.
    fn suspend_borrowing(
        &mut self,
        id: AwaitId,
        resume: BlockId,
        lends: &[LocalId],
        gate: &TokenStream,
    ) {
        let operand = self.input.body.awaits[id.0].operand;
        let named = self.input.body.named(operand);
        self.arrange_locals(lends, resume, &named);
        let printed = self.print(operand, Use::Value);
        let (slot, region) = (self.input.layout.future(id), local_ident("region"));
        let slot = super::super::explicit_machine::slot(slot);
        let put = if lends.is_empty() {
            quote!(#slot.store_future(#region, #printed);)
        } else {
            self.put_lent(&slot, &named, &quote!(#gate #printed))
        };
        self.write(put);
        self.wait(id, resume);
    }

    /// Puts a future that borrows what it names, as far as that lies in places of the machine.
    fn put_lent(&self, slot: &Ident, named: &BTreeSet<LocalId>, made: &TokenStream) -> TokenStream {
        let (region, token) = (local_ident("region"), local_ident("token"));
        let stable = &self.input.liveness.stable;
        let is_lent = |local: &&LocalId| {
            named.contains(local) && self.in_place.contains(local) && !stable.contains(local)
        };
        let lent = self.scope.iter().filter(is_lent);
        let lent: Vec<&Ident> = lent.map(|local| self.input.ident(*local)).collect();
        quote! {
            #slot.store_borrowing(
                #region,
                (#(__WellTyped::borrow(&#lent, #token),)*),
                move |(#(#lent,)*)| { #made },
            );
        }
    }

    /// Each poll makes the future anew, of what lives on.
    fn suspend_recreated(&mut self, id: AwaitId, resume: BlockId) {
        let slot = super::super::explicit_machine::slot(self.input.layout.future(id));
        let region = local_ident("region");
        self.write(quote!(#slot.store(#region, ());));
        self.wait(id, resume);
    }

    /// Goes to the state of an await. One that is counted may be beyond the limit of the poll.
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

    /// Puts what is lent into its place, where it is from now on, and takes what is named for the last
    /// time out of it, each in its order among the others.
    pub(crate) fn arrange_locals(
        &mut self,
        lends: &[LocalId],
        resume: BlockId,
        named: &BTreeSet<LocalId>,
    ) {
        let mut is_moving = false;
        for local in self.scope.clone() {
            let is_held = self.in_place.contains(&local);
            let (is_lent, is_named) = (lends.contains(&local), named.contains(&local));
            let stays = self.lives_on(local, resume);
            if is_lent && !is_held {
                is_moving = true;
                self.move_into_slot(local);
            } else if is_held && is_named && !is_lent && !stays {
                is_moving = true;
                self.move_out_of_slot(local);
            } else if let Some(question) = self.query_of_block(resume, local)
                && is_moving
                && stays
            {
                self.redeclare_unless_moved(local, question);
            } else if is_moving && (is_named || stays) {
                self.redeclare(local, is_named);
            }
        }
    }

    /// Whether a local lives behind the await, in the variant of the code at hand.
    fn lives_on(&self, local: LocalId, resume: BlockId) -> bool {
        let mut entry = self.input.entry(resume).iter();
        self.moved_local != Some(local) && entry.any(|live| live.local == local)
    }

    /// Puts a local into its place, and holds it there.
    fn move_into_slot(&mut self, local: LocalId) {
        self.in_place.push(local);
        let (ident, slot) = (self.input.ident(local), self.input.slot(local));
        let region = local_ident("region");
        self.write(quote!(#slot.store(#region, #ident); let mut #ident = #slot.guard();));
    }

    /// Takes a local out of its place.
    fn move_out_of_slot(&mut self, local: LocalId) {
        self.in_place.retain(|held| *held != local);
        let guard = self.input.guard(local);
        let pattern = self.pattern(local);
        self.write(quote!(let #pattern = __WellTyped::take(#guard);));
    }

    /// Declares a local anew, or its guard, to be dropped in its order among the others.
    fn redeclare(&mut self, local: LocalId, is_named: bool) {
        let guard = if self.in_place.contains(&local) {
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
    /// Declares a guard anew that a method of this block may have taken: only what was looked at is there.
    fn redeclare_unless_moved(&mut self, local: LocalId, question: QueryId) {
        let (pattern, guard, old) = (
            self.pattern(local),
            self.input.guard(local),
            local_ident("old"),
        );
        let (aside, back) = (quote!(#old = #guard;), quote!(#guard = #old;));
        let aside = self.input.if_moved(question, &TokenStream::new(), &aside);
        let back = self.input.if_moved(question, &TokenStream::new(), &back);
        self.write(quote!(let #old; #aside let #pattern; #back));
    }
}
