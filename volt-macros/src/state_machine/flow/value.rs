//! Expressions that stay whole: which places they look at, which locals they move.

use syn::{Expr, ExprStruct};

use super::graph::Event;
use super::pen::Pen;
use crate::state_machine::body::LocalId;
use crate::state_machine::names;
use crate::state_machine::operators::is_comparison;
use crate::state_machine::pattern::left_by_rest;
use crate::state_machine::place::is_place;
use crate::state_machine::scope::plain_name;

impl Pen<'_> {
    /// Names that are used as what they are: a place that is looked at.
    pub(super) fn look(&mut self, expr: &Expr) {
        match expr {
            Expr::Path(_) => {
                if let Some(local) = self.local(expr) {
                    self.event(Event::Use(local));
                }
            }
            Expr::Field(node) => self.look(&node.base),
            Expr::Index(node) => {
                self.look(&node.expr);
                self.value(&node.index);
            }
            Expr::Paren(node) => self.look(&node.expr),
            Expr::Group(node) => self.look(&node.expr),
            Expr::Reference(node) => self.look(&node.expr),
            Expr::Unary(node) if is_place(expr) => self.look(&node.expr),
            other => self.value(other),
        }
    }

    pub(super) fn local(&self, expr: &Expr) -> Option<LocalId> {
        let name = plain_name(expr)?;
        (name != names::HOLE).then(|| self.lookup(&name.to_string()))?
    }

    pub(super) fn values<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) {
        exprs.into_iter().for_each(|expr| self.value(expr));
    }

    /// An expression whose value is taken.
    pub(super) fn value(&mut self, expr: &Expr) {
        match expr {
            Expr::Path(_) => {
                if let (Some(local), Some(name)) = (self.local(expr), plain_name(expr)) {
                    self.doubt(name);
                    self.event(Event::Move(local));
                }
            }
            Expr::Field(_) | Expr::Reference(_) | Expr::Index(_) => self.look(expr),
            Expr::RawAddr(node) => self.look(&node.expr),
            Expr::Paren(node) => self.value(&node.expr),
            Expr::Group(node) => self.value(&node.expr),
            Expr::Cast(node) => self.look(&node.expr),
            Expr::Unary(node) if matches!(node.op, syn::UnOp::Deref(_)) => self.look(&node.expr),
            Expr::Unary(node) => self.value(&node.expr),
            Expr::Let(node) => self.look(&node.expr),
            Expr::Array(node) => self.values(&node.elems),
            Expr::Tuple(node) => self.values(&node.elems),
            Expr::Call(node) => {
                self.look(&node.func);
                self.values(&node.args);
            }
            Expr::MethodCall(node) => {
                self.look(&node.receiver);
                self.suspect(node);
                self.values(&node.args);
            }
            Expr::Struct(node) => {
                self.values(node.fields.iter().map(|field| &field.expr));
                if let Some(rest) = &node.rest {
                    self.rest(node, rest);
                }
            }
            Expr::Repeat(node) => self.value(&node.expr),
            Expr::Range(node) => {
                self.values(node.start.as_deref());
                self.values(node.end.as_deref());
            }
            Expr::Assign(node) => self.assign(&node.left, &node.right),
            Expr::Binary(node) => self.binary(node),
            Expr::Await(node) => self.value(&node.base),
            other => self.control(other),
        }
    }

    /// What is behind `..`: all of it is taken but the fields that are written.
    fn rest(&mut self, node: &ExprStruct, rest: &Expr) {
        match (rest, self.local(rest)) {
            (Expr::Paren(inner), _) => self.rest(node, &inner.expr),
            (_, Some(local)) => {
                self.flow.apart.push((local, left_by_rest(node)));
                self.event(Event::Open(local));
            }
            (_, None) => self.value(rest),
        }
    }

    pub(super) fn assign(&mut self, left: &Expr, right: &Expr) {
        self.value(right);
        match self.local(left) {
            Some(local) => self.event(Event::Assign(local)),
            None => self.look(left),
        }
    }

    pub(super) fn binary(&mut self, node: &syn::ExprBinary) {
        use syn::BinOp;
        match node.op {
            BinOp::And(_) | BinOp::Or(_) => {
                self.value(&node.left);
                let left = self.here;
                self.value(&node.right);
                let joined = self.place(Event::Nothing);
                self.edge_to(joined);
                self.here = left;
                self.edge_to(joined);
                self.land(joined);
            }
            op if is_comparison(&op) => {
                self.look(&node.left);
                self.look(&node.right);
            }
            BinOp::Add(_)
            | BinOp::Sub(_)
            | BinOp::Mul(_)
            | BinOp::Div(_)
            | BinOp::Rem(_)
            | BinOp::BitXor(_)
            | BinOp::BitAnd(_)
            | BinOp::BitOr(_)
            | BinOp::Shl(_)
            | BinOp::Shr(_) => {
                self.value(&node.left);
                self.value(&node.right);
            }
            _ => {
                self.value(&node.right);
                self.look(&node.left);
            }
        }
    }
}
