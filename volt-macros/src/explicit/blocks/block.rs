//! One block of `advance`: guard the live locals, run the steps, store the locals of the next
//! block.
//!
//! ```text
//! if next == 2 {                       'block: {
//!     let mut stream = slot_0.guard();     the stored locals, in the order of their declarations
//!     ..
//!     let (total,) = 'exit_4: {            an exit on whose path a scope ends: locals that end there
//!         let n = ..;                      are declared within
//!         if n == 0 { break 'exit_4 (total,) }
//!         ..
//!         break 'block
//!     };
//!     leave_in_place((stream,));           the locals of the next block are in their places again
//!     slot_2.store(region, total);
//!     next = 4;
//! }}
//! ```
//!
//! The compiler drops the locals that go out of scope, in the usual order: at the end of a block,
//! by `?`, by `return`, by a panic. The locals of the next block are stored only after that.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;
use syn::Lifetime;

use super::super::explicit_machine::{ExplicitMachine, local_ident};
use super::super::rewrite::{InBlock, Variant, returned};
use super::code::Code;
use super::scope::{BlockScope, Exits};
use crate::cfg::{BlockId, End, Step};
use crate::hir::{ExprId, Let, LocalId, Use, checked_type, let_of};
use crate::layout::Place;
use crate::liveness::{Live, Need};
use crate::names::label;

impl ExplicitMachine<'_> {
    /// Returns the block as an `if`.
    pub(crate) fn block(&self, id: BlockId) -> TokenStream {
        let mut writer = BlockWriter::new(self, id);
        writer.prologue();
        let block = &self.cfg.blocks[id.0];
        for (index, step) in block.steps.iter().enumerate() {
            writer.step(step, index + 1 == block.steps.len());
        }
        writer.end();
        let (next, number, block) = (local_ident("next"), self.number(id), label("block"));
        let code = writer.finished();
        let mode = local_ident("mode");
        let begin = (id == BlockId(0)).then(
            || quote!(if #mode.must_register::<Self>() { return #mode.register_then_poll(); }),
        );
        quote!(if #next == #number { #begin #block: { #code } })
    }

    pub(crate) fn number(&self, block: BlockId) -> proc_macro2::Literal {
        proc_macro2::Literal::u8_unsuffixed(self.layout.numbers[block.0])
    }

    /// Returns the locals that a block names.
    fn named(&self, block: BlockId) -> BTreeSet<LocalId> {
        let exprs = self.cfg.blocks[block.0].all_exprs().into_iter();
        exprs.flat_map(|expr| self.body.named(expr)).collect()
    }

    pub(crate) fn entry(&self, block: BlockId) -> &[Live] {
        &self.layout.entry[block.0]
    }
}

pub(crate) struct BlockWriter<'b> {
    pub(crate) input: &'b ExplicitMachine<'b>,
    pub(crate) id: BlockId,
    /// The locals that the block names.
    pub(crate) named: BTreeSet<LocalId>,
    pub(crate) exits: Exits,
    pub(crate) scope: BlockScope,
    pub(crate) variant: Variant,
    pub(crate) code: Code,
}

impl<'b> BlockWriter<'b> {
    pub(crate) fn new(input: &'b ExplicitMachine<'b>, id: BlockId) -> Self {
        Self {
            input,
            id,
            named: input.named(id),
            exits: Exits::new(input.targets(id)),
            scope: BlockScope::default(),
            variant: Variant::Only,
            code: Code::default(),
        }
    }

    /// Returns a writer of a variant of the code after that of `self`, in the same scope.
    pub(crate) fn branch_off(&self, variant: Variant) -> Self {
        Self {
            input: self.input,
            id: self.id,
            named: self.named.clone(),
            exits: self.exits.clone(),
            scope: self.scope.clone(),
            variant,
            code: Code::default(),
        }
    }

    pub(crate) fn write(&mut self, tokens: TokenStream) {
        self.code.write(tokens);
    }

    // Printing of expressions.

    pub(crate) fn pattern(&self, local: LocalId) -> TokenStream {
        if self.scope.is_in_place(local) {
            let guard = self.input.guard(local);
            quote!(mut #guard)
        } else {
            self.input.pattern(local)
        }
    }

    pub(crate) fn print(&self, expr: ExprId, used: Use) -> TokenStream {
        let in_place = self.scope.in_place();
        self.print_with(expr, used, in_place, self.variant)
    }

    /// Prints the future that each poll creates again, from locals in their places.
    pub(crate) fn print_recreated(&self, expr: ExprId, in_place: &[LocalId]) -> TokenStream {
        self.print_with(expr, Use::Value, in_place, Variant::Recreated)
    }

    fn print_with(
        &self,
        expr: ExprId,
        used: Use,
        in_place: &[LocalId],
        variant: Variant,
    ) -> TokenStream {
        let jump = |number: usize, value: Option<TokenStream>| {
            let jump = &self.input.cfg.jumps[number];
            let given = jump
                .value
                .map(|local| (local, value.unwrap_or_else(|| quote!(()))));
            self.break_to(jump.to, given)
        };
        let rewrite = InBlock {
            input: self.input,
            in_place,
            variant,
            jump: &jump,
        };
        self.input.body.print_used(expr, used, &rewrite)
    }

    /// Opens the labels of the jumps in an expression.
    pub(crate) fn prepare(&mut self, exprs: impl IntoIterator<Item = ExprId>) {
        for expr in exprs {
            for to in self.input.cfg.jumps_of(expr) {
                if !self.exits.is_open(to) {
                    self.open(to);
                }
            }
        }
    }

    // The steps of the block.

    fn step(&mut self, step: &Step, is_last: bool) {
        self.prepare(step.exprs());
        match step {
            Step::Let(it) => {
                let is_named = it.binds.iter().any(|local| self.named.contains(local));
                if it.value.is_some() || is_named {
                    self.declare(&it.binds);
                    let printed = self.printed_let(it);
                    self.write(printed);
                    it.binds.iter().for_each(|local| self.tie_to_slot(*local));
                    self.store_in_place(&it.binds);
                }
            }
            Step::Set { local, value } => self.set(*local, *value, is_last),
            Step::Eval(_) | Step::Return(_) => {
                let printed = self.printed_step(step);
                self.write(printed);
            }
        }
    }

    /// Returns a step that declares nothing.
    pub(super) fn printed_step(&self, step: &Step) -> TokenStream {
        let print = |value: ExprId| self.print(value, Use::Value);
        match step {
            Step::Return(None) if !self.input.returns_unit() => TokenStream::new(),
            Step::Return(value) => {
                let returned = returned(value.map(print));
                quote!(#returned;)
            }
            Step::Eval(value) => {
                let value = print(*value);
                quote!(#value;)
            }
            Step::Let(_) | Step::Set { .. } => TokenStream::new(),
        }
    }

    fn printed_let(&self, it: &Let<ExprId>) -> TokenStream {
        let used = match it.pat {
            syn::Pat::Ident(_) => Use::Value,
            _ => Use::Scrutinee,
        };
        let value = it.value.map(|value| {
            let printed = self.print(value, used);
            self.input.body.matched(value, [&it.pat], printed)
        });
        let value = match (value, &it.binds[..]) {
            (Some(value), [local]) => Some(self.input.with_known_content(*local, value)),
            (value, _) => value,
        };
        let otherwise = it.otherwise.map(|it| self.print(it, Use::Value));
        let is_call = it.value.is_some_and(|value| self.input.body.is_call(value));
        let ty = it.ty.as_ref();
        let checked = ty.filter(|_| is_call).map(checked_type);
        let bound = let_of(&it.pat, checked.as_ref().or(ty), value, otherwise);
        let rebound = self.input.body.rebind_let(&it.pat, &it.binds);
        quote!(#bound #rebound)
    }

    fn set(&mut self, local: LocalId, value: ExprId, is_last: bool) {
        if let (true, End::Goto(to)) = (is_last, &self.input.cfg.blocks[self.id.0].end)
            && self.exits.is_open(*to)
        {
            // The end of the block sets the local.
            return;
        }
        let printed = self.print(value, Use::Value);
        self.declare(&[local]);
        let pattern = self.pattern(local);
        let ty = self.input.typed(local);
        self.write(quote!(let #pattern #ty = #printed;));
    }

    /// Stores locals that must stay in place. Later bindings of the same pattern are declared
    /// again, so that they are dropped first.
    fn store_in_place(&mut self, binds: &[LocalId]) {
        let mut is_moving = false;
        for &local in binds {
            let is_stable = self.input.liveness.stable.contains(&local);
            if is_stable && self.input.layout.places[local.0] != Place::Nowhere {
                is_moving = true;
                let need = Need::Used;
                let put = self.put(Live { local, need });
                self.scope.put_in_place(local);
                let (ident, slot) = (self.input.ident(local), self.input.slot(local));
                self.write(quote!(#put let mut #ident = #slot.guard();));
            } else if is_moving && !self.input.body.is_plain(local) {
                let (pattern, ident) = (self.pattern(local), self.input.ident(local));
                self.write(quote!(let #pattern = #ident;));
            }
        }
    }

    // The end of the block.

    fn end(&mut self) {
        let block = &self.input.cfg.blocks[self.id.0];
        match &block.end {
            End::Goto(to) if !self.is_reached(*to) => {}
            End::Goto(to) => self.goto(*to, block.steps.last()),
            End::Branches { on, branches } => self.end_branches(*on, branches),
            End::Suspend { id, resume, .. } => self.suspend(*id, *resume),
            End::Return(None) if !self.input.returns_unit() => {}
            End::Return(value) => self.end_return(*value),
            End::Never => {}
        }
    }

    /// Continues in another block. If its label is open, the value of the last step is passed on
    /// with the `break`.
    fn goto(&mut self, to: BlockId, last: Option<&Step>) {
        let mut value = match last {
            Some(Step::Set { local, value }) if self.exits.is_open(to) => {
                Some((*local, self.print(*value, Use::Value)))
            }
            _ => None,
        };
        if let Some((local, value)) = value.take_if(|(local, _)| self.scope.contains(*local)) {
            let ident = self.input.ident(local);
            self.write(quote!(#ident = #value;));
        }
        let go = if self.exits.is_open(to) {
            self.break_to(to, value)
        } else {
            self.go_to(to)
        };
        self.write(quote!(#go;));
    }

    fn end_return(&mut self, value: Option<ExprId>) {
        self.prepare(value);
        let value = value.map(|value| self.print(value, Use::Value));
        let value = self.close_tail(value);
        let returned = returned(value);
        self.write(quote!(#returned;));
    }
}

/// Returns the label of an exit.
pub(crate) fn exit(input: &ExplicitMachine<'_>, to: BlockId) -> Lifetime {
    label(&format!("exit_{}", input.layout.numbers[to.0]))
}
