//! The message of an assertion without a message of its own.

use crate::names::{Known, is_mark, known};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, Macro, Token, parse2};

/// The number of letters that the compiler prints on a line.
const MAX_LINE: usize = 78;

/// Keeps the message of an assertion after names in its condition were replaced.
pub(crate) fn keep_message(mac: &mut Macro, before: TokenStream) {
    if known(mac) != Some(Known::Asserts(1)) || mac.tokens.to_string() == before.to_string() {
        return;
    }
    if let Ok(condition) = parse2::<Condition>(before) {
        let (now, text) = (&mac.tokens, assertion_text(&condition.0));
        let text = text.replace('{', "{{").replace('}', "}}");
        let comma = (!ends_with_comma(now)).then(<Token![,]>::default);
        mac.tokens = quote!(#now #comma #text);
    }
}

/// Returns `true` if an assertion can keep its message after its condition is replaced.
pub(crate) fn can_keep_message(mac: &Macro) -> bool {
    let condition = parse2::<Condition>(mac.tokens.clone());
    let is_kept = |condition: &Condition| printed(&condition.0).is_some_and(|text| is_line(&text));
    known(mac) != Some(Known::Asserts(1)) || condition.map_or(true, |condition| is_kept(&condition))
}

/// Returns `true` if the compiler prints the condition on one line. It breaks longer ones at
/// operators, and after commas.
fn is_line(text: &str) -> bool {
    text.len() <= MAX_LINE || !text.contains(' ')
}

/// The arguments of an assertion without a message.
struct Condition(Expr);

impl Parse for Condition {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let condition = input.parse()?;
        input.parse::<Option<Token![,]>>()?;
        Ok(Self(condition))
    }
}

pub(super) fn ends_with_comma(tokens: &TokenStream) -> bool {
    let last = tokens.clone().into_iter().last();
    last.is_some_and(|last| is_mark(&last, ','))
}

/// The message of `assert!` for a false condition.
fn assertion_text(condition: &Expr) -> String {
    let text = printed(condition).unwrap_or_else(|| bare(condition));
    format!("assertion failed: {text}")
}

/// An expression as the compiler prints it, for common forms of conditions.
fn printed(expr: &Expr) -> Option<String> {
    let list = |exprs: &Punctuated<Expr, Token![,]>| {
        let printed = exprs.iter().map(printed).collect::<Option<Vec<_>>>()?;
        Some(printed.join(", "))
    };
    Some(match expr {
        Expr::Lit(node) => bare(node),
        Expr::Path(node) => {
            let mut parts = node.path.segments.iter();
            let plain = node.qself.is_none() && parts.all(|part| part.arguments.is_none());
            plain.then(|| bare(node).replace(' ', ""))?
        }
        Expr::Paren(node) => format!("({})", printed(&node.expr)?),
        Expr::Await(node) => format!("{}.await", printed(&node.base)?),
        Expr::Field(node) => format!("{}.{}", printed(&node.base)?, bare(&node.member)),
        Expr::Index(node) => format!("{}[{}]", printed(&node.expr)?, printed(&node.index)?),
        Expr::Unary(node) => format!("{}{}", bare(&node.op), printed(&node.expr)?),
        Expr::Reference(node) => {
            let mutable = node.mutability.map_or("", |_| "mut ");
            format!("&{mutable}{}", printed(&node.expr)?)
        }
        Expr::Binary(node) => {
            let (left, right) = (printed(&node.left)?, printed(&node.right)?);
            format!("{left} {} {right}", bare(&node.op))
        }
        Expr::Call(node) => format!("{}({})", printed(&node.func)?, list(&node.args)?),
        Expr::MethodCall(node) if node.turbofish.is_none() => {
            let (receiver, method) = (printed(&node.receiver)?, &node.method);
            format!("{receiver}.{method}({})", list(&node.args)?)
        }
        _ => return None,
    })
}

fn bare(node: &impl ToTokens) -> String {
    node.to_token_stream().to_string()
}

#[cfg(test)]
mod tests;
