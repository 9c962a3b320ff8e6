//! Normalisation of forms that have several spellings: known macros, and statements that are
//! macros.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span};
use quote::{ToTokens, quote};
use syn::parse::ParseStream;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Block, Expr, ExprMacro, Item, Macro, Pat, PatIdent, Path, Signature, Stmt, Token, parse_quote,
    parse_quote_spanned,
};

use super::captured_self::name_event_captures;
use super::macros::{Arguments, contains_ident, visible_awaits};
use super::source::{PatternItems, imported_crate};
use crate::names::{Known, is_dbg, is_local, is_matches, is_variant, known, panics};

/// Rewrites the body to the form that later stages read.
///
/// ```text
/// println!("{n}")            println!("{n}", n = n), also of an event
/// matches!(e, p if g)        match e { p if g => true, _ => false }
/// dbg!(e)                    match e { printed => { eprintln!(..); printed } }
/// format!("{}", f().await)   match f().await { value => format!("{}", value) }
/// Some(p)                    ::core::prelude::v1::Some(p), in a pattern
/// println!(..);              an expression, as any other
/// bail!("{n}")               return (|| { bail!("{n}") })()
/// ```
///
/// A captured name that is no local stays as it is. So the compiler reports an unknown name once,
/// and in the same way for every literal.
pub(crate) fn normalise(sig: &mut Signature, block: &mut Block) -> Normalised {
    let mut normalise = Normalise {
        bound: BTreeSet::new(),
        trusted: Vec::new(),
        known_items: PatternItems::new(block.brace_token.span.open()),
        items: Vec::new(),
    };
    for input in &mut sig.inputs {
        normalise.visit_fn_arg_mut(input);
    }
    normalise.visit_block_mut(block);
    Normalised {
        trusted: normalise.trusted,
        items: normalise.items,
    }
}

/// The assumptions about a normalised body.
pub(crate) struct Normalised {
    /// The macros that have to be those of the standard library. The machine checks that.
    pub(crate) trusted: Vec<Ident>,
    /// The names in patterns that may be those of items of the file, one use of each.
    pub(crate) items: Vec<Ident>,
}

struct Normalise {
    /// The names that are bound before the visited code.
    bound: BTreeSet<String>,
    /// The macros that are assumed to be those of the standard library, one of each name.
    trusted: Vec<Ident>,
    known_items: PatternItems,
    /// The names in patterns that may be those of items, one use of each.
    items: Vec<Ident>,
}

impl VisitMut for Normalise {
    fn visit_stmt_mut(&mut self, stmt: &mut Stmt) {
        if let Stmt::Macro(node) = stmt
            && (known(&node.mac).is_some() || is_matches(&node.mac) || is_dbg(&node.mac))
        {
            let (attrs, mac) = (node.attrs.clone(), node.mac.clone());
            let expr = Expr::Macro(ExprMacro { attrs, mac });
            *stmt = Stmt::Expr(expr, node.semi_token);
        }
        visit_mut::visit_stmt_mut(self, stmt);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        // An attribute, such as a condition, belongs to the macro as a whole.
        if let Expr::Macro(node) = expr
            && node.attrs.is_empty()
            && let Some(expanded) = self.expanded(&node.mac)
        {
            *expr = expanded;
        }
        visit_mut::visit_expr_mut(self, expr);
        if matches!(expr, Expr::Macro(node) if panics(&node.mac)) {
            // If a macro of the user with this name does not diverge, this does not compile.
            *expr = parse_quote!(({
                let never: ::core::convert::Infallible = #expr;
                match never {}
            }));
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        name_crate(mac);
        let Some(mut arguments) = Arguments::of(mac) else {
            return name_event_captures(mac, &self.bound);
        };
        if arguments.known == Known::Constant {
            return;
        }
        if arguments.known == Known::List {
            self.trust(mac);
        }
        arguments.name_captures(&self.bound);
        arguments
            .values_mut()
            .for_each(|value| self.visit_expr_mut(value));
        mac.tokens = arguments.tokens();
    }

    fn visit_pat_mut(&mut self, pat: &mut Pat) {
        visit_mut::visit_pat_mut(self, pat);
        if let Pat::Ident(node) = pat
            && is_variant(&node.ident)
            && !self.is_item(&node.ident)
        {
            let path = of_core(&node.ident);
            *pat = parse_quote!(#path);
        }
        if let Pat::TupleStruct(node) = pat
            && let Some(name) = node.path.get_ident()
            && is_variant(name)
            && !self.is_item(name)
        {
            node.path = of_core(name);
        }
    }

    fn visit_pat_ident_mut(&mut self, pat: &mut PatIdent) {
        let name = pat.ident.to_string();
        self.bound.insert(name.trim_start_matches("r#").to_owned());
        let binds = pat.by_ref.is_some() || pat.mutability.is_some() || pat.subpat.is_some();
        if !binds && !name.starts_with(char::is_uppercase) {
            self.is_item(&pat.ident);
        }
        visit_mut::visit_pat_ident_mut(self, pat);
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

impl Normalise {
    /// Returns `true` if the name in a pattern may be that of an item of the file, and notes it.
    fn is_item(&mut self, name: &Ident) -> bool {
        let is_item = self.known_items.may_be(name);
        if is_item && !self.items.contains(name) {
            self.items.push(name.clone());
        }
        is_item
    }

    /// Expands a macro of whose expansion the later stages read the parts.
    fn expanded(&mut self, mac: &Macro) -> Option<Expr> {
        let expanded = matches_as_match(mac).or_else(|| dbg_as_match(mac));
        if expanded.is_some() {
            self.trust(mac);
        }
        expanded.or_else(|| awaits_as_match(mac))
    }

    fn trust(&mut self, mac: &Macro) {
        let name = mac.path.get_ident();
        self.trusted
            .extend(name.filter(|name| !self.trusted.contains(name)).cloned());
    }
}

/// Adds the path of its crate to `json!` or to a logging event, if the module imports it from
/// there, and from nowhere else.
fn name_crate(mac: &mut Macro) {
    if let Some(own) = mac.path.get_ident()
        && let Some(root) = imported_crate(own)
    {
        let root = Ident::new(root, own.span());
        mac.path = parse_quote!(#root::#own);
    }
}

/// The path of a variant of `core`. An enum of the user with these variants does not compile.
fn of_core(name: &Ident) -> Path {
    parse_quote_spanned!(name.span()=> ::core::prelude::v1::#name)
}

/// Expands `matches!(value, pattern)`.
fn matches_as_match(mac: &Macro) -> Option<Expr> {
    if !is_matches(mac) {
        return None;
    }
    let (value, pat, guard) = mac.parse_body_with(matches_arguments).ok()?;
    let guard = guard.map(|guard| quote!(if #guard));
    let span = mac.path.segments.last()?.ident.span();
    let matched: Expr = parse_quote_spanned! {span=>
        match #value { #pat #guard => true, _ => false }
    };
    Some(parse_quote!((#matched)))
}

/// Expands `dbg!(value)`.
fn dbg_as_match(mac: &Macro) -> Option<Expr> {
    if !is_dbg(mac) {
        return None;
    }
    let value: Expr = mac.parse_body_with(only_argument).ok()?;
    let span = mac.path.segments.last()?.ident.span();
    let local = Ident::new("printed", Span::mixed_site());
    let printed: Expr = parse_quote_spanned! {span=>
        match #value {
            #local => {
                ::std::eprintln!(
                    "[{}:{}:{}] {} = {:#?}",
                    ::std::file!(), ::std::line!(), ::std::column!(), ::std::stringify!(#value), &#local
                );
                #local
            }
        }
    };
    Some(parse_quote!((#printed)))
}

/// Awaits the arguments of a macro that formats before the macro, which holds them until its end:
/// `format!("{}", f().await)`. Returns `None` if an argument before an await may have an effect.
fn awaits_as_match(mac: &Macro) -> Option<Expr> {
    let mut arguments = visible_awaits(mac)?;
    if arguments.known != Known::Formats(0) || panics(mac) {
        return None;
    }
    let awaits = |value: &Expr| contains_ident(value.to_token_stream(), "await");
    let values: Vec<&Expr> = arguments.values().collect();
    let last = values.iter().rposition(|value| awaits(value))?;
    let mut before = values[..last].iter();
    if !before.all(|value| awaits(value) || is_inert(value)) {
        return None;
    }
    // A borrowed value would live across the await of another one.
    let is_borrowed = |value: &&Expr| awaits(value) && !matches!(value, Expr::Await(_));
    let count = values.iter().filter(|value| awaits(value)).count();
    if count > 1 && values.iter().any(is_borrowed) {
        return None;
    }
    let mut awaited = Vec::new();
    for value in arguments.values_mut().filter(|value| awaits(value)) {
        let local = Ident::new(&format!("value_{}", awaited.len()), Span::mixed_site());
        // The macro borrows its argument, which may be a part of a value.
        let (taken, used): (_, Expr) = match value {
            Expr::Await(_) => (quote!(#value), parse_quote!(#local)),
            _ => (quote!(&#value), parse_quote!(*#local)),
        };
        *value = used;
        awaited.push((taken, local));
    }
    let mut formatted = mac.clone();
    formatted.tokens = arguments.tokens();
    let matched = awaited.into_iter().rev();
    let matched = matched.fold(
        quote!(#formatted),
        |inner, (value, local)| quote!(match #value { #local => #inner }),
    );
    let local = Ident::new(FORMATTED, Span::mixed_site());
    Some(parse_quote!(({ let #local = #matched; #local })))
}

/// The local with the value of a macro whose arguments await.
const FORMATTED: &str = "formatted";

/// Returns `true` for the block of such a macro. Its type does not depend on the code around it.
pub(crate) fn is_formatted(block: &Block) -> bool {
    // The names of several such locals in a function differ by a number.
    let is_own = |value: &Expr| match value {
        Expr::Path(it) => it
            .path
            .get_ident()
            .is_some_and(|name| name.to_string().starts_with(FORMATTED) && is_local(name)),
        _ => false,
    };
    matches!(&block.stmts[..], [Stmt::Local(_), Stmt::Expr(value, None)] if is_own(value))
}

/// Returns `true` if it makes no difference when the place is borrowed.
fn is_inert(value: &Expr) -> bool {
    match value {
        Expr::Lit(_) => true,
        Expr::Path(node) => node.path.get_ident().is_some(),
        _ => false,
    }
}

/// Parses `value`, with or without a comma after it.
fn only_argument(input: ParseStream<'_>) -> syn::Result<Expr> {
    let value = input.parse()?;
    input.parse::<Option<Token![,]>>()?;
    Ok(value)
}

/// Parses `value, pattern if guard`.
fn matches_arguments(input: ParseStream<'_>) -> syn::Result<(Expr, Pat, Option<Expr>)> {
    let value: Expr = input.parse()?;
    input.parse::<Token![,]>()?;
    let pat = Pat::parse_multi_with_leading_vert(input)?;
    let guard = input.parse::<Option<Token![if]>>()?;
    let guard = guard.map(|_| input.parse()).transpose()?;
    input.parse::<Option<Token![,]>>()?;
    Ok((value, pat, guard))
}
