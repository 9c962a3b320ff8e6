//! Arguments that are taken apart, as the language does it: by a `let` in the body.
//!
//! ```text
//! async fn page(State(db): State<Db>, id: u32) { .. }
//! async fn page(argument_0: State<Db>, id: u32) { let State(db) = argument_0; let id = id; .. }
//! ```
//!
//! What stands behind such an argument is bound again, so that it is dropped before.

use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::{Block, FnArg, Pat, Signature, Stmt, Token, parse_quote};

use crate::resolve::each_binding;

/// Takes arguments apart at the beginning of the body, by so many statements.
pub(super) fn take_apart(sig: &mut Signature, block: &mut Block) -> usize {
    let mut stmts: Vec<Stmt> = Vec::new();
    for (index, input) in sig.inputs.iter_mut().enumerate() {
        let FnArg::Typed(input) = input else { continue };
        if !is_taken_apart(&input.pat) && stmts.is_empty() {
            continue;
        }
        let span = Span::mixed_site().located_at(input.pat.span());
        let name = match &*input.pat {
            Pat::Ident(pat) => pat.ident.clone(),
            _ => Ident::new(&format!("argument_{index}"), span),
        };
        let pat = match &*input.pat {
            Pat::Wild(_) => parse_quote!(#name),
            pat => pat.clone(),
        };
        let mutable = borrows_mutably(&pat).then(<Token![mut]>::default);
        *input.pat = parse_quote!(#mutable #name);
        stmts.push(parse_quote!(let #pat = #name;));
    }
    let count = stmts.len();
    block.stmts.splice(0..0, stmts);
    count
}

fn is_taken_apart(pat: &Pat) -> bool {
    !matches!(pat, Pat::Wild(_) | Pat::Ident(_))
}

/// Whether a `ref mut` in the pattern borrows what it takes apart.
fn borrows_mutably(pat: &Pat) -> bool {
    let mut found = false;
    each_binding(&mut pat.clone(), |pat| {
        found |= pat.by_ref.is_some() && pat.mutability.is_some();
    });
    found
}
