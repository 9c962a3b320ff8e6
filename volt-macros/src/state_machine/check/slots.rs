//! The parts of an expression, in the order in which they are evaluated.

use crate::state_machine::operators::is_comparison;
use syn::{BinOp, Expr, UnOp};

/// A part of an expression that is evaluated before the expression itself.
pub(super) struct Slot<'e> {
    pub(super) part: &'e mut Expr,
    pub(super) role: Role,
}

/// What an expression does with a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Takes its value.
    Value,
    /// Looks at it, as a place.
    Place,
    /// Looks for an element in it.
    List,
    /// Calls it.
    Callee,
    /// Calls a method of it, which may borrow it or take it.
    Receiver,
}

fn value(part: &mut Expr) -> Slot<'_> {
    let role = Role::Value;
    Slot { part, role }
}

fn place(part: &mut Expr) -> Slot<'_> {
    let role = Role::Place;
    Slot { part, role }
}

/// The parts of an expression that may hold an await; none if it is not known in which order
/// they are evaluated, or whether they are at all.
pub(super) fn slots(expr: &mut Expr) -> Vec<Slot<'_>> {
    match expr {
        Expr::Try(node) => vec![value(&mut node.expr)],
        Expr::Return(node) => node.expr.iter_mut().map(|part| value(part)).collect(),
        Expr::Break(node) => node.expr.iter_mut().map(|part| value(part)).collect(),
        Expr::Cast(node) => vec![value(&mut node.expr)],
        Expr::Repeat(node) => vec![value(&mut node.expr)],
        Expr::ForLoop(node) => vec![value(&mut node.expr)],
        Expr::Unary(node) => match node.op {
            UnOp::Deref(_) => vec![place(&mut node.expr)],
            _ => vec![value(&mut node.expr)],
        },
        Expr::Reference(node) => vec![place(&mut node.expr)],
        Expr::Let(node) => vec![place(&mut node.expr)],
        Expr::Field(node) => vec![place(&mut node.base)],
        Expr::Index(node) => {
            let list = Slot {
                part: &mut node.expr,
                role: Role::List,
            };
            vec![list, value(&mut node.index)]
        }
        Expr::Range(node) => {
            let ends = node.start.iter_mut().chain(&mut node.end);
            ends.map(|part| value(part)).collect()
        }
        Expr::Tuple(node) => node.elems.iter_mut().map(value).collect(),
        Expr::Array(node) => node.elems.iter_mut().map(value).collect(),
        Expr::Call(node) => {
            let callee = Slot {
                part: &mut node.func,
                role: Role::Callee,
            };
            let args = node.args.iter_mut().map(value);
            std::iter::once(callee).chain(args).collect()
        }
        Expr::MethodCall(node) => {
            let receiver = Slot {
                part: &mut node.receiver,
                role: Role::Receiver,
            };
            let args = node.args.iter_mut().map(value);
            std::iter::once(receiver).chain(args).collect()
        }
        Expr::Struct(node) => {
            let fields = node.fields.iter_mut().map(|field| value(&mut field.expr));
            fields
                .chain(node.rest.iter_mut().map(|rest| place(rest)))
                .collect()
        }
        Expr::Assign(node) => vec![value(&mut node.right)],
        Expr::Binary(node) => of_binary(node),
        _ => Vec::new(),
    }
}

fn of_binary(node: &mut syn::ExprBinary) -> Vec<Slot<'_>> {
    match node.op {
        BinOp::And(_) | BinOp::Or(_) => of_chain(node).into_iter().collect(),
        op if is_comparison(&op) => {
            vec![place(&mut node.left), place(&mut node.right)]
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
        | BinOp::Shr(_) => vec![value(&mut node.left), value(&mut node.right)],
        // Whether the place or the value of `+=` is evaluated first depends on their types, but
        // finding a plain place does nothing.
        _ if is_plain_place(&node.left) => vec![value(&mut node.right)],
        _ => Vec::new(),
    }
}

/// The first operand: the others are evaluated only if it lets them.
fn of_chain(node: &mut syn::ExprBinary) -> Option<Slot<'_>> {
    if is_and(&node.op) && binds(&node.left) && !matches!(*node.left, Expr::Let(_)) {
        let Expr::Binary(left) = &mut *node.left else {
            return None;
        };
        return of_chain(left);
    }
    Some(match &mut *node.left {
        Expr::Let(node) => place(&mut node.expr),
        left => value(left),
    })
}

/// Whether a chain holds a `let`: then only its first operand can be told from the rest.
fn binds(chain: &Expr) -> bool {
    match chain {
        Expr::Let(_) => true,
        Expr::Binary(node) => is_and(&node.op) && (binds(&node.left) || binds(&node.right)),
        _ => false,
    }
}

fn is_and(op: &BinOp) -> bool {
    matches!(op, BinOp::And(_))
}

/// Whether finding the place does nothing: a local, or a field of one.
pub(super) fn is_plain_place(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) => true,
        Expr::Field(field) => is_plain_place(&field.base),
        Expr::Paren(paren) => is_plain_place(&paren.expr),
        Expr::Group(group) => is_plain_place(&group.expr),
        Expr::Unary(unary) => {
            matches!(unary.op, UnOp::Deref(_)) && matches!(*unary.expr, Expr::Path(_))
        }
        _ => false,
    }
}
