//! Expressions: those with an await are taken apart, the others stay whole.

use syn::{Expr, parse_quote};

use super::checker::Check;
use super::first_operand::first_operand;
use crate::state_machine::body::{Await, Kind, Node, Operand, Spine, first_await, holds_await};
use crate::state_machine::errors::Rule;
use crate::state_machine::names;
use crate::state_machine::operand::Surroundings;

impl Check<'_> {
    pub(super) fn expr(&mut self, expr: &Expr) -> Node {
        match expr {
            Expr::Paren(paren) if holds_await(expr) => self.expr(&paren.expr),
            Expr::Group(group) if holds_await(expr) => self.expr(&group.expr),
            Expr::While(node) if holds_await(&*node.cond) => self.while_await(node),
            Expr::If(node) => match self.split_if(node) {
                Some(nested) => self.expr(&nested),
                None => self.node(|this| this.kind(expr)),
            },
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
            Expr::Binary(node) if is_lazy(&node.op) && holds_await(&*node.right) => self.lazy(node),
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
            return self.refused(Rule::AwaitAfterOperand, expr);
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
}

fn is_lazy(op: &syn::BinOp) -> bool {
    matches!(op, syn::BinOp::And(_) | syn::BinOp::Or(_))
}
