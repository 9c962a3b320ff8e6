//! Claims about parts of locals: the types that the probe notes for them, and the constants that
//! refute them.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;

use super::explicit_machine::{ExplicitMachine, note};
use crate::fallback::FallbackReason;
use crate::hir::{ExprId, ReceiverQuery};
use crate::liveness::Claim;
use crate::names::{ident_span, located_at};

impl ExplicitMachine<'_> {
    /// Returns the notes for the closures of a method call, if the call is claimed to borrow a
    /// part, or the target of a reference. The latter has an outer closure, too.
    pub(crate) fn claim_of(&self, query: ReceiverQuery) -> Option<(Ident, Option<Ident>)> {
        let mut claims = self.claims();
        let (at, (_, claim)) =
            claims.find(|(_, (other, claim))| *other == query && claim.is_of_call())?;
        let outer = (claim == Claim::Reborrowed).then(|| note(at + 1));
        Some((note(at), outer))
    }

    /// Returns a place. Its type is noted if there is a claim about it.
    pub(crate) fn note_claimed(&self, query: ReceiverQuery, place: TokenStream) -> TokenStream {
        let private = self.private();
        let is_place =
            |(other, claim): &(ReceiverQuery, Claim)| *other == query && !claim.is_of_call();
        let noted = self.claims().filter(|(_, claim)| is_place(claim));
        noted.fold(place, |place, (at, (_, claim))| {
            let note = note(at);
            if claim == Claim::MovedLate {
                return quote!(#private::note_value(#note, #place));
            }
            let place = quote!((*#private::note_place(#note, &#place)));
            match claim {
                Claim::Pattern(pattern) if !self.liveness.patterns[pattern].is_empty() => {
                    let parts = self.note_each_part(&ClaimedOn::Place(query, pattern));
                    quote!((*#private::note_parts_of_place(&#place, #parts)))
                }
                _ => place,
            }
        })
    }

    /// Returns the claims, each with the number of its first type: that of the closure or the
    /// place. The next number is that of the result.
    fn claims(&self) -> impl Iterator<Item = (usize, (ReceiverQuery, Claim))> {
        let first = self.first_claim();
        let claims = self.liveness.claims.iter().copied().enumerate();
        claims.map(move |(index, claim)| (first + 2 * index, claim))
    }

    /// Returns the numbers of the types whose sizes no claim depends on, only their destructors.
    pub(crate) fn only_drops(&self) -> Vec<usize> {
        let claims = self.claims();
        let places = claims.filter(|(_, (_, claim))| !claim.is_of_call());
        let mut numbers: BTreeSet<_> = places.map(|(at, _)| at).collect();
        numbers.extend(self.only_drops_of_parts());
        numbers.into_iter().collect()
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
                Claim::NotExclusive => {
                    quote!(#answer.is(&(&#private::TypeProbe(#ty)).exclusive());)
                }
                Claim::Reborrowed => TokenStream::new(),
                Claim::Borrowed | Claim::Plain | Claim::MovedLate | Claim::Pattern(_) => {
                    quote!(#answer.is(&());)
                }
            }
        });
        let plain = self.probe_plain();
        let probes: TokenStream = probes.chain([plain]).collect();
        let traits = quote!(
            IsCopy as _,
            MayMove as _,
            HasDestructor as _,
            NoDestructor as _,
            IsExclusive as _,
            IsOther as _
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
                Claim::Copied | Claim::Kept | Claim::NotExclusive => {
                    quote!(#sizes[#answer].size != 0)
                }
                Claim::Borrowed => quote!(#private::moves_receiver(#sizes[#ty])),
                Claim::Reborrowed => quote!(!#private::moves_local(&#sizes, #ty)),
                Claim::Plain | Claim::MovedLate => quote!(#sizes[#ty].drops),
                // Each part has a claim of its own.
                Claim::Pattern(_) => quote!(false),
                Claim::Whole => quote!(#sizes[#ty].drops && #sizes[#answer].size != 0),
            };
            let local = &self.body.locals[query.local.0];
            let reason = reason_of(claim);
            let mut message = reason.error_text(&format!(": `{}`", local.name), "");
            if reason == FallbackReason::PartialMove && self.options.snapshot().is_some() {
                message += EMPTIED_PART;
            }
            RefutedClaim {
                is_refuted,
                text: format!("{}: `{}`", reason.message(), local.name),
                message,
                span: self.place_of(query),
            }
        })
    }
}

impl ExplicitMachine<'_> {
    /// Returns the place of a use of a local.
    fn place_of(&self, query: ReceiverQuery) -> Span {
        let expr = &self.body.exprs[query.expr.0];
        let name = &self.body.locals[query.local.0].ident;
        let span = ident_span(expr.to_token_stream(), name, query.number);
        span.unwrap_or_else(|| expr.span())
    }

    /// Returns the claims that tails of blocks are code of edition 2024.
    pub(crate) fn refuted_tails(&self) -> impl Iterator<Item = RefutedClaim> {
        self.body.tails.iter().map(|tail| RefutedClaim {
            is_refuted: is_older_edition(),
            text: tail.reason.message().to_owned(),
            message: tail.reason.error_text("", ""),
            span: tail.span,
        })
    }
}

impl ExplicitMachine<'_> {
    /// Returns the claims that names in patterns are those of locals.
    pub(crate) fn refuted_names(&self) -> impl Iterator<Item = RefutedClaim> {
        let reason = FallbackReason::CapitalName;
        self.body
            .foreign_names
            .iter()
            .map(move |name| RefutedClaim {
                is_refuted: self.is_item(name),
                text: format!("{}: `{name}`", reason.message()),
                message: reason.error_text(&format!(": `{name}`"), ""),
                span: name.span(),
            })
    }

    /// Returns the assertion that names in patterns are those of locals, for a machine with type
    /// parameters. Its layout depends on these, and the names do not.
    pub(crate) fn assert_names(&self) -> Option<TokenStream> {
        let claims = self.refuted_names().map(|it| self.assert_confirmed(&it));
        let claims: Vec<_> = claims.collect();
        (!claims.is_empty()).then(|| {
            quote! {
                const _: () = {
                    #(let _ = #claims;)*
                };
            }
        })
    }

    /// Returns the assertion of a claim. An error has the place of the use.
    pub(crate) fn assert_confirmed(&self, claim: &RefutedClaim) -> TokenStream {
        let private = self.private();
        let (is_refuted, message) = (&claim.is_refuted, &claim.message);
        located_at(
            quote!(#private::assert_confirmed((#is_refuted, #message, 0))),
            claim.span,
        )
    }

    /// Returns `true` as a constant if a name in a pattern is that of an item. A closure captures a
    /// local of the name, and no item. The matched value has no type until the compiler knows that
    /// of the item.
    fn is_item(&self, name: &Ident) -> TokenStream {
        let private = self.private();
        quote!(#private::captures_nothing(&|| match &#private::NamedPart(loop {}) {
            #private::NamedPart(#name) => move || { let _local = (&#name,); },
            _ => loop {},
        }))
    }
}

/// Returns `true` as a constant if the crate has an edition before 2024. `IntoFuture` is in the
/// prelude since then, so the method of the trait is found before that of the inner type. No import
/// of the user is in scope in the module.
fn is_older_edition() -> TokenStream {
    quote!({
        mod edition {
            struct Older;
            struct Probe(Older);
            impl ::core::ops::Deref for Probe {
                type Target = Older;
                fn deref(&self) -> &Older {
                    &self.0
                }
            }
            impl ::core::future::IntoFuture for Probe {
                type Output = ();
                type IntoFuture = ::core::future::Ready<()>;
                fn into_future(self) -> ::core::future::Ready<()> {
                    ::core::future::ready(())
                }
            }
            impl Older {
                fn into_future(&self) -> [u8; 3] {
                    [0; 3]
                }
            }
            const fn size_of_output<F: ::core::ops::FnOnce() -> R, R>(_: &F) -> usize {
                ::core::mem::size_of::<R>()
            }
            pub(super) const IS_OLDER: bool = size_of_output(&|| {
                let _older = Older.into_future();
                Probe(Older).into_future()
            }) == 3;
        }
        edition::IS_OLDER
    })
}

/// The matched value, or the place and the number of the pattern.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ClaimedOn {
    Value(ExprId),
    Place(ReceiverQuery, usize),
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

/// A further help for a part of a local in a snapshot.
const EMPTIED_PART: &str = "\n  = help: or move a collection, a `String` or an `Option` by a `let` \
                            before, which leaves an empty one: `let part = local.part;`";

/// Returns the reason for which a machine is native if a claim is refuted.
fn reason_of(claim: Claim) -> FallbackReason {
    match claim {
        Claim::Kept => FallbackReason::CopiedOrBorrowed,
        Claim::NotExclusive => FallbackReason::Borrow,
        Claim::MovedLate => FallbackReason::TakenLate,
        Claim::Reborrowed => FallbackReason::MovedOrUsed,
        _ => FallbackReason::PartialMove,
    }
}

pub(super) fn literal(number: usize) -> proc_macro2::Literal {
    proc_macro2::Literal::usize_unsuffixed(number)
}
