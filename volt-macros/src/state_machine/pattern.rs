//! What a pattern moves out of what it matches, and what it leaves there.

use syn::Pat;

use super::scope::bindings;

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
fn is_whole(pat: &Pat) -> bool {
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
    matches!(pat, Pat::TupleStruct(pat) if pat.path.is_ident("Some"))
}

/// The arms of a `match` over a local that move all of it. If one does, an arm that matches a
/// variant without fields leaves nothing behind either.
pub(crate) fn moving_arms<'p>(pats: impl Iterator<Item = &'p Pat> + Clone) -> Vec<bool> {
    let moves = pats.clone().any(moves_whole);
    pats.map(|pat| moves && is_whole(pat)).collect()
}
