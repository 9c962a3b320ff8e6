//! Claims about parts of matched values: that a pattern leaves nothing with a destructor, and that
//! a name with a capital in it is that of a constant.
//!
//! A closure that names the constant captures nothing, and one that names a local captures it.

use std::iter;

use proc_macro2::TokenStream;
use quote::quote;
use syn::Pat;

use super::claims::{ClaimedOn, RefutedClaim, literal};
use super::explicit_machine::{ExplicitMachine, local_ident, note};
use crate::fallback::FallbackReason;
use crate::hir::{ExprId, MatchedPart, PartKind, part_name};
use crate::liveness::Claim;

impl ExplicitMachine<'_> {
    /// Returns a matched value. The types of the parts that patterns may leave are noted.
    pub(crate) fn note_plain(&self, id: ExprId, value: TokenStream) -> TokenStream {
        if !self.body.plain.contains_key(&id) {
            return value;
        }
        let (private, parts) = (self.private(), self.note_each_part(&ClaimedOn::Value(id)));
        quote!(#private::note_parts(#value, #parts))
    }

    /// Returns a closure that notes the types of a matched value and of its parts.
    pub(super) fn note_each_part(&self, on: &ClaimedOn) -> TokenStream {
        let (private, whole) = (self.private(), local_ident("whole"));
        let claims = self.plain_claims().filter(|claim| claim.on == *on);
        let parts = claims.enumerate().map(|(index, claim)| {
            let (pat, ty, name) = (&claim.part.pat, note(claim.ty), part_name());
            let first = note(claim.whole);
            let first = (index == 0).then(|| quote!(#first.is(#whole);));
            let noted = match &claim.part.kind {
                PartKind::Constant(constant) => {
                    let named = quote!(#private::named_value(&#name, || {
                        let _never = #private::never();
                        &#constant
                    }));
                    self.note_compared(pat, &quote!(#ty.is(&#named)))
                }
                PartKind::Compared => self.note_compared(pat, &quote!(#ty.is(&#name))),
                _ => quote!(match #whole { #pat => #ty.is(#name), _ => {} }),
            };
            quote!(#first #noted)
        });
        quote!(|#whole| { #(#parts)* })
    }

    /// Returns the note of a part that is compared with a constant. No constant matches a reference
    /// to the value, so the value is moved.
    fn note_compared(&self, pat: &Pat, noted: &TokenStream) -> TokenStream {
        let (private, whole) = (self.private(), local_ident("whole"));
        quote!({
            let _never = #private::never();
            match *#whole { #pat => #noted, _ => {} }
        })
    }

    /// Returns the matched values and places of which parts may be left.
    fn matched(&self) -> impl Iterator<Item = (ClaimedOn, &Vec<MatchedPart>)> {
        let plain = self.body.plain.iter();
        let values = plain.map(|(id, parts)| (ClaimedOn::Value(*id), parts));
        let claims = self.liveness.claims.iter();
        values.chain(claims.filter_map(|(query, claim)| match claim {
            Claim::Pattern(index) => {
                let parts = &self.liveness.patterns[*index];
                Some((ClaimedOn::Place(*query, *index), parts))
            }
            _ => None,
        }))
    }

    /// Returns the parts that patterns may leave, each with the numbers of its types.
    fn plain_claims(&self) -> impl Iterator<Item = PlainClaim<'_>> {
        let mut next = self.first_plain();
        self.matched().flat_map(move |(on, parts)| {
            let whole = next;
            next += width(parts);
            parts
                .iter()
                .enumerate()
                .map(move |(index, part)| PlainClaim {
                    on,
                    part,
                    whole,
                    ty: whole + 1 + 2 * index,
                })
        })
    }

    /// Returns the number of types of these claims.
    pub(crate) fn plain_width(&self) -> usize {
        self.matched().map(|(_, parts)| width(parts)).sum()
    }

    /// Returns the numbers of the types of parts whose sizes no claim depends on.
    pub(super) fn only_drops_of_parts(&self) -> impl Iterator<Item = usize> {
        self.plain_claims().flat_map(|claim| {
            let is_constant = matches!(claim.part.kind, PartKind::Constant(_));
            let part = (!is_constant).then_some(claim.ty);
            iter::once(claim.whole).chain(part)
        })
    }

    /// Returns the claims that patterns leave nothing with a destructor, and that names in them are
    /// those of constants.
    pub(crate) fn refuted_parts(&self) -> impl Iterator<Item = RefutedClaim> {
        let sizes = quote!(__VOLT_PROBE.sizes);
        self.plain_claims().map(move |claim| {
            let (whole, ty, answer) = (
                literal(claim.whole),
                literal(claim.ty),
                literal(claim.ty + 1),
            );
            let drops = quote!(#sizes[#whole].drops && #sizes[#ty].drops);
            let (reason, name, is_refuted) = match &claim.part.kind {
                PartKind::Unbound => (FallbackReason::Remainder, None, drops),
                PartKind::Destructured | PartKind::Compared => {
                    let has_own = quote!(#drops && #sizes[#answer].size != 0);
                    (FallbackReason::OwnDestructor, None, has_own)
                }
                PartKind::Constant(name) => {
                    let captures = quote!(#sizes[#ty].size != 0);
                    (FallbackReason::CapitalName, Some(name), captures)
                }
            };
            let place = name.map_or_else(String::new, |name| format!(": `{name}`"));
            RefutedClaim {
                is_refuted,
                text: format!("{}{place}", reason.message()),
                message: reason.error_text(&place, ""),
                span: claim.part.span,
            }
        })
    }

    /// Returns the probes of the types that patterns destructure, where all types are known.
    pub(super) fn probe_plain(&self) -> TokenStream {
        let private = self.private();
        let probes = self.plain_claims().map(|claim| {
            let (ty, answer) = (note(claim.ty), note(claim.ty + 1));
            match &claim.part.kind {
                PartKind::Destructured | PartKind::Compared => {
                    quote!(#answer.is(&(&#private::TypeProbe(#ty)).drops());)
                }
                PartKind::Unbound | PartKind::Constant(_) => quote!(#answer.is(&());),
            }
        });
        probes.collect()
    }
}

/// The number of the types of parts: that of the whole value, and two for each part.
fn width(parts: &[MatchedPart]) -> usize {
    if parts.is_empty() {
        0
    } else {
        1 + 2 * parts.len()
    }
}

/// A claim about a part of a matched value.
#[derive(Clone, Copy)]
struct PlainClaim<'c> {
    on: ClaimedOn,
    part: &'c MatchedPart,
    /// The number of the type of the matched value.
    whole: usize,
    /// The number of the type of the part. The next number is that of the result.
    ty: usize,
}
