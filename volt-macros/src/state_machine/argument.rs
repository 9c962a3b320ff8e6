//! Arguments that are patterns, and those behind them.
//!
//! The language binds the arguments of an `async fn` in their order, each a `let` of its own in
//! front of the body, and what a pattern leaves of its argument lives on to the end:
//!
//! ```text
//! async fn f(x: X, (a, _): (A, B), y: Y) { .. }
//!     let (a, rest): (A, B) = argument_1;        what is taken apart
//!     let rest: B = rest;  let a: A = a;         what is left goes after what is bound
//!     let y: Y = argument_2;                     later arguments go before earlier ones
//! ```
//!
//! So here the function gets plain arguments, and a body that begins with these statements.

use proc_macro2::Ident;
use quote::format_ident;
use syn::spanned::Spanned;
use syn::{Block, FnArg, ItemFn, Pat, Stmt, Type, parse_quote, parse_quote_spanned};

use super::errors::{Errors, Rule};
use super::pattern::is_whole;

/// A pattern that was taken out of the signature.
#[derive(Debug)]
pub(crate) struct Unbound {
    /// The name that the argument has instead.
    argument: Ident,
    pat: Pat,
}

/// Takes patterns out of the signature.
pub(crate) fn take_patterns(item: &mut ItemFn) -> Vec<Unbound> {
    let mut unbound: Vec<Unbound> = Vec::new();
    for (index, input) in item.sig.inputs.iter_mut().enumerate() {
        let FnArg::Typed(input) = input else { continue };
        if is_plain(&input.pat) && (unbound.is_empty() || is_reference(&input.ty)) {
            continue;
        }
        let argument = format_ident!("argument_{index}", span = input.pat.span());
        let pat = std::mem::replace(&mut *input.pat, parse_quote!(#argument));
        unbound.push(Unbound { argument, pat });
    }
    unbound
}

/// Puts the patterns in front of the body, each with the type of its argument.
pub(crate) fn bind_patterns(
    unbound: &[Unbound],
    ty: impl Fn(&Ident) -> Option<Type>,
    body: &mut Block,
    errors: &mut Errors,
) {
    let mut stmts: Vec<Stmt> = Vec::new();
    for Unbound { argument, pat } in unbound {
        let ty = ty(argument);
        match ty.and_then(|ty| bound(pat, &ty, argument)) {
            Some(bound) => stmts.extend(bound),
            None if matches!(pat, Pat::Slice(_)) => {
                let instead = "name the argument alone, and take it apart in the body";
                errors.refuse_as(Rule::ArgumentPattern, pat, instead);
            }
            None => errors.refuse(Rule::ArgumentPattern, pat),
        }
    }
    body.stmts.splice(..0, stmts);
}

/// Whether the pattern is but a name.
fn is_plain(pat: &Pat) -> bool {
    match pat {
        Pat::Ident(pat) => pat.by_ref.is_none() && pat.subpat.is_none(),
        Pat::Wild(_) => true,
        _ => false,
    }
}

/// References are lent, and have no destructor.
fn is_reference(ty: &Type) -> bool {
    matches!(ty, Type::Reference(_))
}

/// The statements that bind what the pattern takes of an argument.
fn bound(pat: &Pat, ty: &Type, argument: &Ident) -> Option<Vec<Stmt>> {
    let span = pat.span();
    if matches!(pat, Pat::Wild(_)) {
        let rest = format_ident!("{argument}_rest");
        return Some(vec![
            parse_quote_spanned!(span=> let #rest: #ty = #argument;),
        ]);
    }
    if is_whole(pat) || (is_reference(ty) && matches!(pat, Pat::Reference(_))) {
        return Some(vec![
            parse_quote_spanned!(span=> let #pat: #ty = #argument;),
        ]);
    }
    let mut leaves = Vec::new();
    let whole = open(pat, ty, argument, &mut leaves)?;
    let mut stmts = vec![parse_quote_spanned!(span=> let #whole: #ty = #argument;)];
    let (rest, taken): (Vec<Leaf>, _) = leaves.into_iter().partition(|leaf| leaf.pat.is_none());
    let leaves = rest.into_iter().rev().chain(taken);
    stmts.extend(leaves.map(|Leaf { name, pat, ty }| {
        let pat = pat.unwrap_or_else(|| {
            let rest = format_ident!("{name}_rest");
            parse_quote!(#rest)
        });
        parse_quote_spanned!(span=> let #pat: #ty = #name;)
    }));
    Some(stmts)
}

/// A part of a tuple.
struct Leaf {
    name: Ident,
    /// What it is bound by, if it is.
    pat: Option<Pat>,
    ty: Type,
}

/// The pattern with a name for each part of it, whose types are written.
fn open(pat: &Pat, ty: &Type, name: &Ident, leaves: &mut Vec<Leaf>) -> Option<Pat> {
    let mut leaf = |pat: Option<&Pat>| {
        let (name, ty, pat) = (name.clone(), ty.clone(), pat.cloned());
        leaves.push(Leaf { name, pat, ty });
    };
    match (pat, ty) {
        (Pat::Paren(paren), _) => return open(&paren.pat, ty, name, leaves),
        (_, Type::Paren(paren)) => return open(pat, &paren.elem, name, leaves),
        (_, Type::Group(group)) => return open(pat, &group.elem, name, leaves),
        (Pat::Wild(_), _) => leaf(None),
        (Pat::Ident(_), _) if is_plain(pat) => leaf(Some(pat)),
        (Pat::Tuple(tuple), Type::Tuple(types)) => {
            let wild: Pat = parse_quote!(_);
            let missing = (types.elems.len() + 1).checked_sub(tuple.elems.len())?;
            let elems = tuple.elems.iter().flat_map(|elem| match elem {
                Pat::Rest(_) => vec![&wild; missing],
                elem => vec![elem],
            });
            let elems: Vec<&Pat> = elems.collect();
            if elems.len() != types.elems.len() {
                return None;
            }
            let parts = elems.into_iter().zip(&types.elems).enumerate();
            let parts = parts
                .map(|(index, (pat, ty))| open(pat, ty, &format_ident!("{name}_{index}"), leaves));
            let parts = parts.collect::<Option<Vec<Pat>>>()?;
            return Some(parse_quote!((#(#parts,)*)));
        }
        _ => return None,
    }
    Some(parse_quote!(#name))
}
