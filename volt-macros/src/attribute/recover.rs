//! Functions whose bodies the macro does not expand: bodies that do not parse, and refused ones.
//!
//! A body that does not parse is left to the compiler alone, as while its user types. So the
//! function and its machine keep their types for the rest of the crate, and the error is reported
//! once, at its place. A refused function keeps its signature, so its callers have no errors of
//! their own.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::visit_mut::VisitMut;
use syn::{
    Block, Expr, ImplItemFn, ItemFn, ItemImpl, Path, ReturnType, Signature as Written, Stmt,
    parse_quote,
};

use crate::errors::Errors;
use crate::options::{Options, REPAIRED, is_editor};
use crate::signature::{Method, Signature, impl_trait, machine_name};

/// Returns the function with an unparsed body, if only the body does not parse.
pub(crate) fn with_unparsed_body(item: TokenStream, volt: &Path) -> syn::Result<ItemFn> {
    let mut item = syn::parse2(hide_bodies(item, volt))?;
    if is_editor() {
        ShowBodies.visit_item_fn_mut(&mut item);
    }
    Ok(item)
}

/// Returns the block with unparsed bodies, if only its bodies do not parse.
pub(crate) fn with_unparsed_bodies(item: TokenStream, volt: &Path) -> Option<ItemImpl> {
    let mut tokens: Vec<TokenTree> = item.into_iter().collect();
    let Some(TokenTree::Group(block)) = tokens.pop() else {
        return None;
    };
    let mut bodies = Group::new(block.delimiter(), hide_bodies(block.stream(), volt));
    bodies.set_span(block.span());
    tokens.push(bodies.into());
    let mut block = syn::parse2(tokens.into_iter().collect()).ok()?;
    if is_editor() {
        ShowBodies.visit_item_impl_mut(&mut block);
    }
    Some(block)
}

/// Puts a macro around each body. The compiler has parsed the body before the attribute ran, and
/// reports its errors once.
fn hide_bodies(tokens: TokenStream, volt: &Path) -> TokenStream {
    let mut tokens = tokens.into_iter().peekable();
    let mut hidden = TokenStream::new();
    while let Some(token) = tokens.next() {
        let span = match &token {
            token if is_block(token) => token.span(),
            token if is_repaired(token) && !tokens.peek().is_some_and(is_block) => {
                Span::call_site()
            }
            _ => {
                hidden.extend([token]);
                continue;
            }
        };
        hidden.extend(quote_spanned!(span=> { #volt::__private::unparsed!(#token) }));
    }
    hidden
}

fn is_block(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

/// Returns `true` for the name that rust-analyzer passes instead of a body that does not parse. It
/// puts the body in the place of each token of the expansion that has the name's place.
fn is_repaired(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Ident(name) if name == REPAIRED) && is_editor()
}

/// Replaces the macros of unparsed bodies by the bodies. An editor parses a body with errors, and
/// would show the macro at each place of the body.
struct ShowBodies;

impl VisitMut for ShowBodies {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let [Stmt::Expr(Expr::Macro(unparsed), None)] = &block.stmts[..] else {
            return;
        };
        let body = match unparsed.mac.tokens.clone().into_iter().next() {
            Some(TokenTree::Group(body)) => body.stream(),
            _ => unparsed.mac.tokens.clone(),
        };
        block.stmts = vec![Stmt::Expr(Expr::Verbatim(body), None)];
    }
}

/// Returns the errors, and the signature of the function with a body that panics.
pub(crate) fn signature_stub(function: &ItemFn, errors: &Errors) -> TokenStream {
    let errors = errors.to_compile_errors();
    let mut item = function.clone();
    item.attrs
        .retain(|attr| attr.path().is_ident("cfg") || attr.path().is_ident("doc"));
    *item.block = stub_body(&item.sig, &item.block);
    let item = without_lints(item);
    quote!(#errors #item)
}

/// Returns the signature of a method with a body that panics.
pub(crate) fn method_stub(method: &ImplItemFn) -> TokenStream {
    let mut method = method.clone();
    method.block = stub_body(&method.sig, &method.block);
    without_lints(method)
}

/// Allows all lints of an item.
fn without_lints(item: impl ToTokens) -> TokenStream {
    quote! {
        #[allow(unused, clippy::all, clippy::pedantic, reason = "`state_machine` refused the body")]
        #item
    }
}

/// Returns `Serialize` and `Deserialize` for the native machine of a refused durable function, so
/// its callers have no errors of their own.
pub(crate) fn snapshot_stub(
    item: &ItemFn,
    method: Option<&Method>,
    options: &Options,
) -> Option<TokenStream> {
    let signature = Signature::of(item, method);
    if options.snapshot().is_none() || signature.is_generic() {
        return None;
    }
    let (volt, name) = (&options.volt, machine_name(options, item, method));
    let lists = signature.lists();
    Some(quote!(#volt::__private::inferred::snapshot_stub! { #name #lists }))
}

/// A body that panics; or the body itself, if only that determines the type of the output.
fn stub_body(sig: &Written, block: &Block) -> Block {
    match &sig.output {
        ReturnType::Type(_, ty) if impl_trait(ty).is_some() => block.clone(),
        _ => parse_quote!({ ::core::panic!("the state machine was refused") }),
    }
}

#[cfg(test)]
mod tests;
