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
use syn::{Block, FnArg, Pat, Signature, Stmt, parse_quote};

/// Takes arguments apart at the beginning of the body.
pub(super) fn take_apart(sig: &mut Signature, block: &mut Block) {
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
        *input.pat = parse_quote!(#name);
        stmts.push(parse_quote!(let #pat = #name;));
    }
    block.stmts.splice(0..0, stmts);
}

fn is_taken_apart(pat: &Pat) -> bool {
    !matches!(pat, Pat::Wild(_) | Pat::Ident(_))
}
