//! Claims about parts of locals: the types that the probe notes for them, and the constants that
//! refute them.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::spanned::Spanned;

use super::explicit_machine::{ExplicitMachine, note};
use crate::fallback::FallbackReason;
use crate::hir::{ExprId, ReceiverQuery};
use crate::liveness::Claim;

impl ExplicitMachine<'_> {
    /// Returns the note for the closure of a method call on a part, if the call is claimed to
    /// borrow the part.
    pub(crate) fn claim_of(&self, query: ReceiverQuery) -> Option<Ident> {
        let is_call =
            |(other, claim): &(ReceiverQuery, Claim)| *other == query && *claim == Claim::Borrowed;
        self.claims()
            .find(|(_, claim)| is_call(claim))
            .map(|(at, _)| note(at))
    }

    /// Returns a place. Its type is noted if there is a claim about it.
    pub(crate) fn note_claimed(&self, query: ReceiverQuery, place: TokenStream) -> TokenStream {
        let private = self.private();
        let is_place =
            |(other, claim): &(ReceiverQuery, Claim)| *other == query && *claim != Claim::Borrowed;
        let noted = self.claims().filter(|(_, claim)| is_place(claim));
        noted.fold(place, |place, (at, _)| {
            let note = note(at);
            quote!((*#private::note_place(#note, &#place)))
        })
    }

    /// Returns the claims, each with the number of its first type: that of the closure or the
    /// place. The next number is that of the result.
    fn claims(&self) -> impl Iterator<Item = (usize, (ReceiverQuery, Claim))> {
        let first = self.first_claim();
        let claims = self.liveness.claims.iter().copied().enumerate();
        claims.map(move |(index, claim)| (first + 2 * index, claim))
    }

    /// Returns a matched value. Its type is noted if the value may have no destructor.
    pub(crate) fn note_plain(&self, id: ExprId, value: TokenStream) -> TokenStream {
        let index = self.body.plain.keys().position(|other| *other == id);
        match index {
            Some(index) => {
                let note = note(self.first_plain() + index);
                quote!(#note.value(#value))
            }
            None => value,
        }
    }

    /// Returns the claims that matched values have no destructor.
    pub(crate) fn refuted_destructors(&self) -> impl Iterator<Item = RefutedClaim> {
        self.body
            .plain
            .iter()
            .enumerate()
            .map(|(index, (id, reason))| {
                let (ty, expr) = (literal(self.first_plain() + index), &self.body.exprs[id.0]);
                RefutedClaim {
                    is_refuted: quote!(__VOLT_PROBE.sizes[#ty].drops),
                    text: reason.message().to_owned(),
                    message: reason.error_text("", ""),
                    span: expr.span(),
                }
            })
    }

    /// Returns the probes of claimed types, where all types are known.
    pub(crate) fn probe_claims(&self) -> Option<TokenStream> {
        let private = self.private();
        let probes = self.claims().map(|(at, (_, claim))| {
            let (ty, answer) = (note(at), note(at + 1));
            match claim {
                Claim::Copied | Claim::Kept => {
                    quote!(#answer.is(&(&#private::TypeProbe(#ty)).moved());)
                }
                Claim::Whole => quote!(#answer.is(&(&#private::TypeProbe(#ty)).drops());),
                Claim::Borrowed | Claim::Plain => quote!(#answer.is(&());),
            }
        });
        let probes: TokenStream = probes.collect();
        let traits = quote!(
            IsCopy as _,
            MayMove as _,
            HasDestructor as _,
            NoDestructor as _
        );
        (!probes.is_empty()).then(|| quote!({ use #private::{#traits}; #probes };))
    }

    /// Returns the claims as a constant list: if each is refuted, the reason and the line.
    pub(crate) fn refuted(&self) -> impl Iterator<Item = RefutedClaim> {
        self.claims().map(|(at, (query, claim))| {
            let private = self.private();
            let (ty, answer) = (literal(at), literal(at + 1));
            let sizes = quote!(__VOLT_PROBE.sizes);
            let is_refuted = match claim {
                Claim::Copied | Claim::Kept => quote!(#sizes[#answer].size != 0),
                Claim::Borrowed => quote!(#private::moves_receiver(#sizes[#ty])),
                Claim::Plain => quote!(#sizes[#ty].drops),
                Claim::Whole => quote!(#sizes[#ty].drops && #sizes[#answer].size != 0),
            };
            let local = &self.body.locals[query.local.0];
            let reason = reason_of(claim);
            RefutedClaim {
                is_refuted,
                text: format!("{}: `{}`", reason.message(), local.name),
                message: reason.error_text(&format!(": `{}`", local.name), ""),
                span: self.body.exprs[query.expr.0].span(),
            }
        })
    }
}

/// A claim that the compiler may refute.
pub(crate) struct RefutedClaim {
    /// A constant that is `true` if the compiler refutes the claim.
    pub(crate) is_refuted: TokenStream,
    /// The reason in one line.
    pub(crate) text: String,
    /// The reason, and a help text.
    pub(crate) message: String,
    /// The place of the use.
    pub(crate) span: Span,
}

/// Returns the reason for which a machine is native if a claim is refuted.
fn reason_of(claim: Claim) -> FallbackReason {
    match claim {
        Claim::Kept => FallbackReason::CopiedOrBorrowed,
        _ => FallbackReason::PartialMove,
    }
}

fn literal(number: usize) -> proc_macro2::Literal {
    proc_macro2::Literal::usize_unsuffixed(number)
}
