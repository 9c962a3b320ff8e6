//! Macros that await in the code around them.
//!
//! A wrong guess adds an await to a loop that has none. So the macro must be known by its path, its
//! declaration in the file, or an `await` among its arguments.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::visit::Visit;
use syn::{Expr, ExprAsync, ExprClosure, Item, Macro};

use super::super::macros::visible_awaits;
use super::super::source::{declared_macro_awaits, imports_only_from};
use crate::names::{awaits_branches, is_mark, last_of, takes_tokens};

/// Returns `true` if a call of the macro awaits in the code around it, and its awaits cannot be
/// changed.
pub(super) fn awaits_in_place(mac: &Macro) -> bool {
    if let Some(arguments) = visible_awaits(mac) {
        return arguments.values().any(has_awaiting_macro);
    }
    let is_from =
        |name: &Ident, root: &str| imports_only_from(name.span(), root, &name.to_string());
    if awaits_branches(mac, is_from) {
        return true;
    }
    let Some(last) = last_of(&mac.path).filter(|last| !takes_tokens(last)) else {
        return false;
    };
    awaits_among(mac.tokens.clone())
        || mac.path.segments.len() == 1 && declared_macro_awaits(last.span(), &last.to_string())
}

/// Returns `true` if an expression has such a macro, outside of `async` blocks and closures.
fn has_awaiting_macro(expr: &Expr) -> bool {
    struct Find(bool);
    impl<'ast> Visit<'ast> for Find {
        fn visit_macro(&mut self, mac: &'ast Macro) {
            self.0 |= awaits_in_place(mac);
        }

        fn visit_expr_async(&mut self, _: &'ast ExprAsync) {}

        fn visit_expr_closure(&mut self, _: &'ast ExprClosure) {}

        fn visit_item(&mut self, _: &'ast Item) {}
    }
    let mut find = Find(false);
    find.visit_expr(expr);
    find.0
}

/// Returns `true` if there is an `await` among the tokens, outside of `async` blocks and closures.
fn awaits_among(tokens: TokenStream) -> bool {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(word) if word == "await" => return true,
            TokenTree::Ident(word) if word == "async" => {
                tokens.next_if(|next| matches!(next, TokenTree::Ident(word) if word == "move"));
                if tokens.next_if(|next| is_mark(next, '|')).is_some() {
                    return false;
                }
                tokens.next_if(|next| matches!(next, TokenTree::Group(_)));
            }
            TokenTree::Group(group) if awaits_among(group.stream()) => return true,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn awaits(mac: Macro) -> bool {
        awaits_in_place(&mac)
    }

    #[test]
    fn macro_awaits_if_its_arguments_await() {
        assert!(awaits(syn::parse_quote!(assert!(first().await))));
        assert!(awaits(syn::parse_quote!(
            tokio::select! { _ = first() => {} }
        )));
        assert!(awaits(syn::parse_quote!(futures::join!(first()))));
    }

    #[test]
    fn macro_of_blocks_or_tokens_does_not_await() {
        assert!(!awaits(syn::parse_quote!(vec![async { first().await }])));
        assert!(!awaits(syn::parse_quote!(
            vec![async move || first().await]
        )));
        assert!(!awaits(syn::parse_quote!(stringify!(first().await))));
        assert!(!awaits(syn::parse_quote!(
            channels::select! { _ = first() => {} }
        )));
        assert!(!awaits(syn::parse_quote!(select! { _ = first() => {} })));
    }
}
