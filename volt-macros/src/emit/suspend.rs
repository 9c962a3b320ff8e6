//! The end of a block that waits: the future is made, and put beside what lives on.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::block::Writer;
use super::input::own;
use crate::cfg::BlockId;
use crate::hir::{AwaitId, LocalId, Use};
use crate::liveness::QuestionId;

impl Writer<'_> {
    /// Makes the future, puts it beside what lives on, and goes to the state.
    pub(super) fn suspend(&mut self, id: AwaitId, resume: BlockId) {
        self.held_at_exits = Some(self.held.clone());
        if self.input.layout.renewed[id.0] {
            return self.suspend_renewed(id, resume);
        }
        self.prepare([self.input.body.awaits[id.0].operand]);
        let operand = &self.input.liveness.operands[id.0];
        let Some((local, question)) = operand.asks else {
            return self.suspend_lending(id, resume, &operand.lends, &TokenStream::new());
        };
        let mut taken = self.variant(question);
        taken.without = Some(local);
        let gate = self.input.gate(question);
        taken.suspend_lending(id, resume, &operand.lends, &quote!(#gate::taken();));
        let mut looked = self.variant(question);
        let is_stable = self.input.liveness.stable.contains(&local);
        let lent = Some(local).filter(|_| !is_stable);
        let lends: Vec<_> = operand.lends.iter().copied().chain(lent).collect();
        looked.suspend_lending(id, resume, &lends, &quote!(#gate::looked();));
        let written = self.input.unless(question, &taken.code, &looked.code);
        self.write(&written);
    }

    /// The same writer with nothing written.
    fn variant(&self, question: QuestionId) -> Self {
        Self {
            code: TokenStream::new(),
            gate: Some(question),
            ..self.clone()
        }
    }

    /// `gate` stands in front of the code of closures, too, which are checked by themselves.
    fn suspend_lending(
        &mut self,
        id: AwaitId,
        resume: BlockId,
        lends: &[LocalId],
        gate: &TokenStream,
    ) {
        let operand = self.input.body.awaits[id.0].operand;
        let named = self.input.body.named(operand);
        self.settle(lends, resume, &named);
        let lent = self.scope.iter().copied();
        let lent = lent.filter(|local| {
            let is_stable = self.input.liveness.stable.contains(local);
            named.contains(local) && self.held.contains(local) && !is_stable
        });
        let lent: Vec<&Ident> = lent.map(|local| self.input.ident(local)).collect();
        let printed = self.print(operand, Use::Value);
        let future = quote!(::core::future::IntoFuture::into_future(#printed));
        let slot = super::input::slot(self.input.layout.future(id));
        let (region, token) = (own("region"), own("token"));
        let private = self.input.private();
        self.write(&match lends.is_empty() {
            true => quote!(#slot.put(#region, #future);),
            false => quote! {
                #slot.put_lent(
                    #region,
                    (#(#private::lend(&#lent, #token),)*),
                    move |(#(#lent,)*)| { #gate #future },
                );
            },
        });
        self.wait(resume);
    }

    /// Each poll makes the future anew, of what lives on.
    fn suspend_renewed(&mut self, id: AwaitId, resume: BlockId) {
        let slot = super::input::slot(self.input.layout.future(id));
        let region = own("region");
        self.write(&quote!(#slot.put(#region, ());));
        self.wait(resume);
    }

    fn wait(&mut self, resume: BlockId) {
        let (puts, tag, next) = (self.puts(resume), own("tag"), own("next"));
        let (number, on) = (self.input.number(resume), self.on(resume));
        self.write(&quote!(#puts #tag.set(#number); #next = #number; #on));
    }

    /// Puts what is lent into its place, where it is from now on, and takes what is named for the last
    /// time out of it, each in its order among the others.
    pub(super) fn settle(&mut self, lends: &[LocalId], resume: BlockId, named: &BTreeSet<LocalId>) {
        let (region, private) = (own("region"), self.input.private());
        let mut is_moving = false;
        for local in self.scope.clone() {
            let is_held = self.held.contains(&local);
            let (is_lent, is_named) = (lends.contains(&local), named.contains(&local));
            let mut entry = self.input.entry(resume).iter();
            let stays = self.without != Some(local) && entry.any(|live| live.local == local);
            let (ident, slot) = (self.input.ident(local).clone(), self.input.slot(local));
            let guard = match is_held {
                true => self.input.guard(local),
                false => ident.clone(),
            };
            if is_lent && !is_held {
                is_moving = true;
                self.held.push(local);
                self.write(&quote!(#slot.put(#region, #ident); let mut #ident = #slot.hold();));
            } else if is_held && is_named && !is_lent && !stays {
                is_moving = true;
                self.held.retain(|held| *held != local);
                let pattern = self.pattern(local);
                self.write(&quote!(let #pattern = #private::take(#guard);));
            } else if let Some(question) = self.asked_here(resume, local).filter(|_| is_moving) {
                self.move_untaken(local, question);
            } else if is_moving && (is_named || stays) {
                let pattern = self.pattern(local);
                self.write(&quote!(let #pattern = #guard;));
                if is_named {
                    self.refer(local);
                }
            }
        }
    }
    /// Declares a guard anew that a method of this block may have taken: only what was looked at is there.
    fn move_untaken(&mut self, local: LocalId, question: QuestionId) {
        let (pattern, guard, old) = (self.pattern(local), self.input.guard(local), own("old"));
        let (aside, back) = (quote!(#old = #guard;), quote!(#guard = #old;));
        let aside = self.input.unless(question, &TokenStream::new(), &aside);
        let back = self.input.unless(question, &TokenStream::new(), &back);
        self.write(&quote!(let #old; #aside let #pattern; #back));
    }
}
