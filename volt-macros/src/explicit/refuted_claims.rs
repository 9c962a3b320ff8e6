//! The claims that the compiler may refute, and the constants that refute them.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::claims::RefutedClaim;
use super::explicit_machine::ExplicitMachine;
use crate::names::located_at;

impl ExplicitMachine<'_> {
    /// Returns the first refuted claim, as a constant; and the items with it.
    ///
    /// A machine with snapshots has each assertion in a constant of its own: the compiler notes
    /// each use of a constant that fails, and the layout has many. If a claim is refuted, the
    /// compiler checks no borrows in its code, as in that of a native machine.
    pub(crate) fn refuted_claims(&self) -> (TokenStream, TokenStream) {
        let private = self.private();
        let claims: Vec<_> = self.all_claims().collect();
        if self.options.snapshot().is_some() {
            return self.asserted(&claims);
        }
        let claims = claims.into_iter().map(|claim| {
            if self.options.is_explicit() {
                return self.assert_confirmed(&claim);
            }
            let RefutedClaim {
                is_refuted,
                text,
                span,
                ..
            } = claim;
            let line = u32::try_from(span.start().line).unwrap_or(u32::MAX);
            let line = Literal::u32_unsuffixed(line);
            quote!((#is_refuted, #text, #line))
        });
        let refuted = quote!(#private::first_refuted(&[#(#claims),*]));
        (refuted, TokenStream::new())
    }

    /// Returns the same for a machine with snapshots.
    fn asserted(&self, claims: &[RefutedClaim]) -> (TokenStream, TokenStream) {
        if claims.is_empty() {
            return (quote!(::core::option::Option::None), TokenStream::new());
        }
        let (private, count) = (self.private(), Literal::usize_unsuffixed(claims.len()));
        let list = claims.iter().map(|claim| {
            let (is_refuted, message) = (&claim.is_refuted, &claim.message);
            quote!((#is_refuted, #message, 0))
        });
        let asserted = claims.iter().enumerate().map(|(index, claim)| {
            let index = Literal::usize_unsuffixed(index);
            let asserted = quote!(#private::assert_confirmed(__VOLT_CLAIMS[#index]));
            let asserted = located_at(asserted, claim.span);
            quote!(const _: #private::CheckedClaim = #asserted;)
        });
        let items = quote! {
            const __VOLT_CLAIMS: [#private::CheckedClaim; #count] = [#(#list),*];
            #(#asserted)*
        };
        (quote!(#private::first_refuted(&__VOLT_CLAIMS)), items)
    }

    /// Returns all claims. One kind of claim is that the written type of a local hides no lifetime.
    /// With a hidden lifetime the local may borrow from another local.
    fn all_claims(&self) -> impl Iterator<Item = RefutedClaim> {
        let trusted = self.liveness.trusted_types.iter().enumerate();
        let hides = trusted.map(|(index, local)| {
            let answer = Literal::usize_unsuffixed(self.first_trusted() + index);
            let local = &self.body.locals[local.0];
            let text = format!(
                "the written type of a local hides a lifetime: `{}`",
                local.name
            );
            RefutedClaim {
                is_refuted: quote!(__VOLT_PROBE.sizes[#answer].size != 0),
                message: format!("{text}\n  = help: write the lifetime, as in `Guard<'_>`"),
                text,
                span: local.ident.span(),
            }
        });
        let claims = hides.chain(self.refuted()).chain(self.refuted_parts());
        let claims = claims.chain(self.refuted_calls());
        let claims = claims.chain(self.refuted_tails());
        claims.chain(self.refuted_names())
    }
}
