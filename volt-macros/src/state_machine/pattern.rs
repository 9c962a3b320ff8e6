//! What a pattern moves out of what it matches, and what it leaves there.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{ExprStruct, Pat, Path, parse_quote};

use super::names;
use super::scope::{bindings, is_upper_name};

/// The pattern of a `let`, without the type.
pub(crate) fn unascribed(pat: &Pat) -> &Pat {
    match pat {
        Pat::Type(typed) => &typed.pat,
        other => other,
    }
}

/// Whether the pattern takes the value as it is.
pub(crate) fn is_binding(pat: &Pat) -> bool {
    match pat {
        Pat::Type(typed) => is_binding(&typed.pat),
        Pat::Ident(pat) => pat.by_ref.is_none() && !is_upper_name(pat),
        _ => false,
    }
}

/// Whether something that the pattern matches is not moved into a binding.
pub(crate) fn leaves_residue(pat: &Pat) -> bool {
    match pat {
        Pat::Wild(_) | Pat::Rest(_) | Pat::Reference(_) => true,
        Pat::Ident(pat) => pat.by_ref.is_some(),
        Pat::Guard(pat) => leaves_residue(&pat.pat),
        Pat::Paren(pat) => leaves_residue(&pat.pat),
        Pat::Type(pat) => leaves_residue(&pat.pat),
        Pat::Or(pat) => pat.cases.iter().any(leaves_residue),
        Pat::Tuple(pat) => pat.elems.iter().any(leaves_residue),
        Pat::TupleStruct(pat) => pat.elems.iter().any(leaves_residue),
        Pat::Slice(pat) => pat.elems.iter().any(leaves_residue),
        Pat::Struct(pat) => {
            pat.rest.is_some() || pat.fields.iter().any(|field| leaves_residue(&field.pat))
        }
        Pat::Lit(_) | Pat::Range(_) | Pat::Path(_) | Pat::Const(_) => false,
        _ => true,
    }
}

/// Whether matching a local with the pattern moves all of it into bindings.
pub(crate) fn moves_whole(pat: &Pat) -> bool {
    !bindings(pat).is_empty() && is_whole(pat)
}

/// Whether nothing of what the pattern matches stays behind.
pub(crate) fn is_whole(pat: &Pat) -> bool {
    match pat {
        Pat::Ident(pat) => pat.by_ref.is_none(),
        Pat::Guard(pat) => is_whole(&pat.pat),
        Pat::Paren(pat) => is_whole(&pat.pat),
        Pat::Or(pat) => pat.cases.iter().all(is_whole),
        Pat::Tuple(pat) => pat.elems.iter().all(is_whole),
        Pat::TupleStruct(pat) => pat.elems.iter().all(is_whole),
        Pat::Struct(pat) => {
            pat.rest.is_none() && pat.fields.iter().all(|field| is_whole(&field.pat))
        }
        Pat::Lit(_) | Pat::Range(_) | Pat::Path(_) | Pat::Const(_) => true,
        _ => false,
    }
}

/// Whether what does not match the pattern holds nothing: `None`, where this is `Some(_)`.
pub(crate) fn is_some(pat: &Pat) -> bool {
    match pat {
        Pat::TupleStruct(pat) => pat.path.is_ident("Some") && pat.elems.iter().all(always_matches),
        Pat::Paren(pat) => is_some(&pat.pat),
        _ => false,
    }
}

/// Whether the pattern matches any value, as far as it shows.
fn always_matches(pat: &Pat) -> bool {
    match pat {
        Pat::Wild(_) | Pat::Rest(_) => true,
        Pat::Ident(ident) => ident.subpat.is_none() && !bindings(pat).is_empty(),
        Pat::Paren(pat) => always_matches(&pat.pat),
        Pat::Tuple(pat) => pat.elems.iter().all(always_matches),
        _ => false,
    }
}

/// The arms of a `match` over a local that move all of it. If one does, an arm that matches a
/// variant without fields leaves nothing behind either.
pub(crate) fn moving_arms<'p>(pats: impl Iterator<Item = &'p Pat> + Clone) -> Vec<bool> {
    let moves = pats.clone().any(moves_whole);
    pats.map(|pat| moves && is_whole(pat)).collect()
}

/// Whether the pattern takes a value apart whose type is not known to have no destructor of its
/// own. Such a type keeps a value whole: its fields can only be copied out of it.
pub(crate) fn opens(pat: &Pat) -> bool {
    match pat {
        Pat::Guard(pat) => opens(&pat.pat),
        Pat::Paren(pat) => opens(&pat.pat),
        Pat::Or(pat) => pat.cases.iter().any(opens),
        Pat::TupleStruct(pat) => !is_of_core(&pat.path),
        Pat::Struct(pat) => !is_of_core(&pat.path),
        Pat::Path(pat) => !is_of_core(&pat.path),
        Pat::Ident(_) => bindings(pat).is_empty() && !is_none(pat),
        _ => false,
    }
}

/// The pattern of what stays in a value behind `..`: the fields that are written beside it.
pub(crate) fn left_by_rest(node: &ExprStruct) -> Pat {
    let path = &node.path;
    let fields = node.fields.iter().map(|field| &field.member);
    parse_quote!(#path { #(#fields: _,)* .. })
}

/// For each field that such a pattern leaves behind, its place and the pattern that binds it to `part`.
pub(crate) fn left_parts(pat: &Pat) -> Vec<(Span, Pat)> {
    let Pat::Struct(whole) = pat else {
        return Vec::new();
    };
    let (path, part) = (&whole.path, names::local("part"));
    let left = whole.fields.iter().filter(|_| whole.rest.is_some());
    let left = left.map(|field| {
        let member = &field.member;
        (member.span(), parse_quote!(#path { #member: #part, .. }))
    });
    left.collect()
}

/// For each value within the matched one that the pattern takes apart, the pattern that finds it
/// and binds it to `part`.
pub(crate) fn opened_parts(pat: &Pat) -> Vec<Pat> {
    match pat {
        Pat::Guard(pat) => opened_parts(&pat.pat),
        Pat::Paren(pat) => opened_parts(&pat.pat),
        Pat::Or(pat) => pat.cases.iter().flat_map(opened_parts).collect(),
        Pat::Tuple(whole) => within(whole.elems.iter(), |elems| parse_quote!((#(#elems,)*))),
        Pat::TupleStruct(whole) => {
            let path = &whole.path;
            within(whole.elems.iter(), |elems| parse_quote!(#path(#(#elems,)*)))
        }
        Pat::Struct(whole) => {
            let path = &whole.path;
            let fields = whole.fields.iter().flat_map(|field| {
                let member = &field.member;
                let parts = part(&field.pat).into_iter();
                parts.map(move |part| parse_quote!(#path { #member: #part, .. }))
            });
            fields.collect()
        }
        _ => Vec::new(),
    }
}

/// The parts of one element: the element itself, and what is in it.
fn part(pat: &Pat) -> Vec<Pat> {
    let mut parts = opened_parts(pat);
    if opens(pat) {
        let (name, hollow) = (names::local("part"), hollow(pat));
        parts.push(parse_quote!(#name @ (#hollow)));
    }
    parts
}

/// The parts of all elements, each in its place among wildcards.
fn within<'p>(
    elems: impl Iterator<Item = &'p Pat> + Clone,
    around: impl Fn(&[Pat]) -> Pat,
) -> Vec<Pat> {
    let wild: Vec<Pat> = elems.clone().map(|_| parse_quote!(_)).collect();
    let placed = elems.enumerate().flat_map(|(index, elem)| {
        let around = &around;
        let wild = &wild;
        part(elem).into_iter().map(move |part| {
            let mut elems = wild.clone();
            elems[index] = part;
            around(&elems)
        })
    });
    placed.collect()
}

/// The pattern without its bindings.
fn hollow(pat: &Pat) -> Pat {
    match pat {
        Pat::Paren(pat) => hollow(&pat.pat),
        Pat::Or(pat) => {
            let cases = pat.cases.iter().map(hollow);
            parse_quote!(#(#cases)|*)
        }
        Pat::TupleStruct(pat) => {
            let path = &pat.path;
            parse_quote!(#path(..))
        }
        Pat::Struct(pat) => {
            let path = &pat.path;
            parse_quote!(#path { .. })
        }
        other => other.clone(),
    }
}

/// For each `_` in the pattern, the pattern that finds its place and binds it to `part`; none if something
/// else is left behind.
pub(crate) fn left_places(pat: &Pat) -> Option<Vec<Pat>> {
    match pat {
        Pat::Guard(pat) => left_places(&pat.pat),
        Pat::Paren(pat) => left_places(&pat.pat),
        Pat::Or(pat) => {
            let cases = pat.cases.iter().map(left_places);
            Some(cases.collect::<Option<Vec<_>>>()?.concat())
        }
        Pat::Tuple(whole) => left_within(&whole.elems, |elems| parse_quote!((#(#elems,)*))),
        Pat::TupleStruct(whole) => {
            let path = &whole.path;
            left_within(&whole.elems, |elems| parse_quote!(#path(#(#elems,)*)))
        }
        Pat::Struct(whole) if whole.rest.is_none() => {
            let path = &whole.path;
            let fields = whole.fields.iter().map(|field| {
                let member = &field.member;
                let left = left_place(&field.pat)?.into_iter();
                let left = left.map(|part| parse_quote!(#path { #member: #part, .. }));
                Some(left.collect())
            });
            Some(fields.collect::<Option<Vec<Vec<Pat>>>>()?.concat())
        }
        Pat::Wild(_) => None,
        pat => (!leaves_residue(pat)).then(Vec::new),
    }
}

/// The same of an element.
fn left_place(pat: &Pat) -> Option<Vec<Pat>> {
    match pat {
        Pat::Paren(pat) => left_place(&pat.pat),
        Pat::Wild(_) => {
            let part = names::local("part");
            Some(vec![parse_quote!(#part)])
        }
        pat => left_places(pat),
    }
}

fn left_within<'p>(
    elems: impl IntoIterator<Item = &'p Pat>,
    around: impl Fn(&[Pat]) -> Pat,
) -> Option<Vec<Pat>> {
    let elems: Vec<&Pat> = elems.into_iter().collect();
    let mut placed = Vec::new();
    for (index, elem) in elems.iter().enumerate() {
        for left in left_place(elem)? {
            let mut all: Vec<Pat> = elems.iter().map(|_| parse_quote!(_)).collect();
            all[index] = left;
            placed.push(around(&all));
        }
    }
    Some(placed)
}

/// Whether the path names a variant of `Option` or `Result`.
fn is_of_core(path: &Path) -> bool {
    const VARIANTS: &[&str] = &["Some", "None", "Ok", "Err"];
    let mut last = path.segments.iter().rev();
    let variant = last.next();
    let of = last.next();
    variant.is_some_and(|name| VARIANTS.iter().any(|known| name.ident == known))
        && of.is_none_or(|of| of.ident == "Option" || of.ident == "Result")
}

fn is_none(pat: &Pat) -> bool {
    matches!(pat, Pat::Ident(pat) if pat.ident == "None")
}
