//! Branches and loops that wait.

use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{
    Block, Expr, ExprBreak, ExprForLoop, ExprIf, ExprMatch, ExprWhile, Label, Pat, parse_quote,
    parse_quote_spanned,
};

use super::awaits::{block_has_await, has_await};
use super::body::{Arm, ScopeId, Stmt, TargetId, Value};
use super::lower::{Lower, Target};
use super::shape::{Shape, only_leaves};
use super::temporaries::{has_temporary, is_value, names_constant};
use crate::doubt::Reason;
use crate::names::{is_variant, last_of};
use crate::resolve::{LocalId, LocalKind};

impl Lower<'_> {
    /// The value of an expression; what has to be done before goes to `out`.
    pub(super) fn value(&mut self, expr: Expr, out: &mut Vec<Stmt>) -> Value {
        if !has_await(&expr) {
            return Value::Whole(self.whole(expr));
        }
        match expr {
            Expr::Paren(node) => self.value(*node.expr, out),
            Expr::Await(node) => {
                let mut operand = *node.base;
                self.hoist(&mut operand, out);
                if has_temporary(&operand) {
                    self.name_chain(&mut operand, out);
                }
                Value::Await(self.awaited(operand, node.await_token.span))
            }
            Expr::If(node) => self.if_value(node, out),
            Expr::Match(node) => self.match_value(node, out),
            Expr::Loop(node) => self.loop_value(node.label, node.body),
            Expr::While(node) => self.while_value(node),
            Expr::ForLoop(node) => self.for_value(node, out),
            Expr::Block(node) => {
                let id = self.target(node.label, false);
                let body = self.block_of(node.block, true);
                self.targets.pop();
                Value::Block { id, body }
            }
            mut expr => {
                self.hoist_operands(&mut expr, out);
                Value::Whole(self.whole(expr))
            }
        }
    }

    pub(super) fn target(&mut self, label: Option<Label>, is_loop: bool) -> TargetId {
        let id = TargetId(self.valued.len());
        self.valued.push(false);
        let label = label.map(|label| label.name.ident);
        self.targets.push(Target { id, label, is_loop });
        id
    }

    fn loop_value(&mut self, label: Option<Label>, body: Block) -> Value {
        let id = self.target(label, true);
        let body = self.block(body);
        self.targets.pop();
        Value::Loop { id, body }
    }

    /// `while c { .. }` is `loop { if c { .. } else { break } }`.
    fn while_value(&mut self, node: ExprWhile) -> Value {
        let span = Span::mixed_site().located_at(node.while_token.span);
        let (condition, body) = (&node.cond, &node.body);
        let turn: Expr = parse_quote_spanned!(span=> if #condition #body else { break });
        let body = parse_quote!({ #turn });
        self.loop_value(node.label, body)
    }

    /// `for p in e { .. }` is `{ let mut i = into_iter(e); loop { match i.next() { None => break,
    /// Some(p) => { .. } } } }`.
    fn for_value(&mut self, mut node: ExprForLoop, out: &mut Vec<Stmt>) -> Value {
        self.hoist(&mut node.expr, out);
        if !block_has_await(&node.body) {
            return Value::Whole(self.whole(Expr::ForLoop(node)));
        }
        if has_temporary(&node.expr) {
            self.doubts.note(Reason::ScrutineeTemporary, &*node.expr);
        }
        let span = Span::mixed_site().located_at(node.expr.span());
        let iterator = self.temp(LocalKind::Iterator, None, span);
        let name = self.body.locals[iterator.0].ident.clone();
        self.name_wild(&mut node.pat);
        let (expr, pat, block) = (&node.expr, &node.pat, &node.body);
        let made = parse_quote_spanned!(span=> __Sound::each(#expr));
        let turn: Expr = parse_quote_spanned! {span=>
            match ::core::iter::Iterator::next(&mut #name) {
                ::core::option::Option::None => break,
                ::core::option::Option::Some(#pat) => #block
            }
        };
        let id = self.target(None, false);
        let body = self.loop_value(node.label, parse_quote!({ #turn }));
        self.targets.pop();
        let made = Value::Whole(self.whole(made));
        let mut stmts = Vec::new();
        self.bind(iterator, made, None, &mut stmts);
        stmts.push(Stmt::Eval(body));
        let body = self.scope(stmts, None);
        Value::Block { id, body }
    }

    fn if_value(&mut self, mut node: ExprIf, out: &mut Vec<Stmt>) -> Value {
        self.hoist_condition(&mut node.cond, out);
        let then_waits = block_has_await(&node.then_branch);
        let otherwise = node.else_branch.as_ref();
        if !then_waits && !otherwise.is_some_and(|(_, it)| has_await(it)) {
            return Value::Whole(self.whole(Expr::If(node)));
        }
        // Before the edition 2024 what is matched lives until the `else` has ended.
        let is_seen = otherwise.is_some_and(|(_, it)| !only_leaves(it));
        let binds = self.check_condition(&mut node.cond, then_waits, is_seen);
        let condition = self.whole(*node.cond);
        let then = self.branch(node.then_branch);
        let otherwise = node
            .else_branch
            .map(|(_, otherwise)| self.arm_body(*otherwise));
        let branch = |binds, body| Arm {
            pat: None,
            binds,
            body,
        };
        Value::Branches {
            on: condition,
            arms: vec![branch(binds, Some(then)), branch(Vec::new(), otherwise)],
        }
    }

    /// Awaits in the first part of a condition, which is evaluated in any case.
    fn hoist_condition(&mut self, condition: &mut Expr, out: &mut Vec<Stmt>) {
        match condition {
            Expr::Let(node) => self.hoist_unnamed(&mut node.expr, out),
            Expr::Paren(node) => self.hoist_condition(&mut node.expr, out),
            condition if has_let(condition) => {
                self.doubts.note(Reason::AwaitInCondition, &*condition);
            }
            condition => self.hoist_unnamed(condition, out),
        }
    }

    /// What is evaluated where nobody is sure when its temporaries end.
    pub(super) fn hoist_unnamed(&mut self, expr: &mut Expr, out: &mut Vec<Stmt>) {
        let value = self.in_chain(false, out, |this, own| {
            this.hoist(expr, own);
            None
        });
        debug_assert!(value.is_none());
    }

    /// The `let` of a condition, whose branches wait.
    fn check_condition(&mut self, condition: &mut Expr, then: bool, is_seen: bool) -> Vec<LocalId> {
        match condition {
            Expr::Paren(node) => self.check_condition(&mut node.expr, then, is_seen),
            Expr::Let(node) => {
                if is_seen && is_value(&node.expr) {
                    self.doubts.note(Reason::Remainder, &*node.pat);
                }
                self.check_scrutinee(&node.expr);
                self.branch_pattern(&node.expr, &mut node.pat, then)
            }
            _ => Vec::new(),
        }
    }

    fn check_scrutinee(&mut self, scrutinee: &Expr) {
        if has_temporary(scrutinee) || names_constant(scrutinee) {
            self.doubts.note(Reason::ScrutineeTemporary, scrutinee);
        }
    }

    /// The pattern of a branch, and what it binds.
    fn branch_pattern(&mut self, scrutinee: &Expr, pat: &mut Pat, waits: bool) -> Vec<LocalId> {
        let is_value = is_value(scrutinee);
        if waits && is_value {
            self.name_wild(pat);
        }
        let shape = Shape::of(pat);
        let reasons = [
            (shape.borrows, Reason::BorrowingPattern),
            (shape.opens && is_value, Reason::OwnDestructor),
            (shape.leaves && is_value, Reason::Remainder),
        ];
        let found = reasons.iter().filter(|(is_there, _)| waits && *is_there);
        found.for_each(|(_, reason)| self.doubts.note(*reason, &*pat));
        self.binds(pat)
    }

    /// Gives a `_` a name: what it stands for is dropped behind the branch, where it is dropped as a part of the value
    /// otherwise.
    fn name_wild(&mut self, pat: &mut Pat) {
        if matches!(pat, Pat::Wild(_)) {
            let unnamed = self.temp(LocalKind::Pattern, None, pat.span());
            let name = &self.body.locals[unnamed.0].ident;
            *pat = parse_quote!(#name);
        }
    }

    fn match_value(&mut self, mut node: ExprMatch, out: &mut Vec<Stmt>) -> Value {
        self.hoist(&mut node.expr, out);
        let guard_waits = |pat: &Pat| matches!(pat, Pat::Guard(it) if has_await(&it.guard));
        let waits = |arm: &syn::Arm| guard_waits(&arm.pat) || has_await(&arm.body);
        if !node.arms.iter().any(waits) {
            return Value::Whole(self.whole(Expr::Match(node)));
        }
        self.check_scrutinee(&node.expr);
        let scrutinee = *node.expr;
        let arms = node
            .arms
            .into_iter()
            .map(|arm| self.arm(&scrutinee, arm))
            .collect();
        Value::Branches {
            on: self.whole(scrutinee),
            arms,
        }
    }

    fn arm(&mut self, scrutinee: &Expr, arm: syn::Arm) -> Arm {
        let mut pat = match arm.pat {
            Pat::Guard(node) => {
                self.doubts.note(Reason::AwaitInGuard, &node.guard);
                *node.pat
            }
            pat => pat,
        };
        let binds = self.branch_pattern(scrutinee, &mut pat, has_await(&arm.body));
        Arm {
            pat: Some(pat),
            binds,
            body: Some(self.arm_body(*arm.body)),
        }
    }

    /// A branch's block.
    fn branch(&mut self, block: Block) -> ScopeId {
        match block_has_await(&block) {
            true => self.block(block),
            false if block.stmts.is_empty() => self.scope(Vec::new(), None),
            false => {
                let value = self.whole(parse_quote!(#block));
                self.scope(Vec::new(), Some(Value::Whole(value)))
            }
        }
    }

    fn arm_body(&mut self, body: Expr) -> ScopeId {
        match body {
            Expr::Block(node) if node.label.is_none() => self.branch(node.block),
            body => self.block(parse_quote!({ #body })),
        }
    }

    /// Notes values of branches that may be coerced to a type that is expected of the whole.
    pub(super) fn check_coercion(&mut self, expr: &Expr) {
        let mut ends = Vec::new();
        if has_await(expr) {
            ends_of(expr, &mut ends);
        }
        for end in ends {
            let is_function = matches!(end, Expr::Path(node) if last_of(&node.path).is_some_and(is_lower))
                && self.body.local_of(end).is_none();
            if is_function || may_be_coerced(end) {
                self.doubts.note(Reason::Coercion, end);
            }
        }
    }
}

/// Whether a `let` is one of several parts of a condition.
fn has_let(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(node) => has_let(&node.left) || has_let(&node.right),
        Expr::Paren(node) => has_let(&node.expr),
        _ => false,
    }
}

/// The expressions whose values a construct gives.
fn ends_of<'e>(expr: &'e Expr, ends: &mut Vec<&'e Expr>) {
    match expr {
        Expr::If(node) => {
            end_of(&node.then_branch, ends);
            if let Some((_, otherwise)) = &node.else_branch {
                ends_of(otherwise, ends);
            }
        }
        Expr::Match(node) => node.arms.iter().for_each(|arm| ends_of(&arm.body, ends)),
        Expr::Block(node) => {
            Breaks(ends).visit_expr(expr);
            end_of(&node.block, ends);
        }
        Expr::Paren(node) => ends_of(&node.expr, ends),
        Expr::Loop(_) => Breaks(ends).visit_expr(expr),
        end => ends.push(end),
    }
}

/// The values that a `break` gives, but for those of calls, which nearly all are.
struct Breaks<'e, 'f>(&'f mut Vec<&'e Expr>);

impl<'e> Visit<'e> for Breaks<'e, '_> {
    fn visit_expr_break(&mut self, node: &'e ExprBreak) {
        let value = node.expr.as_deref().into_iter();
        let is_call = |it: &&Expr| matches!(it, Expr::Call(_)) && wrapped(it).is_none();
        self.0.extend(value.filter(|it| !is_call(it)));
    }
}

fn end_of<'e>(block: &'e Block, ends: &mut Vec<&'e Expr>) {
    if let Some(syn::Stmt::Expr(end, None)) = block.stmts.last() {
        ends_of(end, ends);
    }
}

/// Whether a name begins as those of functions do.
fn is_lower(name: &Ident) -> bool {
    name.to_string().starts_with(char::is_lowercase)
}

/// Whether the value is of a kind that is coerced: a reference, a closure, a pointer that owns, as `Box::new` makes it.
fn may_be_coerced(value: &Expr) -> bool {
    match value {
        Expr::Reference(_) | Expr::Closure(_) => true,
        Expr::Paren(node) => may_be_coerced(&node.expr),
        Expr::Tuple(node) => node.elems.iter().any(may_be_coerced),
        Expr::Call(node) => match wrapped(value) {
            Some(value) => may_be_coerced(value),
            None => matches!(&*node.func, Expr::Path(made) if made.path.segments.len() > 1),
        },
        _ => false,
    }
}

/// What is wrapped in a variant: `Ok(value)`.
fn wrapped(value: &Expr) -> Option<&Expr> {
    let Expr::Call(node) = value else { return None };
    let Expr::Path(variant) = &*node.func else {
        return None;
    };
    let is_variant = variant.path.get_ident().is_some_and(is_variant);
    node.args.first().filter(|_| is_variant)
}
