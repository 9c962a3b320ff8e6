//! Functions that the macro rejects, found without the compiler.
//!
//! The inside of the macro crate is included as a module.

use std::fmt::Display;
use std::io;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};

use super::program::Member;
use crate::attribute;
use crate::generate::Function;

/// The first line of the macro's first error, if it has one.
pub(crate) fn refusal(member: &Member, function: &Function) -> Option<String> {
    if function.wrap.is_some() {
        return None;
    }
    let options = member.options.trim_matches(['(', ')']).parse().ok()?;
    let item: TokenStream = function.block(true).parse().ok()?;
    let expanded = attribute::expand(options, item);
    let message = first_error(expanded)?;
    Some(message.lines().next().unwrap_or_default().to_owned())
}

/// Returns the expansion of the functions in a file, formatted.
///
/// # Errors
///
/// When the file cannot be read, or holds anything else.
pub(crate) fn expanded(file: &Path) -> io::Result<String> {
    let named = |error: &dyn Display| io::Error::other(format!("{}: {error}", file.display()));
    let source = std::fs::read_to_string(file).map_err(|error| named(&error))?;
    let functions: syn::File = syn::parse_str(&source).map_err(|error| named(&error))?;
    let expand = |item: &syn::Item| {
        let options = TokenStream::new();
        attribute::expand(options, quote::quote!(#item))
    };
    let tokens: TokenStream = functions.items.iter().map(expand).collect();
    let expanded: syn::File = syn::parse2(tokens).map_err(io::Error::other)?;
    Ok(prettyplease::unparse(&expanded))
}

/// Returns the message of the first `compile_error!`. One in a macro is an error of other editions.
fn first_error(tokens: TokenStream) -> Option<String> {
    let (mut expected, mut defined) = (false, false);
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                expected = ident == "compile_error";
                defined |= ident == "macro_rules";
            }
            TokenTree::Group(_) if std::mem::take(&mut defined) => {}
            TokenTree::Group(group) if expected => {
                let text: syn::LitStr = syn::parse2(group.stream()).ok()?;
                return Some(text.value());
            }
            TokenTree::Group(group) => {
                if let Some(found) = first_error(group.stream()) {
                    return Some(found);
                }
            }
            _ => {}
        }
    }
    None
}
