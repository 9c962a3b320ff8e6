//! Points within expressions whose operands are evaluated one after the other.

use quote::ToTokens;
use syn::{Expr, ExprBreak, ExprMethodCall, Macro, Pat};

use super::blocks::PointBuilder;
use super::match_effects::Matched;
use super::point_graph::{Effect, Occurrence};
use crate::hir::{
    LocalId, ReceiverQuery, StoredTypes, Use, assigns, base_of, binds_all_by_value, has_temporary,
    is_lazy, is_value, jump_of, matched_parts, operands, part_of, use_of,
};
use crate::liveness::borrows::ExprForm;
use crate::liveness::result::Claim;
use crate::names::{borrows_receiver, is_event, is_json, panics, returns_owned};
use crate::resolve::named_in;
use crate::syntax::{Arguments, may_move_in_call, may_move_in_value};

impl PointBuilder<'_> {
    /// Adds a value on which patterns are matched.
    pub(in crate::liveness) fn scrutinee(
        &mut self,
        expr: &Expr,
        pats: &[&Pat],
        has_else: bool,
    ) -> Matched {
        if !matches!(pats, [Pat::Ident(_)]) {
            self.takes_apart(expr);
        }
        if is_value(expr) {
            self.expr(expr, Use::Value);
            return Matched::default();
        }
        if self.nested == Some(true) {
            // The patterns decide whether a closure moves the local.
            self.expr(expr, Use::Scrutinee);
            return Matched::default();
        }
        let (used, mut matched) = Matched::of(self.place_of(expr), pats, has_else);
        if let Some(query) = self.query_of_place(expr).filter(|_| self.nested.is_none()) {
            self.claim_match(query, pats, used, &mut matched);
        }
        self.expr(expr, used);
        matched
    }

    /// Records the claims about a matched place that no branch decides.
    fn claim_match(&mut self, of: ReceiverQuery, pats: &[&Pat], used: Use, matched: &mut Matched) {
        let patterns = &mut self.points.patterns;
        let mut claim = |pat: &&Pat| {
            if binds_all_by_value(pat) {
                return Claim::Whole;
            }
            patterns.push(matched_parts(pat));
            Claim::Pattern(patterns.len() - 1)
        };
        let is_part = matched
            .place
            .as_ref()
            .is_some_and(|(_, part)| !part.is_empty());
        if !is_part {
            matched.claims = pats.iter().map(|pat| (of, claim(pat))).collect();
        }
        if used == Use::PartScrutinee {
            let claim = match pats {
                [pat] => claim(pat),
                _ => Claim::Plain,
            };
            self.points
                .claims
                .insert(self.points.all.len(), (of, claim));
        }
    }

    /// The use of the local that a place names, or of which it is a part.
    fn query_of_place(&self, place: &Expr) -> Option<ReceiverQuery> {
        let whole = part_of(place).unwrap_or(place);
        let local = self.body.local_of(whole)?;
        Some(ReceiverQuery {
            local,
            expr: self.expr,
            number: self.counted[local.0],
        })
    }

    /// Records a claim about a part, before its first point is added.
    fn claim(&mut self, part: &Expr, claim: Claim) {
        if self.nested.is_none()
            && part_of(part).is_some()
            && let Some(query) = self.query_of_place(part)
        {
            let at = self.points.all.len();
            self.points.claims.insert(at, (query, claim));
        }
    }

    /// The local that a place names, or of which it is a part; and the fields on the way:
    /// `.request.id`.
    fn place_of(&self, expr: &Expr) -> Option<(LocalId, String)> {
        match expr {
            Expr::Paren(node) => self.place_of(&node.expr),
            Expr::Field(node) => {
                let (local, before) = self.place_of(&node.base)?;
                let part = format!("{before}.{}", node.member.to_token_stream());
                Some((local, part))
            }
            expr => Some((self.body.local_of(expr)?, String::new())),
        }
    }

    /// Records the local that is matched, or of which a part is matched.
    fn takes_apart(&mut self, expr: &Expr) {
        self.points
            .matched
            .extend(self.body.local_of(base_of(expr)));
    }

    /// Adds the use of the matched local in a branch.
    pub(in crate::liveness) fn in_arm(&mut self, matched: &Matched, arm: usize) {
        if let (Some((local, part)), Some(used)) = (&matched.place, matched.arms.get(arm)) {
            let at = self.push(Effect::Use(*local, *used));
            if !part.is_empty() {
                self.points.parts.insert(at, part.clone());
            }
            if let Some(claim) = matched.claims.get(arm) {
                self.points.claims.insert(at, *claim);
            }
        }
    }

    fn name(&mut self, id: LocalId, used: Use) {
        let used = match self.nested {
            Some(true) => captured(used),
            _ => used,
        };
        let point = self.push(Effect::Use(id, used));
        let number = self.counted[id.0];
        if used == Use::Value && self.nested.is_none() {
            let query = ReceiverQuery {
                local: id,
                expr: self.expr,
                number,
            };
            self.points
                .claims
                .entry(point)
                .or_insert((query, Claim::Kept));
        }
        self.counted[id.0] += 1;
        let occurrence = Occurrence {
            expr: self.expr,
            number,
            is_nested: self.nested.is_some(),
        };
        self.points.uses.insert(point, occurrence);
    }

    pub(in crate::liveness) fn expr(&mut self, expr: &Expr, used: Use) {
        if used == Use::Value {
            self.claim(expr, Claim::Copied);
        }
        match expr {
            Expr::Path(_) => {
                if let Some(local) = self.body.local_of(expr) {
                    self.name(local, used);
                }
            }
            Expr::Assign(node) if takes_apart(&node.left) && !is_value(&node.right) => {
                self.expr(&node.right, Use::PartScrutinee);
                self.expr(&node.left, Use::Assigned);
            }
            Expr::Binary(node) if is_lazy(&node.op) => {
                self.lazy(node);
            }
            Expr::If(node) => self.if_(node),
            Expr::Match(node) => self.match_(node),
            Expr::While(node) => self.while_(node),
            Expr::Loop(node) => self.loop_(node),
            Expr::ForLoop(node) => self.for_loop(node),
            Expr::Block(node) => {
                self.block_expr(node.label.as_ref().map(|label| &label.name), &node.block)
            }
            Expr::Unsafe(node) => self.statements(&node.block),
            Expr::Closure(node) => self.within(node.capture.is_some(), |builder| {
                builder.expr(&node.body, Use::Value)
            }),
            Expr::Async(node) => self.within(node.capture.is_some(), |builder| {
                builder.statements(&node.block)
            }),
            Expr::Macro(node) => self.macro_(&node.mac),
            Expr::Let(node) => {
                let matched = self.scrutinee(&node.expr, &[&node.pat], true);
                self.in_arm(&matched, 0);
            }
            Expr::Reference(node) => self.reference(expr, &node.expr, used),
            Expr::Field(_) => self.field(expr, used),
            expr => self.plain(expr, used),
        }
    }

    fn reference(&mut self, expr: &Expr, place: &Expr, used: Use) {
        let place = self.place_of(place);
        if place.is_some_and(|(_, part)| part.is_empty()) {
            self.points.borrowed_whole.insert(self.points.all.len());
        }
        self.plain(expr, used);
    }

    fn field(&mut self, expr: &Expr, mut used: Use) {
        if let Some((_, part)) = self.place_of(expr) {
            // A `move` closure captures that part, and before edition 2021 the whole local.
            if self.nested == Some(true) {
                used = Use::Part;
            }
            let at = self.points.all.len();
            self.points.parts.entry(at).or_insert(part);
        }
        self.plain(expr, used);
    }

    /// Adds an expression whose operands are evaluated one after the other.
    fn plain(&mut self, expr: &Expr, used: Use) {
        self.note_query(expr);
        for (operand, used) in operands(expr, used).into_iter().flatten() {
            let is_borrowed = used == Use::Receiver && self.borrows_captured(expr);
            self.expr(operand, if is_borrowed { Use::Shared } else { used });
        }
        if self.nested.is_some() {
            return;
        }
        match expr {
            Expr::Return(_) => self.at = None,
            Expr::Break(node) => self.break_(node),
            Expr::Continue(node) => self.leave_target(node.label.as_ref(), true),
            // The assignment happens after the right operand, so a use by value in that operand was
            // a copy.
            Expr::Binary(node) if assigns(&node.op) => {
                if let Some((local, _)) = self.place_of(&node.left) {
                    self.push(Effect::Use(local, Use::Mutable));
                }
            }
            _ => {}
        }
    }

    /// Returns `true` for a method call in a closure that borrows its receiver, by the name of the
    /// method. If the name is wrong, the compiler reports a use after a move. So this is assumed
    /// only of functions that cannot be native.
    fn borrows_captured(&self, call: &Expr) -> bool {
        self.nested.is_some()
            && self.body.stored_types == StoredTypes::Owned
            && matches!(call, Expr::MethodCall(node) if borrows_receiver(&node.method))
    }

    /// Records whether a method call can be a query, before its first point is added.
    fn note_query(&mut self, call: &Expr) {
        let Expr::MethodCall(ExprMethodCall { receiver, .. }) = call else {
            return;
        };
        let is_local = self.body.local_of(receiver).is_some();
        self.note_owned_call(call);
        if self.nested.is_some() || !is_local && part_of(receiver).is_none() {
            return;
        }
        let (form, at) = (ExprForm::of(self.body, call), self.points.all.len());
        if !is_local && !form.jumps {
            self.claim(receiver, Claim::Borrowed);
        }
        if is_local && !form.jumps {
            self.points.queryable.insert(at);
            if !form.has_unique_type && !has_temporary(call) {
                self.points.repeatable.insert(at);
            }
        }
    }

    /// Records a call in an awaited operand whose output is owned, by the name of the method. So
    /// its receiver is not borrowed across the await.
    fn note_owned_call(&mut self, call: &Expr) {
        let is_operand = std::ptr::eq(&self.body.exprs[self.expr.0], call);
        if self.nested.is_none()
            && !is_operand
            && let Expr::MethodCall(node) = call
            && returns_owned(&node.method)
            && !is_value(&node.receiver)
        {
            self.points.owned_calls.insert(self.points.all.len());
        }
    }

    /// Adds a closure or an `async` block. It captures where it is created, whatever branches and
    /// loops it contains. So its points follow one another, and uses that move a local are last.
    pub(in crate::liveness) fn within(&mut self, takes: bool, body: impl FnOnce(&mut Self)) {
        let before = self.nested.replace(takes || self.nested == Some(true));
        let targets = std::mem::take(&mut self.targets);
        let (at, first) = (self.at, self.points.all.len());
        body(self);
        if before.is_none() {
            self.at = at;
            let mut points: Vec<_> = (first..self.points.all.len()).collect();
            points.sort_by_key(|at| matches!(self.points.used(*at), Some((_, Use::Value))));
            for point in points {
                self.points.all[point].next.clear();
                self.lead(point);
                self.at = at.map(|_| point);
            }
        }
        self.targets = targets;
        self.nested = before;
    }

    pub(in crate::liveness) fn macro_(&mut self, mac: &Macro) {
        match Arguments::of(mac) {
            Some(arguments) => self.arguments(&arguments),
            None => return self.opaque(mac),
        }
        if panics(mac) && self.nested.is_none() {
            self.at = None;
        }
    }

    /// Adds the locals of an unknown macro, which borrows them.
    fn opaque(&mut self, mac: &Macro) {
        for local in named_in(&mac.tokens, &self.body.names) {
            let at = self.push(Effect::Use(local, Use::Shared));
            let name = self.body.locals[local.0].ident.to_string();
            let is_called = if is_json(mac) {
                may_move_in_value(&mac.tokens, &name)
            } else {
                is_event(mac) && may_move_in_call(&mac.tokens, &name)
            };
            if is_called {
                self.points.events.insert(at);
            }
        }
    }

    /// Adds the arguments of a macro. An assertion evaluates the arguments after its conditions
    /// only if it fails, and no code runs after them.
    fn arguments(&mut self, arguments: &Arguments) {
        let mut checked = None;
        // Some macros match on their arguments.
        arguments
            .exprs
            .iter()
            .for_each(|argument| self.takes_apart(argument));
        for (index, value) in arguments.values().enumerate() {
            if arguments.conditions() == Some(index) {
                checked = Some(self.push(Effect::Nothing));
            }
            self.expr(value, use_of(arguments, index));
        }
        self.at = checked.or(self.at);
    }

    fn break_(&mut self, node: &ExprBreak) {
        let Some(number) = jump_of(node) else {
            return self.leave_target(node.label.as_ref(), false);
        };
        let jump = &self.cfg.jumps[number];
        self.begins(&jump.value);
        self.leave(self.points.entry[jump.to.0]);
    }
}

/// Returns `true` if the left side of an assignment destructures the value.
fn takes_apart(left: &Expr) -> bool {
    matches!(
        left,
        Expr::Infer(_) | Expr::Tuple(_) | Expr::Array(_) | Expr::Struct(_) | Expr::Call(_)
    )
}

/// The use of a local that a `move` closure captures. Parts are captured alone.
fn captured(used: Use) -> Use {
    match used {
        Use::Part | Use::PartReceiver => Use::Part,
        Use::Scrutinee | Use::PartScrutinee => Use::Receiver,
        _ => Use::Value,
    }
}
