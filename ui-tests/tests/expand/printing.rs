//! The expansion as people read it.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;

/// Pretty code; the states are shown as the enum that they become.
pub(crate) fn printed(tokens: TokenStream) -> String {
    let file: syn::File = syn::parse2(tokens).expect("items");
    let mut items = Vec::new();
    for item in file.items {
        match item {
            syn::Item::Macro(item) if item.mac.path.segments.last().unwrap().ident == "states" => {
                items.push(states(item.mac.tokens, &quote!(Done, Poisoned)));
            }
            syn::Item::Macro(item) if item.mac.path.segments.last().unwrap().ident == "room" => {
                items.push(states(item.mac.tokens, &quote!(Poisoned)));
            }
            other => items.push(other),
        }
    }
    let plain = syn::File {
        items,
        ..syn::parse_quote!()
    };
    without_lints(&prettyplease::unparse(&plain))
}

/// `enum States { .. }` out of what the support module is given.
fn states(tokens: TokenStream, ends: &TokenStream) -> syn::Item {
    let mut tokens = tokens.into_iter();
    tokens
        .by_ref()
        .find(|token| matches!(token, TokenTree::Ident(word) if word == "enum"));
    let (name, Some(TokenTree::Group(body))) = (tokens.next(), tokens.next()) else {
        panic!("an enum");
    };
    let variants = body.stream().into_iter().map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => quote!(#group,),
        TokenTree::Literal(_) => quote!(),
        other => quote!(#other),
    });
    syn::parse2(quote!(enum #name { #(#variants)* #ends })).expect("an enum")
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
