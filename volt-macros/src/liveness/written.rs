//! What a type tells, as it is written.

use quote::ToTokens;
use syn::Type;

/// Whether nothing of the type is left to be inferred.
pub(super) fn is_whole(ty: &Type) -> bool {
    fn has_hole(tokens: proc_macro2::TokenStream) -> bool {
        tokens.into_iter().any(|token| match token {
            proc_macro2::TokenTree::Ident(word) => word == "_",
            proc_macro2::TokenTree::Group(group) => has_hole(group.stream()),
            _ => false,
        })
    }
    !matches!(ty, Type::Infer(_)) && !has_hole(ty.to_token_stream())
}

/// Whether the type says that it borrows.
pub(super) fn borrows(ty: &Type) -> bool {
    fn find(tokens: proc_macro2::TokenStream) -> bool {
        let mut after_quote = false;
        tokens.into_iter().any(|token| match token {
            proc_macro2::TokenTree::Punct(mark) => {
                after_quote = mark.as_char() == '\'';
                mark.as_char() == '&'
            }
            proc_macro2::TokenTree::Ident(word) => {
                std::mem::take(&mut after_quote) && word != "static"
            }
            proc_macro2::TokenTree::Group(group) => find(group.stream()),
            proc_macro2::TokenTree::Literal(_) => false,
        })
    }
    find(ty.to_token_stream())
}

/// Whether the type says that it borrows, and not that it can be copied.
pub(super) fn is_exclusive(ty: &Type) -> bool {
    borrows(ty) && !crate::hir::is_copy(ty)
}
