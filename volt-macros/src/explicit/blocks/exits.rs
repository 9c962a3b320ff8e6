//! The exits of a block: labels for exits on which a scope ends, stores, and the next number.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use super::super::explicit_machine::{ExplicitMachine, local_ident};
use super::super::rewrite::Variant;
use super::block::{BlockWriter, exit};
use super::scope::Exit;
use crate::cfg::{BlockId, Step};
use crate::hir::{ExprId, LocalId};
use crate::layout::Place;
use crate::liveness::{Live, Need, QueryId};
use crate::names::label;

impl ExplicitMachine<'_> {
    /// Returns the blocks that can follow a block.
    pub(crate) fn targets(&self, id: BlockId) -> Vec<BlockId> {
        let mut targets = Vec::new();
        for to in self.cfg.exits(id) {
            if !targets.contains(&to) {
                targets.push(to);
            }
        }
        targets.retain(|to| self.is_reached(id, *to));
        targets
    }

    /// Returns `true` if a block can continue in another: it has all locals that are live there.
    fn is_reached(&self, id: BlockId, to: BlockId) -> bool {
        let available = self.available(id);
        let mut entry = self.entry(to).iter();
        entry.all(|live| available.contains(&live.local))
    }

    /// Returns the locals that are live where a block begins, and those that it binds.
    fn available(&self, id: BlockId) -> Vec<LocalId> {
        let block = &self.cfg.blocks[id.0];
        let mut available: Vec<LocalId> = self.entry(id).iter().map(|live| live.local).collect();
        available.extend(&self.liveness.uninitialized[id.0]);
        let awaited = self.cfg.awaited_before(id);
        available.extend(awaited.map(|id| self.body.awaits[id.0].output));
        available.extend(block.branches().iter().flat_map(|branch| &branch.binds));
        available.extend(block.all_steps().flat_map(Step::declares));
        available.extend(self.cfg.jumps.iter().filter_map(|jump| jump.value));
        available
    }
}

impl BlockWriter<'_> {
    /// Returns `true` if this block can continue in another.
    pub(crate) fn is_reached(&self, to: BlockId) -> bool {
        self.input.is_reached(self.id, to)
    }

    /// Returns `true` if a local is out of scope where a block begins.
    pub(crate) fn ends(&self, local: LocalId, to: BlockId) -> bool {
        !self.input.cfg.blocks[to.0].in_scope.contains(&local)
    }

    /// Returns `true` if the local is a temporary of the macro that a step moves before any jump to
    /// that block. Then later locals need not be carried out of a label. A carried local would not
    /// be dropped if a destructor on the path panics.
    fn is_moved_before(&self, local: LocalId, to: BlockId) -> bool {
        let (body, cfg) = (&self.input.body, &self.input.cfg);
        let jumps_there = |expr: ExprId| cfg.jumps_of(expr).any(|jump| jump == to);
        let moves = |expr: ExprId| {
            let uses = (expr, local, 0)..(expr, local, usize::MAX);
            body.moves.range(uses).next().is_some()
        };
        let steps = cfg.blocks[self.id.0].steps.iter();
        let mut before = steps
            .flat_map(Step::exprs)
            .take_while(|it| !jumps_there(*it));
        body.locals[local.0].is_temp() && before.any(moves)
    }

    /// Opens the labels of exits before locals are declared that end on their paths.
    pub(crate) fn declare(&mut self, locals: &[LocalId]) {
        self.open_tail(locals);
        for to in self.exits.closed() {
            let ends = |local: &LocalId| self.ends(*local, to) && !self.is_moved_before(*local, to);
            if locals.iter().any(ends) {
                self.declare_result(to);
                self.open(to);
            }
        }
        self.scope.declare(locals);
    }

    pub(crate) fn open(&mut self, to: BlockId) {
        let entry = self.input.entry(to);
        let carried = entry.iter().map(|live| live.local);
        let carried = carried
            .filter(|local| !self.scope.contains(*local))
            .collect();
        self.exits.open(Exit { to, carried });
        self.code.open_label();
    }

    /// Breaks to a block whose label is open. A value of the break is one of the carried locals, or
    /// it is assigned to a local that was declared before the label.
    pub(crate) fn break_to(
        &self,
        to: BlockId,
        value: Option<(LocalId, TokenStream)>,
    ) -> TokenStream {
        let label = exit(self.input, to);
        let given = local_ident("given");
        let found = self.exits.find(to);
        let carried = found.map(|exit| &exit.carried[..]).unwrap_or_default();
        let bound = value.iter().map(|(local, value)| {
            let (ty, ident) = (self.input.typed(*local), self.input.ident(*local));
            if found.is_some() && !carried.contains(local) && self.scope.contains(*local) {
                return quote!(#ident = #value;);
            }
            quote!(let #given #ty = #value;)
        });
        let bound: TokenStream = bound.collect();
        let carried = carried.iter().map(|local| match &value {
            Some((target, _)) if target == local => quote!(#given),
            _ if self.scope.is_in_place(*local) => self.input.guard(*local).to_token_stream(),
            _ => self.input.ident(*local).to_token_stream(),
        });
        quote!({ #bound break #label (#(#carried,)*) })
    }

    /// Stores the locals of the next block, and continues there.
    pub(crate) fn go_to(&self, to: BlockId) -> TokenStream {
        let (puts, next, number) = (self.puts(to), local_ident("next"), self.input.number(to));
        let go = self.jump_to(to);
        quote!(#puts #next = #number; #go)
    }

    /// Continues in the block whose number is in `next`.
    pub(crate) fn jump_to(&self, to: BlockId) -> TokenStream {
        let (block, machine) = (label("block"), label("machine"));
        if to > self.id {
            quote!(break #block;)
        } else {
            quote!(continue #machine;)
        }
    }

    pub(crate) fn puts(&self, to: BlockId) -> TokenStream {
        let entry = self.input.entry(to).iter();
        let entry = entry.filter(|live| self.variant != Variant::Moves(live.local));
        let (held, owned): (Vec<Live>, Vec<Live>) =
            entry.partition(|live| self.scope.is_in_place(live.local));
        let left = self.leave_in_place(to, &held);
        let puts = owned.iter().map(|live| self.put(*live));
        quote!(#left #(#puts)*)
    }

    /// Leaves guarded locals in place. A local that the block may have moved is left in place only
    /// if it was not.
    fn leave_in_place(&self, to: BlockId, held: &[Live]) -> TokenStream {
        let private = self.input.private();
        let (mut kept, mut sure) = (TokenStream::new(), Vec::new());
        for live in held {
            let guard = self.input.guard(live.local);
            let Some(query) = self.query_of_block(to, live.local) else {
                sure.push(guard);
                continue;
            };
            let keep = quote!(#private::leave_in_place(#guard););
            kept.extend(self.input.if_moved(query, &TokenStream::new(), &keep));
        }
        let keep = (!sure.is_empty()).then(|| quote!(#private::leave_in_place((#(#sure,)*));));
        quote!(#kept #keep)
    }

    /// Returns the query that determines if this block has moved a local that may be live in the
    /// next block.
    pub(crate) fn query_of_block(&self, to: BlockId, local: LocalId) -> Option<QueryId> {
        let mut entry = self.input.entry(to).iter();
        let live = entry.find(|live| live.local == local)?;
        match live.need {
            Need::Unless(query) if !self.input.entry(self.id).contains(live) => Some(query),
            _ => None,
        }
    }

    pub(crate) fn put(&self, live: Live) -> TokenStream {
        let (slot, ident) = (self.input.slot(live.local), self.input.ident(live.local));
        let region = local_ident("region");
        let put = match (self.input.layout.places[live.local.0], live.need) {
            (Place::Field(_), Need::Used) => quote!(#slot.store(#region, #ident);),
            // A reference that is not used any more may be dangling, so it is not passed to a
            // function.
            (Place::Field(_), _) => {
                let private = self.input.private();
                quote!(if #private::needs_drop(&#ident) { #slot.store_for_drop(#region, #ident); })
            }
            _ => quote!(#slot.store(#ident);),
        };
        match live.need {
            Need::Unless(query) => self.input.if_moved(query, &TokenStream::new(), &put),
            Need::Used | Need::Scope => put,
        }
    }

    /// Closes all labels, each followed by the code that continues in its block.
    pub(crate) fn finished(mut self) -> TokenStream {
        while let Some(exit) = self.exits.close() {
            let inner = self.code.close_label();
            let label = self::exit(self.input, exit.to);
            let carried = exit.carried.iter().map(|local| self.pattern(*local));
            let bound = if exit.carried.is_empty() {
                quote!(#label: { #inner })
            } else {
                quote!(let (#(#carried,)*) = #label: { #inner };)
            };
            self.write(bound);
            let go = self.go_to(exit.to);
            self.write(go);
        }
        self.code.into_tokens()
    }
}
