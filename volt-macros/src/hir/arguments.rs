//! Arguments that are patterns, which a `let` in the body binds as the compiler does.
//!
//! ```text
//! async fn page(State(db): State<Db>, id: Id) { .. }
//! async fn page(argument_0: State<Db>, id: Id) { let State(db) = argument_0; let id: Id = id; .. }
//! ```
//!
//! The compiler binds the arguments in their order, and drops them in the reverse order. So an
//! argument after a pattern is bound again if its value may have a destructor.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::{Block, FnArg, Pat, PatType, Signature, Stmt, parse_quote};

use super::body::{Body, Stmt as Step};
use super::facts::is_plain;
use crate::resolve::{LocalId, bindings_of};
use crate::signature::impl_trait;

/// Moves the patterns of arguments into the body. Returns the number of statements that bind them.
pub(crate) fn bind_patterns(sig: &mut Signature, block: &mut Block) -> usize {
    let mut stmts: Vec<Stmt> = Vec::new();
    for (index, input) in sig.inputs.iter_mut().enumerate() {
        let FnArg::Typed(input) = input else { continue };
        if !is_name(&input.pat) || !stmts.is_empty() && !is_plain(&input.ty) {
            stmts.push(bind(index, input));
        }
    }
    let count = stmts.len();
    block.stmts.splice(0..0, stmts);
    count
}

/// Gives the argument a name. Returns the statement that binds its pattern.
fn bind(index: usize, input: &mut PatType) -> Stmt {
    let span = Span::mixed_site().located_at(input.pat.span());
    let name = match &*input.pat {
        Pat::Ident(pat) if pat.subpat.is_none() => pat.ident.clone(),
        _ => Ident::new(&format!("argument_{index}"), span),
    };
    let pat = match &*input.pat {
        Pat::Wild(_) => parse_quote!(#name),
        pat => pat.clone(),
    };
    let is_mutable =
        bindings_of(&pat).any(|binding| binding.by_ref.is_some() && binding.mutability.is_some());
    let outer = if is_mutable {
        parse_quote!(mut #name)
    } else {
        parse_quote!(#name)
    };
    *input.pat = outer;
    let ty = &input.ty;
    if is_name(&pat) && impl_trait(ty).is_none() {
        parse_quote!(let #pat: #ty = #name;)
    } else {
        parse_quote!(let #pat = #name;)
    }
}

/// Returns `true` if the pattern is a name or `_`.
fn is_name(pat: &Pat) -> bool {
    match pat {
        Pat::Ident(pat) => pat.by_ref.is_none() && pat.subpat.is_none(),
        pat => matches!(pat, Pat::Wild(_)),
    }
}

/// The locals that the first statements of the body bind.
pub(crate) fn bound_first(body: &Body, count: usize) -> BTreeSet<LocalId> {
    let stmts = body.scopes[body.root.0].stmts.iter().take(count);
    let binds = stmts.filter_map(|stmt| match stmt {
        Step::Let(stmt) => Some(&stmt.binds),
        Step::Eval(_) => None,
    });
    binds.flatten().copied().collect()
}
