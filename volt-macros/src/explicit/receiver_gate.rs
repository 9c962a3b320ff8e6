//! Whether a method takes its receiver: the question in the probe, and what depends on the answer.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::explicit_machine::{ExplicitMachine, local_ident, note};
use crate::hir::ReceiverQuery;
use crate::liveness::QueryId;
use crate::names::in_place_of;

impl ExplicitMachine<'_> {
    /// The number of a question.
    pub(crate) fn question_number(&self, question: ReceiverQuery) -> Option<QueryId> {
        let mut questions = self.liveness.queries.iter();
        let found = questions.position(|other| *other == question);
        found.map(QueryId)
    }

    /// Whether a method takes its receiver, as a constant.
    pub(crate) fn answer(&self, question: QueryId) -> TokenStream {
        let private = self.private();
        let index = self.layout.fields.len() + question.0;
        let index = proc_macro2::Literal::usize_unsuffixed(index);
        let copied = self.copy_receiver(question).map(|first| {
            let answer = proc_macro2::Literal::usize_unsuffixed(first + 1);
            quote!(|| #private::borrow_nothing(&__VOLT_PROBE.sizes, &[#answer]))
        });
        quote!(#private::moves_receiver(__VOLT_PROBE.sizes[#index]) #copied)
    }

    /// The gate in front of what depends on an answer: its type.
    pub(crate) fn gate(&self, question: QueryId) -> TokenStream {
        let (private, answer) = (self.private(), self.answer(question));
        quote!(<#private::ReceiverIsMoved<{ #answer }> as #private::ReceiverGate>)
    }

    /// Two variants of code, of which an answer of the compiler's keeps one alive.
    pub(crate) fn if_moved(
        &self,
        question: QueryId,
        taken: &TokenStream,
        looked: &TokenStream,
    ) -> TokenStream {
        let (answer, gate) = (self.answer(question), self.gate(question));
        quote! {
            if const { #answer } {
                #gate::assume_moved();
                #taken
            } else {
                #gate::assume_borrowed();
                #looked
            }
        }
    }

    /// A method call, asking whether it takes its receiver.
    pub(crate) fn probe_receiver(
        &self,
        question: QueryId,
        receiver: &Ident,
        call: &TokenStream,
    ) -> TokenStream {
        let (private, own) = (self.private(), local_ident("receiver"));
        let both = self.copy_receiver(question).map(note);
        // A receiver that is a reference is taken.
        let told = quote! {
            {
                use #private::{BorrowsReceiver as _, MovesReference as _};
                #own.__volt_move_if_reference();
            }
            #call
        };
        let asks = in_place_of(call, self.probe_call(question, both, &told));
        quote! {{
            let #own = __WellTyped::receiver(&#receiver);
            #asks
        }}
    }

    /// The question about a call; where an answer is wanted too, about what it gives and its receiver.
    fn probe_call(
        &self,
        question: QueryId,
        both: Option<Ident>,
        call: &TokenStream,
    ) -> TokenStream {
        let (private, asked) = (self.private(), note(self.layout.fields.len() + question.0));
        let own = local_ident("receiver");
        let (own, ask) = match both {
            None => (None, quote!(probe_call)),
            Some(both) => (Some(quote!(#both, &#own,)), quote!(probe_call_types)),
        };
        quote! {
            #private::#ask(#asked, #own || {
                let _never = #private::never();
                #call
            })
        }
    }

    /// A call of a method on a part of a local, asking whether it takes the part.
    pub(crate) fn probe_part(&self, question: ReceiverQuery, call: &TokenStream) -> TokenStream {
        let Some(asked) = self.claim_of(question) else {
            return call.clone();
        };
        let (private, own, receiver) = (
            self.private(),
            local_ident("receiver"),
            self.ident(question.local),
        );
        let asks = quote! {
            #private::probe_call(#asked, || {
                let _never = #private::never();
                #call
            })
        };
        let asks = in_place_of(call, asks);
        quote! {{
            let #own = __WellTyped::receiver(&#receiver);
            #asks
        }}
    }

    /// What stands for the receiver in a question.
    pub(crate) fn probed_receiver(&self) -> TokenStream {
        let own = local_ident("receiver");
        quote!((#own.0))
    }
}
