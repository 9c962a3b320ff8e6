//! `&mut`s that awaits borrow, and that are given back.
//!
//! ```text
//! self.connect().await?;  Ok(self.socket.as_mut())        for as long as what `self` refers to
//! write(rest).await;      rest = &mut rest[n..]           the same
//! ```
//!
//! What is borrowed through the place in which a `&mut` lies lives as long as that place is looked at. So a block that
//! gives back such a borrow has the `&mut` itself.

use syn::visit::Visit;
use syn::{ExprAsync, ExprClosure, ExprReturn, Type};

use super::decide::Facts;
use crate::cfg::{BlockId, End, Step};
use crate::hir::{LocalId, Use, is_reference, is_shared_reference};

impl Facts<'_> {
    /// Whether a use of a local may give back what it refers to.
    pub(super) fn is_given_back(&self, block: BlockId, local: LocalId, used: Use) -> bool {
        let is_exclusive = |ty: &Type| is_reference(ty) && !is_shared_reference(ty);
        let is_mutable = self.body.has_type(local, is_exclusive);
        is_mutable && (used == Use::Assigned || self.body.gives_back && self.returns(block))
    }

    /// Whether the function may return from a block.
    fn returns(&self, block: BlockId) -> bool {
        let block = &self.cfg.blocks[block.0];
        let branches = block.branches().into_iter();
        let mut steps = branches.flat_map(|branch| &branch.steps);
        let is_end = matches!(block.end, End::Return(_));
        let mut find = Returns(is_end || steps.any(|step| matches!(step, Step::Return(_))));
        let exprs = block.exprs();
        let exprs = exprs.iter().map(|expr| &self.body.exprs[expr.0]);
        exprs.for_each(|expr| find.visit_expr(expr));
        find.0
    }
}

/// Looks for `return`s of the function.
struct Returns(bool);

impl<'ast> Visit<'ast> for Returns {
    fn visit_expr_return(&mut self, _: &'ast ExprReturn) {
        self.0 = true;
    }

    fn visit_expr_closure(&mut self, _: &'ast ExprClosure) {}

    fn visit_expr_async(&mut self, _: &'ast ExprAsync) {}
}
