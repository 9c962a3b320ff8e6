//! Receivers in an awaited method chain: each temporary becomes a local.
//!
//! ```text
//! let page = client.get(url).send().await?;     let page = {
//!                                                   let mut value_1 = client.get(url);
//!                                                   value_1.send().await?
//!                                               };
//! ```
//!
//! In a step, a temporary that an argument borrows becomes a local too: `send(&make()).await`.
//!
//! Such a temporary lives until the end of the statement, unless a method moves it. The compiler
//! decides that by a query. It is a fallback reason if the block may end elsewhere than the
//! temporary.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, Pat, Type, UnOp, parse_quote_spanned};

use super::lowering::{Lower, UnnamedReceivers};
use super::statements::{Receivers, Statements};
use crate::fallback::FallbackReason;
use crate::hir::body::{ExprId, Let, Stmt, StoredTypes, Tail, Value};
use crate::hir::built_exprs;
use crate::hir::facts::{
    Use, ends_with_statement, has_temporary, is_awaited_value, is_copy, is_value,
    may_borrow_reference, may_move_temporaries, names_constant, needs_temporary, operands_mut,
    refers,
};
use crate::resolve::{AwaitId, LocalKind};
use crate::syntax::may_be_edition_2024;

impl Lower<'_> {
    /// Lowers code at whose end its temporaries are dropped. Puts a block around it if receivers
    /// were named.
    pub(in crate::hir) fn in_chain(
        &mut self,
        receivers: Receivers,
        out: &mut Statements,
        lower: impl FnOnce(&mut Self, &mut Statements) -> Option<Value>,
    ) -> Option<Value> {
        let mut inner = Statements::new(out.context, receivers);
        let value = lower(self, &mut inner);
        if inner.receivers != Receivers::Named {
            out.stmts.extend(inner.stmts);
            return value;
        }
        let id = self.target(None, false);
        self.targets.pop();
        let body = self.scope(inner.stmts, value);
        Some(Value::Block { id, body })
    }

    /// Lowers `let _ = ..`. The value is dropped before the receivers of its method chain.
    pub(in crate::hir) fn lower_wild_let(
        &mut self,
        init: Expr,
        (pat, ty, otherwise): (Pat, Option<Type>, Option<ExprId>),
        out: &mut Statements,
    ) {
        let receivers = Receivers::allowed_if(ends_with_statement(&pat, &init));
        let value = self.in_chain(receivers, out, |lower, stmts| {
            let value = lower.lower_value(init, stmts)?;
            let value = Some(lower.bind_to_temp(value, ty.as_ref(), stmts));
            stmts.push(Stmt::Let(Box::new(Let {
                pat,
                ty,
                value,
                otherwise,
                binds: Vec::new(),
            })));
            None
        });
        out.stmts.extend(value.map(Stmt::Eval));
        self.label = None;
    }

    /// Lowers the value of a `let .. else` in a step. The temporaries that its await borrows become
    /// locals. Also returns expressions that drop these locals, after the pattern and before the
    /// `else` block.
    ///
    /// ```text
    /// let Ok(sent) = send(&text()).await else { return };     let receiver_1 = text();
    ///                                                         let Ok(sent) = send(&receiver_1).await else { drop(receiver_1); return };
    ///                                                         drop(receiver_1);
    /// ```
    pub(in crate::hir) fn lower_matched_value(
        &mut self,
        init: Expr,
        out: &mut Statements,
    ) -> (Option<Value>, Vec<Expr>) {
        let mut inner = Statements::new(out.context, Receivers::Arguments);
        let value = self.lower_value(init, &mut inner);
        let binds = inner.stmts.iter().flat_map(|stmt| match stmt {
            Stmt::Let(node) => &node.binds[..],
            Stmt::Eval(_) => &[],
        });
        let locals = binds.map(|local| &self.body.locals[local.0]);
        let arguments = locals.filter(|local| local.kind == LocalKind::Receiver);
        let dropped = arguments.map(|local| built_exprs::drop_of(local.ident.clone()));
        let dropped = dropped.rev().collect();
        out.stmts.extend(inner.stmts);
        (value, dropped)
    }

    /// Hoists the awaits of the matched value of an `if let` in a step. Returns expressions that
    /// drop its temporaries before the `else`, as edition 2024 does.
    pub(in crate::hir) fn hoist_matched(
        &mut self,
        value: &mut Expr,
        out: &mut Statements,
    ) -> Vec<Expr> {
        let is_named = is_awaited_value(value) && out.receivers != Receivers::Refused;
        if !is_named || !self.may_drop_before_else() {
            self.hoist_unnamed(value, out);
            return Vec::new();
        }
        let span = value.span();
        let taken = std::mem::replace(value, built_exprs::unit());
        let (lowered, dropped) = self.lower_matched_value(taken, out);
        if let Some(Value::Expr(id)) = lowered {
            *value = self.body.exprs[id.0].clone();
        }
        if !dropped.is_empty() {
            out.receivers = Receivers::Named;
            let reason = FallbackReason::ScrutineeTemporary;
            self.body.tails.push(Tail { span, reason });
        }
        dropped
    }

    /// Claims that a matched value is dropped before the `else` of its `if let`, as in edition
    /// 2024. Returns `false` if the compiler cannot confirm it.
    pub(in crate::hir) fn drops_before_else(&mut self, matched: &Pat) -> bool {
        let is_claimed = self.may_drop_before_else();
        if is_claimed {
            let (span, reason) = (matched.span(), FallbackReason::Remainder);
            self.body.tails.push(Tail { span, reason });
        }
        is_claimed
    }

    fn may_drop_before_else(&self) -> bool {
        self.body.stored_types == StoredTypes::Owned
            && !self.fallbacks.has(FallbackReason::TypeParameter)
            && may_be_edition_2024(self.braces)
    }

    /// Hoists the awaits of an `if` condition in a step. The temporaries of the condition are
    /// dropped before the branches.
    pub(in crate::hir) fn hoist_step_condition(
        &mut self,
        condition: &mut Expr,
        out: &mut Statements,
    ) {
        if !is_awaited_condition(condition) {
            return self.hoist_unnamed(condition, out);
        }
        let span = Span::mixed_site().located_at(condition.span());
        let taken = std::mem::replace(condition, built_exprs::unit());
        let value = self.in_chain(Receivers::Allowed, out, |lower, stmts| {
            lower.lower_value(taken, stmts)
        });
        let Some(value) = value else { return };
        let ty = parse_quote_spanned!(span=> ::core::primitive::bool);
        let temp = self.temp(LocalKind::Temp, Some(ty), span);
        let ty = self.body.locals[temp.0].ty.clone();
        self.bind(temp, value, ty.as_ref(), out);
        *condition = built_exprs::moved(self.body.locals[temp.0].ident.clone(), span);
    }

    /// Binds the future of an await by a `let` before it.
    pub(in crate::hir) fn bind_operand(&mut self, id: AwaitId, out: &mut Statements) {
        let operand = self.body.awaits[id.0].operand;
        let span = Span::mixed_site().located_at(self.body.exprs[operand.0].span());
        let future = self.temp(LocalKind::Temp, None, span);
        self.bind(future, Value::Expr(operand), None, out);
        let moved = built_exprs::moved(self.body.locals[future.0].ident.clone(), span);
        self.body.awaits[id.0].operand = self.body.add(moved);
    }

    /// Names the temporaries of an awaited expression. Returns `true` if methods may move them.
    pub(in crate::hir) fn moves_temporaries(
        &mut self,
        operand: &mut Expr,
        out: &mut Statements,
    ) -> bool {
        if may_borrow_reference(operand) {
            self.fallbacks
                .note(FallbackReason::OperandTemporary, &*operand);
        }
        has_temporary(operand) && !self.name_chain(operand, out)
    }

    /// Names the receivers of an awaited method chain. Returns `false` if they stay as they are,
    /// because methods may move them.
    fn name_chain(&mut self, operand: &mut Expr, out: &mut Statements) -> bool {
        if self.unnamed != UnnamedReceivers::Bound && may_move_temporaries(operand) {
            return false;
        }
        let original = operand.clone();
        let before = out.stmts.len();
        if out.receivers != Receivers::Refused
            && self.name_receiver(operand, out)
            && !has_temporary(operand)
        {
            if out.stmts.len() > before && out.receivers == Receivers::Allowed {
                out.receivers = Receivers::Named;
            }
            return true;
        }
        self.fallbacks
            .note(FallbackReason::OperandTemporary, &original);
        true
    }

    /// Claims that methods move all temporaries of an expression, or notes a reason.
    pub(in crate::hir) fn moved_or(&mut self, id: ExprId, reason: FallbackReason) {
        let expr = &self.body.exprs[id.0];
        if self.unnamed != UnnamedReceivers::Bound && may_move_temporaries(expr) {
            self.body.moved_receivers.insert(id);
        } else {
            self.fallbacks.note(reason, expr);
        }
    }

    /// Names the receiver of a method call, and the receivers before it. Returns `false` if a
    /// temporary cannot be named.
    pub(in crate::hir) fn name_receiver(&mut self, expr: &mut Expr, out: &mut Statements) -> bool {
        match expr {
            Expr::Paren(node) => self.name_receiver(&mut node.expr, out),
            Expr::Try(node) => self.name_receiver(&mut node.expr, out),
            Expr::Call(_) if self.is_in_step => self.name_arguments(expr, out),
            Expr::MethodCall(node) if self.is_in_step && node.args.iter().any(has_temporary) => {
                self.name_arguments(expr, out)
            }
            Expr::MethodCall(node) => {
                if node.args.iter().any(has_temporary)
                    || !self.name_receiver(&mut node.receiver, out)
                    || names_constant(&node.receiver)
                {
                    return false;
                }
                if needs_temporary(&node.receiver) {
                    if out.receivers == Receivers::Arguments {
                        return false;
                    }
                    let value = std::mem::replace(&mut *node.receiver, built_exprs::unit());
                    *node.receiver = self.named_value(value, out);
                }
                true
            }
            expr => !has_temporary(expr),
        }
    }

    /// Names the temporaries that the arguments of a call in a step borrow. Nothing of a step is
    /// stored, so its size does not matter. Returns `false` if an operand before a temporary cannot
    /// be evaluated after it.
    fn name_arguments(&mut self, call: &mut Expr, out: &mut Statements) -> bool {
        let operands = operands_mut(call, Use::Value).unwrap_or_default();
        let last = operands
            .iter()
            .rposition(|(operand, _)| has_temporary(operand));
        let Some(last) = last else { return true };
        let mut operands = operands.into_iter().take(last + 1).enumerate();
        operands.all(|(index, (operand, used))| match operand {
            Expr::MethodCall(_) if index == last => {
                self.name_receiver(operand, out) && !has_temporary(operand)
            }
            Expr::Reference(node) if is_value(&node.expr) => {
                let value = &mut *node.expr;
                if matches!(value, Expr::Closure(_) | Expr::Async(_))
                    || !self.name_receiver(value, out)
                    || has_temporary(value)
                {
                    return false;
                }
                let taken = std::mem::replace(value, built_exprs::unit());
                *value = self.named_value(taken, out);
                true
            }
            operand => {
                self.may_follow_arguments(operand, used) || self.bind_argument(operand, used, out)
            }
        })
    }

    /// Returns `true` if the evaluation of an operand has no effect, and the values that follow it
    /// cannot change its value. A method may move its receiver, unless that is a reference.
    fn may_follow_arguments(&self, operand: &Expr, used: Use) -> bool {
        let local = self.body.local_of(operand);
        match operand {
            Expr::Reference(node) => self.is_place_of_local(&node.expr),
            Expr::Path(_) if local.is_some() => local.is_some_and(|local| {
                let is_unchanged = !self.body.locals[local.0].mutable;
                match used {
                    Use::Receiver => self.body.has_type(local, refers),
                    _ => is_unchanged && self.body.has_type(local, is_copy),
                }
            }),
            operand => self.may_follow_awaits(operand, used),
        }
    }

    /// Binds a local that a call takes by value, before the temporaries of later arguments. Returns
    /// `false` for other operands.
    fn bind_argument(&mut self, operand: &mut Expr, used: Use, out: &mut Statements) -> bool {
        let local = self.body.local_of(operand);
        let is_moved = local.is_some_and(|local| !self.body.has_type(local, refers));
        if used != Use::Value || !is_moved {
            return false;
        }
        let span = Span::mixed_site().located_at(operand.span());
        let value = self.leaf(std::mem::replace(operand, built_exprs::unit()));
        self.body.bound_arguments.insert(value);
        let temp = self.temp(LocalKind::Temp, None, span);
        self.bind(temp, Value::Expr(value), None, out);
        *operand = built_exprs::moved(self.body.locals[temp.0].ident.clone(), span);
        true
    }

    fn is_place_of_local(&self, place: &Expr) -> bool {
        match place {
            Expr::Field(node) => self.is_place_of_local(&node.base),
            place => self.body.local_of(place).is_some(),
        }
    }

    fn named_value(&mut self, value: Expr, out: &mut Statements) -> Expr {
        let span = Span::mixed_site().located_at(value.span());
        let local = self.temp(LocalKind::Receiver, None, span);
        let value = Value::Expr(self.leaf(value));
        self.bind(local, value, None, out);
        built_exprs::name(self.body.locals[local.0].ident.clone())
    }
}

/// Returns `true` for a condition that is the output of an await, of methods that are called on it,
/// or its negation.
fn is_awaited_condition(condition: &Expr) -> bool {
    match condition {
        Expr::Unary(node) if matches!(node.op, UnOp::Not(_)) => is_awaited_condition(&node.expr),
        Expr::Paren(node) => is_awaited_condition(&node.expr),
        condition => is_awaited_value(condition),
    }
}

/// Returns `true` if an expression contains a closure or an `async` block, whose copies differ in
/// their types.
pub(in crate::hir) fn has_closure(expr: &Expr) -> bool {
    struct Find(bool);
    impl Visit<'_> for Find {
        fn visit_expr(&mut self, expr: &Expr) {
            self.0 |= matches!(expr, Expr::Closure(_) | Expr::Async(_));
            visit::visit_expr(self, expr);
        }
    }
    let mut find = Find(false);
    find.visit_expr(expr);
    find.0
}

/// Returns `true` if a part of the condition is a `let`.
pub(in crate::hir) fn has_let(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(node) => has_let(&node.left) || has_let(&node.right),
        Expr::Paren(node) => has_let(&node.expr),
        _ => false,
    }
}
