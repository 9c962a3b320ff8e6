//! Temporaries of what macros are given.
//!
//! Those of the standard library are known by their names, and the native twin asks what the names
//! mean. What others make of what they are given cannot be seen.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Expr, Macro, parse_quote_spanned, parse2};

use super::edition::unless_since_2024;
use super::lasting::{Lasting, When};
use crate::state_machine::macros::of_std;
use crate::state_machine::names::{self, path_at};
use crate::state_machine::scope::{formats, macro_arguments};

/// Macros of the standard library that leave nothing behind.
const CLOSED: &[&str] = &[
    "cfg",
    "column",
    "concat",
    "env",
    "eprint",
    "eprintln",
    "file",
    "format",
    "include_bytes",
    "include_str",
    "line",
    "module_path",
    "option_env",
    "panic",
    "print",
    "println",
    "stringify",
    "todo",
    "unimplemented",
    "unreachable",
];

/// Those that format and keep what they format.
const OPEN: &[&str] = &["format_args", "write", "writeln"];

impl Lasting<'_> {
    pub(super) fn made_by_macro(&mut self, expr: &mut Expr) {
        let Expr::Macro(node) = expr else { return };
        let mac = &mut node.mac;
        let last = mac.path.segments.last().map(|last| last.ident.clone());
        let Some(last) = last else { return };
        let name = &*last.to_string();
        let says = formats(mac) && !OPEN.contains(&name);
        let is_own = matches!(self.when, When::Tail(edition) if edition == name);
        if is_own || says && self.lives_on() {
            return;
        }
        let tokens = match of_std(mac) {
            true => self.given(mac, name),
            false => None,
        };
        match tokens {
            Some(tokens) => {
                mac.tokens = tokens;
                self.at.relied.borrow_mut().push(last);
            }
            None => self.unseen(expr),
        }
    }

    /// What a macro of the standard library is given, with proofs.
    fn given(&mut self, mac: &Macro, name: &str) -> Option<TokenStream> {
        let tokens = mac.tokens.clone();
        match name {
            name if CLOSED.contains(&name) => Some(tokens),
            "vec" => self.made_by_vec(tokens),
            "dbg" => self.each(mac, Self::value),
            "matches" => self.matched_by_macro(tokens),
            "pin" => self.each(mac, Self::place),
            name if OPEN.contains(&name) => self.each(mac, Self::place),
            _ => None,
        }
    }

    /// A macro of which nobody sees what it leaves behind.
    fn unseen(&mut self, expr: &mut Expr) {
        let span = Span::call_site().located_at(expr.span());
        let (volt, value) = (path_at(self.at.volt, span), names::local_at("value", span));
        match self.when {
            When::Always => self.shows = true,
            When::Before2024 => {
                let hidden = quote_spanned!(span=> #volt::__private::Hidden);
                let hidden = unless_since_2024(&hidden, self.at.volt, span);
                let parted = quote_spanned!(span=> #volt::__private::parted);
                *expr = parse_quote_spanned!(span=> #parted(#expr, |#value| #hidden));
            }
            When::Tail(edition) => {
                let unseen = quote_spanned!(span=> #volt::__private::unseen);
                *expr = parse_quote_spanned!(span=> #edition!(_; #expr; #unseen; ));
            }
        }
    }

    /// What `vec!` is given is moved into it.
    fn made_by_vec(&mut self, tokens: TokenStream) -> Option<TokenStream> {
        let mut list: Expr = parse2(quote!([#tokens])).ok()?;
        self.value(&mut list);
        match list {
            Expr::Array(list) => Some(list.elems.into_token_stream()),
            Expr::Repeat(list) => {
                let (value, length) = (list.expr, list.len);
                Some(quote!(#value; #length))
            }
            _ => None,
        }
    }

    /// `matches!` looks at its first part.
    fn matched_by_macro(&mut self, tokens: TokenStream) -> Option<TokenStream> {
        let parts = |input: ParseStream<'_>| Ok((input.parse::<Expr>()?, input.parse()?));
        let (mut scrutinee, rest): (Expr, TokenStream) = parts.parse2(tokens).ok()?;
        self.place(&mut scrutinee);
        Some(quote!(#scrutinee #rest))
    }

    fn each(&mut self, mac: &Macro, prove: impl Fn(&mut Self, &mut Expr)) -> Option<TokenStream> {
        let mut arguments = macro_arguments(mac)?;
        for argument in &mut arguments {
            match argument {
                Expr::Assign(named) => prove(self, &mut named.right),
                argument => prove(self, argument),
            }
        }
        Some(arguments.into_token_stream())
    }
}
