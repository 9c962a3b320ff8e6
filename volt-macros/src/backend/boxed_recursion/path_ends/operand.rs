//! The start of a call in tokens that may have any syntax.

use proc_macro2::{Delimiter, Ident, TokenTree};

use crate::names::is_mark;

/// Returns the place at which the operand starts that ends with the last of the tokens: the name of
/// a called method or function.
///
/// ```text
/// x = &self.list[0].of(1)?.sum     self
/// return Tree::sum                 Tree
/// (a, other::<u8>(b).sum           other
/// ```
///
/// There is none if the operand contains braces, because a statement may end with these, too.
pub(super) fn start_of_operand(tokens: &[TokenTree]) -> Option<usize> {
    let mut end = tokens.len();
    loop {
        let (last, before) = tokens[..end].split_last()?;
        match last {
            TokenTree::Punct(mark) if mark.as_char() == '?' => end -= 1,
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => return None,
            TokenTree::Group(group) if group.delimiter() != Delimiter::None => {
                match end_of_callee(before) {
                    Some(callee) => end = callee,
                    None => return Some(end - 1),
                }
            }
            TokenTree::Group(_) | TokenTree::Ident(_) | TokenTree::Literal(_) => match before {
                [.., first, second] if is_mark(first, '.') && is_mark(second, '.') => {
                    return Some(end - 1);
                }
                [.., point] if is_mark(point, '.') => end -= 2,
                [.., first, second] if is_mark(first, ':') && is_mark(second, ':') => {
                    match end_of_qualifier(&before[..before.len() - 2]) {
                        Qualifier::Path(at) => end = at,
                        Qualifier::Start(at) => return Some(at),
                    }
                }
                _ => return Some(end - 1),
            },
            TokenTree::Punct(_) => return None,
        }
    }
}

/// Returns the end of the operand that parentheses call or that brackets index, if there is one.
fn end_of_callee(tokens: &[TokenTree]) -> Option<usize> {
    match tokens {
        [.., TokenTree::Ident(_), mark] if is_mark(mark, '!') => Some(tokens.len() - 1),
        [.., mark] if is_mark(mark, '>') => start_of_generics(tokens)
            .filter(|start| ends_with_colons(&tokens[..*start]))
            .map(|start| start - 2),
        [.., mark] if is_mark(mark, '?') => Some(tokens.len()),
        [.., TokenTree::Ident(word)] if is_keyword(word) => None,
        [.., TokenTree::Group(group)] if group.delimiter() == Delimiter::Brace => None,
        [
            ..,
            TokenTree::Ident(_) | TokenTree::Literal(_) | TokenTree::Group(_),
        ] => Some(tokens.len()),
        _ => None,
    }
}

/// The tokens before `::`.
enum Qualifier {
    /// A path that ends here.
    Path(usize),
    /// The operand starts here.
    Start(usize),
}

/// Returns the kind of the tokens before `::`.
fn end_of_qualifier(tokens: &[TokenTree]) -> Qualifier {
    let end = tokens.len();
    match tokens {
        [.., mark] if is_mark(mark, '>') => match start_of_generics(tokens) {
            Some(start) if ends_with_colons(&tokens[..start]) => Qualifier::Path(start - 2),
            Some(start) => Qualifier::Start(start),
            None => Qualifier::Start(end),
        },
        [.., TokenTree::Ident(word)] if !is_keyword(word) => Qualifier::Path(end),
        _ => Qualifier::Start(end),
    }
}

/// Returns the place of the `<` that belongs to the last token.
fn start_of_generics(tokens: &[TokenTree]) -> Option<usize> {
    let mut depth = 0_usize;
    for at in (0..tokens.len()).rev() {
        let is_arrow = at > 0
            && ['-', '=']
                .iter()
                .any(|mark| is_mark(&tokens[at - 1], *mark));
        if is_mark(&tokens[at], '>') && !is_arrow {
            depth += 1;
        } else if is_mark(&tokens[at], '<') {
            depth = depth.checked_sub(1)?;
        }
        if depth == 0 {
            return is_mark(&tokens[at], '<').then_some(at);
        }
    }
    None
}

fn ends_with_colons(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [.., first, second] if is_mark(first, ':') && is_mark(second, ':'))
}

/// Returns `true` if a word is no name of a value.
fn is_keyword(word: &Ident) -> bool {
    let text = word.to_string();
    let is_name = ["self", "Self", "super", "crate", "await"].contains(&&*text);
    !is_name && syn::parse_str::<Ident>(&text).is_err()
}
