//! Expressions: those with an await are taken apart, the others stay whole.

use syn::Expr;

use super::checker::Check;
use super::edition::probed;
use crate::state_machine::body::{Block, Kind, Node, holds_await};
use crate::state_machine::errors::Rule;

impl Check<'_> {
    pub(super) fn expr(&mut self, expr: &Expr) -> Node {
        self.at_end &= matches!(expr, Expr::If(_) | Expr::Match(_)) && holds_await(expr);
        match expr {
            Expr::Paren(paren) if holds_await(expr) => self.expr(&paren.expr),
            Expr::Group(group) if holds_await(expr) => self.expr(&group.expr),
            Expr::While(node) if holds_await(&*node.cond) => self.while_await(node),
            Expr::If(node) => {
                let node = probed(node);
                match self.split_if(&node) {
                    Some(nested) => {
                        self.at_end = false;
                        self.expr(&nested)
                    }
                    None => self.node(|this| this.kind(&Expr::If(node))),
                }
            }
            _ => self.node(|this| this.kind(expr)),
        }
    }

    pub(super) fn kind(&mut self, expr: &Expr) -> Kind {
        if !holds_await(expr) {
            return Kind::Plain(expr.clone());
        }
        match expr {
            Expr::Await(node) => self.await_point(node),
            Expr::Block(node) => {
                self.is_inner = true;
                Kind::Block(self.block(node.label.as_ref(), &node.block))
            }
            Expr::Unsafe(node) => {
                let outer = self.unsafety.replace(node.unsafe_token);
                self.is_inner = true;
                let block = self.block(None, &node.block);
                self.unsafety = outer;
                Kind::Block(Block {
                    unsafety: Some(node.unsafe_token),
                    ..block
                })
            }
            Expr::If(node) => self.if_expr(node),
            Expr::Match(node) => self.match_expr(node),
            Expr::Loop(node) => self.loop_expr(node),
            Expr::While(node) => self.while_expr(node),
            Expr::ForLoop(node) if holds_await(&node.body) => self.for_expr(node),
            Expr::Binary(node) if is_lazy(&node.op) && holds_await(&*node.right) => self.lazy(node),
            Expr::Macro(_) => self.refused(Rule::AwaitInMacro, expr),
            _ => self.spine(expr),
        }
    }
}

fn is_lazy(op: &syn::BinOp) -> bool {
    matches!(op, syn::BinOp::And(_) | syn::BinOp::Or(_))
}
