//! Locals beside the states: fields of the machine, which lends them to each poll.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::state_machine::body::LocalId;
use crate::state_machine::liveness::Kept;
use crate::state_machine::model::Machine;
use crate::state_machine::names;

impl Machine {
    /// The types of the locals beside the states.
    fn types_beside(&self) -> impl Iterator<Item = TokenStream> {
        self.beside.iter().map(|&local| {
            let ty = &self.body.locals[local].ty;
            quote!(#ty,)
        })
    }

    /// The place of such a local.
    pub(super) fn place_beside(&self, local: LocalId) -> Option<TokenStream> {
        let index = self.beside.iter().position(|&beside| beside == local)?;
        let (index, beside) = (Literal::usize_unsuffixed(index), names::local("beside"));
        Some(quote!(#beside.locals.#index))
    }

    /// Their declaration.
    pub(super) fn declared_beside(&self) -> Option<TokenStream> {
        let types = self.types_beside();
        (!self.beside.is_empty()).then(|| quote!(beside (#(#types)*)))
    }

    /// The field of a machine that was not polled: the arguments, and zeros.
    pub(super) fn built_beside(&self) -> Option<TokenStream> {
        let arguments = self.function.stored().count();
        let values = self.beside.iter().map(|&local| {
            let name = self.name(local);
            match local < arguments {
                true => quote!(#name,),
                false => quote!(::core::default::Default::default(),),
            }
        });
        let volt = &self.options.volt;
        let beside = quote!(#volt::__private::Beside::new((#(#values)*)));
        (!self.beside.is_empty()).then(|| quote!(beside: #beside))
    }

    /// The parameter of `advance`.
    pub(super) fn lent_beside(&self) -> Option<TokenStream> {
        let (beside, types) = (names::local("beside"), self.types_beside());
        let volt = &self.options.volt;
        let ty = quote!(#volt::__private::Beside<(#(#types)*)>);
        (!self.beside.is_empty()).then(|| quote!(#beside: &mut #ty,))
    }

    /// Gives those that are kept their names again.
    pub(super) fn bind_beside(&self, kept: &[Kept]) -> Option<TokenStream> {
        let is_kept = |local: LocalId| kept.iter().any(|kept| kept.local == local);
        let names = self.beside.iter().map(|&local| {
            let name = self.name(local);
            match is_kept(local) {
                true => quote!(#name,),
                false => quote!(_,),
            }
        });
        let any = self.beside.iter().any(|&local| is_kept(local));
        let beside = names::local("beside");
        any.then(|| quote!(let (#(#names)*) = &mut #beside.locals;))
    }

    /// The poll of a machine by `poller`, given what it is lent.
    pub(super) fn drive(
        &self,
        poller: &TokenStream,
        machine: &TokenStream,
        lent: &TokenStream,
    ) -> TokenStream {
        let (volt, set) = (&self.options.volt, &self.names.states);
        let (states, cx) = (names::local("states"), names::local("cx"));
        let (begin, beside) = (names::local("begin"), names::local("beside"));
        match self.beside.is_empty() {
            true => quote! {
                #volt::__private::drive::<#poller, _, _>(
                    #machine.states(),
                    |#states, #begin| #set::advance(#states, #begin, #cx, #lent),
                )
            },
            false => quote! {
                let (#states, #beside) = #machine.parts();
                #volt::__private::drive::<#poller, _, _>(
                    #states,
                    |#states, #begin| #set::advance(#states, #begin, #cx, #beside, #lent),
                )
            },
        }
    }
}
