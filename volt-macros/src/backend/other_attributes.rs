//! Other attributes after `state_machine`, which may rewrite the function.
//!
//! Under such an attribute the body is in a function of its own, with the parameters as they were
//! written, and the coroutine awaits that function. The attribute `#[instrument]` of `tracing` is
//! known: it wraps the body and awaits it in place. So the macro sees the awaits of the body there,
//! and the span gets the name that it would have had. An attribute that makes a `main` or a test
//! stays on a function with the user's name, and gets the body as it was written, because some of
//! them write a second test with another body.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::{Attribute, FnArg, ItemFn, Meta, Pat, Path, Token, parse_quote};

use crate::names::{self, last_of};
use crate::syntax::contains_ident;

/// Returns `true` if an attribute is about the documentation or callers of the function, and not
/// about its body.
pub(crate) fn is_outer(attr: &Attribute) -> bool {
    const OUTER: &str = "doc must_use deprecated cfg inline cold track_caller";
    all_named(attr, |path| {
        OUTER.split(' ').any(|name| path.is_ident(name))
    })
}

/// Returns `true` if an attribute sets the level of a lint.
pub(crate) fn is_lint(attr: &Attribute) -> bool {
    const LEVELS: &[&str] = &["allow", "warn", "deny", "expect", "forbid"];
    all_named(attr, |path| LEVELS.iter().any(|name| path.is_ident(name)))
}

/// Returns `true` if `is_such` holds for the name of the attribute, or for all names in a
/// `cfg_attr`.
fn all_named(attr: &Attribute, is_such: impl Fn(&Path) -> bool) -> bool {
    match conditional(attr) {
        Some((_, inner)) => inner.iter().all(|meta| is_such(meta.path())),
        None => is_such(attr.path()),
    }
}

/// Returns the condition of a `cfg_attr`, and the attributes that depend on it.
fn conditional(attr: &Attribute) -> Option<(Meta, Vec<Meta>)> {
    if !attr.path().is_ident("cfg_attr") {
        return None;
    }
    let list = attr.meta.require_list().ok()?;
    let all = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
    let mut all = all.ok()?.into_iter();
    let condition = all.next()?;
    Some((condition, all.collect()))
}

/// Splits each `cfg_attr` with several attributes into one `cfg_attr` for each, because they belong
/// to different items.
pub(crate) fn split_cfg_attrs(attrs: Vec<Attribute>) -> Vec<Attribute> {
    let single = attrs.into_iter().flat_map(|attr| match conditional(&attr) {
        Some((condition, inner)) if inner.len() > 1 => {
            let each = inner
                .into_iter()
                .map(|meta| parse_quote!(#[cfg_attr(#condition, #meta)]));
            each.collect()
        }
        _ => vec![attr],
    });
    single.collect()
}

/// Returns `true` if an attribute sets the level of a lint for the function that creates the
/// machine. Of `expect` attributes only those for dead code do.
pub(crate) fn is_for_constructor(attr: &Attribute) -> bool {
    is_lint(attr) && (!is_expected(attr) || contains_ident(attr.to_token_stream(), "dead_code"))
}

/// Returns `true` if an attribute sets the level of a lint about the body.
pub(crate) fn is_for_body(attr: &Attribute) -> bool {
    is_lint(attr) && !(is_expected(attr) && contains_ident(attr.to_token_stream(), "dead_code"))
}

/// Returns `true` if the attribute expects a lint.
fn is_expected(attr: &Attribute) -> bool {
    all_named(attr, |path| path.is_ident("expect"))
}

/// Returns `true` if an attribute may rewrite the function.
pub(crate) fn is_foreign(attr: &Attribute) -> bool {
    let is_tool = |path: &Path| {
        let first = path.segments.first();
        first.is_some_and(|first| first.ident == "clippy" || first.ident == "rustfmt")
    };
    !is_lint(attr) && !all_named(attr, is_tool) && !is_outer(attr)
}

/// Returns `true` if an attribute has the name `instrument`, as that of `tracing`, also in a
/// `cfg_attr`.
pub(crate) fn is_instrument(attr: &Attribute) -> bool {
    all_named(attr, is_named_instrument)
}

fn is_named_instrument(path: &Path) -> bool {
    last_of(path).is_some_and(|last| last == "instrument")
}

/// Returns the attribute, with the name that the span would have on the function itself.
pub(crate) fn with_span_name(attr: &Attribute, function: &Ident) -> Attribute {
    let mut attr = attr.clone();
    attr.meta = match conditional(&attr) {
        Some((condition, inner)) => {
            let inner = inner
                .into_iter()
                .map(|meta| meta_with_span_name(meta, function));
            parse_quote!(cfg_attr(#condition, #(#inner),*))
        }
        None => meta_with_span_name(attr.meta, function),
    };
    attr
}

/// Returns the contents of the attribute with the name of the span.
fn meta_with_span_name(meta: Meta, function: &Ident) -> Meta {
    let name = function.to_string();
    let name = name.trim_start_matches("r#");
    let path = meta.path();
    match &meta {
        _ if !is_named_instrument(path) => meta,
        Meta::List(list) if !has_name(list.tokens.clone()) => {
            let tokens = &list.tokens;
            parse_quote!(#path(name = #name, #tokens))
        }
        Meta::Path(_) => parse_quote!(#path(name = #name)),
        _ => meta,
    }
}

/// Returns `true` if the settings of an `instrument` name the span.
fn has_name(tokens: TokenStream) -> bool {
    let mut first = true;
    let mut starts = true;
    for token in tokens {
        let word = token.to_string();
        if (starts && word == "name") || (first && word.starts_with('"')) {
            return true;
        }
        first = false;
        starts = word == ",";
    }
    false
}

/// Returns the index of the attribute that makes a `main` or a test from a function, by its name:
/// `tokio::test`, or `tokio_test` if it is imported so. Only an attribute can make the program's
/// `main` from an `async fn`, whatever its name is. So for a `main` the first attribute that may
/// rewrite it is used.
fn runner(item: &ItemFn) -> Option<usize> {
    let is_runner = |attr: &Attribute| {
        let last = last_of(attr.path()).map(Ident::to_string);
        is_foreign(attr) && last.is_some_and(|last| last == "main" || last.ends_with("test"))
    };
    let rewrites = |attr: &Attribute| is_foreign(attr) && !is_instrument(attr);
    let named = item.attrs.iter().position(is_runner);
    named.or_else(|| {
        if item.sig.ident == "main" {
            item.attrs.iter().position(rewrites)
        } else {
            None
        }
    })
}

/// Splits a function under an attribute that makes a `main` or a test from it. The first part
/// becomes a machine. The second part stays under the attribute and awaits the machine, which it
/// contains, because no other code needs its names.
pub(crate) fn split_runner(
    item: &ItemFn,
) -> Option<(ItemFn, impl FnOnce(TokenStream) -> TokenStream)> {
    let index = runner(item)?;
    let names = item.sig.inputs.iter().map(|input| match input {
        FnArg::Typed(input) => match &*input.pat {
            Pat::Ident(pat) => Some(pat.ident.clone()),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    });
    let names = names.collect::<Option<Vec<Ident>>>()?;
    let mut inner = item.clone();
    let outer_attrs: Vec<_> = inner.attrs.drain(..=index).collect();
    let (rest, kept): (Vec<_>, Vec<_>) = inner.attrs.drain(..).partition(|attr| {
        // Attributes of the test: `#[ignore]`, `#[should_panic]`, `#[cfg]`.
        is_foreign(attr) && !is_instrument(attr) || attr.path().is_ident("cfg")
    });
    inner.attrs = kept;
    inner.sig.ident = names::run_function(&item.sig.ident);
    inner.vis = syn::Visibility::Inherited;
    let (vis, sig, made) = (&item.vis, &item.sig, &inner.sig.ident);
    let call = match sig.safety {
        syn::Safety::Unsafe(token) => quote!(#token { #made(#(#names),*) }),
        _ => quote!(#made(#(#names),*)),
    };
    let head = quote!(#(#outer_attrs)* #(#rest)* #vis #sig);
    let runner = move |machine| quote!(#head { #machine #call.await });
    Some((inner, runner))
}
