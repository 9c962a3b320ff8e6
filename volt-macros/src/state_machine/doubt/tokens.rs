//! Doubts among tokens that are not parsed.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

use crate::state_machine::errors::Rule;

/// The doubts among the tokens, with their places.
pub(super) fn doubts(tokens: TokenStream) -> Vec<(Rule, TokenTree)> {
    let mut found = Vec::new();
    find(tokens, &mut found);
    found
}

fn find(tokens: TokenStream, found: &mut Vec<(Rule, TokenTree)>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        let next = |offset: usize| tokens.get(index + offset);
        let rule = match token {
            TokenTree::Ident(word) if word == "unsafe" => Some(Rule::UnsafeCode),
            TokenTree::Ident(word) if word == "raw" && is_address(next(1)) => {
                Some(Rule::TakenAddress)
            }
            TokenTree::Ident(word) if is_called(word, next(1), next(2)) => Some(Rule::UnknownMacro),
            TokenTree::Punct(mark) if mark.as_char() == '#' => match next(1) {
                Some(TokenTree::Group(group)) if is_condition(group) => {
                    Some(Rule::ConfiguredStatement)
                }
                _ => None,
            },
            TokenTree::Punct(mark) if mark.as_char() == '*' && is_address(next(1)) => {
                Some(Rule::TakenAddress)
            }
            TokenTree::Literal(literal) if prints_address(&literal.to_string()) => {
                Some(Rule::TakenAddress)
            }
            _ => None,
        };
        found.extend(rule.map(|rule| (rule, token.clone())));
        if let TokenTree::Group(group) = token {
            find(group.stream(), found);
        }
    }
}

/// Whether the word is the name of a macro that is called.
fn is_called(word: &Ident, mark: Option<&TokenTree>, given: Option<&TokenTree>) -> bool {
    const WORDS: &[&str] = &["if", "in", "match", "return", "while", "break", "else"];
    let is_mark = matches!(mark, Some(TokenTree::Punct(mark)) if mark.as_char() == '!');
    let is_word = WORDS.iter().any(|known| word == known);
    is_mark && !is_word && matches!(given, Some(TokenTree::Group(_)))
}

/// `const` and `mut`, of `*const T` and `&raw mut place`.
fn is_address(word: Option<&TokenTree>) -> bool {
    matches!(word, Some(TokenTree::Ident(word)) if word == "const" || word == "mut")
}

/// Whether an attribute decides if what it stands on is there.
fn is_condition(group: &proc_macro2::Group) -> bool {
    let first = group.stream().into_iter().next();
    let is = |word: &Ident| word == "cfg" || word == "cfg_attr";
    group.delimiter() == Delimiter::Bracket
        && matches!(first, Some(TokenTree::Ident(word)) if is(&word))
}

/// Whether a literal formats the address of something: `"{x:p}"`, `"{:#p}"`.
pub(super) fn prints_address(literal: &str) -> bool {
    let pieces = literal.split('{').skip(1);
    let mut inside = pieces.filter_map(|piece| piece.split_once('}'));
    inside.any(|(inside, _)| {
        let format = inside.split_once(':').map(|(_, format)| format.trim_end());
        format.is_some_and(|format| format.ends_with('p'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_is_printed_by_p() {
        for text in ["{:p}", "a {x:p} b", "{0:#p}", "{{}} {:20p}"] {
            assert!(prints_address(text), "{text}");
        }
        for text in ["{}", "{p}", "{p:?}", "p}", "{:?} {p}", "{:>p$}"] {
            assert!(!prints_address(text), "{text}");
        }
    }
}
