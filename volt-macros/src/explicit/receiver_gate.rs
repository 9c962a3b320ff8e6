//! The probe of a method's receiver, and the two variants of code that depend on its result.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

use super::explicit_machine::{ExplicitMachine, local_ident, note};
use crate::hir::{LocalId, ReceiverQuery};
use crate::liveness::QueryId;
use crate::names::in_place_of;

impl ExplicitMachine<'_> {
    /// Returns the number of a query.
    pub(crate) fn query_number(&self, query: ReceiverQuery) -> Option<QueryId> {
        let mut questions = self.liveness.queries.iter();
        let found = questions.position(|other| *other == query);
        found.map(QueryId)
    }

    /// Returns `true` as a constant if a method moves its receiver.
    pub(crate) fn answer(&self, query: QueryId) -> TokenStream {
        let private = self.private();
        let index = literal(self.first_closure(query));
        let copied = self.copy_receiver(query).map(|first| {
            let answer = literal(first + 1);
            quote!(|| #private::borrow_nothing(&__VOLT_PROBE.sizes, &[#answer]))
        });
        quote!(#private::moves_local(&__VOLT_PROBE.sizes, #index) #copied)
    }

    /// Returns the type of the gate before code that depends on a result.
    pub(crate) fn gate(&self, query: QueryId) -> TokenStream {
        let (private, answer) = (self.private(), self.answer(query));
        quote!(<#private::ReceiverIsMoved<{ #answer }> as #private::ReceiverGate>)
    }

    /// Returns two variants of code. The compiler keeps one of them, by the result of the probe.
    pub(crate) fn if_moved(
        &self,
        query: QueryId,
        if_moved: &TokenStream,
        if_borrowed: &TokenStream,
    ) -> TokenStream {
        let (answer, gate) = (self.answer(query), self.gate(query));
        quote! {
            if const { #answer } {
                #gate::assume_moved();
                #if_moved
            } else {
                #gate::assume_borrowed();
                #if_borrowed
            }
        }
    }

    /// Returns the number of the type of a query's inner closure. The next one is that of the outer
    /// closure.
    fn first_closure(&self, query: QueryId) -> usize {
        self.layout.fields.len() + 2 * query.0
    }

    /// Returns a method call, with a probe of its receiver.
    pub(crate) fn probe_receiver(
        &self,
        query: QueryId,
        receiver: LocalId,
        call: &TokenStream,
    ) -> TokenStream {
        let own = local_ident("receiver");
        let both = self.copy_receiver(query).map(note);
        let first = self.first_closure(query);
        let closures = [note(first), note(first + 1)];
        let probe = in_place_of(call, self.probe_closures(closures, both, call));
        let receiver = self.ident(receiver);
        quote! {{
            let #own = __WellTyped::receiver(&#receiver);
            #probe
        }}
    }

    /// Returns the probe of a call, which notes the types of two closures. If the output is needed,
    /// it notes the types of output and receiver, too.
    fn probe_closures(
        &self,
        [inner, outer]: [Ident; 2],
        both: Option<Ident>,
        call: &TokenStream,
    ) -> TokenStream {
        let (private, own) = (self.private(), local_ident("receiver"));
        let (own_types, ask) = match both {
            None => (None, quote!(probe_local_call)),
            Some(both) => (Some(quote!(#both, &#own,)), quote!(probe_local_call_types)),
        };
        quote! {
            #private::#ask(#inner, #outer, #own_types || {
                let _never = #private::never();
                {
                    use #private::{IsNoReference as _, IsReference as _};
                    (**#own.0).1.__volt_capture();
                }
                #private::inner_call(|| {
                    let _never = #private::never();
                    #call
                })
            })
        }
    }

    /// Returns a call of a method on a part of a local, or on a reference, with a probe of it.
    pub(crate) fn probe_part(&self, query: ReceiverQuery, call: &TokenStream) -> TokenStream {
        let Some((inner, outer)) = self.claim_of(query) else {
            return call.clone();
        };
        let (private, own, receiver) = (
            self.private(),
            local_ident("receiver"),
            self.ident(query.local),
        );
        let probe = match outer {
            Some(outer) => self.probe_closures([inner, outer], None, call),
            None => quote! {
                #private::probe_call(#inner, || {
                    let _never = #private::never();
                    #call
                })
            },
        };
        let probe = in_place_of(call, probe);
        quote! {{
            let #own = __WellTyped::receiver(&#receiver);
            #probe
        }}
    }

    /// Returns the replacement of the receiver in a probe.
    pub(crate) fn probed_receiver(&self) -> TokenStream {
        let own = local_ident("receiver");
        quote!(((**#own.0).0))
    }

    /// Returns the types that may contain the own machine, and whose sizes are not evaluated if the
    /// layout does not need them.
    pub(crate) fn replaced_sizes(&self) -> Vec<ReplacedType> {
        let private = self.private();
        let fields = self.movable_fields().into_iter().map(|(index, _)| {
            let (number, ty, closures) = (literal(index), note(index), closures(index));
            ReplacedType {
                index,
                ty: quote!(#private::UnlessMoved<#number, _, _>),
                pattern: quote!(#private::UnlessMoved(ref #ty, ref #closures)),
            }
        });
        let claims = self.only_drops().into_iter().map(|index| {
            let (number, ty) = (literal(index), note(index));
            ReplacedType {
                index,
                ty: quote!(#private::OnlyDrops<#number, _>),
                pattern: quote!(#private::OnlyDrops(ref #ty)),
            }
        });
        fields.chain(claims).collect()
    }

    /// Returns the fields that no state stores if methods move their values, each with the queries
    /// for these methods.
    fn movable_fields(&self) -> Vec<(usize, BTreeSet<QueryId>)> {
        let stored_states = self.layout.stored_states();
        let fields = self.layout.fields.iter().enumerate();
        let fields = fields.filter(|(_, field)| (field.used | field.scope) & stored_states == 0);
        let fields = fields.filter_map(|(index, field)| {
            let of_borrows = field.borrowed.iter().map(|(_, query, _)| *query);
            let queries = field.unless.iter().map(|(query, _)| Some(*query));
            let queries: Option<BTreeSet<_>> = queries.chain(of_borrows).collect();
            Some((index, queries.filter(|queries| !queries.is_empty())?))
        });
        fields.collect()
    }

    /// Notes the closures that capture the values of these fields if the methods move them.
    pub(crate) fn note_closures(&self) -> TokenStream {
        let private = self.private();
        let fields = self.movable_fields().into_iter();
        let noted = fields.map(|(index, queries)| {
            let listed = queries.iter().fold(quote!(()), |others, query| {
                let closure = note(self.first_closure(*query));
                quote!(#private::and_closure(#closure, #others))
            });
            let closures = closures(index);
            quote!(#closures.is(&#listed);)
        });
        noted.collect()
    }
}

/// A type of the probe whose size replaces another one.
pub(crate) struct ReplacedType {
    /// The number of the replaced size.
    pub(crate) index: usize,
    /// The type in the list.
    pub(crate) ty: TokenStream,
    /// The pattern that binds the notes of the type.
    pub(crate) pattern: TokenStream,
}

/// Returns the name of the note for the closures that move the value of a field.
fn closures(field: usize) -> Ident {
    format_ident!("closures_{field}", span = Span::mixed_site())
}

fn literal(number: usize) -> Literal {
    Literal::usize_unsuffixed(number)
}
