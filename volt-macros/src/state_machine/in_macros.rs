//! Substitution within macros.
//!
//! What is known of the standard library's macros is enough to replace a name in what they are given,
//! and in what their format strings capture. Those that log may tell the name itself, and what
//! another macro does with it is anybody's guess.

use proc_macro2::{Group, Ident, Literal, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::visit_mut::VisitMut;
use syn::{Expr, Lit, LitStr, Macro};

use super::format_string;
use super::macros::{Formatted, Known, formatted, known, say_as_before, shows_no_text};
use super::scope::macro_arguments;
use super::substitute::{Replacement, Substitute};

impl Substitute {
    /// Replaces in a macro.
    pub(super) fn in_macro(&mut self, mac: &mut Macro) {
        let before = mac.tokens.clone();
        match (known(mac), formatted(mac)) {
            (Some(Known::Text), _) => {}
            (Some(known), Some(formatted)) => mac.tokens = self.in_known(known, formatted),
            _ => self.in_unknown(mac),
        }
        say_as_before(mac, before);
    }

    fn in_known(&mut self, known: Known, mut formatted: Formatted) -> TokenStream {
        for (name, replacement) in &self.active {
            if let Replacement::Name(new) = replacement
                && formatted.captures(name)
                && let Some(text) = formatted.format()
                && let Some(renamed) = format_string::renamed(&text.value(), bare(name), bare(new))
            {
                *text = LitStr::new(&renamed, text.span());
            }
        }
        for index in 0..formatted.arguments.len() {
            let tells = known == Known::Logs && formatted.is_before(index);
            match &mut formatted.arguments[index] {
                Expr::Lit(_) => {}
                Expr::Assign(named) if known != Known::List => {
                    self.visit_place_mut(&mut named.right);
                }
                argument if known == Known::List => self.visit_expr_mut(argument),
                argument => {
                    if tells {
                        self.refuse_words(&argument.to_token_stream());
                    }
                    self.visit_place_mut(argument);
                }
            }
        }
        let arguments = &formatted.arguments;
        quote!(#arguments)
    }

    fn in_unknown(&mut self, mac: &mut Macro) {
        let arguments = macro_arguments(mac);
        if arguments.is_none() || !shows_no_text(mac) {
            self.refuse_words(&mac.tokens);
        }
        match arguments {
            Some(mut arguments) => {
                for argument in &mut arguments {
                    self.visit_place_mut(argument);
                }
                mac.tokens = quote!(#arguments);
            }
            None => mac.tokens = self.tokens(mac.tokens.clone()),
        }
    }

    /// Refuses names that are to be other ones, where they may be told or captured.
    fn refuse_words(&mut self, tokens: &TokenStream) {
        for (name, replacement) in &self.active {
            if matches!(replacement, Replacement::Name(_))
                && let Some(word) = word(tokens, name)
            {
                self.opaque.push(word);
            }
        }
    }

    /// Replaces in the tokens of a macro, token by token.
    fn tokens(&self, tokens: TokenStream) -> TokenStream {
        let mut after_dot = false;
        let mut out = TokenStream::new();
        for token in tokens {
            let is_dot = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '.');
            match token {
                TokenTree::Group(group) => {
                    let mut inner = Group::new(group.delimiter(), self.tokens(group.stream()));
                    inner.set_span(group.span());
                    inner.to_tokens(&mut out);
                }
                TokenTree::Ident(ident) => match self.find(&ident) {
                    Some(Replacement::Taken(_)) | None => ident.to_tokens(&mut out),
                    Some(_) if after_dot => ident.to_tokens(&mut out),
                    Some(_) => self.place_of(&ident).to_tokens(&mut out),
                },
                other => other.to_tokens(&mut out),
            }
            after_dot = is_dot;
        }
        out
    }
}

/// The name as a string captures it.
fn bare(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}

/// The name among the tokens, other than behind a dot, or in a string that may capture it.
fn word(tokens: &TokenStream, name: &str) -> Option<Ident> {
    let mut after_dot = false;
    for token in tokens.clone() {
        let is_dot = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '.');
        let found = match token {
            TokenTree::Ident(ident) => Some(ident).filter(|ident| !after_dot && ident == name),
            TokenTree::Group(group) => word(&group.stream(), name),
            TokenTree::Literal(literal) => captured(literal, name),
            TokenTree::Punct(_) => None,
        };
        if found.is_some() {
            return found;
        }
        after_dot = is_dot;
    }
    None
}

/// The name, if the literal is a string that captures it where it formats.
fn captured(literal: Literal, name: &str) -> Option<Ident> {
    let span = literal.span();
    let Lit::Str(text) = Lit::new(literal) else {
        return None;
    };
    let captures = format_string::captured(&text.value()).any(|found| found == bare(name));
    let mut ident: Ident = syn::parse_str(name).ok().filter(|_| captures)?;
    ident.set_span(span);
    Some(ident)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The macro with `w` as `w_2`, and whether it is refused.
    fn renamed(source: &str) -> (String, bool) {
        let mut expr: Expr = syn::parse_str(source).expect("an expression");
        let names = [("w".to_owned(), Replacement::Name("w_2".to_owned()))];
        let mut substitute = Substitute::new(names);
        substitute.visit_expr_mut(&mut expr);
        (quote!(#expr).to_string(), !substitute.opaque.is_empty())
    }

    #[test]
    fn macros_that_format_capture_the_other_name() {
        let same = |source: &str, expected: &str| {
            let expected: Expr = syn::parse_str(expected).expect("an expression");
            assert_eq!(renamed(source), (quote!(#expected).to_string(), false));
        };
        same(
            r#"format!("{w:?} {:w$}", 1)"#,
            r#"format!("{w_2:?} {:w_2$}", 1)"#,
        );
        same(
            r#"format!("{{w}}{}", "{w}")"#,
            r#"format!("{{w}}{}", "{w}")"#,
        );
        same(r#"format!("{w}", w = 1)"#, r#"format!("{w}", w = 1)"#);
        same(
            r#"assert_eq!(w, 1, "{w}")"#,
            r#"assert_eq!(w_2, 1, "{w_2}")"#,
        );
        same(
            r#"info!(k = w, "{w}", w)"#,
            r#"info!(k = w_2, "{w_2}", w_2)"#,
        );
        same("stringify!(w)", "stringify!(w)");
        same("matches!(w, 3)", "matches!(w_2, 3)");
        same("mine!(x.w)", "mine!(x.w)");
    }

    #[test]
    fn condition_is_told_as_it_was() {
        let (text, _) = renamed("assert!(w > 9)");
        assert_eq!(text, r#"assert ! (w_2 > 9 , "assertion failed: w > 9")"#);
        assert_eq!(
            renamed("assert!(w,)").0,
            r#"assert ! (w_2 , "assertion failed: w")"#
        );
        assert_eq!(renamed("assert!(x)").0, "assert ! (x)");
        assert_eq!(renamed(r#"assert!(w, "no")"#).0, r#"assert ! (w_2 , "no")"#);
    }

    #[test]
    fn macros_that_may_tell_the_name_are_refused() {
        for source in [
            "mine!(w)",
            "mine!(w = 3)",
            r#"mine!("{w}")"#,
            r#"info!(w, "text")"#,
            r#"info!(target: "x", "{w}")"#,
            "dbg!(w)",
            "mine!(=> w)",
        ] {
            assert!(renamed(source).1, "{source}");
        }
    }
}
