//! Values that are promoted to constants where they are borrowed, by their looks.

use std::cell::RefCell;

use proc_macro2::Ident;
use syn::{Expr, ExprPath, Path, RangeLimits, UnOp};

/// Where proofs are written.
#[derive(Clone, Copy)]
pub(super) struct Proofs<'a> {
    pub(super) volt: &'a Path,
    /// The parameters for types and constants.
    pub(super) generic: &'a [String],
    /// What the function binds anywhere: other names are those of items.
    pub(super) bound: &'a [String],
    /// The macros that are taken for those of the standard library.
    pub(super) relied: &'a RefCell<Vec<Ident>>,
}

/// Whether the path names a struct or a variant that is called to be made.
pub(super) fn is_constructor(function: &Expr) -> bool {
    matches!(function, Expr::Path(path) if ends_in_capital(path))
}

/// Whether the value is the same for ever, and has no destructor.
pub(super) fn is_constant(value: &Expr) -> bool {
    match value {
        Expr::Lit(_) | Expr::Reference(_) => true,
        Expr::Path(path) => path.path.is_ident("None"),
        Expr::Range(node) => {
            let mut ends = node.start.iter().chain(&node.end);
            ends.all(|end| is_constant(end))
        }
        Expr::Unary(node) => matches!(*node.expr, Expr::Lit(_)),
        Expr::Binary(node) => {
            matches!(*node.left, Expr::Lit(_)) && matches!(*node.right, Expr::Lit(_))
        }
        Expr::Array(node) => node.elems.iter().all(is_constant),
        Expr::Tuple(node) => node.elems.iter().all(is_constant),
        Expr::Repeat(node) => is_constant(&node.expr),
        Expr::Paren(node) => is_constant(&node.expr),
        Expr::Group(node) => is_constant(&node.expr),
        _ => false,
    }
}

/// Whether the value is made of constants only, but of a type that may have a destructor.
pub(super) fn is_made_of_constants(value: &Expr, at: Proofs<'_>) -> bool {
    !is_constant(value) && is_made(value, at)
}

fn is_made(value: &Expr, at: Proofs<'_>) -> bool {
    let is_made = |value: &Expr| is_made(value, at);
    match value {
        Expr::Path(path) => is_named_constant(path, at),
        Expr::Call(node) => is_constructor(&node.func) && node.args.iter().all(is_made),
        Expr::Struct(node) => {
            let mut fields = node.fields.iter();
            node.rest.is_none() && fields.all(|field| is_made(&field.expr))
        }
        Expr::Range(node) if matches!(node.limits, RangeLimits::HalfOpen(_)) => {
            let mut ends = node.start.iter().chain(&node.end);
            ends.all(|end| is_made(end))
        }
        Expr::Unary(node) => !matches!(node.op, UnOp::Deref(_)) && is_made(&node.expr),
        Expr::Array(node) => node.elems.iter().all(is_made),
        Expr::Tuple(node) => node.elems.iter().all(is_made),
        Expr::Repeat(node) => is_made(&node.expr),
        Expr::Paren(node) => is_made(&node.expr),
        Expr::Group(node) => is_made(&node.expr),
        Expr::Lit(_) => true,
        _ => false,
    }
}

/// The constant, static or variant that a place is a field of, by its name. What of that is there
/// for ever the compiler decides.
pub(super) fn named_root<'e>(place: &'e Expr, at: Proofs<'_>) -> Option<&'e ExprPath> {
    match place {
        Expr::Path(path) if is_named_constant(path, at) && !may_be_unit(path) => Some(path),
        Expr::Field(node) => named_root(&node.base, at),
        Expr::Paren(node) => named_root(&node.expr, at),
        Expr::Group(node) => named_root(&node.expr, at),
        _ => None,
    }
}

/// Whether the path does not name a local: it begins with a capital letter, or nothing in the
/// function binds it.
pub(super) fn is_named_constant(path: &ExprPath, at: Proofs<'_>) -> bool {
    let is_bound = |name: &Ident| at.bound.iter().any(|bound| name == bound);
    ends_in_capital(path) || path.path.get_ident().is_none_or(|name| !is_bound(name))
}

fn ends_in_capital(path: &ExprPath) -> bool {
    last_name(path).starts_with(char::is_uppercase)
}

/// Whether the path may name a struct without fields, rather than a constant or a variant.
fn may_be_unit(path: &ExprPath) -> bool {
    let name = last_name(path);
    let screams = name.len() > 1 && !name.contains(char::is_lowercase);
    ends_in_capital(path) && !is_in_type(path) && !screams && path.qself.is_none()
}

/// Whether the path names no local and no static: a struct without fields, a variant, a constant
/// of a type.
pub(super) fn is_value(path: &ExprPath) -> bool {
    let is_mixed = ends_in_capital(path) && last_name(path).contains(char::is_lowercase);
    is_in_type(path) || is_mixed
}

fn is_in_type(path: &ExprPath) -> bool {
    let owner = path.path.segments.iter().rev().nth(1);
    owner.is_some_and(|owner| owner.ident.to_string().starts_with(char::is_uppercase))
}

fn last_name(path: &ExprPath) -> String {
    let last = path.path.segments.last();
    last.map(|last| last.ident.to_string()).unwrap_or_default()
}
