//! `if` and `match`: what is matched must not outlive the value that it gives.

use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::{Expr, ExprIf, ExprMatch, parse_quote};

use super::checker::Check;
use crate::state_machine::body::{Arm, If, Kind, LocalId, Match, first_await, holds_await};
use crate::state_machine::errors::Rule;
use crate::state_machine::names::path_at;
use crate::state_machine::pattern::leaves_residue;
use crate::state_machine::place::{is_place, may_hold_temporary};

impl Check<'_> {
    pub(super) fn if_expr(&mut self, node: &ExprIf) -> Kind {
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
                if may_hold_temporary(&node.expr) {
                    self.errors.refuse(Rule::ScrutineeTemporary, &node.expr);
                } else if !is_place(&node.expr) && leaves_residue(&node.pat) {
                    let (value, span) = (&node.expr, node.pat.span());
                    let volt = path_at(self.volt, span);
                    let proven = quote_spanned!(span=> #volt::__private::no_residue);
                    *node.expr = parse_quote!(#proven(#value));
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
            Expr::Let(node) => self.declare_pattern(&node.pat),
            Expr::Binary(node) => {
                let mut bound = self.declare_lets(&node.left);
                bound.extend(self.declare_lets(&node.right));
                bound
            }
            _ => Vec::new(),
        }
    }

    pub(super) fn match_expr(&mut self, node: &ExprMatch) -> Kind {
        let awaiting = || node.arms.iter().filter(|arm| holds_await(&*arm.body));
        if awaiting().next().is_some() && may_hold_temporary(&node.expr) {
            self.errors.refuse(Rule::ScrutineeTemporary, &node.expr);
        }
        let residue = awaiting()
            .find(|arm| !is_place(&node.expr) && leaves_residue(&arm.pat))
            .map(|arm| arm.pat.span());
        self.nested += 1;
        let scrutinee = self.expr(&node.expr);
        self.nested -= 1;
        let arms = node.arms.iter().map(|arm| self.arm(arm)).collect();
        Kind::Match(Box::new(Match {
            scrutinee,
            arms,
            residue,
        }))
    }

    pub(super) fn arm(&mut self, arm: &syn::Arm) -> Arm {
        if let Some(span) = first_await(&arm.pat) {
            self.errors.refuse_at(Rule::AwaitInGuard, span);
        }
        self.scoped(|this| {
            let bound = this.declare_pattern(&arm.pat);
            Arm {
                source: arm.clone(),
                bound,
                body: this.expr(&arm.body),
                unpacked: None,
            }
        })
    }
}
