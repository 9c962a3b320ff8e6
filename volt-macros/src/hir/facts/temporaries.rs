//! Temporaries that live, or may live, as long as the expression around them.
//!
//! ```text
//! guard().len()    read(&page())    *cell()    a() == b()      the values of the calls
//! x.len()          read(&page)      f(a())     &"text"         none
//! ```

use syn::visit::{self, Visit};
use syn::{Expr, ExprAsync, ExprClosure, ExprMethodCall, ExprTry, Lit, Macro, Pat, Type, UnOp};

use super::jumps::jump_of;
use super::operands::{Use, compares, is_lazy, operands};
use super::places::is_value;
use crate::names::{Known, borrows_receiver, returns_reference, takes_moved};
use crate::resolve::is_capital;
use crate::syntax::Arguments;

/// Returns `true` if a temporary may outlive the evaluation of its operand.
pub(crate) fn has_temporary(expr: &Expr) -> bool {
    has_temporary_of(expr, Counted::All)
}

/// The temporaries that are counted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counted {
    All,
    /// Only temporaries that no method may move.
    Staying,
}

/// Returns `true` if the expression has temporaries, and all of them are receivers that methods may
/// move: `get(url).send()`, `text().into()`.
pub(in crate::hir) fn may_move_temporaries(expr: &Expr) -> bool {
    has_temporary(expr) && !has_temporary_of(expr, Counted::Staying)
}

/// Returns `true` if a method may move its receiver, which is a temporary. Most methods with some
/// names borrow it, and so do most methods of a reference.
fn may_move_receiver(call: &ExprMethodCall) -> bool {
    let names_reference =
        |expr: &Expr| matches!(expr, Expr::MethodCall(call) if returns_reference(&call.method));
    let (mut base, mut is_reference) = (&*call.receiver, false);
    while let Expr::MethodCall(ExprMethodCall { receiver, .. })
    | Expr::Try(ExprTry { expr: receiver, .. }) = base
    {
        is_reference |= names_reference(base);
        base = receiver;
    }
    let mut jumps = FindsJump(false);
    call.args
        .iter()
        .for_each(|argument| jumps.visit_expr(argument));
    !is_reference
        && !jumps.0
        && !borrows_receiver(&call.method)
        && is_value(&call.receiver)
        && !names_constant(&call.receiver)
}

/// Finds a `?` and other jumps.
struct FindsJump(bool);

impl Visit<'_> for FindsJump {
    fn visit_expr(&mut self, expr: &Expr) {
        self.0 |= matches!(
            expr,
            Expr::Try(_) | Expr::Return(_) | Expr::Break(_) | Expr::Continue(_)
        );
        visit::visit_expr(self, expr);
    }

    fn visit_macro(&mut self, mac: &Macro) {
        match Arguments::of(mac) {
            Some(arguments) => arguments
                .exprs
                .iter()
                .for_each(|expr| self.visit_expr(expr)),
            None => self.0 = true,
        }
    }

    fn visit_expr_closure(&mut self, _: &ExprClosure) {}
    fn visit_expr_async(&mut self, _: &ExprAsync) {}
}

fn has_temporary_of(expr: &Expr, counted: Counted) -> bool {
    let is_own = match expr {
        // The operand of `&mut` is not promoted to a constant.
        Expr::Reference(node) if node.mutability.is_some() => {
            is_value(&node.expr) || names_value(&node.expr)
        }
        Expr::Reference(node) => is_temporary_if_borrowed(&node.expr),
        // The place of a moved value has no destructor.
        Expr::MethodCall(node) if takes_moved(&node.method) => return false,
        Expr::MethodCall(node) => {
            let is_reference = matches!(base_of(&node.receiver), Expr::Reference(_));
            let is_moved = counted == Counted::Staying && may_move_receiver(node);
            !is_reference && !is_moved && is_temporary_if_borrowed(&node.receiver)
        }
        Expr::Field(node) => needs_temporary(&node.base),
        Expr::Index(node) => {
            needs_temporary(&node.expr) || is_value(&node.index) && needs_temporary(&node.index)
        }
        Expr::Unary(node) if matches!(node.op, UnOp::Deref(_)) => needs_temporary(&node.expr),
        Expr::Binary(node) if compares(&node.op) => {
            needs_temporary(&node.left) || needs_temporary(&node.right)
        }
        // The unused part of the base of a struct is dropped at the end of the expression.
        Expr::Struct(node) => node.rest.as_ref().is_some_and(|rest| needs_temporary(rest)),
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
        Expr::Match(node) => return needs_temporary(&node.expr) || has_temporary(&node.expr),
        Expr::ForLoop(node) => return has_temporary(&node.expr),
        Expr::Loop(_) | Expr::While(_) => return false,
        Expr::Break(node) if jump_of(node).is_some() => return true,
        _ => false,
    };
    is_own
        || match operands(expr, Use::Value) {
            Some(operands) => {
                let mut operands = operands.iter();
                operands.any(|(operand, _)| has_temporary_of(operand, counted))
            }
            None => true,
        }
}

fn in_macro(mac: &syn::Macro) -> bool {
    let Some(arguments) = Arguments::of(mac) else {
        return true;
    };
    arguments.known == Known::List && arguments.exprs.iter().any(has_temporary)
}

/// Returns `true` if the value is stored in a temporary, which is dropped with the whole
/// expression.
pub(in crate::hir) fn needs_temporary(expr: &Expr) -> bool {
    is_value(expr) && !is_constant(expr) || names_constant(expr)
}

/// Returns `true` if a method of the chain may borrow a reference that is its receiver, as a reader
/// of a `&[u8]` does: `(&text[..]).read(&mut part)`.
pub(in crate::hir) fn may_borrow_reference(operand: &Expr) -> bool {
    match operand {
        Expr::Paren(node) => may_borrow_reference(&node.expr),
        Expr::Try(node) => may_borrow_reference(&node.expr),
        Expr::MethodCall(node) => {
            is_reference(&node.receiver) || may_borrow_reference(&node.receiver)
        }
        _ => false,
    }
}

fn is_reference(expr: &Expr) -> bool {
    match expr {
        Expr::Paren(node) => is_reference(&node.expr),
        expr => matches!(expr, Expr::Reference(_)),
    }
}

/// Returns `true` if a path may name a constant or a variant, and no local.
fn names_value(expr: &Expr) -> bool {
    match expr {
        Expr::Path(node) => node.path.get_ident().is_none_or(is_capital),
        Expr::Paren(node) => names_value(&node.expr),
        _ => false,
    }
}

/// Returns `true` if the expression names a constant, or a part of one. Each use creates the value
/// again, and the value may have a destructor. A static counts as a constant.
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

/// The expression of which a place is a part, or which a place dereferences.
pub(crate) fn base_of(place: &Expr) -> &Expr {
    match place {
        Expr::Field(node) => base_of(&node.base),
        Expr::Index(node) => base_of(&node.expr),
        Expr::Paren(node) => base_of(&node.expr),
        Expr::Unary(node) if matches!(node.op, UnOp::Deref(_)) => base_of(&node.expr),
        place => place,
    }
}

/// Returns `true` if the compiler promotes the value to a constant, or if it has no destructor.
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

/// Returns `true` if a reference to the value of the expression is valid only until the end of the
/// statement, as that of `&(n as u64)`.
fn is_temporary_if_borrowed(expr: &Expr) -> bool {
    is_value(expr) && !is_promoted(expr) || names_constant(expr)
}

/// Returns `true` if the compiler promotes the value where it is borrowed: `&(1 + 1)`.
fn is_promoted(value: &Expr) -> bool {
    let mut operands = operands(value, Use::Shared).into_iter().flatten();
    let is_lazy = matches!(value, Expr::Binary(node) if is_lazy(&node.op));
    is_constant(value) && !is_lazy && operands.all(|(operand, _)| is_promoted(operand))
}

/// Returns `true` if the last expression of a block has temporaries.
fn ends_with_temporary(last: &syn::Stmt) -> bool {
    matches!(last, syn::Stmt::Expr(value, None) if has_temporary(value))
}

/// Returns `true` if a `let` of the condition has a temporary.
fn in_condition(condition: &Expr) -> bool {
    match condition {
        Expr::Let(node) => needs_temporary(&node.expr) || has_temporary(&node.expr),
        Expr::Binary(node) => in_condition(&node.left) || in_condition(&node.right),
        Expr::Paren(node) => in_condition(&node.expr),
        _ => false,
    }
}

/// Returns `true` if the pattern binds the whole value, and no temporary of the initialiser
/// outlives the statement.
pub(in crate::hir) fn ends_with_statement(pat: &Pat, init: &Expr) -> bool {
    let is_one = match pat {
        Pat::Ident(node) => node.by_ref.is_none() && node.subpat.is_none(),
        Pat::Wild(_) => true,
        _ => false,
    };
    is_one && is_awaited_value(init)
}

/// Returns `true` for an await, and for methods that are called on its output.
pub(in crate::hir) fn is_awaited_value(init: &Expr) -> bool {
    match init {
        Expr::Await(_) => true,
        Expr::Try(node) => is_awaited_value(&node.expr),
        Expr::MethodCall(node) => is_awaited_value(&node.receiver),
        Expr::Paren(node) => is_awaited_value(&node.expr),
        Expr::Match(_) => true,
        _ => false,
    }
}

/// Returns `true` if a cast to the type returns a number. Other casts may return a reference, or a
/// box with a destructor.
pub(in crate::hir) fn casts_to_number(ty: &Type) -> bool {
    let Type::Path(ty) = ty else { return false };
    let last = ty.path.segments.last();
    last.is_some_and(|last| {
        last.arguments.is_empty() && last.ident.to_string().starts_with(char::is_lowercase)
    })
}

/// Returns `true` if the expression is a literal, or arithmetic on literals, without a destructor.
pub(crate) fn is_plain_value(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(node) => !matches!(node.lit, Lit::Verbatim(_)),
        Expr::Unary(node) => !matches!(node.op, UnOp::Deref(_)) && is_plain_value(&node.expr),
        Expr::Binary(node) if compares(&node.op) || is_lazy(&node.op) => true,
        Expr::Binary(node) => is_plain_value(&node.left) && is_plain_value(&node.right),
        Expr::Paren(node) => is_plain_value(&node.expr),
        Expr::Cast(node) => casts_to_number(&node.ty),
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
