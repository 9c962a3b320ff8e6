//! Claims about method calls, which the compiler confirms.
//!
//! ```text
//! page.len()               a method with this name returns an owned value
//! get(url).send().await    a method moves its receiver, so no temporary is live across the await
//! ```
//!
//! A method of the user may have a known name and return a borrow, and a method may borrow its
//! receiver. So the probe notes the types of the receiver and of the output. If a claim is refuted,
//! the machine stores the compiler's coroutine.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;
use syn::spanned::Spanned;

use super::claims::RefutedClaim;
use super::explicit_machine::{ConfirmedCall, ExplicitMachine, local_ident, note};
use crate::fallback::FallbackReason;
use crate::names::{in_place_of, returns_copy};

impl ExplicitMachine<'_> {
    /// Returns the number of measured types: those of fields and queries, and two for each local
    /// that may borrow and for each query in an operand.
    pub(crate) fn count(&self) -> usize {
        let calls = self.calls.borrow();
        self.first_call() + calls.iter().map(|call| call.width()).sum::<usize>()
    }

    /// Adds a call. Returns the number of its first type.
    fn add_call(&self, call: ConfirmedCall) -> usize {
        let first = self.count();
        self.calls.borrow_mut().push(call);
        first
    }

    /// Returns the calls, each with the number of its first type.
    fn numbered_calls(&self) -> Vec<(usize, ConfirmedCall)> {
        let calls = self.calls.borrow();
        let numbered = calls.iter().scan(self.first_call(), |next, call| {
            let first = *next;
            *next += call.width();
            Some((first, *call))
        });
        numbered.collect()
    }

    /// Returns the call. Its type is noted with that of its receiver.
    pub(crate) fn note_output(
        &self,
        method: &Ident,
        call: &TokenStream,
        place: Option<TokenStream>,
    ) -> TokenStream {
        let claim = match returns_copy(method) {
            true => ConfirmedCall::CopiedOutput,
            false => ConfirmedCall::OwnedOutput,
        };
        let (private, first) = (self.private(), self.add_call(claim));
        let (note, value) = (note(first), local_ident("value"));
        let place = place.unwrap_or_else(|| quote!(()));
        quote!({
            let #value = #call;
            #private::note_call_types(#note, &#place, &#value);
            #value
        })
    }

    /// Returns a call in which the receiver is replaced. It notes if the method moves the receiver.
    pub(crate) fn probe_unnamed(&self, call: &TokenStream, receiver: &TokenStream) -> TokenStream {
        let claim = ConfirmedCall::MovedReceiver(call.span());
        let (private, first) = (self.private(), self.add_call(claim));
        let (moved, both, own) = (note(first), note(first + 1), local_ident("receiver"));
        let probe = quote! {
            #private::probe_call_types(#moved, #both, &#own, || {
                let _never = #private::never();
                #call
            })
        };
        let probe = in_place_of(call, probe);
        quote! {{
            let #own = __WellTyped::receiver(&#receiver);
            #probe
        }}
    }

    /// Returns the probes of calls, where all types are known.
    pub(crate) fn probe_calls(&self) -> TokenStream {
        let private = self.private();
        let calls = self.numbered_calls().into_iter();
        let probes = calls.map(|(first, call)| match call {
            ConfirmedCall::CopiedOutput | ConfirmedCall::OwnedOutput => {
                let (ty, answer) = (note(first), note(first + 1));
                let alone = matches!(call, ConfirmedCall::OwnedOutput).then(|| quote!(.alone()));
                quote! {
                    #answer.is(&#private::OutputProbe::of(#ty) #alone.__volt_output_is_owned());
                }
            }
            ConfirmedCall::MovedReceiver(_) => {
                let (ty, answer) = (note(first + 1), note(first + 2));
                quote!({
                    use #private::{MayBorrow as _, BorrowsNothing as _};
                    #answer.is(&(&#private::TypeProbe(#ty)).__volt_may_borrow());
                };)
            }
        });
        probes.collect()
    }

    /// Returns the claims about calls.
    pub(crate) fn refuted_calls(&self) -> impl Iterator<Item = RefutedClaim> {
        let private = self.private();
        let calls = self.numbered_calls().into_iter();
        calls.map(move |(first, call)| {
            let size = |at: usize| {
                let at = Literal::usize_unsuffixed(at);
                quote!(__VOLT_PROBE.sizes[#at])
            };
            match call {
                ConfirmedCall::CopiedOutput | ConfirmedCall::OwnedOutput => {
                    let answer = size(first + 1);
                    let text = "a method named `clone`, `len`, `to_owned` or `to_string` may borrow from its receiver";
                    RefutedClaim {
                        is_refuted: quote!(#answer.size != 0),
                        text: text.to_owned(),
                        message: format!("{text}\n  = help: rename the method"),
                        span: Span::call_site(),
                    }
                }
                ConfirmedCall::MovedReceiver(span) => {
                    let (closure, answer) = (size(first), size(first + 2));
                    let reason = FallbackReason::OperandTemporary;
                    RefutedClaim {
                        is_refuted: quote!(!#private::moves_receiver(#closure) && #answer.size != 0),
                        text: reason.message().to_owned(),
                        message: reason.error_text("", ""),
                        span,
                    }
                }
            }
        })
    }
}
