//! Proofs, made by the compiler, that a local may be let go of early.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use super::segment::Segment;
use crate::state_machine::body::LocalId;
use crate::state_machine::names;
use crate::state_machine::pattern::{left_parts, opened_parts, opens};

impl Segment<'_> {
    /// Proofs that locals just declared may be let go of early.
    pub(super) fn proofs(&self, locals: &[LocalId]) -> TokenStream {
        let proven = locals
            .iter()
            .filter(|local| self.machine.proven.contains(local));
        let proofs = proven.map(|&local| {
            let name = self.machine.name(local);
            let span = name.span();
            let volt = self.volt_at(span);
            quote_spanned!(span=> #volt::__private::no_drop_glue(&#name);)
        });
        let opened = locals.iter().filter_map(|&local| {
            let name = self.machine.name(local);
            match self.machine.is_conditional(local) {
                true => self.opened_type(local),
                false => {
                    let place = quote_spanned!(self.span(local)=> &#name);
                    self.opened(local, &place)
                }
            }
        });
        let ends = locals.iter().filter_map(|&local| self.ends_block(local));
        proofs
            .chain(opened)
            .chain([self.no_destructors(locals)])
            .chain(ends)
            .collect()
    }

    /// Proofs for locals without a value yet, by their types.
    pub(super) fn later_proofs(&self, locals: &[LocalId]) -> TokenStream {
        let proofs = locals.iter().map(|&local| {
            let ty = &self.machine.body.locals[local].ty;
            let opened = self.opened_type(local);
            let proven = self.machine.proven.contains(&local).then(|| {
                let (span, volt) = (self.span(local), self.volt_at(self.span(local)));
                quote_spanned!(span=> let _: fn(&#ty) = #volt::__private::no_drop_glue::<#ty>;)
            });
            quote!(#opened #proven)
        });
        proofs.collect()
    }

    /// The same as [`opened`](Self::opened), for any value of the local's type.
    fn opened_type(&self, local: LocalId) -> Option<TokenStream> {
        let (place, ty) = (names::local("place"), &self.machine.body.locals[local].ty);
        let proof = self.opened(local, &place.to_token_stream())?;
        Some(quote!(let _: fn(&#ty) = |#place| { #proof };))
    }

    /// Where errors about a local point.
    fn span(&self, local: LocalId) -> Span {
        Span::call_site().located_at(self.machine.name(local).span())
    }

    /// Proofs that nothing stays behind where patterns take the local apart.
    fn opened(&self, local: LocalId, place: &TokenStream) -> Option<TokenStream> {
        let apart = self.machine.apart.iter();
        let pats = apart.filter(|(known, _)| *known == local);
        let pats: Vec<_> = pats.map(|(_, pat)| pat).collect();
        let span = self.span(local);
        let (volt, part) = (self.volt_at(span), names::local("part"));
        let proof = |part: &TokenStream| quote_spanned!(span=> #volt::__private::Opened(#part).leaves_nothing());
        let whole = pats.iter().any(|pat| opens(pat));
        let whole = whole.then(|| proof(place)).into_iter();
        let arms = pats.iter().flat_map(|pat| opened_parts(pat));
        let arms: Vec<_> = arms.collect();
        let proof_of_part = proof(&part.to_token_stream());
        let within = (!arms.is_empty())
            .then(|| quote!(match #place { #(#arms => #proof_of_part,)* _ => {} }))
            .into_iter();
        let left = pats.iter().flat_map(|pat| left_parts(pat));
        let left = left.map(|(field, pat)| {
            let span = Span::call_site().located_at(field);
            let volt = self.volt_at(span);
            quote_spanned!(span=> { let #pat = #place; #volt::__private::no_rest(#part) })
        });
        let proofs: Vec<_> = whole.chain(within).chain(left).collect();
        (!proofs.is_empty())
            .then(|| quote!({ use #volt::__private::LeavesNothing as _; #(#proofs;)* }))
    }
}
