//! Names that a format string captures: `"{self}"`.

use std::str::FromStr;

use proc_macro2::{Literal, Span, TokenStream, TokenTree};
use syn::{Lit, Macro};

use super::captures;
use super::macros::formats;
use crate::names::{Known, known};

/// Has the format string of a macro capture `to` where it captured `from`.
pub(crate) fn rename_captured(mac: &mut Macro, from: &str, to: &str) {
    if !formats(mac) {
        return;
    }
    let mut left = before_format(mac);
    let mut tokens: Vec<TokenTree> = mac.tokens.clone().into_iter().collect();
    let mut is_first = true;
    for index in 0..tokens.len() {
        let is_last = is_comma(tokens.get(index + 1));
        match &tokens[index] {
            TokenTree::Punct(comma) if comma.as_char() == ',' => {
                left = left.saturating_sub(1);
                is_first = true;
                continue;
            }
            TokenTree::Literal(literal) if is_first && is_last && left == 0 => {
                if let Some(literal) = renamed(literal, from, to) {
                    tokens[index] = TokenTree::Literal(literal);
                }
                break;
            }
            _ => is_first = false,
        }
    }
    mac.tokens = TokenStream::from_iter(tokens);
}

/// How many arguments stand before the format string, at least.
fn before_format(mac: &Macro) -> usize {
    match known(mac) {
        Some(Known::Formats(before) | Known::Asserts(before)) => before,
        _ => 0,
    }
}

fn is_comma(token: Option<&TokenTree>) -> bool {
    match token {
        None => true,
        Some(TokenTree::Punct(punct)) => punct.as_char() == ',',
        Some(_) => false,
    }
}

/// The string with the other name, if it captures this one.
fn renamed(literal: &Literal, from: &str, to: &str) -> Option<Literal> {
    let text = literal.to_string();
    let mut renamed = match Lit::new(literal.clone()) {
        // In a raw string all braces are those of the format.
        Lit::Str(_) if text.starts_with('r') => {
            Literal::from_str(&captures::renamed(&text, from, to)?).ok()?
        }
        Lit::Str(text) => Literal::string(&captures::renamed(&text.value(), from, to)?),
        _ => return None,
    };
    renamed.set_span(Span::call_site().located_at(literal.span()));
    Some(renamed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rename(source: &str) -> String {
        let mut mac: Macro = syn::parse_str(source).unwrap();
        rename_captured(&mut mac, "self", "__self");
        mac.tokens.to_string()
    }

    #[test]
    fn only_the_format_string_is_renamed() {
        assert_eq!(
            rename(r#"format!("{self} {self:?}")"#),
            r#""{__self} {__self:?}""#
        );
        assert_eq!(rename(r##"print!(r#"{self}"#)"##), r##"r#"{__self}"#"##);
        assert_eq!(
            rename(r#"format!("{{self}} {selfish}")"#),
            r#""{{self}} {selfish}""#
        );
        assert_eq!(rename(r#"format!("{{{self}")"#), r#""{{{__self}""#);
        assert_eq!(rename(r#"format!("{:self$}", 1)"#), r#""{:__self$}" , 1"#);
        assert_eq!(rename(r#"format!("{}", "{self}")"#), r#""{}" , "{self}""#);
        assert_eq!(rename(r#"write!(f, "{self}")"#), r#"f , "{__self}""#);
        assert_eq!(
            rename(r#"assert_eq!("{self}", a, "{self}")"#),
            r#""{self}" , a , "{__self}""#
        );
        assert_eq!(rename(r#"concat!("{self}")"#), r#""{self}""#);
    }
}
