//! `if` and `match`: what is matched must not outlive the value that it gives.

use syn::{Expr, ExprIf, ExprMatch, parse_quote};

use super::checker::Check;
use super::residue::residue;
use crate::state_machine::body::{Arm, If, Kind, LocalId, Match, first_await, holds_await};
use crate::state_machine::errors::Rule;

impl Check<'_> {
    pub(super) fn if_expr(&mut self, node: &ExprIf) -> Kind {
        let at_end = std::mem::take(&mut self.at_end);
        if let Some(kind) = self.kept_if(node, at_end) {
            return kind;
        }
        self.scoped(|this| {
            let in_then = holds_await(&node.then_branch);
            let cond = this.scrutinees(&node.cond, in_then);
            let nested = std::mem::take(&mut this.nested);
            let cond = this.expr(&cond);
            this.nested = nested;
            let bound = this.declare_lets(&node.cond);
            let then = this.block(None, &node.then_branch);
            this.scope.truncate(this.scope.len() - bound.len());
            let otherwise = node.else_branch.as_ref();
            Kind::If(Box::new(If {
                cond,
                bound,
                then,
                otherwise: otherwise.map(|(_, otherwise)| this.expr(otherwise)),
            }))
        })
    }

    /// A condition in which what is matched is proven not to outlive the value that it gives,
    /// if there are awaits in the block below.
    pub(super) fn scrutinees(&mut self, cond: &Expr, awaits_below: bool) -> Expr {
        let mut cond = cond.clone();
        if awaits_below {
            self.prove_scrutinees(&mut cond);
        }
        cond
    }

    fn prove_scrutinees(&mut self, cond: &mut Expr) {
        match cond {
            Expr::Let(node) => {
                let residue = residue(&node.expr, std::iter::once(&*node.pat), self.volt);
                self.prove_scrutinee(&mut node.expr);
                if let Some(residue) = residue {
                    let proven = residue.proven(&node.expr, self.volt);
                    *node.expr = parse_quote!(#proven);
                }
            }
            Expr::Binary(node) => {
                self.prove_scrutinees(&mut node.left);
                self.prove_scrutinees(&mut node.right);
            }
            _ => {}
        }
    }

    pub(super) fn declare_lets(&mut self, cond: &Expr) -> Vec<LocalId> {
        match cond {
            Expr::Let(node) => self.declare_matched(&node.pat, &node.expr),
            Expr::Binary(node) => {
                let mut bound = self.declare_lets(&node.left);
                bound.extend(self.declare_lets(&node.right));
                bound
            }
            _ => Vec::new(),
        }
    }

    pub(super) fn match_expr(&mut self, node: &ExprMatch) -> Kind {
        let at_end = std::mem::take(&mut self.at_end);
        if let Some(kind) = self.kept_match(node, at_end) {
            return kind;
        }
        let awaiting = node.arms.iter().filter(|arm| holds_await(&*arm.body));
        let awaiting: Vec<_> = awaiting.map(|arm| &arm.pat).collect();
        let residue = residue(&node.expr, awaiting.iter().copied(), self.volt);
        let mut scrutinee = (*node.expr).clone();
        if !awaiting.is_empty() {
            self.prove_scrutinee(&mut scrutinee);
        }
        self.nested += 1;
        let scrutinee = self.expr(&scrutinee);
        self.nested -= 1;
        let arms = node.arms.iter().map(|arm| self.arm(arm, &node.expr));
        let arms = arms.collect();
        Kind::Match(Box::new(Match {
            scrutinee,
            arms,
            residue,
        }))
    }

    fn arm(&mut self, arm: &syn::Arm, matched: &Expr) -> Arm {
        if let Some(span) = first_await(&arm.pat) {
            self.errors.refuse_at(Rule::AwaitInGuard, span);
        }
        self.scoped(|this| {
            let bound = this.declare_matched(&arm.pat, matched);
            Arm {
                source: arm.clone(),
                bound,
                body: this.expr(&arm.body),
                unpacked: None,
            }
        })
    }
}
