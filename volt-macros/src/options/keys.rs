//! Option lists of attributes: each key at most once, and errors that name the accepted ones.

use proc_macro2::{Span, TokenStream};
use syn::Error;
use syn::meta::ParseNestedMeta;
use syn::parse::Parser;

/// Reads `key`, `key = value` and `key(..)`, separated by commas, and stops at the first error.
pub(crate) fn parse_options(
    tokens: TokenStream,
    mut read: impl FnMut(&str, &ParseNestedMeta<'_>) -> syn::Result<()>,
) -> syn::Result<()> {
    let mut seen = Vec::new();
    let parser = syn::meta::parser(|meta| {
        let key = meta.path.get_ident().map(ToString::to_string);
        let key = key.unwrap_or_default();
        if seen.contains(&key) {
            return Err(meta.error(format!("duplicate option `{key}`")));
        }
        read(&key, &meta)?;
        seen.push(key);
        Ok(())
    });
    parser.parse2(tokens)
}

/// The error for a word that is not among the accepted ones, such as "unknown option `size`,
/// expected `name` or `vis`".
pub(crate) fn unknown_word(span: Span, kind: &str, word: &str, accepted: &[&str]) -> Error {
    Error::new(
        span,
        format!(
            "unknown {kind} `{word}`, expected {}",
            alternatives(accepted)
        ),
    )
}

/// The words as "`a`, `b` or `c`".
fn alternatives(words: &[&str]) -> String {
    let quoted = |word: &&str| format!("`{word}`");
    match words {
        [] => String::new(),
        [word] => quoted(word),
        [first @ .., last] => {
            let first: Vec<_> = first.iter().map(quoted).collect();
            format!("{} or {}", first.join(", "), quoted(last))
        }
    }
}
