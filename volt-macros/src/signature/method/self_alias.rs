//! An alias for the type of an `impl` that has no path.
//!
//! ```text
//! impl Load for &Client { .. }
//!
//! type __RefClientLoad<'outer> = &'outer Client;
//! ```
//!
//! The machine of a method is declared outside of the `impl`, where a path replaces `Self`.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::visit::{self, Visit};
use syn::{GenericParam, Generics, Path, Type, TypePath, parse_quote};

use crate::names::{self, upper_camel};

/// Returns the alias and its path with the parameters of the `impl`. The result is `None` for a
/// type with a path, and for one that names `T::Item` of a parameter: the alias knows no bounds.
pub(super) fn self_alias(
    ty: &Type,
    generics: &Generics,
    trait_path: Option<&Path>,
) -> Option<(TokenStream, Type)> {
    if let Type::Path(TypePath { qself: None, .. }) = ty {
        return None;
    }
    let mut used = Used {
        generics,
        params: Vec::new(),
        has_projection: false,
    };
    used.visit_type(ty);
    if used.has_projection {
        return None;
    }
    let text = spelled(ty.to_token_stream()) + &spelled(trait_path.to_token_stream());
    let name = format_ident!("__{text}");
    let is_used =
        |param: &&GenericParam| used.params.contains(&names::parameter(param).to_string());
    let params: Vec<_> = generics.params.iter().filter(is_used).collect();
    let declared = params.iter().map(|param| match param {
        GenericParam::Const(param) => {
            let (name, ty) = (&param.ident, &param.ty);
            quote!(const #name: #ty)
        }
        param => names::parameter(param),
    });
    let given = params.iter().map(|param| names::parameter(param));
    let alias = quote! {
        #[doc(hidden)]
        #[allow(dead_code, non_camel_case_types, reason = "written by `state_machine`")]
        type #name<#(#declared),*> = #ty;
    };
    Some((alias, parse_quote!(#name<#(#given),*>)))
}

/// The tokens as one word: `RefClient` for `&Client`.
fn spelled(tokens: TokenStream) -> String {
    let mut word = String::new();
    let mut is_lifetime = false;
    for token in tokens {
        match token {
            TokenTree::Ident(_) if is_lifetime => is_lifetime = false,
            TokenTree::Ident(name) => word += &upper_camel(&name.to_string()),
            TokenTree::Group(group) => {
                word += match group.delimiter() {
                    proc_macro2::Delimiter::Parenthesis => "Tuple",
                    proc_macro2::Delimiter::Bracket => "Slice",
                    _ => "",
                };
                word += &spelled(group.stream());
            }
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                word.extend(text.chars().filter(|letter| letter.is_alphanumeric()));
            }
            TokenTree::Punct(mark) => {
                is_lifetime = mark.as_char() == '\'';
                word += match mark.as_char() {
                    '&' => "Ref",
                    '*' => "Pointer",
                    '!' => "Never",
                    _ => "",
                };
            }
        }
    }
    word
}

/// Finds the parameters that a type names.
struct Used<'g> {
    generics: &'g Generics,
    params: Vec<String>,
    has_projection: bool,
}

impl<'ast> Visit<'ast> for Used<'_> {
    fn visit_path(&mut self, path: &'ast Path) {
        let mut all = self.generics.params.iter();
        let is_param = |name: &Ident| all.any(|param| *name == names::parameter(param).to_string());
        let first = path.segments.first().map(|first| &first.ident);
        self.has_projection |= path.segments.len() > 1 && first.is_some_and(is_param);
        visit::visit_path(self, path);
    }

    fn visit_ident(&mut self, name: &'ast Ident) {
        self.params.push(name.to_string());
    }

    fn visit_lifetime(&mut self, lifetime: &'ast syn::Lifetime) {
        self.params.push(lifetime.to_string());
    }
}
