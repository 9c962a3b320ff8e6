//! Parts of a matched value that may be left after a pattern has moved the bound ones.
//!
//! ```text
//! Some(Event::Paid { id, .. })      Some(part @ Event::Paid { .. })       may have a destructor of its own
//!                                   Some(part @ Event::Paid { .. })       the other fields are left
//! (page, _)                         (_, part)                             is left
//! ```
//!
//! Each part is described by a pattern that binds only this part.

use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::{FieldPat, Pat, PatIdent, PatRest, PatWild, Token};

use crate::names::is_variant_of_core;
use crate::resolve::{is_binding, is_capital};

/// A part of a matched value.
#[derive(Clone, Debug)]
pub(crate) struct MatchedPart {
    /// The pattern of the whole value, in which `part` is the only binding.
    pub(crate) pat: Pat,
    /// The place in the user's pattern.
    pub(crate) span: Span,
    pub(crate) kind: PartKind,
}

/// The reason for which a part may be left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PartKind {
    /// The pattern destructures it. Only a destructor of its own type leaves anything.
    Destructured,
    /// The pattern compares it with a constant or variant, with the same effect.
    Compared,
    /// The pattern does not bind it, or not all of it.
    Unbound,
    /// It has the name of a constant. A pattern that binds the name leaves nothing.
    Constant(Ident),
}

/// The name that such a pattern binds.
pub(crate) fn part_name() -> Ident {
    Ident::new("part", Span::mixed_site())
}

/// Returns the whole value as a part that the pattern may leave.
pub(in crate::hir) fn whole(span: Span) -> MatchedPart {
    MatchedPart {
        pat: bound(None),
        span,
        kind: PartKind::Unbound,
    }
}

/// Returns the parts that a pattern may leave of a value.
pub(crate) fn matched_parts(pat: &Pat) -> Vec<MatchedPart> {
    let mut found = Vec::new();
    collect(pat, &|pat| pat, &mut found);
    found
}

/// Adds the parts of one pattern. `outer` returns the pattern of the whole value for a pattern in
/// this place.
fn collect(pat: &Pat, outer: &dyn Fn(Pat) -> Pat, found: &mut Vec<MatchedPart>) {
    let mut add = |part: Option<Pat>, kind| {
        found.push(MatchedPart {
            pat: outer(bound(part)),
            span: pat.span(),
            kind,
        });
    };
    match pat {
        Pat::Paren(node) => collect(&node.pat, outer, found),
        Pat::Or(node) => node
            .cases
            .iter()
            .for_each(|case| collect(case, outer, found)),
        Pat::Wild(_) => add(None, PartKind::Unbound),
        Pat::Ident(node) if is_capital(&node.ident) && !is_binding(node) => {
            add(Some(pat.clone()), PartKind::Compared);
        }
        Pat::Path(node) if !is_variant_of_core(&node.path) => {
            add(Some(pat.clone()), PartKind::Destructured);
        }
        Pat::TupleStruct(node) => {
            let closed = with_rest(pat);
            if !is_variant_of_core(&node.path) {
                add(Some(closed.clone()), PartKind::Destructured);
            }
            if node.elems.iter().any(is_rest) {
                add(Some(closed), PartKind::Unbound);
            }
            each_element(node.elems.iter(), found, |index, element| {
                let mut node = node.clone();
                set_only(node.elems.iter_mut(), index, element);
                outer(Pat::TupleStruct(node))
            });
        }
        Pat::Struct(node) => {
            add(Some(with_rest(pat)), PartKind::Destructured);
            if node.rest.is_some() {
                add(Some(with_rest(pat)), PartKind::Unbound);
            }
            let fields = node.fields.iter().map(|field| &*field.pat);
            each_element(fields, found, |index, element| {
                let mut node = node.clone();
                let fields = node.fields.iter_mut();
                set_only(fields.map(explicit_field), index, element);
                outer(Pat::Struct(node))
            });
        }
        Pat::Tuple(node) => {
            if node.elems.iter().any(is_rest) {
                add(None, PartKind::Unbound);
            }
            each_element(node.elems.iter(), found, |index, element| {
                let mut node = node.clone();
                set_only(node.elems.iter_mut(), index, element);
                outer(Pat::Tuple(node))
            });
        }
        Pat::Slice(_) => add(None, PartKind::Unbound),
        _ => {}
    }
}

/// Adds the parts of the elements of a pattern.
fn each_element<'p>(
    elements: impl Iterator<Item = &'p Pat>,
    found: &mut Vec<MatchedPart>,
    outer: impl Fn(usize, Pat) -> Pat,
) {
    for (index, element) in elements.enumerate() {
        if !is_rest(element) {
            collect(element, &|pat| outer(index, pat), found);
        }
    }
}

/// Replaces an element, and all others by `_`.
fn set_only<'p>(elements: impl Iterator<Item = &'p mut Pat>, index: usize, element: Pat) {
    for (other, place) in elements.enumerate() {
        if other == index {
            *place = element.clone();
        } else if !is_rest(place) {
            *place = Pat::Wild(PatWild {
                attrs: Vec::new(),
                underscore_token: <Token![_]>::default(),
            });
        }
    }
}

/// Returns the pattern of a field, after `x` is replaced by `x: x`.
fn explicit_field(field: &mut FieldPat) -> &mut Pat {
    field.colon_token.get_or_insert_with(Default::default);
    &mut field.pat
}

/// Returns the pattern with `..` instead of its elements.
fn with_rest(pat: &Pat) -> Pat {
    let rest = || PatRest {
        attrs: Vec::new(),
        dot2_token: <Token![..]>::default(),
    };
    let mut pat = pat.clone();
    match &mut pat {
        Pat::TupleStruct(node) => node.elems = [Pat::Rest(rest())].into_iter().collect(),
        Pat::Struct(node) => {
            node.fields.clear();
            node.rest = Some(rest());
        }
        _ => {}
    }
    pat
}

/// Returns `part`, or `part @ pat`.
pub(super) fn bound(pat: Option<Pat>) -> Pat {
    Pat::Ident(PatIdent {
        attrs: Vec::new(),
        by_ref: None,
        mutability: None,
        ident: part_name(),
        subpat: pat.map(|pat| (<Token![@]>::default(), Box::new(pat))),
    })
}

fn is_rest(pat: &Pat) -> bool {
    matches!(pat, Pat::Rest(_))
}
