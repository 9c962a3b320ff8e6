//! Values of branches that wait, which may be coerced.
//!
//! What ends a branch is coerced to the type that is expected of the whole: `Box::new(1)` to a
//! `Box<dyn Display>`. Behind an await the machine carries the value on by itself, where nothing is
//! expected of it.

use quote::ToTokens;
use syn::{Block, Expr, Local, Pat, Stmt, Type};

use crate::state_machine::body::holds_await;
use crate::state_machine::parse::peel;
use crate::state_machine::scope::holds_word;

/// The values at the ends of branches that wait which may be coerced.
pub(super) fn coerced(expr: &Expr) -> Vec<&Expr> {
    let mut ends = Vec::new();
    if waits(expr) {
        ends_of(expr, &mut ends);
    }
    ends.retain(|end| may_be_coerced(end));
    ends
}

/// The initial value of a `let` whose type may be another than that of the branches.
pub(super) fn expected(local: &Local) -> Option<&Expr> {
    let Pat::Type(typed) = &local.pat else {
        return None;
    };
    let init = &*local.init.as_ref()?.expr;
    let ty = peel(&typed.ty);
    let holds = |word| holds_word(ty.to_token_stream(), word).is_some();
    let refers = matches!(ty, Type::Reference(_)) && !holds("str");
    let expects = refers || holds("dyn") || holds("fn");
    (expects && waits(init)).then_some(init)
}

/// Whether there are branches or turns in which the function waits.
fn waits(expr: &Expr) -> bool {
    match expr {
        Expr::If(node) => {
            let otherwise = node.else_branch.as_ref();
            holds_await(&node.then_branch) || otherwise.is_some_and(|(_, it)| holds_await(&**it))
        }
        Expr::Match(node) => node.arms.iter().any(|arm| holds_await(&*arm.body)),
        Expr::Loop(node) => holds_await(&node.body),
        Expr::Block(node) => node.label.is_some() && holds_await(&node.block),
        Expr::Paren(node) => waits(&node.expr),
        _ => false,
    }
}

fn ends_of<'e>(expr: &'e Expr, ends: &mut Vec<&'e Expr>) {
    match expr {
        Expr::If(node) => {
            end_of(&node.then_branch, ends);
            if let Some((_, otherwise)) = &node.else_branch {
                ends_of(otherwise, ends);
            }
        }
        Expr::Match(node) => node.arms.iter().for_each(|arm| ends_of(&arm.body, ends)),
        Expr::Block(node) => end_of(&node.block, ends),
        Expr::Unsafe(node) => end_of(&node.block, ends),
        Expr::Paren(node) => ends_of(&node.expr, ends),
        end => ends.push(end),
    }
}

fn end_of<'e>(block: &'e Block, ends: &mut Vec<&'e Expr>) {
    if let Some(Stmt::Expr(end, None)) = block.stmts.last() {
        ends_of(end, ends);
    }
}

/// Whether the value is of a kind that is coerced: a pointer, a reference, a closure.
pub(super) fn may_be_coerced(value: &Expr) -> bool {
    const POINTERS: &[&str] = &["Arc", "Box", "Rc"];
    match value {
        Expr::Reference(_) | Expr::Closure(_) => true,
        Expr::Paren(node) => may_be_coerced(&node.expr),
        Expr::Call(node) => match &*node.func {
            Expr::Path(path) => {
                let owner = path.path.segments.iter().rev().nth(1);
                owner.is_some_and(|owner| POINTERS.iter().any(|name| owner.ident == name))
            }
            _ => false,
        },
        _ => false,
    }
}
