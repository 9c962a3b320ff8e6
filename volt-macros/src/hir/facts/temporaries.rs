//! Values without a name that live as long as the expression around them, or may do so.
//!
//! ```text
//! guard().len()    read(&page())    *cell()    a() == b()      the values of the calls
//! x.len()          read(&page)      f(a())     &"text"         none
//! ```

use syn::{Expr, Lit, Pat, Type, UnOp};

use super::jumps::jump_of;
use super::operands::{Use, compares, is_lazy, operands};
use super::places::is_value;
use crate::names::Known;
use crate::syntax::Arguments;

/// Whether a value without a name may outlive its own evaluation.
pub(crate) fn has_temporary(expr: &Expr) -> bool {
    let own = match expr {
        // What may be changed is no constant.
        Expr::Reference(node) if node.mutability.is_some() => is_value(&node.expr),
        Expr::Reference(node) => is_brief(&node.expr),
        Expr::MethodCall(node) => {
            let is_reference = matches!(base_of(&node.receiver), Expr::Reference(_));
            !is_reference && is_brief(&node.receiver)
        }
        Expr::Field(node) => lives_on(&node.base),
        Expr::Index(node) => lives_on(&node.expr) || is_value(&node.index) && lives_on(&node.index),
        Expr::Unary(node) if matches!(node.op, UnOp::Deref(_)) => lives_on(&node.expr),
        Expr::Binary(node) if compares(&node.op) => lives_on(&node.left) || lives_on(&node.right),
        // What the struct leaves of its rest is dropped behind the whole.
        Expr::Struct(node) => node.rest.as_ref().is_some_and(|rest| lives_on(rest)),
        Expr::Macro(node) => return in_macro(&node.mac),
        Expr::Closure(_) | Expr::Async(_) => return false,
        Expr::Block(node) => return node.block.stmts.last().is_some_and(ends_with_temporary),
        Expr::If(node) => {
            let otherwise = node.else_branch.as_ref();
            return in_condition(&node.cond)
                || otherwise.is_some_and(|(_, branch)| {
                    matches!(**branch, Expr::If(_)) && has_temporary(branch)
                });
        }
        Expr::Match(node) => return lives_on(&node.expr) || has_temporary(&node.expr),
        Expr::ForLoop(node) => return has_temporary(&node.expr),
        Expr::Loop(_) | Expr::While(_) => return false,
        Expr::Break(node) if jump_of(node).is_some() => return true,
        _ => false,
    };
    own || match operands(expr, Use::Value) {
        Some(operands) => operands.iter().any(|(operand, _)| has_temporary(operand)),
        None => true,
    }
}

fn in_macro(mac: &syn::Macro) -> bool {
    let Some(arguments) = Arguments::of(mac) else {
        return true;
    };
    arguments.known == Known::List && arguments.exprs.iter().any(has_temporary)
}

/// Whether a place is made for the value, which is dropped behind the whole.
pub(in crate::hir) fn lives_on(expr: &Expr) -> bool {
    is_value(expr) && !is_constant(expr) || names_constant(expr)
}

/// Whether the expression names a constant, or a part of one: each use makes its value anew, and that may
/// have a destructor. A static is taken for one, too.
pub(in crate::hir) fn names_constant(expr: &Expr) -> bool {
    match expr {
        Expr::Path(node) => {
            let last = node.path.segments.last();
            last.is_some_and(|last| {
                let name = last.ident.to_string();
                name.contains(char::is_alphabetic) && !name.contains(char::is_lowercase)
            })
        }
        Expr::Field(node) => names_constant(&node.base),
        Expr::Index(node) => names_constant(&node.expr),
        Expr::Paren(node) => names_constant(&node.expr),
        _ => false,
    }
}

/// What a place is a part of, or lies behind.
pub(crate) fn base_of(place: &Expr) -> &Expr {
    match place {
        Expr::Field(node) => base_of(&node.base),
        Expr::Index(node) => base_of(&node.expr),
        Expr::Paren(node) => base_of(&node.expr),
        Expr::Unary(node) if matches!(node.op, UnOp::Deref(_)) => base_of(&node.expr),
        place => place,
    }
}

/// Whether the value is one that the compiler keeps for ever, or that has no destructor.
fn is_constant(expr: &Expr) -> bool {
    match expr {
        Expr::Path(node) => node.path.segments.len() > 1,
        Expr::Reference(node) => {
            !is_value(&node.expr) || node.mutability.is_none() && is_constant(&node.expr)
        }
        Expr::Paren(node) => is_constant(&node.expr),
        Expr::Range(node) => {
            let mut ends = node.start.iter().chain(&node.end);
            ends.all(|end| !is_value(end) || is_constant(end))
        }
        expr => is_plain_value(expr),
    }
}

/// Whether a reference to what the expression gives ends with the statement, as `&(n as u64)` does.
fn is_brief(expr: &Expr) -> bool {
    is_value(expr) && !is_kept(expr) || names_constant(expr)
}

/// Whether the compiler keeps the value for ever, where it is borrowed: `&(1 + 1)`.
fn is_kept(value: &Expr) -> bool {
    let mut operands = operands(value, Use::Shared).into_iter().flatten();
    let is_lazy = matches!(value, Expr::Binary(node) if is_lazy(&node.op));
    is_constant(value) && !is_lazy && operands.all(|(operand, _)| is_kept(operand))
}

/// Whether the value of a block is given by an expression with temporaries.
fn ends_with_temporary(last: &syn::Stmt) -> bool {
    matches!(last, syn::Stmt::Expr(value, None) if has_temporary(value))
}

/// Whether a `let` in the condition has a value without a name.
fn in_condition(condition: &Expr) -> bool {
    match condition {
        Expr::Let(node) => lives_on(&node.expr) || has_temporary(&node.expr),
        Expr::Binary(node) => in_condition(&node.left) || in_condition(&node.right),
        Expr::Paren(node) => in_condition(&node.expr),
        _ => false,
    }
}

/// Whether nothing of the value of a `let` lives longer than the statement, and it is bound as one.
pub(in crate::hir) fn ends_with_statement(pat: &Pat, init: &Expr) -> bool {
    let is_one = match pat {
        Pat::Ident(node) => node.by_ref.is_none() && node.subpat.is_none(),
        Pat::Wild(_) => true,
        _ => false,
    };
    is_one && gives_value(init)
}

fn gives_value(init: &Expr) -> bool {
    match init {
        Expr::Await(_) => true,
        Expr::Try(node) => gives_value(&node.expr),
        Expr::MethodCall(node) => gives_value(&node.receiver),
        Expr::Paren(node) => gives_value(&node.expr),
        Expr::Match(_) => true,
        _ => false,
    }
}

/// Whether a cast to the type gives a number: others may give a reference, or a box with a destructor.
pub(in crate::hir) fn gives_number(ty: &Type) -> bool {
    let Type::Path(ty) = ty else { return false };
    let last = ty.path.segments.last();
    last.is_some_and(|last| {
        last.arguments.is_empty() && last.ident.to_string().starts_with(char::is_lowercase)
    })
}

/// Whether the literal or the arithmetic on literals gives a value without a destructor.
pub(crate) fn is_plain_value(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(node) => !matches!(node.lit, Lit::Verbatim(_)),
        Expr::Unary(node) => !matches!(node.op, UnOp::Deref(_)) && is_plain_value(&node.expr),
        Expr::Binary(node) if compares(&node.op) || is_lazy(&node.op) => true,
        Expr::Binary(node) => is_plain_value(&node.left) && is_plain_value(&node.right),
        Expr::Paren(node) => is_plain_value(&node.expr),
        Expr::Cast(node) => gives_number(&node.ty),
        Expr::Array(node) => node.elems.iter().all(is_plain_value),
        Expr::Repeat(node) => is_plain_value(&node.expr),
        Expr::Tuple(node) => node.elems.iter().all(is_plain_value),
        Expr::Range(node) => {
            let mut ends = node.start.iter().chain(&node.end);
            ends.all(|end| is_plain_value(end))
        }
        _ => false,
    }
}
