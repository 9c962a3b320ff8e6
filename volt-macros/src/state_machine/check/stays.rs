//! Matched values that stay behind where an arm awaits.
//!
//! `Err(_)` leaves the error where it is, alive to the end of the `match`. If the type of the value is
//! seen, it is kept in a local until then:
//!
//! ```text
//! match ask().await { Ok(page) => .., Err(_) => wait().await }
//! { let operand: ask::Output = ask().await; match operand { .. } }
//! ```
//!
//! What ends a block lives longer than the locals of the block before edition 2024, and what an `if let`
//! matches through its `else`. There it is proven to have no destructor.

use syn::spanned::Spanned;
use syn::{
    BinOp, Expr, ExprIf, ExprLet, ExprMatch, Pat, Stmt as SynStmt, Type, parse_quote_spanned,
};

use super::checker::Check;
use super::residue::is_bare_place;
use crate::state_machine::body::{Glue, Kind, Stmt, holds_await};
use crate::state_machine::parse::peel;
use crate::state_machine::pattern::{is_whole, leaves_residue};
use crate::state_machine::scope::bindings;

impl Check<'_> {
    /// The `match` with its value in a local, if that stays behind.
    pub(super) fn kept_match(&mut self, node: &ExprMatch, at_end: bool) -> Option<Kind> {
        let pats = node
            .arms
            .iter()
            .map(|arm| (&arm.pat, holds_await(&*arm.body)));
        let ty = self.kept_type(&node.expr, pats)?;
        let mut node = node.clone();
        self.prove_scrutinee(&mut node.expr);
        let matched = self.spilled_match(&mut node.expr, ty, at_end);
        Some(self.behind(vec![matched], |this| this.match_expr(&node)))
    }

    /// The `if let` with its value in a local, if that stays behind. It is dropped before an `else`, and
    /// behind that before edition 2024.
    pub(super) fn kept_if(&mut self, node: &ExprIf, at_end: bool) -> Option<Kind> {
        let cond = first_let(&node.cond)?;
        let pats = std::iter::once((&*cond.pat, holds_await(&node.then_branch)));
        let ty = self.kept_type(&cond.expr, pats)?;
        let mut node = node.clone();
        let value = &mut first_let_mut(&mut node.cond)?.expr;
        self.prove_scrutinee(value);
        let otherwise = node.else_branch.as_mut().map(|(_, otherwise)| otherwise);
        let otherwise = otherwise.filter(|otherwise| !only_breaks(otherwise));
        let matched = self.spilled_match(value, ty, at_end || otherwise.is_some());
        if let Some(otherwise) = otherwise {
            **otherwise =
                parse_quote_spanned!(value.span()=> { ::core::mem::drop(#value); #otherwise });
        }
        Some(self.behind(vec![matched], |this| this.if_expr(&node)))
    }

    fn spilled_match(&mut self, value: &mut Expr, ty: Type, at_end: bool) -> Stmt {
        let span = value.span();
        let stmt = self.spilled(value, Some(ty));
        if let Some(local) = self.locals.last_mut().filter(|_| at_end) {
            local.ends_block = Some(span);
        }
        stmt
    }

    /// The type of a value that is matched by these patterns, those of arms that await marked, if it
    /// is to be kept.
    fn kept_type<'p>(
        &self,
        value: &Expr,
        mut pats: impl Iterator<Item = (&'p Pat, bool)> + Clone,
    ) -> Option<Type> {
        let stays = pats
            .clone()
            .any(|(pat, awaits)| awaits && leaves_residue(pat));
        let is_end = self.nested == 0 && !is_bare_place(value);
        if !stays || !is_end || !pats.all(|(pat, _)| is_whole(pat) || bindings(pat).is_empty()) {
            return None;
        }
        let told = self.told(value)?;
        let is_sure =
            !told.customary || matches!(&told.ty, Type::Path(path) if path.qself.is_some());
        let is_value = !matches!(peel(&told.ty), Type::Reference(_));
        (is_sure && is_value && self.glue(&told.ty) != Glue::None).then_some(told.ty)
    }
}

/// The `let` that a condition begins with.
fn first_let(cond: &Expr) -> Option<&ExprLet> {
    match cond {
        Expr::Let(node) => Some(node),
        Expr::Binary(node) if matches!(node.op, BinOp::And(_)) => first_let(&node.left),
        _ => None,
    }
}

fn first_let_mut(cond: &mut Expr) -> Option<&mut ExprLet> {
    match cond {
        Expr::Let(node) => Some(node),
        Expr::Binary(node) => first_let_mut(&mut node.left),
        _ => None,
    }
}

/// Whether there is nothing in the `else` but the way out of a loop.
fn only_breaks(otherwise: &Expr) -> bool {
    let Expr::Block(node) = otherwise else {
        return false;
    };
    matches!(&node.block.stmts[..], [SynStmt::Expr(Expr::Break(node), _)] if node.expr.is_none())
}
