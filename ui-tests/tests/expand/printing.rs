//! The expansion as people read it.

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

/// Pretty code; the blocks that the support module is given are shown as the function that they become.
pub(crate) fn printed(tokens: TokenStream) -> String {
    let mut file: syn::File = syn::parse2(tokens).expect("items");
    for item in &mut file.items {
        let syn::Item::Const(block) = item else {
            continue;
        };
        let syn::Expr::Block(expr) = &mut *block.expr else {
            continue;
        };
        for stmt in &mut expr.block.stmts {
            let mac = match stmt {
                syn::Stmt::Item(syn::Item::Macro(found)) => &found.mac,
                syn::Stmt::Macro(found) => &found.mac,
                _ => continue,
            };
            if let Some(advance) = advance(mac.tokens.clone()) {
                *stmt = syn::Stmt::Item(advance);
            }
        }
    }
    without_lints(&prettyplease::unparse(&file))
}

/// `fn advance() { .. }` out of what the support module is given; what stands before it in a comment.
fn advance(tokens: TokenStream) -> Option<syn::Item> {
    let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let body = tokens.pop()?;
    let head = tokens.into_iter().collect::<TokenStream>().to_string();
    syn::parse2(quote!(#[doc = #head] fn advance() #body)).ok()
}

/// Leaves out the lint levels, which are the same on every item.
fn without_lints(code: &str) -> String {
    let mut out = String::new();
    let mut skipping = false;
    for line in code.lines() {
        let depth = line.trim_start();
        if depth.starts_with("#[allow(") {
            skipping = !depth.ends_with(")]");
            continue;
        }
        if skipping {
            skipping = depth != ")]";
            continue;
        }
        out.push_str(line);
        out.push('\n');
    }
    out
}
