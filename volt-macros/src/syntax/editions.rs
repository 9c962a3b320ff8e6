//! `panic!` and `assert!` with one literal, which some editions format and others print as it is.
//!
//! ```text
//! panic!("no {page}")        2021: formats      2018: prints `no {page}`
//! ```
//!
//! The macro does not know the edition. Later stages need the names that the literal may capture,
//! as arguments: `page = page`. These arguments are marked, and removed where the tokens are
//! written. So the compiler reads the literal by its own edition.

use std::sync::OnceLock;

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Expr, ExprAssign, Ident, Lit, Macro};

use super::format_captures::is_width;
use super::macros::Arguments;
use crate::names::{formats_by_edition, is_mark};

/// Returns the expression without marked arguments, if it is a macro with some. It binds the
/// captured names before the macro, unless they are the names of the locals.
pub(crate) fn settled(mac: &Macro) -> Option<TokenStream> {
    // Arguments of no other macro are marked.
    if !formats_by_edition(mac) {
        return None;
    }
    let mut arguments = Arguments::of(mac)?;
    let text = arguments.text()?;
    let (marked, others): (Vec<_>, Vec<_>) = arguments.exprs.drain(..).partition(is_marked);
    if marked.is_empty() {
        return None;
    }
    arguments.exprs = others;
    let bound = marked.iter().filter_map(|expr| bind(expr, &text));
    let bound: Vec<_> = bound.collect();
    let mut mac = mac.clone();
    let Some(conditions) = arguments.conditions().filter(|_| !bound.is_empty()) else {
        mac.tokens = arguments.tokens();
        return Some(quote!({ #(#bound)* #mac }));
    };
    // The names are bound after the condition, which may mutate the locals.
    let (conditions, rest) = arguments.exprs.split_at(conditions);
    mac.tokens = quote!(false, #(#rest),*);
    Some(quote!(if !(#(#conditions)*) { #(#bound)* #mac }))
}

/// Returns `true` if a block with these braces may be code of edition 2024. The compiler has to
/// confirm that for the crate.
///
/// The arguments of the compiler name the edition of the crate, so the claim is rarely refuted. The
/// braces of a macro's definition may have another edition: only those of the crate itself have the
/// root context, which the compiler prints as `#0`.
pub(crate) fn may_be_edition_2024(braces: Span) -> bool {
    static IS_NAMED: OnceLock<bool> = OnceLock::new();
    let context = format!("{braces:?}");
    let is_of_crate = context.starts_with("#0 ") || !context.contains('#');
    is_of_crate && *IS_NAMED.get_or_init(is_edition_2024_named)
}

/// Returns `true` if the crate has an edition before 2021, by the arguments of the compiler.
pub(crate) fn is_before_edition_2021() -> bool {
    static IS_OLD: OnceLock<bool> = OnceLock::new();
    *IS_OLD.get_or_init(|| named_edition().is_some_and(|edition| edition < 2021))
}

/// Returns `true` if an argument of this process names edition 2024 or a later one, or if the
/// process is no compiler.
fn is_edition_2024_named() -> bool {
    named_edition().is_none_or(|edition| edition >= 2024)
}

/// The edition of the arguments of this process: 2015 of a compiler without one, and none if the
/// process is no compiler.
fn named_edition() -> Option<u32> {
    let arguments = std::env::args_os().map(|argument| argument.to_string_lossy().into_owned());
    let arguments: Vec<String> = arguments.collect();
    let after = |index: usize| arguments.get(index + 1).map(String::as_str);
    let named = arguments.iter().enumerate().find_map(|(index, argument)| {
        let value = argument.strip_prefix("--edition")?;
        value.strip_prefix('=').or_else(|| after(index))
    });
    match named.map(str::parse::<u32>) {
        Some(edition) => Some(edition.unwrap_or(2015)),
        None => arguments
            .iter()
            .any(|argument| argument == "--crate-name")
            .then_some(2015),
    }
}

fn is_marked(expr: &Expr) -> bool {
    let first = expr.to_token_stream().into_iter().next();
    matches!(expr, Expr::Assign(_)) && first.is_some_and(|first| is_mark(&first, '#'))
}

/// A statement that binds the name of an argument to its value, unless the value is a local of that
/// name.
fn bind(expr: &Expr, text: &str) -> Option<TokenStream> {
    let Expr::Assign(ExprAssign { left, right, .. }) = expr else {
        return None;
    };
    let TokenTree::Ident(name) = left.to_token_stream().into_iter().last()? else {
        return None;
    };
    if is_word(right.to_token_stream(), &name) {
        return None;
    }
    // A width is a number, and cannot be a reference.
    let borrow = (!is_width(text, &name.to_string())).then(|| quote!(&));
    Some(quote!(let #name = #borrow #right;))
}

/// Returns `true` if the tokens are only this name, in any number of groups.
fn is_word(tokens: TokenStream, name: &Ident) -> bool {
    let mut tokens = tokens.into_iter();
    let is_found = match tokens.next() {
        Some(TokenTree::Ident(word)) => word == *name,
        Some(TokenTree::Group(group)) => is_word(group.stream(), name),
        _ => false,
    };
    is_found && tokens.next().is_none()
}

impl Arguments {
    /// The format string, if it is a literal.
    fn text(&self) -> Option<String> {
        let at = self.format_index()?;
        match self.exprs.get(at)? {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.value()),
                _ => None,
            },
            _ => None,
        }
    }
}
