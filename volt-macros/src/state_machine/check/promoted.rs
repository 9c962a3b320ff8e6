//! Values that are promoted to constants where they are borrowed, by their looks.

use syn::{Expr, ExprPath};

/// Whether the path names a struct or a variant that is called to be made.
pub(super) fn is_constructor(function: &Expr) -> bool {
    matches!(function, Expr::Path(path) if is_named_constant(path))
}

/// Whether the value is the same for ever, or has no destructor by its looks.
pub(super) fn is_constant(value: &Expr) -> bool {
    match value {
        Expr::Lit(_) | Expr::Range(_) | Expr::Reference(_) => true,
        Expr::Path(path) => is_named_constant(path) && !may_be_unit(path),
        Expr::Unary(node) => is_constant(&node.expr),
        Expr::Array(node) => node.elems.iter().all(is_constant),
        Expr::Tuple(node) => node.elems.iter().all(is_constant),
        Expr::Repeat(node) => is_constant(&node.expr),
        Expr::Paren(node) => is_constant(&node.expr),
        Expr::Group(node) => is_constant(&node.expr),
        _ => false,
    }
}

/// Whether the value is made of constants only, but of a type that may have a destructor.
pub(super) fn is_made_of_constants(value: &Expr) -> bool {
    !is_constant(value) && is_made(value)
}

fn is_made(value: &Expr) -> bool {
    match value {
        Expr::Path(path) => is_named_constant(path),
        Expr::Call(node) => is_constructor(&node.func) && node.args.iter().all(is_made),
        Expr::Struct(node) => {
            let mut fields = node.fields.iter();
            node.rest.is_none() && fields.all(|field| is_made(&field.expr))
        }
        Expr::Array(node) => node.elems.iter().all(is_made),
        Expr::Tuple(node) => node.elems.iter().all(is_made),
        Expr::Repeat(node) => is_made(&node.expr),
        Expr::Paren(node) => is_made(&node.expr),
        Expr::Group(node) => is_made(&node.expr),
        Expr::Lit(_) => true,
        _ => false,
    }
}

/// Whether the path does not name a local.
fn is_named_constant(path: &ExprPath) -> bool {
    let last = path.path.segments.last();
    last.is_some_and(|last| last.ident.to_string().starts_with(char::is_uppercase))
}

/// Whether the path may name a struct without fields, rather than a constant or a variant.
fn may_be_unit(path: &ExprPath) -> bool {
    let mut names = path.path.segments.iter().rev();
    let mut next = || names.next().map(|name| name.ident.to_string());
    let (last, owner) = (next().unwrap_or_default(), next());
    let in_a_type = owner.is_some_and(|owner| owner.starts_with(char::is_uppercase));
    let screams = last.len() > 1 && !last.contains(char::is_lowercase);
    !in_a_type && !screams && last != "None" && path.qself.is_none()
}
