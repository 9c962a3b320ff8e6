//! Branches and loops that await.

use std::mem;

use proc_macro2::Span;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    Block, Expr, ExprForLoop, ExprIf, ExprMatch, ExprWhile, Label, Pat, parse_quote,
    parse_quote_spanned,
};

use super::chain::{has_closure, has_let};
use super::lowering::{EnclosingTarget, Lower, UnnamedReceivers};
use super::statements::{BlockKind, Context, Receivers, Statements};
use crate::fallback::FallbackReason;
use crate::hir::body::{Arm, ElseBlock, ExprId, ScopeId, Stmt, StoredTypes, TargetId, Value};
use crate::hir::built_exprs;
use crate::hir::facts::is_value;
use crate::hir::facts::{MatchedPart, Shape, is_some_of_all, matched_parts, only_leaves, whole};
use crate::hir::facts::{block_has_await, has_await};
use crate::hir::facts::{has_temporary, may_move_temporaries, names_constant};
use crate::names::is_variant_of_core;
use crate::resolve::{LocalId, LocalKind};

impl Lower<'_> {
    /// Lowers an expression. Statements that precede its value are added to `out`.
    pub(in crate::hir) fn lower_expr(&mut self, expr: Expr, out: &mut Statements) -> Value {
        if !has_await(&expr) {
            return Value::Expr(self.leaf(expr));
        }
        match expr {
            Expr::Paren(node) => self.lower_expr(*node.expr, out),
            Expr::Await(node) => {
                let mut operand = *node.base;
                self.hoist(&mut operand, out);
                let is_moved = self.moves_temporaries(&mut operand, out);
                let is_bound =
                    self.unnamed == UnnamedReceivers::MovedByLet && has_closure(&operand);
                let id = self.awaited(operand, node.await_token.span);
                if is_moved {
                    self.moved_or(
                        self.body.awaits[id.0].operand,
                        FallbackReason::OperandTemporary,
                    );
                }
                if is_bound {
                    self.bind_operand(id, out);
                }
                Value::Await(id)
            }
            Expr::If(node) => self.if_value(node, out),
            Expr::Match(node) => self.match_value(node, out),
            Expr::Loop(node) => self.loop_value(node.label, node.body, out.context),
            Expr::While(node) => self.while_value(node, out.context),
            Expr::ForLoop(node) => self.for_value(node, out),
            Expr::Block(node) => {
                let id = self.target(node.label, false);
                let body = self.block(node.block, out.context.inner(BlockKind::Expression));
                self.targets.pop();
                Value::Block { id, body }
            }
            mut expr => {
                self.hoist_operands(&mut expr, out);
                Value::Expr(self.leaf(expr))
            }
        }
    }

    pub(in crate::hir) fn target(&mut self, label: Option<Label>, is_loop: bool) -> TargetId {
        let id = TargetId(self.targets_with_value.len());
        self.targets_with_value.push(false);
        let label = label.map(|label| label.name.ident);
        self.targets.push(EnclosingTarget { id, label, is_loop });
        id
    }

    fn loop_value(&mut self, label: Option<Label>, body: Block, context: Context) -> Value {
        let id = self.target(label, true);
        let body = self.block(body, context.inner(BlockKind::Body));
        self.targets.pop();
        Value::Loop { id, body }
    }

    /// Lowers `while c { .. }` as `loop { if c { .. } else { break } }`.
    fn while_value(&mut self, node: ExprWhile, context: Context) -> Value {
        let span = Span::mixed_site().located_at(node.while_token.span);
        let turn = built_exprs::if_or_break(node.cond, node.body, span);
        let body = built_exprs::braced(turn, Span::call_site());
        self.loop_value(node.label, body, context)
    }

    /// Lowers `for p in e { .. }` as `{ let mut i = into_iter(e); loop { match i.next() { None =>
    /// break, Some(p) => { .. } } } }`.
    fn for_value(&mut self, mut node: ExprForLoop, out: &mut Statements) -> Value {
        self.hoist(&mut node.expr, out);
        if !block_has_await(&node.body) {
            return Value::Expr(self.leaf(Expr::ForLoop(node)));
        }
        let span = Span::mixed_site().located_at(node.expr.span());
        let mut inner = Statements::new(out.context, Receivers::Refused);
        // An iterator that borrows from a temporary could not be stored.
        let is_moved = self.body.stored_types == StoredTypes::Owned
            && !self.is_in_step
            && may_move_temporaries(&node.expr);
        if has_temporary(&node.expr) && !is_moved {
            // They are dropped after the iterator, as locals before it are.
            let original = node.expr.clone();
            let is_named = self.name_receiver(&mut node.expr, &mut inner);
            if !is_named || has_temporary(&node.expr) {
                self.fallbacks
                    .note(FallbackReason::ScrutineeTemporary, &*original);
            }
        }
        let iterator = self.temp(LocalKind::Iterator, None, span);
        let name = self.body.locals[iterator.0].ident.clone();
        self.name_wild(&mut node.pat);
        let expr = &node.expr;
        let into_iter = parse_quote_spanned!(span=> __WellTyped::into_iter(#expr));
        let mut turn: ExprMatch = parse_quote_spanned! {span=>
            match __WellTyped::next(&mut #name) {
                ::core::option::Option::None => break,
                ::core::option::Option::Some(_) => {}
            }
        };
        if let Some(arm) = turn.arms.last_mut()
            && let Pat::TupleStruct(some) = &mut arm.pat
        {
            some.elems = Punctuated::from_iter([*node.pat]);
            *arm.body = built_exprs::block(node.body);
        }
        let turn = built_exprs::braced(Expr::Match(turn), Span::call_site());
        let id = self.target(None, false);
        let body = self.loop_value(node.label, turn, out.context);
        self.targets.pop();
        let into_iter = self.leaf(into_iter);
        if is_moved {
            self.body.moved_receivers.insert(into_iter);
        }
        let into_iter = Value::Expr(into_iter);
        self.bind(iterator, into_iter, None, &mut inner);
        inner.push(Stmt::Eval(body));
        let body = self.scope(inner.stmts, None);
        Value::Block { id, body }
    }

    fn if_value(&mut self, mut node: ExprIf, out: &mut Statements) -> Value {
        let ending = mem::take(&mut self.ending);
        // Before edition 2024, the scrutinee lives until the end of the `else`.
        let otherwise = node.else_branch.as_ref();
        let is_seen = otherwise.is_some_and(|(_, branch)| !only_leaves(branch));
        let dropped = self.hoist_condition(&mut node.cond, is_seen, out);
        if let Some((_, otherwise)) = &mut node.else_branch {
            built_exprs::put_before(&dropped, otherwise);
        }
        built_exprs::put_after(&dropped, &mut node.then_branch);
        let then_awaits = block_has_await(&node.then_branch);
        let otherwise = node.else_branch.as_ref();
        if !then_awaits && !otherwise.is_some_and(|(_, branch)| has_await(branch)) {
            return Value::Expr(self.leaf(Expr::If(node)));
        }
        let binds = self.check_condition(&mut node.cond, then_awaits, is_seen);
        let condition = self.leaf(*node.cond);
        self.leaves.extend(ending);
        self.claim_plain(condition);
        let then = self.branch(node.then_branch, out.context);
        let otherwise = node
            .else_branch
            .map(|(_, otherwise)| self.arm_body(*otherwise, out.context));
        let branch = |binds, body| Arm {
            pat: None,
            guard: None,
            binds,
            body,
        };
        Value::Branches {
            on: condition,
            arms: vec![branch(binds, Some(then)), branch(Vec::new(), otherwise)],
        }
    }

    /// Hoists awaits of the first part of a condition, which is always evaluated.
    /// `is_seen` is `true` if code of the `else` may notice when temporaries are dropped.
    /// Returns expressions that drop temporaries, for the beginning of the `else`.
    fn hoist_condition(
        &mut self,
        condition: &mut Expr,
        is_seen: bool,
        out: &mut Statements,
    ) -> Vec<Expr> {
        match condition {
            Expr::Let(node) if self.is_in_step && is_seen => {
                return self.hoist_matched(&mut node.expr, out);
            }
            Expr::Let(node) if self.is_in_step => self.hoist(&mut node.expr, out),
            Expr::Let(node) => self.hoist_unnamed(&mut node.expr, out),
            Expr::Paren(node) => return self.hoist_condition(&mut node.expr, is_seen, out),
            condition if has_let(condition) => {
                self.fallbacks
                    .note(FallbackReason::AwaitInCondition, &*condition);
            }
            condition if self.is_in_step => self.hoist_step_condition(condition, out),
            condition => self.hoist_unnamed(condition, out),
        }
        Vec::new()
    }

    /// Hoists awaits of an expression whose temporaries have no certain end.
    pub(in crate::hir) fn hoist_unnamed(&mut self, expr: &mut Expr, out: &mut Statements) {
        let value = self.in_chain(Receivers::Refused, out, |lower, stmts| {
            lower.hoist(expr, stmts);
            None
        });
        debug_assert!(value.is_none());
    }

    /// The locals that the `let` of a condition binds, whose branches await.
    fn check_condition(&mut self, condition: &mut Expr, then: bool, is_seen: bool) -> Vec<LocalId> {
        match condition {
            Expr::Paren(node) => self.check_condition(&mut node.expr, then, is_seen),
            Expr::Let(node) => {
                let is_left = is_seen && is_value(&node.expr) && !is_some_of_all(&node.pat);
                if is_left && !self.drops_before_else(&node.pat) {
                    let span = node.pat.span();
                    self.note_unbound(FallbackReason::Remainder, &node.pat, vec![whole(span)]);
                }
                self.check_scrutinee(&node.expr);
                self.branch_pattern(&node.expr, &mut node.pat, then)
            }
            _ => Vec::new(),
        }
    }

    fn check_scrutinee(&mut self, scrutinee: &Expr) {
        if has_temporary(scrutinee) || names_constant(scrutinee) {
            self.fallbacks
                .note(FallbackReason::ScrutineeTemporary, scrutinee);
        }
    }

    /// The locals that the pattern of a branch binds.
    fn branch_pattern(&mut self, scrutinee: &Expr, pat: &mut Pat, awaits: bool) -> Vec<LocalId> {
        let is_value = is_value(scrutinee);
        if awaits && is_value {
            self.name_wild(pat);
        }
        let shape = Shape::of(pat);
        if awaits && shape.borrows {
            self.fallbacks.note(FallbackReason::BorrowingPattern, &*pat);
        }
        if awaits && is_value && (shape.destructures || shape.leaves_part) {
            let reason = if shape.destructures {
                FallbackReason::OwnDestructor
            } else {
                FallbackReason::Remainder
            };
            self.note_unbound(reason, pat, matched_parts(pat));
        }
        self.claim_constants(pat);
        self.binds(pat)
    }

    /// Notes that a pattern may leave parts of a value. This has no effect if they have no
    /// destructor. The compiler cannot decide that for a generic function.
    fn note_unbound(&mut self, reason: FallbackReason, pat: &Pat, parts: Vec<MatchedPart>) {
        if self.fallbacks.has(FallbackReason::TypeParameter) {
            self.fallbacks.note(reason, pat);
        } else {
            self.leaves.extend(parts);
        }
    }

    /// Replaces `_` by a name. The part is then dropped at the end of the branch, as a part of the
    /// value is.
    fn name_wild(&mut self, pat: &mut Pat) {
        if let Some(first) = first_part(pat) {
            return self.name_wild(first);
        }
        if matches!(pat, Pat::Wild(_)) {
            let unnamed = self.temp(LocalKind::Unnamed, None, pat.span());
            let name = &self.body.locals[unnamed.0].ident;
            *pat = parse_quote!(#name);
        }
    }

    fn match_value(&mut self, mut node: ExprMatch, out: &mut Statements) -> Value {
        let mut leaves = mem::take(&mut self.ending);
        self.hoist(&mut node.expr, out);
        let guard_awaits = |pat: &Pat| matches!(pat, Pat::Guard(pat) if has_await(&pat.guard));
        let awaits = |arm: &syn::Arm| guard_awaits(&arm.pat) || has_await(&arm.body);
        if !node.arms.iter().any(awaits) {
            return Value::Expr(self.leaf(Expr::Match(node)));
        }
        self.check_scrutinee(&node.expr);
        let scrutinee = *node.expr;
        let arms = node.arms.into_iter().map(|arm| {
            let (arm, left) = self.arm(&scrutinee, arm, out.context);
            leaves.extend(left);
            arm
        });
        let arms = arms.collect();
        let on = self.leaf(scrutinee);
        self.leaves = leaves;
        self.claim_plain(on);
        Value::Branches { on, arms }
    }

    /// Claims that the parts which patterns leave of the matched value have no destructor.
    fn claim_plain(&mut self, on: ExprId) {
        let parts = mem::take(&mut self.leaves);
        if !parts.is_empty() {
            self.body.plain.insert(on, parts);
        }
    }

    /// Lowers an arm. Also returns the parts that its pattern may leave.
    fn arm(&mut self, scrutinee: &Expr, arm: syn::Arm, context: Context) -> (Arm, LeftParts) {
        let (mut pat, guard) = match arm.pat {
            Pat::Guard(node) => (*node.pat, Some(*node.guard)),
            pat => (pat, None),
        };
        if let Some(guard) = guard.as_ref().filter(|guard| has_await(guard)) {
            self.fallbacks.note(FallbackReason::AwaitInGuard, guard);
        }
        let guard = guard.map(|guard| self.leaf(guard));
        let binds = self.branch_pattern(scrutinee, &mut pat, has_await(&arm.body));
        let leaves = mem::take(&mut self.leaves);
        let arm = Arm {
            pat: Some(pat),
            guard,
            binds,
            body: Some(self.arm_body(*arm.body, context)),
        };
        (arm, leaves)
    }

    /// Lowers the block of a branch.
    fn branch(&mut self, block: Block, context: Context) -> ScopeId {
        if block_has_await(&block) {
            return self.block(block, context.inner(BlockKind::Body));
        }
        let value = if block.stmts.is_empty() {
            None
        } else {
            Some(Value::Expr(self.leaf(built_exprs::block(block))))
        };
        self.scope(Vec::new(), value)
    }

    /// Lowers the `else` block of a `let`. A block that awaits becomes a jump to a block of its
    /// own: the value that did not match, and its temporaries, are dropped before it.
    pub(in crate::hir) fn lower_let_else(&mut self, otherwise: Expr, context: Context) -> ExprId {
        if !has_await(&otherwise) {
            return self.leaf(otherwise);
        }
        let target = self.target(None, false);
        self.targets.pop();
        let span = match &otherwise {
            Expr::Block(node) => node.block.brace_token.span.join(),
            _ => otherwise.span(),
        };
        let body = self.arm_body(otherwise, context);
        let jump = self.jump_to(target);
        let block = ElseBlock { target, body, span };
        self.body.else_blocks.insert(jump, block);
        jump
    }

    fn arm_body(&mut self, body: Expr, context: Context) -> ScopeId {
        match body {
            Expr::Block(node) if node.label.is_none() => self.branch(node.block, context),
            body => {
                let body = match body {
                    // The parser decides if it is a statement of another kind.
                    Expr::Macro(_) | Expr::Verbatim(_) => parse_quote!({ #body }),
                    body => built_exprs::braced(body, Span::call_site()),
                };
                self.block(body, context.inner(BlockKind::Body))
            }
        }
    }
}

/// The parts that a pattern may leave.
type LeftParts = Vec<MatchedPart>;

/// The first part of a pattern for a tuple or a known variant, if the other parts leave nothing. A
/// `_` there is dropped after all bindings of the pattern, as a name would be.
fn first_part(pat: &mut Pat) -> Option<&mut Pat> {
    let parts = match pat {
        Pat::TupleStruct(node) if is_variant_of_core(&node.path) => &mut node.elems,
        Pat::Tuple(node) => &mut node.elems,
        _ => return None,
    };
    let mut parts = parts.iter_mut();
    let first = parts.next()?;
    parts
        .all(|part| !Shape::of(part).leaves_part)
        .then_some(first)
}
