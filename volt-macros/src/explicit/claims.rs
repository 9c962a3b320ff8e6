//! Claims about parts of locals: the types that the probe notes for them, and the constants that
//! refute them.
//!
//! Another claim is that a method with a known name, such as `page.len()`, returns an owned value.
//! A method of the user may have such a name and return a borrow. So the probe notes the types of
//! the receiver and of the output.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;
use syn::spanned::Spanned;

use super::explicit_machine::{ExplicitMachine, local_ident, note};
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

impl ExplicitMachine<'_> {
    /// Returns the call. Its type is noted with that of its receiver.
    pub(crate) fn note_output(
        &self,
        call: &TokenStream,
        place: Option<TokenStream>,
    ) -> TokenStream {
        let (private, number) = (self.private(), self.outputs.get());
        self.outputs.set(number + 1);
        let (note, value) = (note(self.first_output() + 2 * number), local_ident("value"));
        let place = place.unwrap_or_else(|| quote!(()));
        quote!({
            let #value = #call;
            #private::note_call_types(#note, &#place, &#value);
            #value
        })
    }

    /// Returns the probes of outputs, where all types are known.
    pub(crate) fn probe_outputs(&self) -> TokenStream {
        let private = self.private();
        let probes = (0..self.outputs.get()).map(|number| {
            let first = self.first_output() + 2 * number;
            let (ty, answer) = (note(first), note(first + 1));
            quote!(#answer.is(&#private::OutputProbe::of(#ty).__volt_output_is_owned());)
        });
        probes.collect()
    }

    /// Returns the claims about outputs.
    pub(crate) fn refuted_outputs(&self) -> impl Iterator<Item = RefutedClaim> {
        let first = self.first_output();
        (0..self.outputs.get()).map(move |number| {
            let answer = Literal::usize_unsuffixed(first + 2 * number + 1);
            let text = "a method named `clone`, `len`, `to_owned` or `to_string` may borrow from its receiver";
            RefutedClaim {
                is_refuted: quote!(__VOLT_PROBE.sizes[#answer].size != 0),
                text: text.to_owned(),
                message: format!("{text}\n  = help: rename the method"),
                span: Span::call_site(),
            }
        })
    }
}
