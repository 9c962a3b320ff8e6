//! The names to which code assigns, and the names that it uses otherwise.
//!
//! Both come from tokens, because the code of a macro's arguments is not parsed. A name that is
//! reported without need leaves one loop without a turn.

use std::collections::BTreeSet;

use proc_macro2::{Spacing, TokenStream, TokenTree};

use super::super::format_captures::captured;
use crate::names::{has_arms, is_mark};

type Names = BTreeSet<String>;

/// Names by their use in code.
#[derive(Debug, Default)]
pub(super) struct UsedNames {
    /// The names of which an assignment ends the old value unread. A literal is of a primitive
    /// type, so its assignments are not among them.
    pub(super) assigned: Names,
    /// All other uses.
    pub(super) read: Names,
}

impl UsedNames {
    pub(super) fn of(tokens: TokenStream) -> Self {
        let mut names = Self::default();
        names.add(tokens, false);
        names
    }

    fn add(&mut self, tokens: TokenStream, are_arms: bool) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (at, token) in tokens.iter().enumerate() {
            let is_target = is_assigned(&tokens, at) && !(are_arms && begins_arm(&tokens, at));
            match token {
                TokenTree::Ident(word) => {
                    let word = word.to_string();
                    if !is_target {
                        self.read.insert(word);
                    } else if !keeps_value(&tokens[at + 2..], &word) {
                        self.assigned.insert(word);
                    }
                }
                TokenTree::Group(group) if is_target => {
                    let within = Self::of(group.stream());
                    self.assigned.extend(within.read);
                }
                TokenTree::Group(group) => self.add(group.stream(), is_select(&tokens[..at])),
                TokenTree::Literal(text) => {
                    let text = text.to_string();
                    self.read.extend(captured(&text).map(ToOwned::to_owned));
                }
                TokenTree::Punct(_) => {}
            }
        }
    }
}

/// Returns `true` for the target of an assignment. The pattern of a `let` is none, and neither is a
/// place behind a pointer or in a value.
fn is_assigned(tokens: &[TokenTree], at: usize) -> bool {
    let is_alone = |sign: &TokenTree| match sign {
        TokenTree::Punct(sign) => sign.as_char() == '=' && sign.spacing() == Spacing::Alone,
        _ => false,
    };
    let is_before = |token: &TokenTree| match token {
        TokenTree::Ident(word) => word == "else" || word == "in",
        TokenTree::Punct(sign) => !".*:<'".contains(sign.as_char()),
        _ => true,
    };
    tokens.get(at + 1).is_some_and(is_alone) && (at == 0 || is_before(&tokens[at - 1]))
}

/// Returns `true` if the tokens end with `select!`, whose arguments are arms:
/// `name = future => {}`.
fn is_select(tokens: &[TokenTree]) -> bool {
    match tokens {
        [.., TokenTree::Ident(name), mark] => is_mark(mark, '!') && has_arms(name),
        _ => false,
    }
}

/// Returns `true` for the pattern of an arm: it is the first one, or an arm ends before it.
fn begins_arm(tokens: &[TokenTree], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|before| &tokens[before]) else {
        return true;
    };
    is_mark(before, ',') || is_mark(before, ';') || matches!(before, TokenTree::Group(_))
}

/// Returns `true` if the assigned value is a literal, or reads the old value.
fn keeps_value(value: &[TokenTree], name: &str) -> bool {
    let is_word = |token: &TokenTree, names: &[&str]| match token {
        TokenTree::Ident(word) => names.iter().any(|name| word == name),
        _ => false,
    };
    match value {
        [TokenTree::Literal(_), end, ..] if is_mark(end, ';') => return true,
        [TokenTree::Literal(_)] => return true,
        [first, ..] if is_word(first, &["true", "false"]) => return true,
        _ => {}
    }
    let mut value = value.iter().take_while(|token| !is_mark(token, ';'));
    value.any(|token| match token {
        TokenTree::Group(group) => UsedNames::of(group.stream()).read.contains(name),
        token => is_word(token, &[name]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    fn assigned(tokens: TokenStream) -> String {
        let names: Vec<_> = UsedNames::of(tokens).assigned.into_iter().collect();
        names.join(" ")
    }

    #[test]
    fn plain_assignments_are_found() {
        assert_eq!(
            assigned(quote!(a = next(); { b = a; } (c, d) = pair;)),
            "a b c d"
        );
        assert_eq!(assigned(quote!(if x { y } else { z = next() })), "z");
    }

    #[test]
    fn other_equals_signs_assign_nothing() {
        let code = quote!(let a = 1; let mut b = 2; let (c, d) = e; if let Some(f) = g {});
        assert_eq!(assigned(code), "");
        assert_eq!(
            assigned(quote!(a += 1; b == c; d.e = f; *g = h; i >= j;)),
            ""
        );
    }

    #[test]
    fn values_of_primitive_types_are_left_out() {
        assert_eq!(
            assigned(quote!(a = 1; b = true; c = c.next(); d = f(d);)),
            ""
        );
        assert_eq!(assigned(quote!(a = b; c = 1 as *const u8;)), "a c");
    }

    #[test]
    fn patterns_of_arms_assign_nothing() {
        let code = quote!(select! { a = first() => { b = a; } c = second(), if d => e = c });
        assert_eq!(assigned(code), "b e");
        assert_eq!(assigned(quote!(own!(a = first()))), "a");
    }

    #[test]
    fn names_in_texts_are_read() {
        let names = UsedNames::of(quote!(show!("{a} {b:?}"); c = d;));
        let read: Vec<_> = names.read.into_iter().collect();
        assert_eq!(read, ["a", "b", "d", "show"]);
    }
}
