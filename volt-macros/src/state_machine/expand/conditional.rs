//! Locals that may be gone, between the states.
//!
//! In a state such a local is there or not. A segment is written once for both, so in it the local
//! is a `Maybe`: taken where the user's code moves it, looked into where it is looked at.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::Type;

use super::segment::Segment;
use crate::state_machine::body::LocalId;
use crate::state_machine::liveness::Kept;

impl Segment<'_> {
    /// The value under which a local goes to another segment.
    pub(super) fn carry(&self, kept: Kept) -> TokenStream {
        let (name, volt) = (self.machine.name(kept.local), self.volt());
        let conditional = self.machine.is_conditional(kept.local);
        let renewed = self.machine.is_renewed(kept.local);
        match conditional && kept.held && !renewed && !self.is_held(kept.local) {
            true => quote!(#name.map(#volt::__private::Held::new)),
            false if conditional => name.to_token_stream(),
            false => self.keep(kept),
        }
    }

    /// A value of a local as it is kept.
    pub(super) fn hold(&self, kept: Kept, value: TokenStream) -> TokenStream {
        let volt = self.volt();
        match kept.held && !self.is_held(kept.local) {
            true => quote!(#volt::__private::Held::new(#value)),
            false => value,
        }
    }

    /// A local that is to be renewed, kept for its destructor until then.
    pub(super) fn put_away(&self, name: &Ident) -> TokenStream {
        let volt = self.volt();
        quote!(#volt::__private::Held::put_away(#name))
    }

    /// What is declared becomes what may be gone, where one of the names may be.
    pub(super) fn wrap(&self, locals: &[LocalId]) -> TokenStream {
        let conditional = |local: &LocalId| self.machine.is_conditional(*local);
        if !locals.iter().any(conditional) {
            return TokenStream::new();
        }
        let volt = self.volt();
        let again = locals.iter().map(|&local| {
            let info = &self.machine.body.locals[local];
            let (name, mutable) = (&info.name, info.mutable.then(|| quote!(mut)));
            match conditional(&local) {
                true => quote!(let mut #name = #volt::__private::Maybe::some(#name);),
                false => quote!(let #mutable #name = #name;),
            }
        });
        again.collect()
    }

    pub(super) fn absent(&self, name: &Ident, ty: &Type) -> TokenStream {
        let volt = self.volt();
        quote!(let mut #name: #volt::__private::Maybe<#ty> = #volt::__private::Maybe::none();)
    }

    /// What comes first where a pattern has bound the locals.
    pub(super) fn bound(&self, locals: &[LocalId]) -> TokenStream {
        let (proofs, wrap) = (self.proofs(locals), self.wrap(locals));
        quote!(#proofs #wrap)
    }

    /// The declaration of a local that has no value yet, if it may be gone later.
    pub(super) fn absent_of(&self, locals: &[LocalId]) -> Option<TokenStream> {
        let &[local] = locals else { return None };
        let info = &self.machine.body.locals[local];
        let ty = info.ty.as_ref()?;
        let conditional = self.machine.is_conditional(local);
        conditional.then(|| self.absent(&info.name, ty))
    }
}
