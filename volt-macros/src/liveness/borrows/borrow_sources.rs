//! The locals from which a local may borrow: a may-borrow analysis with aliases.
//!
//! The analysis is conservative: an expression of an unknown form may borrow from each local in it.
//! The *sources* of an expression are the locals from which it may borrow. The sources of a local
//! are those of its values.
//!
//! ```text
//! expression                         may borrow from
//! x                                  the sources of x, and x itself if its type is `&mut T`
//! x.field, x[i]                      the sources of x
//! &x, x.method()                     the sources of x, and x itself unless its type is `&T`
//! &r, of r: &T                       the sources of r, and r itself
//! x.clone()                          the sources of x, if the compiler confirms it
//! a moved value, an empty one left   the sources of its place
//! 5, x.len(), x.to_string()          nothing, if the compiler confirms it
//! |..| .., async { .. }              the sources of each captured local
//! f(a, b), [a, b], S { a, b }        the sources of each operand
//! a known macro                      the sources of the arguments that it moves
//! an unknown macro                   an unknown value, if a local occurs in it
//! let pattern = x                    as `x.method()`
//! match x { pattern => y, .. }       the sources of y, and those of `let pattern = x` without x if x owns its content
//! a block, branch or loop            each local that occurs in it, and its sources
//! ```
//!
//! The values of a local are those of its declarations, and those that it receives later:
//! `list.push(&page)`.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenTree;
use quote::ToTokens;
use syn::{Expr, Type};

use super::captures::captured;
use super::later_values::{Values, later_values};
use super::owned_values::{cloned, is_owned};
use crate::cfg::{Cfg, End, Step};
use crate::fallback::{FallbackReason, Fallbacks};
use crate::hir::{
    AwaitId, Body, ExprId, LocalId, LocalKind, Use, borrows, is_copy, is_exclusive,
    is_fully_written, is_plain_value, is_shared_reference, moved_place, operands, owns,
    shows_no_borrow,
};
use crate::liveness::result::LiveSpan;
use crate::names::any_token;
use crate::resolve::named_in;
use crate::syntax::contains_ident;

/// The values of all locals, from which the sources are collected.
pub(in crate::liveness) struct BorrowSources<'b> {
    pub(in crate::liveness) body: &'b Body,
    pub(super) is_generic: bool,
    pub(in crate::liveness) values: BTreeMap<LocalId, Vec<ExprId>>,
    /// The values that a local receives later: `list.push(&page)`.
    later_values: Values,
    /// The values that patterns of leaf expressions bind.
    pattern_values: Values,
    /// For each local, the locals through which it may receive a value: `let entry = map.entry(1)`.
    aliases: BTreeMap<LocalId, Vec<LocalId>>,
    /// The locals that are declared without a value.
    uninitialized: BTreeSet<LocalId>,
    /// The locals that own their content, because a snapshot contains them.
    pub(in crate::liveness) owned: BTreeSet<LocalId>,
}

/// The sources of a value.
#[derive(Default)]
pub(in crate::liveness) struct BorrowedFrom {
    pub(in crate::liveness) locals: BTreeSet<LocalId>,
    /// `true` if it may borrow from a value without a place, such as a temporary.
    pub(in crate::liveness) is_unknown: bool,
    /// The locals whose values have been visited.
    visited: BTreeSet<LocalId>,
}

impl<'b> BorrowSources<'b> {
    /// Collects the values of all locals. In a generic function, the compiler cannot confirm the
    /// assumptions about methods by name.
    pub(in crate::liveness) fn of(body: &'b Body, cfg: &Cfg, is_generic: bool) -> Self {
        let (later_values, pattern_values) = later_values(body, cfg);
        let mut borrow_sources = Self {
            body,
            is_generic,
            values: BTreeMap::new(),
            later_values,
            pattern_values,
            aliases: BTreeMap::new(),
            uninitialized: BTreeSet::new(),
            owned: BTreeSet::new(),
        };
        for data in &body.awaits {
            borrow_sources.add(data.output, data.operand);
        }
        for block in &cfg.blocks {
            borrow_sources.add_steps(&block.steps);
            borrow_sources.add_end(&block.end);
        }
        borrow_sources.aliases = borrow_sources.aliases();
        borrow_sources
    }

    fn aliases(&self) -> BTreeMap<LocalId, Vec<LocalId>> {
        let mut aliases = BTreeMap::<_, Vec<_>>::new();
        for local in (0..self.body.locals.len()).map(LocalId) {
            let bound = self.pattern_values.get(&local).into_iter().flatten();
            let values = self.values_of(local).chain(bound);
            let values = values.filter(|_| !self.is_owner(local));
            for other in values.flat_map(|value| named_in(value, &self.body.names)) {
                aliases.entry(other).or_default().push(local);
            }
        }
        aliases
    }

    /// The values that a local may receive after its declaration, itself or through an alias.
    pub(super) fn later_values_of(&self, local: LocalId) -> impl Iterator<Item = &Expr> {
        let mut through = vec![local];
        let mut index = 0;
        while let Some(local) = through.get(index) {
            let aliases = self.aliases.get(local).into_iter().flatten();
            let new: Vec<_> = aliases
                .filter(|local| !through.contains(local))
                .copied()
                .collect();
            through.extend(new);
            index += 1;
        }
        let passed = through
            .into_iter()
            .filter_map(|local| self.later_values.get(&local));
        passed.chain(self.pattern_values.get(&local)).flatten()
    }

    fn add_end(&mut self, end: &End) {
        let End::Branches { on, branches } = end else {
            return;
        };
        for branch in branches {
            let binds = branch.binds.iter();
            binds.for_each(|local| self.add(*local, *on));
            self.add_steps(&branch.steps);
        }
    }

    fn add_steps(&mut self, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Let(node) => match node.value {
                    Some(value) => node.binds.iter().for_each(|local| self.add(*local, value)),
                    None => self.uninitialized.extend(&node.binds),
                },
                Step::Set { local, value } => self.add(*local, *value),
                Step::Eval(_) | Step::Return(_) => {}
            }
        }
    }

    fn add(&mut self, local: LocalId, value: ExprId) {
        self.values.entry(local).or_default().push(value);
    }

    /// Checks a local that is live for a span. Returns the locals from
    /// which it may borrow.
    pub(in crate::liveness) fn check(
        &self,
        local: LocalId,
        span: LiveSpan,
        fallbacks: &mut Fallbacks,
    ) -> Vec<LocalId> {
        let data = &self.body.locals[local.0];
        if data.kind == LocalKind::Borrowed {
            fallbacks.note(FallbackReason::Borrow, &data.ident);
            return Vec::new();
        }
        if self.is_owner(local) {
            return Vec::new();
        }
        let mut found = BorrowedFrom::default();
        let is_brief = data.is_temp() && span == LiveSpan::Block;
        let is_kept = !is_brief && span != LiveSpan::Snapshot;
        if is_kept && self.may_hold_closure(local) {
            fallbacks.note(FallbackReason::StoredClosure, &data.ident);
        }
        self.collect_values(local, &mut found);
        if found.is_unknown
            || !found
                .locals
                .iter()
                .all(|local| self.can_stay_in_place(*local))
        {
            fallbacks.note(FallbackReason::Borrow, &data.ident);
            return Vec::new();
        }
        // The bindings of one pattern share one value, and a condition contains their names. They
        // are not sources of each other.
        let bound = self.values.get(&local);
        found
            .locals
            .retain(|other| bound.is_none() || self.values.get(other) != bound);
        found.locals.into_iter().collect()
    }

    /// Returns the sources of the values that an operand moves into its future. A value without a
    /// place is a fallback reason.
    pub(in crate::liveness) fn borrowed_by_operand(
        &self,
        id: AwaitId,
        fallbacks: &mut Fallbacks,
    ) -> Vec<LocalId> {
        let mut found = BorrowedFrom::default();
        for &local in self.body.uses(self.body.awaits[id.0].operand).iter() {
            let data = &self.body.locals[local.0];
            if !self.is_owner(local) && found.visited.insert(local) {
                self.collect_values(local, &mut found);
            }
            if std::mem::take(&mut found.is_unknown) {
                fallbacks.note(FallbackReason::OperandTemporary, &data.ident);
            }
        }
        for local in &found.locals {
            if !self.can_stay_in_place(*local) {
                fallbacks.note(FallbackReason::Borrow, &self.body.locals[local.0].ident);
            }
        }
        found.locals.into_iter().collect()
    }

    /// Returns `true` if a local can stay in its place from its declaration on.
    fn can_stay_in_place(&self, local: LocalId) -> bool {
        let is_named = match self.body.locals[local.0].kind {
            LocalKind::Argument(_)
            | LocalKind::Let
            | LocalKind::Pattern
            | LocalKind::Unnamed
            | LocalKind::Iterator
            | LocalKind::Receiver => true,
            LocalKind::Borrowed | LocalKind::Output(_) | LocalKind::Temp => false,
        };
        is_named && !self.uninitialized.contains(&local)
    }

    /// Returns `true` if the local owns its content, or borrows only from outside of the function.
    pub(in crate::liveness) fn is_owner(&self, local: LocalId) -> bool {
        let is_argument = self.body.locals[local.0].is_argument();
        is_argument
            || self.owned.contains(&local)
            || self
                .body
                .has_type(local, |ty| shows_no_borrow(ty) || owns(ty))
    }

    /// Returns `true` if the compiler confirms what the name of a method promises. The probe does
    /// that, except for awaited expressions.
    fn is_confirmed(&self, expr: &Expr) -> bool {
        let mut awaits = self.body.awaits.iter();
        let is_awaited = awaits.any(|data| std::ptr::eq(&self.body.exprs[data.operand.0], expr));
        !self.is_generic && !is_awaited
    }

    fn is_owned(&self, expr: &Expr) -> bool {
        is_owned(expr, &|expr| self.is_confirmed(expr))
    }

    /// Returns the values of a local, except those that own their content.
    pub(super) fn values_of(&self, local: LocalId) -> impl Iterator<Item = &Expr> {
        let values = self.values.get(&local).into_iter().flatten();
        let values = values.map(|value| &self.body.exprs[value.0]);
        values.filter(|value| !self.is_owned(value))
    }

    /// Returns `true` if one of the local's values is a plain value, such as a number. A use by
    /// value is then a copy.
    pub(in crate::liveness) fn is_plain(&self, local: LocalId) -> bool {
        let values = self.values.get(&local).into_iter().flatten();
        let mut values = values.map(|value| &self.body.exprs[value.0]);
        values.any(is_plain_value)
    }

    /// Returns `true` if the local may be a mutable reference.
    pub(in crate::liveness) fn may_be_exclusive(&self, local: LocalId) -> bool {
        match &self.body.locals[local.0].ty {
            Some(ty) => borrows(ty) || !is_fully_written(ty),
            None => {
                let mut found = BorrowedFrom::default();
                let is_shared = |value: &&Expr| matches!(value, Expr::Reference(node) if node.mutability.is_none());
                self.values_of(local)
                    .filter(|value| !is_shared(value))
                    .for_each(|value| self.collect_expr(value, Use::Value, &mut found));
                found.is_unknown || !found.locals.is_empty()
            }
        }
    }

    /// Collects the sources of an expression.
    pub(super) fn collect_expr(&self, expr: &Expr, used: Use, found: &mut BorrowedFrom) {
        found.locals.extend(self.referred(expr));
        let cloned = cloned(expr).filter(|_| self.is_confirmed(expr));
        if let Some(place) = moved_place(expr).or(cloned) {
            return self.collect_expr(place, Use::Value, found);
        }
        match expr {
            Expr::Path(_) => {
                if let Some(local) = self.body.local_of(expr) {
                    self.collect_local(local, used, found);
                }
            }
            Expr::Closure(_) | Expr::Async(_) => captured(self.body, expr)
                .into_iter()
                .for_each(|local| self.collect_local(local, Use::Value, found)),
            Expr::Macro(node) => self.collect_macro(&node.mac, found),
            // A condition binds parts of the matched value.
            Expr::Let(node) => self.collect_expr(&node.expr, self.matched_use(expr), found),
            Expr::Match(node) if !contains_ident(node.to_token_stream(), "ref") => {
                self.collect_arms(node, found);
            }
            expr if self.is_owned(expr) => {}
            expr => match operands(expr, used) {
                Some(operands) => operands
                    .iter()
                    .for_each(|(operand, used)| self.collect_expr(operand, *used, found)),
                None => self.collect_named(expr, found),
            },
        }
    }

    /// Returns `true` if a borrow through the local lives as long as its target.
    pub(super) fn is_shared_ref(&self, local: LocalId) -> bool {
        self.body.has_type(local, is_shared_reference)
    }

    fn collect_local(&self, local: LocalId, used: Use, found: &mut BorrowedFrom) {
        let is_borrowed = match self.body.locals[local.0].kind {
            LocalKind::Iterator | LocalKind::Output(_) | LocalKind::Temp => false,
            _ => match used {
                Use::Value => self.body.has_type(local, is_exclusive),
                Use::Part | Use::Copied => false,
                _ => !self.is_shared_ref(local),
            },
        };
        if is_borrowed && !self.is_of_leaf(local) {
            found.locals.insert(local);
        }
        if !self.is_owner(local) && found.visited.insert(local) {
            self.collect_values(local, found);
        }
    }

    /// Collects the sources of a local.
    pub(in crate::liveness) fn collect_values(&self, local: LocalId, found: &mut BorrowedFrom) {
        self.values_of(local)
            .for_each(|value| self.collect_expr(value, Use::Value, found));
        self.collect_later_values(local, found);
    }

    /// Collects the sources of the values that a local receives later. Temporaries are ignored,
    /// because they cannot be among these values.
    fn collect_later_values(&self, local: LocalId, found: &mut BorrowedFrom) {
        if self.values.contains_key(&local) && self.values_of(local).next().is_none() {
            return;
        }
        let mut later = BorrowedFrom {
            visited: std::mem::take(&mut found.visited),
            ..BorrowedFrom::default()
        };
        for value in self.later_values_of(local) {
            if !self.is_owned(value) {
                self.collect_expr(value, Use::Value, &mut later);
            }
        }
        found.visited = later.visited;
        let locals = later.locals.into_iter();
        let locals = locals.filter(|other| *other != local && self.can_stay_in_place(*other));
        found.locals.extend(locals);
    }

    /// Returns `true` if a local is declared in a leaf expression, and dropped with it.
    fn is_of_leaf(&self, local: LocalId) -> bool {
        let is_argument = self.body.locals[local.0].is_argument();
        !is_argument && !self.values.contains_key(&local) && !self.uninitialized.contains(&local)
    }

    /// Collects all locals in a block, a branch or a loop. Without a reference in it, a number is
    /// copied.
    fn collect_named(&self, expr: &Expr, found: &mut BorrowedFrom) {
        let is_mark =
            |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == '&');
        let refers = any_token(expr.to_token_stream(), &mut |token| is_mark(token));
        let is_single = |ty: &Type| is_copy(ty) && matches!(ty, Type::Path(_) | Type::Reference(_));
        for local in named_in(expr, &self.body.names) {
            let is_temp = self.body.locals[local.0].is_temp();
            if is_temp || !refers && self.body.has_type(local, is_single) {
                self.collect_local(local, Use::Value, found)
            } else {
                self.collect_local(local, Use::Shared, found)
            }
        }
    }
}
