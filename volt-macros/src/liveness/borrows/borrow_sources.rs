//! Locals that may borrow from others, or hold what has no name.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenTree;
use quote::ToTokens;
use syn::{Expr, Type};

use super::captures::{Form, captured};
use super::later_values::{Values, given};
use super::owned_values::{cloned, is_owned};
use crate::cfg::{Cfg, End, Step};
use crate::fallback::{Doubts, Reason};
use crate::hir::{
    AwaitId, Body, ExprId, LocalId, LocalKind, Use, borrows, is_copy, is_exclusive, is_plain_value,
    is_shared_reference, is_whole, operands, owns, owns_by_its_name,
};
use crate::names::any_token;
use crate::resolve::named_in;
use crate::syntax::Arguments;

/// Where the values of locals come from.
pub(in crate::liveness) struct Origins<'b> {
    pub(in crate::liveness) body: &'b Body,
    is_generic: bool,
    pub(in crate::liveness) of: BTreeMap<LocalId, Vec<ExprId>>,
    /// What they are given later: `list.push(&page)`.
    given: Values,
    /// What patterns of expressions that stay whole bind to them.
    bound: Values,
    /// For each local those by which it may be given something: `let entry = map.entry(1)`.
    handles: BTreeMap<LocalId, Vec<LocalId>>,
    /// Those that are declared without a value.
    bare: BTreeSet<LocalId>,
}

/// What a value may borrow from.
#[derive(Default)]
pub(in crate::liveness) struct Looked {
    pub(in crate::liveness) at: BTreeSet<LocalId>,
    /// Something without a name is among it.
    pub(in crate::liveness) is_unknown: bool,
    /// The locals whose values were read already.
    seen: BTreeSet<LocalId>,
}

impl<'b> Origins<'b> {
    /// Of a function with type parameters nothing is asked: there the name of a method tells
    /// nothing.
    pub(in crate::liveness) fn of(body: &'b Body, cfg: &Cfg, is_generic: bool) -> Self {
        let (given, bound) = given(body, cfg);
        let mut origins = Self {
            body,
            is_generic,
            of: BTreeMap::new(),
            given,
            bound,
            handles: BTreeMap::new(),
            bare: BTreeSet::new(),
        };
        for data in &body.awaits {
            origins.add(data.output, data.operand);
        }
        for block in &cfg.blocks {
            origins.steps(&block.steps);
            origins.end(&block.end);
        }
        origins.handles = origins.handles();
        origins
    }

    fn handles(&self) -> BTreeMap<LocalId, Vec<LocalId>> {
        let mut handles = BTreeMap::<_, Vec<_>>::new();
        for local in (0..self.body.locals.len()).map(LocalId) {
            let bound = self.bound.get(&local).into_iter().flatten();
            let values = self.values(local).chain(bound);
            let values = values.filter(|_| !self.is_owner(local));
            for other in values.flat_map(|value| named_in(value, &self.body.names)) {
                handles.entry(other).or_default().push(local);
            }
        }
        handles
    }

    /// What a local may be given after its declaration, itself or by a handle.
    fn given_to(&self, local: LocalId) -> impl Iterator<Item = &Expr> {
        let mut through = vec![local];
        let mut index = 0;
        while let Some(local) = through.get(index) {
            let handles = self.handles.get(local).into_iter().flatten();
            let new: Vec<_> = handles
                .filter(|it| !through.contains(it))
                .copied()
                .collect();
            through.extend(new);
            index += 1;
        }
        let given = through.into_iter().filter_map(|it| self.given.get(&it));
        given.chain(self.bound.get(&local)).flatten()
    }

    fn end(&mut self, end: &End) {
        let End::Branches { on, branches } = end else {
            return;
        };
        for branch in branches {
            let binds = branch.binds.iter();
            binds.for_each(|local| self.add(*local, *on));
            self.steps(&branch.steps);
        }
    }

    fn steps(&mut self, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Let(it) => match it.value {
                    Some(value) => it.binds.iter().for_each(|local| self.add(*local, value)),
                    None => self.bare.extend(&it.binds),
                },
                Step::Set { local, value } => self.add(*local, *value),
                Step::Eval(_) | Step::Return(_) => {}
            }
        }
    }

    fn add(&mut self, local: LocalId, value: ExprId) {
        self.of.entry(local).or_default().push(value);
    }

    /// Doubts about a local that lives across a border, and the locals from which it may borrow.
    pub(in crate::liveness) fn check(
        &self,
        local: LocalId,
        waits: bool,
        doubts: &mut Doubts,
    ) -> Vec<LocalId> {
        let data = &self.body.locals[local.0];
        if data.kind == LocalKind::Borrowed {
            doubts.note(Reason::Borrow, &data.ident);
            return Vec::new();
        }
        if self.is_owner(local) {
            return Vec::new();
        }
        let mut looked = Looked::default();
        let is_brief = data.is_temp() && !waits;
        if !is_brief && self.may_hold_closure(local) {
            doubts.note(Reason::StoredClosure, &data.ident);
        }
        self.looks_at_values(local, &mut looked);
        if looked.is_unknown || !looked.at.iter().all(|local| self.can_stay(*local)) {
            doubts.note(Reason::Borrow, &data.ident);
            return Vec::new();
        }
        // Where a pattern stands in the condition of a branch, the value names what it binds: all that is bound by
        // it has this value.
        let bound = self.of.get(&local);
        looked
            .at
            .retain(|other| bound.is_none() || self.of.get(other) != bound);
        looked.at.into_iter().collect()
    }

    /// The locals from which what is moved into an awaited future may borrow. What has no place of its own is a doubt.
    pub(in crate::liveness) fn carried(&self, id: AwaitId, doubts: &mut Doubts) -> Vec<LocalId> {
        let mut looked = Looked::default();
        for local in named_in(self.body.operand(id), &self.body.names) {
            let data = &self.body.locals[local.0];
            if !self.is_owner(local) && looked.seen.insert(local) {
                self.looks_at_values(local, &mut looked);
            }
            if std::mem::take(&mut looked.is_unknown) {
                doubts.note(Reason::OperandTemporary, &data.ident);
            }
        }
        for local in &looked.at {
            if !self.can_stay(*local) {
                doubts.note(Reason::Borrow, &self.body.locals[local.0].ident);
            }
        }
        looked.at.into_iter().collect()
    }

    /// A local that an awaited operand names, and that may hold a closure or an `async` block which borrows from the
    /// function: `let add = |x| x + limit; apply(add).await`. What it borrows has no place that outlives the await.
    pub(in crate::liveness) fn borrowing_closure(&self, id: AwaitId) -> Option<LocalId> {
        let mut named = named_in(self.body.operand(id), &self.body.names);
        named.retain(|local| self.may_hold_closure(*local));
        named.first().copied()
    }

    /// Whether a local may hold a closure or an `async` block that borrows, itself or by another local.
    fn may_hold_closure(&self, local: LocalId) -> bool {
        let mut seen = BTreeSet::new();
        let mut left = vec![local];
        while let Some(local) = left.pop() {
            if self.is_owner(local) || !seen.insert(local) {
                continue;
            }
            for value in self.values(local).chain(self.given_to(local)) {
                if Form::of(self.body, value).stores {
                    return true;
                }
                left.extend(named_in(value, &self.body.names));
            }
        }
        false
    }

    /// Whether a local may be kept in its place from its declaration on.
    fn can_stay(&self, local: LocalId) -> bool {
        let is_named = match self.body.locals[local.0].kind {
            LocalKind::Argument(_)
            | LocalKind::Let
            | LocalKind::Pattern
            | LocalKind::Iterator
            | LocalKind::Receiver => true,
            LocalKind::Borrowed | LocalKind::Output(_) | LocalKind::Temp => false,
        };
        is_named && !self.bare.contains(&local)
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
    fn values(&self, local: LocalId) -> impl Iterator<Item = &Expr> {
        let values = self.of.get(&local).into_iter().flatten();
        let values = values.map(|value| &self.body.exprs[value.0]);
        values.filter(|value| !self.is_owned(value))
    }

    /// Whether the local surely is a copy where it is named by value: it was given a number or the like.
    pub(in crate::liveness) fn is_plain(&self, local: LocalId) -> bool {
        let values = self.of.get(&local).into_iter().flatten();
        let mut values = values.map(|value| &self.body.exprs[value.0]);
        values.any(is_plain_value)
    }

    /// Whether the local may be a reference that allows changes.
    pub(in crate::liveness) fn may_be_exclusive(&self, local: LocalId) -> bool {
        match &self.body.locals[local.0].ty {
            Some(ty) => borrows(ty) || !is_whole(ty),
            None => {
                let mut looked = Looked::default();
                let is_shared = |value: &&Expr| matches!(value, Expr::Reference(node) if node.mutability.is_none());
                self.values(local)
                    .filter(|value| !is_shared(value))
                    .for_each(|value| self.looks(value, Use::Value, &mut looked));
                looked.is_unknown || !looked.at.is_empty()
            }
        }
    }

    /// Finds what the value may borrow from.
    fn looks(&self, expr: &Expr, used: Use, looked: &mut Looked) {
        looked.at.extend(self.referred(expr));
        if let Some(place) = cloned(expr).filter(|_| self.is_confirmed(expr)) {
            return self.looks(place, Use::Value, looked);
        }
        match expr {
            Expr::Path(_) => {
                if let Some(local) = self.body.local_of(expr) {
                    self.looks_at(local, used, looked);
                }
            }
            Expr::Closure(_) | Expr::Async(_) => captured(self.body, expr)
                .into_iter()
                .for_each(|local| self.looks_at(local, Use::Value, looked)),
            Expr::Macro(node) => self.in_macro(&node.mac, looked),
            expr if self.is_owned(expr) => {}
            expr => match operands(expr, used) {
                Some(operands) => operands
                    .iter()
                    .for_each(|(operand, used)| self.looks(operand, *used, looked)),
                None => self.any_named(expr, looked),
            },
        }
    }

    /// The local of `&local`: a reference to it, even if it is one itself.
    fn referred(&self, expr: &Expr) -> Option<LocalId> {
        let Expr::Reference(node) = expr else {
            return None;
        };
        let local = self.body.local_of(&node.expr);
        local.filter(|local| self.looks_through(*local))
    }

    /// Whether looking at the local gives what lives as long as what it refers to.
    fn looks_through(&self, local: LocalId) -> bool {
        self.body.has_type(local, is_shared_reference)
    }

    fn looks_at(&self, local: LocalId, used: Use, looked: &mut Looked) {
        let is_looked = match self.body.locals[local.0].kind {
            LocalKind::Iterator | LocalKind::Output(_) | LocalKind::Temp => false,
            _ => match used {
                Use::Value => self.body.has_type(local, is_exclusive),
                Use::Part | Use::Copied => false,
                _ => !self.looks_through(local),
            },
        };
        if is_looked && !self.is_within(local) {
            looked.at.insert(local);
        }
        if !self.is_owner(local) && looked.seen.insert(local) {
            self.looks_at_values(local, looked);
        }
    }

    /// Finds what a local may borrow from.
    pub(in crate::liveness) fn looks_at_values(&self, local: LocalId, looked: &mut Looked) {
        self.values(local)
            .for_each(|value| self.looks(value, Use::Value, looked));
        self.looks_at_given(local, looked);
    }

    /// Finds what a local may borrow from that was given to it later. No value without a name can be among
    /// it: that would be gone.
    fn looks_at_given(&self, local: LocalId, looked: &mut Looked) {
        if self.of.contains_key(&local) && self.values(local).next().is_none() {
            return;
        }
        let mut found = Looked {
            seen: std::mem::take(&mut looked.seen),
            ..Looked::default()
        };
        for value in self.given_to(local) {
            if !self.is_owned(value) {
                self.looks(value, Use::Value, &mut found);
            }
        }
        looked.seen = found.seen;
        let at = found.at.into_iter();
        looked
            .at
            .extend(at.filter(|other| *other != local && self.can_stay(*other)));
    }

    /// Whether a local is one of an expression that stays whole, and is gone behind it.
    fn is_within(&self, local: LocalId) -> bool {
        let is_argument = self.body.locals[local.0].is_argument();
        !is_argument && !self.of.contains_key(&local) && !self.bare.contains(&local)
    }

    fn in_macro(&self, mac: &syn::Macro, looked: &mut Looked) {
        let Some(arguments) = Arguments::of(mac) else {
            looked.is_unknown |= !named_in(&mac.tokens, &self.body.names).is_empty();
            return;
        };
        for (index, value) in arguments.values().enumerate() {
            if arguments.takes(index) {
                self.looks(value, Use::Value, looked);
            }
        }
    }

    /// A block, a branch or a loop: anything that it names. Where nothing is referred to, a number is copied.
    fn any_named(&self, expr: &Expr, looked: &mut Looked) {
        let is_mark =
            |token: &TokenTree| matches!(token, TokenTree::Punct(it) if it.as_char() == '&');
        let refers = any_token(expr.to_token_stream(), &mut |token| is_mark(token));
        let is_single = |ty: &Type| is_copy(ty) && matches!(ty, Type::Path(_) | Type::Reference(_));
        for local in named_in(expr, &self.body.names) {
            let is_temp = self.body.locals[local.0].is_temp();
            match is_temp || !refers && self.body.has_type(local, is_single) {
                true => self.looks_at(local, Use::Value, looked),
                false => self.looks_at(local, Use::Shared, looked),
            }
        }
    }
}
