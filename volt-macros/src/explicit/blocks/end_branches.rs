//! The end of a block with several branches: a match of which a branch may continue elsewhere.
//!
//! ```text
//! let kept;                                  a local that a branch sets
//! 'exit_8: {
//!     match output_0 {
//!         Ok(_) => {                         the rest of the value is dropped behind the match
//!             kept = page();
//!             break 'exit_8 ();
//!         }
//!         ..
//!     }
//! }
//! slot_1.store(region, kept);                not before: a destructor of the rest may panic
//! ```

use proc_macro2::TokenStream;
use quote::quote;

use super::block::BlockWriter;
use crate::cfg::{BlockId, Branch, End, Step};
use crate::hir::{ExprId, LocalId, LocalKind, Use, binds_all_by_value, has_temporary};

impl BlockWriter<'_> {
    pub(super) fn end_branches(&mut self, on: ExprId, branches: &[Branch]) {
        self.prepare_branches(on, branches);
        self.prepare([on]);
        let code = branches.iter().map(|branch| {
            let code = self.branch(branch);
            let code = quote!({ #code });
            match &branch.pat {
                Some(pat) => self.input.body.rebind(pat, &branch.binds, code),
                None => self.input.body.rebind_of(on, &branch.binds, code),
            }
        });
        let code: Vec<_> = code.collect();
        let pats = branches.iter().map(|branch| branch.pat.as_ref()).collect();
        let guards = branches.iter().map(|branch| {
            let guard = self.print(branch.guard?, Use::Value);
            Some(quote!(if #guard))
        });
        let guards: Vec<_> = guards.collect();
        let written = match (pats, &code[..]) {
            (None::<Vec<_>>, [then, otherwise]) => {
                let on = self.print(on, Use::Value);
                quote!(if #on #then else #otherwise)
            }
            (pats, code) => {
                let pats: Vec<_> = pats.into_iter().flatten().collect();
                let value = self.print(on, Use::Scrutinee);
                let on = self.input.body.matched(on, pats.iter().copied(), value);
                quote!(match #on { #(#pats #guards => #code)* })
            }
        };
        self.write(written);
    }

    /// Opens the labels that branches need: those of jumps, and those of exits where a binding of a
    /// branch goes out of scope.
    fn prepare_branches(&mut self, on: ExprId, branches: &[Branch]) {
        for branch in branches {
            self.prepare(branch.exprs());
            let Some(to) = branch.to.filter(|to| !self.exits.is_open(*to)) else {
                continue;
            };
            let ends = branch.binds.iter().any(|local| self.ends(*local, to));
            if ends {
                self.open(to);
            } else if self.stores_before_drop(on, branch, to) {
                self.declare_set(branch);
                self.open(to);
            }
        }
    }

    /// Returns `true` if a branch continues in a block that has locals with destructors, and the
    /// match drops a part of its value, or a temporary, after the branch. Such a drop can panic,
    /// and stored locals would not be dropped then.
    fn stores_before_drop(&self, on: ExprId, branch: &Branch, to: BlockId) -> bool {
        let Some(pat) = &branch.pat else { return false };
        let leaves_rest = !binds_all_by_value(pat) || has_temporary(&self.input.body.exprs[on.0]);
        let has_destructor = |local: LocalId| !self.input.body.is_plain(local);
        let is_live = |local: LocalId| self.scope.contains(local) && has_destructor(local);
        let entry = self.input.entry(to).iter();
        let mut set = branch.steps.iter().filter_map(set_local);
        let is_stored = entry.map(|live| live.local).any(is_live) || set.any(has_destructor);
        leaves_rest && is_stored
    }

    /// Declares the local that this block sets as its last step outside of the label of an exit, if
    /// only temporaries of the macro end on that path: the rest of a matched value. The compiler
    /// drops the value of a `let` if such a drop panics, but not if a local of the user does.
    pub(super) fn declare_result(&mut self, to: BlockId) {
        let block = &self.input.cfg.blocks[self.id.0];
        let (End::Goto(next), Some(local)) = (&block.end, block.steps.last().and_then(set_local))
        else {
            return;
        };
        let declared = block.steps.iter().flat_map(Step::declares).copied();
        let entry = self.input.entry(self.id).iter().map(|live| live.local);
        let ends = |other: LocalId| {
            let data = &self.input.body.locals[other.0];
            let is_unnamed = data.is_temp() || data.kind == LocalKind::Unnamed;
            !is_unnamed && other != local && self.ends(other, to)
        };
        if *next == to && !entry.chain(declared).any(ends) {
            self.declare_late(local);
        }
    }

    fn declare_late(&mut self, local: LocalId) {
        if !self.scope.contains(local) {
            let (pattern, ty) = (self.input.pattern(local), self.input.typed(local));
            self.scope.declare(&[local]);
            self.write(quote!(let #pattern #ty;));
        }
    }

    /// Declares the local that a branch sets outside of the label, because the value of a `break`
    /// is not dropped if a destructor on its path panics.
    fn declare_set(&mut self, branch: &Branch) {
        for local in branch.steps.iter().filter_map(set_local) {
            self.declare_late(local);
        }
    }

    fn branch(&self, branch: &Branch) -> TokenStream {
        let (mut code, value) = self.branch_steps(&branch.steps);
        let Some(to) = branch.to.filter(|to| self.is_reached(*to)) else {
            return code;
        };
        let value = match value {
            Some((local, value)) if self.scope.contains(local) => {
                let ident = self.input.ident(local);
                code.extend(quote!(#ident = #value;));
                None
            }
            value => value,
        };
        if self.exits.is_open(to) {
            let leave = self.break_to(to, value);
            code.extend(quote!(#leave;));
            return code;
        }
        if let Some((local, value)) = value {
            let (pattern, ty) = (self.input.pattern(local), self.input.typed(local));
            code.extend(quote!(let #pattern #ty = #value;));
        }
        code.extend(self.go_to(to));
        code
    }

    /// Returns the steps of a branch, and the local that it sets, with the value.
    fn branch_steps(&self, steps: &[Step]) -> (TokenStream, Option<(LocalId, TokenStream)>) {
        let (mut code, mut value) = (TokenStream::new(), None);
        for step in steps {
            match step {
                Step::Set { local, value: expr } => {
                    value = Some((*local, self.print(*expr, Use::Value)));
                }
                step => code.extend(self.printed_step(step)),
            }
        }
        (code, value)
    }
}

/// Returns the local that a step sets.
fn set_local(step: &Step) -> Option<LocalId> {
    match step {
        Step::Set { local, .. } => Some(*local),
        _ => None,
    }
}
