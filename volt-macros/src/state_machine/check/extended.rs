//! Temporaries that a `let` keeps alive to the end of its block.
//!
//! In `let x = &make();` the value has no name, but it lives as long as `x` could. If there is an
//! await behind, the machine would drop it too early, so it is proven to have no destructor.

use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::{Block, Expr, Local as SynLocal, Path, Stmt, UnOp, parse_quote};

use crate::state_machine::body::holds_await;
use crate::state_machine::names::path_at;
use crate::state_machine::scope::bindings;

/// The block, with its extended temporaries proven to have no destructor where awaits follow.
pub(super) fn proven(block: &Block, volt: &Path) -> Block {
    let mut block = block.clone();
    let last = block.stmts.iter().rposition(holds_await);
    for stmt in block.stmts.iter_mut().take(last.unwrap_or(0)) {
        if let Stmt::Local(local) = stmt {
            prove_let(local, volt);
        }
    }
    block
}

fn prove_let(local: &mut SynLocal, volt: &Path) {
    let by_ref = bindings(&local.pat).iter().any(|binding| binding.by_ref);
    let Some(init) = &mut local.init else { return };
    if by_ref {
        prove_root(&mut init.expr, volt);
    }
    prove(&mut init.expr, volt);
}

/// Proves what an expression borrows for as long as its value may live.
fn prove(expr: &mut Expr, volt: &Path) {
    match expr {
        Expr::Reference(node) => {
            prove(&mut node.expr, volt);
            prove_root(&mut node.expr, volt);
        }
        Expr::Paren(node) => prove(&mut node.expr, volt),
        Expr::Group(node) => prove(&mut node.expr, volt),
        Expr::Cast(node) => prove(&mut node.expr, volt),
        Expr::Tuple(node) => node.elems.iter_mut().for_each(|elem| prove(elem, volt)),
        Expr::Array(node) => node.elems.iter_mut().for_each(|elem| prove(elem, volt)),
        Expr::Struct(node) => {
            let fields = node.fields.iter_mut();
            fields.for_each(|field| prove(&mut field.expr, volt));
        }
        _ => {}
    }
}

/// Proves the value in which a place begins, if that is no local.
fn prove_root(place: &mut Expr, volt: &Path) {
    match place {
        Expr::Field(node) => prove_root(&mut node.base, volt),
        Expr::Index(node) => prove_root(&mut node.expr, volt),
        Expr::Paren(node) => prove_root(&mut node.expr, volt),
        Expr::Group(node) => prove_root(&mut node.expr, volt),
        Expr::Unary(node) if matches!(node.op, UnOp::Deref(_)) => prove_root(&mut node.expr, volt),
        value if is_constant(value) => {}
        value => {
            let span = value.span();
            let volt = path_at(volt, span);
            let function = quote_spanned!(span=> #volt::__private::no_temporary);
            *value = parse_quote!(#function(#value));
        }
    }
}

/// Whether the value is the same for ever, or has no destructor by its looks.
fn is_constant(value: &Expr) -> bool {
    match value {
        Expr::Lit(_) | Expr::Path(_) | Expr::Range(_) => true,
        Expr::Unary(node) => is_constant(&node.expr),
        Expr::Reference(_) => true,
        Expr::Array(node) => node.elems.iter().all(is_constant),
        Expr::Tuple(node) => node.elems.iter().all(is_constant),
        Expr::Repeat(node) => is_constant(&node.expr),
        Expr::Paren(node) => is_constant(&node.expr),
        Expr::Group(node) => is_constant(&node.expr),
        _ => false,
    }
}
