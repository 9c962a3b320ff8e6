//! Groups of an expansion with the delimiters of the user's text, for editors.
//!
//! A printed group has one place for both of its delimiters. An editor finds a call in the
//! expansion by the place of its last token, the delimiter. So a group whose tokens are those of
//! the user's is replaced by the user's.

use std::collections::BTreeMap;

use proc_macro2::{Group, TokenStream, TokenTree};

/// Replaces the groups of the expansion that are printed from groups of the item.
pub(crate) fn with_written_groups(expansion: TokenStream, item: TokenStream) -> TokenStream {
    let mut written = BTreeMap::new();
    list(item, &mut written);
    replace(expansion, &written)
}

/// The groups of the user's text, by their places.
type Written = BTreeMap<String, Group>;

fn key(group: &Group) -> String {
    format!("{:?}", group.span())
}

fn list(tokens: TokenStream, written: &mut Written) {
    for token in tokens {
        if let TokenTree::Group(group) = token {
            list(group.stream(), written);
            written.insert(key(&group), group);
        }
    }
}

fn replace(tokens: TokenStream, written: &Written) -> TokenStream {
    let replaced = tokens.into_iter().map(|token| match token {
        TokenTree::Group(group) => TokenTree::Group(replace_group(group, written)),
        token => token,
    });
    replaced.collect()
}

fn replace_group(group: Group, written: &Written) -> Group {
    if let Some(original) = written.get(&key(&group))
        && has_tokens(original.stream(), group.stream())
    {
        return original.clone();
    }
    let mut replaced = Group::new(group.delimiter(), replace(group.stream(), written));
    replaced.set_span(group.span());
    replaced
}

/// Returns `true` if the tokens are the same, apart from the spaces between them.
fn has_tokens(tokens: TokenStream, others: TokenStream) -> bool {
    let (mut tokens, mut others) = (tokens.into_iter(), others.into_iter());
    loop {
        let is_same = match (tokens.next(), others.next()) {
            (None, None) => return true,
            (Some(TokenTree::Group(left)), Some(TokenTree::Group(right))) => {
                left.delimiter() == right.delimiter() && has_tokens(left.stream(), right.stream())
            }
            (Some(TokenTree::Punct(left)), Some(TokenTree::Punct(right))) => {
                left.as_char() == right.as_char()
            }
            (Some(left), Some(right)) => left.to_string() == right.to_string(),
            _ => false,
        };
        if !is_same {
            return false;
        }
    }
}
