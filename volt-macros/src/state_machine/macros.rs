//! What the macros of the standard library do with what they are given, and those that log.

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, Lit, LitStr, Macro, Token, parse2};

use super::format_string;
use super::scope::macro_arguments;

/// How a macro evaluates its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// Takes each of them.
    List,
    /// Looks at each of them in its turn.
    Formats,
    /// Looks at so many of them, and at the others if it fails.
    Asserts(usize),
    /// The same, in some builds only.
    Perhaps(usize),
    /// Looks at them if somebody listens; what stands before the string may be told by its name.
    Logs,
    /// Has them as text.
    Text,
}

/// Whether the path may be that of a macro of the standard library: it is a name alone, or begins there.
pub(crate) fn of_std(mac: &Macro) -> bool {
    let first = mac.path.segments.first();
    let begins = |name: &&str| first.is_some_and(|first| first.ident == name);
    mac.path.segments.len() == 1 || ["std", "core", "alloc"].iter().any(begins)
}

/// What is known of a macro by its name. Only that of the standard library has it for sure.
pub(crate) fn known(mac: &Macro) -> Option<Known> {
    let (of_std, last) = (of_std(mac), mac.path.segments.last()?);
    let name = last.ident.to_string();
    match &*name {
        "trace" | "debug" | "info" | "warn" | "error" => Some(Known::Logs),
        _ if !of_std => None,
        "vec" => Some(Known::List),
        "format" | "print" | "println" | "eprint" | "eprintln" | "write" | "writeln"
        | "format_args" | "panic" | "todo" | "unreachable" | "unimplemented" => {
            Some(Known::Formats)
        }
        "assert" => Some(Known::Asserts(1)),
        "assert_eq" | "assert_ne" => Some(Known::Asserts(2)),
        "debug_assert" => Some(Known::Perhaps(1)),
        "debug_assert_eq" | "debug_assert_ne" => Some(Known::Perhaps(2)),
        "stringify" => Some(Known::Text),
        _ => None,
    }
}

/// Macros of the standard library of which nothing more has to be known.
const OTHERS: &[&str] = &[
    "cfg",
    "column",
    "compile_error",
    "concat",
    "dbg",
    "env",
    "file",
    "include_bytes",
    "include_str",
    "line",
    "matches",
    "module_path",
    "option_env",
    "pin",
    "ready",
];

/// Whether the macro is one of the standard library's, or one that logs, by its name.
pub(crate) fn is_known(mac: &Macro) -> bool {
    let last = mac.path.segments.last();
    let is_other = last.is_some_and(|last| OTHERS.iter().any(|name| last.ident == name));
    known(mac).is_some() || of_std(mac) && is_other
}

/// The arguments of a macro that formats, and which of them is the format string.
#[derive(Debug)]
pub(crate) struct Formatted {
    pub(crate) arguments: Punctuated<Expr, Token![,]>,
    format: Option<usize>,
}

/// The arguments of a macro, as those of one that formats.
pub(crate) fn formatted(mac: &Macro) -> Option<Formatted> {
    let known = known(mac)?;
    let arguments = macro_arguments(mac)?;
    let mut texts = arguments.iter().map(|argument| text(argument).is_some());
    let format = match known {
        Known::List | Known::Text => None,
        Known::Logs => texts.position(|is_text| is_text),
        Known::Asserts(before) | Known::Perhaps(before) => Some(before),
        Known::Formats => {
            let last = mac.path.segments.last();
            let writes = |name| last.is_some_and(|last| last.ident == name);
            Some(usize::from(writes("write") || writes("writeln")))
        }
    };
    let is_text = |&at: &usize| arguments.get(at).is_some_and(|it| text(it).is_some());
    let format = format.filter(is_text);
    Some(Formatted { arguments, format })
}

impl Formatted {
    /// The format string.
    pub(crate) fn format(&mut self) -> Option<&mut LitStr> {
        match self.arguments.get_mut(self.format?)? {
            Expr::Lit(literal) => match &mut literal.lit {
                Lit::Str(text) => Some(text),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether the argument stands before the format string.
    pub(crate) fn is_before(&self, index: usize) -> bool {
        self.format.is_none_or(|format| index < format)
    }

    /// Whether an argument has the name, so that the format string means that.
    pub(crate) fn names(&self, name: &str) -> bool {
        let mut named = self.arguments.iter().filter_map(argument_name);
        named.any(|known| known == name)
    }

    /// Whether the format string captures the name.
    pub(crate) fn captures(&mut self, name: &str) -> bool {
        let name = name.strip_prefix("r#").unwrap_or(name);
        let named = self.names(name);
        let text = self.format().filter(|_| !named).map(|text| text.value());
        text.is_some_and(|text| format_string::captured(&text).any(|found| found == name))
    }
}

fn text(expr: &Expr) -> Option<&LitStr> {
    match expr {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(text) => Some(text),
            _ => None,
        },
        _ => None,
    }
}

fn argument_name(argument: &Expr) -> Option<&syn::Ident> {
    match argument {
        Expr::Assign(named) => super::scope::plain_name(&named.left),
        _ => None,
    }
}

/// Whether the macro is one that is given expressions, and does not have their text.
pub(crate) fn shows_no_text(mac: &Macro) -> bool {
    const NAMES: [&str; 5] = ["matches", "pin", "ready", "addr_of", "vec"];
    let last = mac.path.segments.last();
    last.is_some_and(|last| NAMES.iter().any(|name| last.ident == name))
}

/// Has an assertion say what it said before names in its condition were replaced.
pub(crate) fn say_as_before(mac: &mut Macro, before: TokenStream) {
    if !matches!(known(mac), Some(Known::Asserts(1) | Known::Perhaps(1)))
        || mac.tokens.to_string() == before.to_string()
    {
        return;
    }
    if let Ok(condition) = parse2::<Condition>(before) {
        let (now, text) = (&mac.tokens, assertion_text(&condition.0));
        let text = text.replace('{', "{{").replace('}', "}}");
        let comma = (!ends_with_comma(now)).then(<Token![,]>::default);
        mac.tokens = quote!(#now #comma #text);
    }
}

/// What an assertion without a message is given.
struct Condition(Expr);

impl Parse for Condition {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let condition = input.parse()?;
        input.parse::<Option<Token![,]>>()?;
        Ok(Self(condition))
    }
}

fn ends_with_comma(tokens: &TokenStream) -> bool {
    let last = tokens.clone().into_iter().last();
    matches!(last, Some(TokenTree::Punct(punct)) if punct.as_char() == ',')
}

/// What `assert!` says of a condition that does not hold.
fn assertion_text(condition: &Expr) -> String {
    let text = printed(condition).unwrap_or_else(|| bare(quote!(#condition)));
    format!("assertion failed: {text}")
}

/// An expression as the compiler prints it, if it is one that is often asserted.
fn printed(expr: &Expr) -> Option<String> {
    let list = |exprs: &Punctuated<Expr, Token![,]>| {
        let printed = exprs.iter().map(printed).collect::<Option<Vec<_>>>()?;
        Some(printed.join(", "))
    };
    Some(match expr {
        Expr::Lit(node) => bare(quote!(#node)),
        Expr::Path(node) => {
            let plain = node
                .path
                .segments
                .iter()
                .all(|part| part.arguments.is_none());
            let plain = plain && node.qself.is_none();
            plain.then(|| bare(quote!(#node)).replace(' ', ""))?
        }
        Expr::Paren(node) => format!("({})", printed(&node.expr)?),
        Expr::Field(node) => {
            let member = &node.member;
            format!("{}.{}", printed(&node.base)?, bare(quote!(#member)))
        }
        Expr::Index(node) => format!("{}[{}]", printed(&node.expr)?, printed(&node.index)?),
        Expr::Unary(node) => {
            let op = node.op;
            format!("{}{}", bare(quote!(#op)), printed(&node.expr)?)
        }
        Expr::Reference(node) => {
            let mutable = node.mutability.map_or("", |_| "mut ");
            format!("&{mutable}{}", printed(&node.expr)?)
        }
        Expr::Binary(node) => {
            let op = node.op;
            let (left, right) = (printed(&node.left)?, printed(&node.right)?);
            format!("{left} {} {right}", bare(quote!(#op)))
        }
        Expr::Call(node) => format!("{}({})", printed(&node.func)?, list(&node.args)?),
        Expr::MethodCall(node) if node.turbofish.is_none() => {
            let (receiver, method) = (printed(&node.receiver)?, &node.method);
            format!("{receiver}.{method}({})", list(&node.args)?)
        }
        _ => return None,
    })
}

fn bare(tokens: TokenStream) -> String {
    tokens.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn format_string_has_its_place() {
        let captures = |mac: Macro| formatted(&mac).is_some_and(|mut mac| mac.captures("w"));
        assert!(captures(parse_quote!(format!("{w}"))));
        assert!(captures(parse_quote!(assert_eq!(a, b, "{w}"))));
        assert!(captures(parse_quote!(log::info!(a, k = 3, "{w}", b))));
        assert!(!captures(parse_quote!(format!("{w}", w = 3))));
        assert!(!captures(parse_quote!(format!("{}", "{w}"))));
        assert!(!captures(parse_quote!(assert_eq!("{w}", b))));
        assert!(!captures(parse_quote!(mine::format!("{w}"))));
    }

    #[test]
    fn condition_is_printed_as_the_compiler_does() {
        let text = |expr: Expr| assertion_text(&expr);
        let said = |text: &str| format!("assertion failed: {text}");
        assert_eq!(text(parse_quote!(w > 9)), said("w > 9"));
        assert_eq!(text(parse_quote!(d.0 == "x")), said(r#"d.0 == "x""#));
        assert_eq!(
            text(parse_quote!(!a::f(&mut w, v[0]))),
            said("!a::f(&mut w, v[0])")
        );
        assert_eq!(
            text(parse_quote!((a && b) || w.len() > 3)),
            said("(a && b) || w.len() > 3")
        );
    }
}
