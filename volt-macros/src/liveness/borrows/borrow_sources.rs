//! Locals that may borrow from others, or hold what has no name.

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
    AwaitId, Body, ExprId, LocalId, LocalKind, Use, borrows, is_copy, is_exclusive, is_plain_value,
    is_shared_reference, is_whole, operands, owns, owns_by_its_name,
};
use crate::names::any_token;
use crate::resolve::named_in;
use crate::syntax::Arguments;

/// Where the values of locals come from.
pub(in crate::liveness) struct BorrowSources<'b> {
    pub(in crate::liveness) body: &'b Body,
    is_generic: bool,
    pub(in crate::liveness) values: BTreeMap<LocalId, Vec<ExprId>>,
    /// What they are given later: `list.push(&page)`.
    later_values: Values,
    /// What patterns of expressions that stay whole bind to them.
    pattern_values: Values,
    /// For each local those by which it may be given something: `let entry = map.entry(1)`.
    aliases: BTreeMap<LocalId, Vec<LocalId>>,
    /// Those that are declared without a value.
    uninitialized: BTreeSet<LocalId>,
}

/// What a value may borrow from.
#[derive(Default)]
pub(in crate::liveness) struct BorrowedFrom {
    pub(in crate::liveness) locals: BTreeSet<LocalId>,
    /// Something without a name is among it.
    pub(in crate::liveness) is_unknown: bool,
    /// The locals whose values were read already.
    visited: BTreeSet<LocalId>,
}

impl<'b> BorrowSources<'b> {
    /// Of a function with type parameters nothing is asked: there the name of a method tells
    /// nothing.
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

    /// What a local may be given after its declaration, itself or by a handle.
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
        let given = through
            .into_iter()
            .filter_map(|local| self.later_values.get(&local));
        given.chain(self.pattern_values.get(&local)).flatten()
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

    /// Doubts about a local that lives across a border, and the locals from which it may borrow.
    pub(in crate::liveness) fn check(
        &self,
        local: LocalId,
        waits: bool,
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
        let is_brief = data.is_temp() && !waits;
        if !is_brief && self.may_hold_closure(local) {
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
        // Where a pattern stands in the condition of a branch, the value names what it binds: all that is bound by
        // it has this value.
        let bound = self.values.get(&local);
        found
            .locals
            .retain(|other| bound.is_none() || self.values.get(other) != bound);
        found.locals.into_iter().collect()
    }

    /// The locals from which what is moved into an awaited future may borrow. What has no place of its own is a doubt.
    pub(in crate::liveness) fn borrowed_by_operand(
        &self,
        id: AwaitId,
        fallbacks: &mut Fallbacks,
    ) -> Vec<LocalId> {
        let mut found = BorrowedFrom::default();
        for local in named_in(self.body.operand(id), &self.body.names) {
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

    /// Whether a local may be kept in its place from its declaration on.
    fn can_stay_in_place(&self, local: LocalId) -> bool {
        let is_named = match self.body.locals[local.0].kind {
            LocalKind::Argument(_)
            | LocalKind::Let
            | LocalKind::Pattern
            | LocalKind::Iterator
            | LocalKind::Receiver => true,
            LocalKind::Borrowed | LocalKind::Output(_) | LocalKind::Temp => false,
        };
        is_named && !self.uninitialized.contains(&local)
    }

    /// Whether the local owns what it holds, or borrows what outlives the function.
    pub(in crate::liveness) fn is_owner(&self, local: LocalId) -> bool {
        let is_argument = self.body.locals[local.0].is_argument();
        is_argument
            || self
                .body
                .has_type(local, |ty| owns(ty) || owns_by_its_name(ty))
    }

    /// Returns `true` if the compiler confirms what the name of a method tells: in a probe, and not
    /// of what is awaited.
    fn is_confirmed(&self, expr: &Expr) -> bool {
        let mut awaits = self.body.awaits.iter();
        let is_awaited = awaits.any(|data| std::ptr::eq(&self.body.exprs[data.operand.0], expr));
        !self.is_generic && !is_awaited
    }

    fn is_owned(&self, expr: &Expr) -> bool {
        is_owned(expr, &|expr| self.is_confirmed(expr))
    }

    /// The values of a local that do not surely own what they hold.
    pub(super) fn values_of(&self, local: LocalId) -> impl Iterator<Item = &Expr> {
        let values = self.values.get(&local).into_iter().flatten();
        let values = values.map(|value| &self.body.exprs[value.0]);
        values.filter(|value| !self.is_owned(value))
    }

    /// Whether the local surely is a copy where it is named by value: it was given a number or the like.
    pub(in crate::liveness) fn is_plain(&self, local: LocalId) -> bool {
        let values = self.values.get(&local).into_iter().flatten();
        let mut values = values.map(|value| &self.body.exprs[value.0]);
        values.any(is_plain_value)
    }

    /// Whether the local may be a reference that allows changes.
    pub(in crate::liveness) fn may_be_exclusive(&self, local: LocalId) -> bool {
        match &self.body.locals[local.0].ty {
            Some(ty) => borrows(ty) || !is_whole(ty),
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

    /// Finds what the value may borrow from.
    fn collect_expr(&self, expr: &Expr, used: Use, found: &mut BorrowedFrom) {
        found.locals.extend(self.referred(expr));
        if let Some(place) = cloned(expr).filter(|_| self.is_confirmed(expr)) {
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
            expr if self.is_owned(expr) => {}
            expr => match operands(expr, used) {
                Some(operands) => operands
                    .iter()
                    .for_each(|(operand, used)| self.collect_expr(operand, *used, found)),
                None => self.collect_named(expr, found),
            },
        }
    }

    /// The local of `&local`: a reference to it, even if it is one itself.
    fn referred(&self, expr: &Expr) -> Option<LocalId> {
        let Expr::Reference(node) = expr else {
            return None;
        };
        let local = self.body.local_of(&node.expr);
        local.filter(|local| self.is_shared_ref(*local))
    }

    /// Whether looking at the local gives what lives as long as what it refers to.
    fn is_shared_ref(&self, local: LocalId) -> bool {
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

    /// Finds what a local may borrow from.
    pub(in crate::liveness) fn collect_values(&self, local: LocalId, found: &mut BorrowedFrom) {
        self.values_of(local)
            .for_each(|value| self.collect_expr(value, Use::Value, found));
        self.collect_later_values(local, found);
    }

    /// Finds what a local may borrow from that was given to it later. No value without a name can be among
    /// it: that would be gone.
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

    /// Whether a local is one of an expression that stays whole, and is gone behind it.
    fn is_of_leaf(&self, local: LocalId) -> bool {
        let is_argument = self.body.locals[local.0].is_argument();
        !is_argument && !self.values.contains_key(&local) && !self.uninitialized.contains(&local)
    }

    fn collect_macro(&self, mac: &syn::Macro, found: &mut BorrowedFrom) {
        let Some(arguments) = Arguments::of(mac) else {
            found.is_unknown |= !named_in(&mac.tokens, &self.body.names).is_empty();
            return;
        };
        for (index, value) in arguments.values().enumerate() {
            if arguments.takes(index) {
                self.collect_expr(value, Use::Value, found);
            }
        }
    }

    /// A block, a branch or a loop: anything that it names. Where nothing is referred to, a number is copied.
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
