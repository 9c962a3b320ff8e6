//! Expressions: those with an await are taken apart, the others stay whole.

use syn::spanned::Spanned;
use syn::{Expr, ExprIf, ExprLoop, ExprMatch, ExprWhile, Pat, Type, parse_quote};

use super::checker::Check;
use super::first_operand::first_operand;
use crate::state_machine::body::{
    Arm, Await, If, Kind, LocalId, Loop, Match, Node, Operand, Origin, Spine, first_await,
    holds_await,
};
use crate::state_machine::errors::Rule;
use crate::state_machine::names;
use crate::state_machine::operand::{Surroundings, is_place, may_hold_temporary};
use crate::state_machine::pattern::leaves_residue;
use crate::state_machine::scope::bindings;

impl Check<'_> {
    pub(super) fn expr(&mut self, expr: &Expr) -> Node {
        match expr {
            Expr::Paren(paren) if holds_await(expr) => self.expr(&paren.expr),
            Expr::Group(group) if holds_await(expr) => self.expr(&group.expr),
            Expr::While(node) if holds_await(&*node.cond) => self.while_await(node),
            _ => self.node(|this| this.kind(expr)),
        }
    }

    pub(super) fn kind(&mut self, expr: &Expr) -> Kind {
        if !holds_await(expr) {
            return Kind::Plain(expr.clone());
        }
        match expr {
            Expr::Await(node) => self.await_point(node),
            Expr::Block(node) => Kind::Block(self.block(node.label.as_ref(), &node.block)),
            Expr::If(node) => self.if_expr(node),
            Expr::Match(node) => self.match_expr(node),
            Expr::Loop(node) => self.loop_expr(node),
            Expr::While(node) => self.while_expr(node),
            Expr::ForLoop(node) => match first_await(&*node.expr) {
                Some(_) if !holds_await(&node.body) => self.spine(expr, |expr| match expr {
                    Expr::ForLoop(node) => Some((&mut node.expr, true)),
                    _ => None,
                }),
                _ => self.for_expr(node),
            },
            Expr::Macro(_) => self.refused(Rule::AwaitInMacro, expr),
            _ => self.spine(expr, first_operand),
        }
    }

    pub(super) fn await_point(&mut self, node: &syn::ExprAwait) -> Kind {
        let label = self.label.take();
        if let Some(span) = first_await(&*node.base) {
            self.errors.refuse_at(Rule::NoAwaitTypes, span);
            return Kind::Plain(parse_quote!({}));
        }
        let surroundings = Surroundings {
            locals: &self.locals,
            scope: &self.scope,
            lent: &self.lent,
        };
        match surroundings.operand(&node.base, self.errors) {
            Some((operand, name)) => Kind::Await(Box::new(Await {
                span: node.await_token.span,
                operand,
                name,
                label,
            })),
            // Still a suspend point, for what else is to be said about it.
            None => Kind::Await(Box::new(Await {
                span: node.await_token.span,
                operand: Operand::Closure(parse_quote!({})),
                name: String::new(),
                label,
            })),
        }
    }

    pub(super) fn spine(
        &mut self,
        expr: &Expr,
        slot: impl FnOnce(&mut Expr) -> Option<(&mut Expr, bool)>,
    ) -> Kind {
        let mut template = expr.clone();
        let Some((part, moves)) = slot(&mut template) else {
            return self.refused(Rule::UnknownExpression, expr);
        };
        if !holds_await(&*part) {
            let rule = match expr {
                Expr::Binary(node) if is_lazy(&node.op) => Rule::AwaitInCondition,
                _ => Rule::AwaitAfterOperand,
            };
            return self.refused(rule, expr);
        }
        let hole = names::hole();
        let part = std::mem::replace(part, parse_quote!(#hole));
        let inner = self.expr(&part);
        if let Some(span) = first_await(&template) {
            self.errors.refuse_at(Rule::AwaitAfterOperand, span);
        }
        Kind::Spine(Box::new(Spine {
            template,
            inner,
            moves,
        }))
    }

    pub(super) fn if_expr(&mut self, node: &ExprIf) -> Kind {
        self.scoped(|this| {
            let in_then = holds_await(&node.then_branch);
            this.check_scrutinees(&node.cond, in_then);
            let cond = this.expr(&node.cond);
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

    /// What an `if let` or `while let` matches must not outlive the value it gives.
    pub(super) fn check_scrutinees(&mut self, cond: &Expr, awaits_below: bool) {
        match cond {
            Expr::Let(node) if awaits_below => {
                let residue = !is_place(&node.expr) && leaves_residue(&node.pat);
                if may_hold_temporary(&node.expr) || residue {
                    self.errors.refuse(Rule::ScrutineeTemporary, &node.expr);
                }
            }
            Expr::Binary(node) => {
                self.check_scrutinees(&node.left, awaits_below);
                self.check_scrutinees(&node.right, awaits_below);
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
        let scrutinee = self.expr(&node.expr);
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
            }
        })
    }

    pub(super) fn loop_expr(&mut self, node: &ExprLoop) -> Kind {
        Kind::Loop(Box::new(Loop {
            label: node.label.clone(),
            cond: None,
            bound: Vec::new(),
            body: self.block(None, &node.body),
        }))
    }

    pub(super) fn while_expr(&mut self, node: &ExprWhile) -> Kind {
        self.while_with(node, None)
    }

    /// A `while`; of one that was a `for`, the name of the item and its type.
    pub(super) fn while_with(&mut self, node: &ExprWhile, item: Option<(&Pat, &Type)>) -> Kind {
        self.scoped(|this| {
            this.check_scrutinees(&node.cond, true);
            let bound = match item {
                Some((pat, ty)) => {
                    let bound = bindings(pat).into_iter();
                    let ty = || Some(ty.clone());
                    bound
                        .map(|binding| this.declare(&binding, ty(), Origin::Pattern))
                        .collect()
                }
                None => this.declare_lets(&node.cond),
            };
            Kind::Loop(Box::new(Loop {
                label: node.label.clone(),
                cond: Some((node.while_token, (*node.cond).clone())),
                bound,
                body: this.block(None, &node.body),
            }))
        })
    }

    /// `while c.await { .. }` is what the language says it is: `loop { if c.await { .. } else { break } }`.
    pub(super) fn while_await(&mut self, node: &ExprWhile) -> Node {
        let (label, cond, body) = (&node.label, &node.cond, &node.body);
        let unrolled: Expr = parse_quote!(#label loop { if #cond #body else { break } });
        self.expr(&unrolled)
    }
}

fn is_lazy(op: &syn::BinOp) -> bool {
    matches!(op, syn::BinOp::And(_) | syn::BinOp::Or(_))
}
