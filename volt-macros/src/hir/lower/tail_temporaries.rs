//! Tail expressions and operands whose scrutinee is dropped late.
//!
//! Before edition 2024, the rest of a scrutinee in tail position outlives the locals of the block.
//! In an operand it outlives the evaluation of the expression.
//!
//! ```text
//! { let page = ..;  if let Ok(n) = send() { wait(n).await } }      an error is dropped after `page`
//! add(match get().await { Ok(n) => n, Err(_) => 0 }, next())       and here after the call of `add`
//! ```

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Expr, ExprLet, Pat};

use super::lowering::{Lower, UnnamedReceivers};
use super::temporary_extension::refers_to_value;
use crate::fallback::FallbackReason;
use crate::hir::body::{ExprId, Stmt, Tail, Value};
use crate::hir::facts::{MatchedPart, Shape, is_some_of_all, is_value, matched_parts, whole};
use crate::hir::facts::{block_has_await, has_await, has_temporary, needs_temporary};
use crate::syntax::may_be_edition_2024;

impl Lower<'_> {
    /// Returns `true` if the statements declare a local of the user, or if a `let _` may extend a
    /// temporary.
    pub(in crate::hir) fn binds_any(&self, stmts: &[Stmt]) -> bool {
        let exprs = &self.body.exprs;
        stmts.iter().any(|stmt| match stmt {
            Stmt::Let(node) if node.binds.is_empty() => {
                matches!(node.value, Some(Value::Expr(id)) if has_temporary(&exprs[id.0]))
            }
            Stmt::Let(node) => {
                let mut binds = node.binds.iter();
                binds.any(|local| !self.body.locals[local.0].is_temp())
            }
            Stmt::Eval(_) => false,
        })
    }

    /// Notes the temporaries of a leaf expression in the tail of a block with locals. A `let`
    /// around the block may extend those that a reference names.
    pub(in crate::hir) fn check_tail_value(&mut self, id: ExprId) {
        let (value, reason) = (&self.body.exprs[id.0], FallbackReason::TailTemporary);
        if !has_late_temporary(value) {
            return;
        }
        let is_generic = self.fallbacks.has(FallbackReason::TypeParameter);
        let is_claimed = self.unnamed == UnnamedReceivers::Bound && !refers_to_value(value);
        if is_generic || !is_claimed || !may_be_edition_2024(self.braces) {
            return self.moved_or(id, reason);
        }
        let span = value.span();
        self.body.tails.push(Tail { span, reason });
    }

    /// Claims that the patterns of a construct leave nothing with a destructor of a value. The
    /// construct is a tail expression in a block with locals, or an operand, so the edition decides
    /// when the rest of the value is dropped.
    pub(in crate::hir) fn check_ending(&mut self, construct: &Expr) {
        match construct {
            Expr::Paren(node) => self.check_ending(&node.expr),
            Expr::If(node) => {
                if let Some(condition) = let_of_value(&node.cond) {
                    let pat = &*condition.pat;
                    let mut parts = matched_parts(pat);
                    if !is_some_of_all(pat) {
                        parts.push(whole(pat.span()));
                    }
                    self.claim_ending(construct, &node.cond, &[pat], parts);
                }
            }
            Expr::Match(node) if is_value(&node.expr) => {
                let pats: Vec<&Pat> = node.arms.iter().map(|arm| unguarded(&arm.pat)).collect();
                let parts = pats.iter().flat_map(|pat| matched_parts(pat)).collect();
                self.claim_ending(construct, &node.expr, &pats, parts);
            }
            _ => {}
        }
    }

    /// Records the claims about a construct, or notes the fallback reason if the compiler cannot
    /// confirm them: in a generic function, and in a construct of which no branch awaits.
    fn claim_ending(&mut self, construct: &Expr, value: &Expr, pats: &[&Pat], parts: Parts) {
        let is_borrowed = pats.iter().any(|pat| Shape::of(pat).borrows);
        let is_generic = self.fallbacks.has(FallbackReason::TypeParameter);
        let is_claimed = branch_awaits(construct) && !is_generic;
        if is_borrowed || !parts.is_empty() && !is_claimed {
            self.fallbacks.note(FallbackReason::Remainder, value);
        } else {
            self.body.claimed_ending = Some(value.to_token_stream());
            self.ending = parts;
        }
    }
}

type Parts = Vec<MatchedPart>;

/// Returns `true` if a tail expression has a temporary that the edition may drop late. A scrutinee
/// of which each pattern moves everything is no such temporary: `match next() { Some(page) => ..,
/// None => .. }`. A guard that panics would leave the scrutinee as it is.
fn has_late_temporary(tail: &Expr) -> bool {
    let is_late = |value: &Expr, moves_all: bool| {
        has_temporary(value) || needs_temporary(value) && !moves_all
    };
    match tail {
        Expr::Paren(node) => has_late_temporary(&node.expr),
        Expr::Match(node) => {
            let mut arms = node.arms.iter();
            is_late(&node.expr, arms.all(|arm| moves_all(&arm.pat)))
        }
        Expr::If(node) => {
            let otherwise = node.else_branch.as_ref().map(|(_, branch)| &**branch);
            match let_of_value(&node.cond) {
                Some(ExprLet { pat, expr, .. }) => {
                    is_late(expr, is_some_of_all(pat) && moves_all(pat))
                        || otherwise
                            .is_some_and(|it| matches!(it, Expr::If(_)) && has_late_temporary(it))
                }
                None => has_temporary(tail),
            }
        }
        tail => has_temporary(tail),
    }
}

/// Returns `true` if nothing of a matched value is left, and nothing of it is borrowed.
fn moves_all(pat: &Pat) -> bool {
    !matches!(pat, Pat::Guard(_)) && !Shape::of(pat).borrows && matched_parts(pat).is_empty()
}

/// Returns the `let` of a condition that matches a value.
fn let_of_value(condition: &Expr) -> Option<&ExprLet> {
    match condition {
        Expr::Let(node) => is_value(&node.expr).then_some(node),
        Expr::Paren(node) => let_of_value(&node.expr),
        _ => None,
    }
}

fn unguarded(pat: &Pat) -> &Pat {
    match pat {
        Pat::Guard(node) => &node.pat,
        pat => pat,
    }
}

/// Returns `true` if a branch of the construct awaits, so that each branch becomes blocks.
fn branch_awaits(construct: &Expr) -> bool {
    match construct {
        Expr::If(node) => {
            let otherwise = node.else_branch.as_ref();
            block_has_await(&node.then_branch)
                || otherwise.is_some_and(|(_, branch)| has_await(branch))
        }
        Expr::Match(node) => node.arms.iter().any(|arm| {
            has_await(&arm.body) || matches!(&arm.pat, Pat::Guard(pat) if has_await(&pat.guard))
        }),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::has_late_temporary;

    /// The lowering receives the names of known variants as whole paths.
    fn is_late(tail: &str) -> bool {
        let tail = tail.replace("Some(", "::core::option::Option::Some(");
        let tail = tail.replace("None", "::core::option::Option::None");
        has_late_temporary(&syn::parse_str(&tail).expect("an expression"))
    }

    #[test]
    fn emptied_value_is_no_late_temporary() {
        for tail in [
            "match next() { Some(page) => show(page), None => {} }",
            "(match next() { Some(mut page) => show(page), None => {} })",
            "if let Some(page) = next() { show(page) }",
            "if let Some(page) = next() { show(page) } else if let Some(page) = next() {}",
            "match 3 { 1 => {} _ => {} }",
            "match page { Some(_) => {} _ => {} }",
        ] {
            assert!(!is_late(tail), "{tail}");
        }
    }

    #[test]
    fn value_with_a_rest_is_a_late_temporary() {
        for tail in [
            "match next() { Some(page) if page.show() => {} Some(page) => {} None => {} }",
            "match next() { Some(ref page) => show(page), None => {} }",
            "match next() { Some(page) => show(page), _ => {} }",
            "match next() { Event::Paid(page) => show(page), Event::Empty => {} }",
            "match next(&page()) { Some(page) => show(page), None => {} }",
            "if let Some(_) = next() {}",
            "if let Ok(page) = next() { show(page) }",
            "if let Some(page) = next() {} else if let Ok(page) = next() {}",
        ] {
            assert!(is_late(tail), "{tail}");
        }
    }
}
