//! What is asked of the coroutine of a machine: its size, its alignment, `Send` and `Sync`.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Lifetime;

use super::coroutine::Coroutine;
use super::machine::{Machine, Room};
use crate::names;
use crate::options::Send;

impl Machine<'_> {
    /// What the coroutine tells of itself.
    pub(super) fn measured(&self, coroutine: &Coroutine) -> Option<TokenStream> {
        if self.room() != Room::Measured {
            return None;
        }
        let (volt, machine) = (self.volt(), self.static_ty());
        let private = quote!(#volt::__private::native);
        let tuple = self.signature.static_tuple();
        let brand = Lifetime::new("'static", Span::call_site());
        let (types, made) = self.made(coroutine, &brand, &tuple);
        let types = types.map(|types| quote!(::<#types, _, _>));
        let asked = matches!(self.send, Send::Asked);
        let question = asked.then(|| self.question(coroutine));
        let answers = asked.then(|| {
            quote_spanned! {self.place()=>
                const AUTO: #private::AutoTraits = #private::auto_traits(__volt_auto as fn(_) -> _);
            }
        });
        Some(quote_spanned! {self.place()=>
            #question
            #[automatically_derived]
            impl #private::Parts for #machine {
                const LAYOUT: ::core::alloc::Layout = #private::layout_of_output #types (&#made);
                #answers
            }
        })
    }

    /// The function whose output says whether the coroutine is `Send` and `Sync`.
    fn question(&self, coroutine: &Coroutine) -> TokenStream {
        let volt = self.volt();
        let private = quote!(#volt::__private::native);
        let (parameters, bounds) = (self.signature.parameters(), self.signature.bounds());
        let (brand, tuple) = (names::label("__volt"), self.signature.tuple());
        let ty = self.late(&brand, &tuple);
        let (types, made) = self.made(coroutine, &brand, &tuple);
        let types = types.map(|types| quote!(::<#types, _>));
        quote_spanned! {self.place()=>
            fn __volt_auto<#brand, #parameters>(
                _: #ty,
            ) -> (impl #private::Auto, impl #private::Auto) where #bounds {
                use #private::{ElseSend as _, ElseSync as _, IfSend as _, IfSync as _};
                let output = #private::output_of #types (#made);
                ((&output).send(), (&output).sync())
            }
        }
    }

    /// What a poll makes the coroutine by.
    pub(super) fn make(&self, coroutine: &Coroutine) -> TokenStream {
        let (volt, late, make) = (self.volt(), super::sites::late(), &coroutine.make);
        let private = quote!(#volt::__private::native);
        match &coroutine.plain {
            Some(path) => quote!(#private::Plain(#path)),
            None => {
                let brand = Lifetime::new("'static", Span::call_site());
                let ty = self.late(&brand, &self.signature.tuple());
                quote!(#private::Receiving(|#late: #ty| #make))
            }
        }
    }

    /// A function that returns the coroutine, to be asked of, and its argument where it has to be named.
    fn made(
        &self,
        coroutine: &Coroutine,
        brand: &Lifetime,
        tuple: &TokenStream,
    ) -> (Option<TokenStream>, TokenStream) {
        let (late, make) = (super::sites::late(), &coroutine.make);
        let ty = self.late(brand, tuple);
        match &coroutine.plain {
            Some(path) => (Some(self.captured(brand, tuple)), path.clone()),
            None => (None, quote!(|#late: #ty| #make)),
        }
    }

    /// The proof of `Send` where it is declared.
    pub(super) fn send(&self, coroutine: &Coroutine) -> Option<TokenStream> {
        let declared = match (self.room(), self.send) {
            (_, Send::Local) => return None,
            (_, Send::Asked) => return None,
            // Each instance tells by itself, through any number of boxes.
            (Room::Open, Send::Declared(_)) if self.options.send.is_none() => return None,
            (_, Send::Declared(span)) => span,
        };
        let volt = self.volt();
        let private = quote!(#volt::__private::native);
        let name = self.name;
        let bounds = self.send_bounds();
        let (parameters, arguments) = (self.signature.parameters(), self.signature.arguments());
        let (tuple, brand) = (self.signature.tuple(), names::label("__volt"));
        let ty = self.late(&brand, &tuple);
        let (types, made) = self.made(coroutine, &brand, &tuple);
        let types = types.map(|types| quote!(::<#types, _>));
        // Of the struct: to ask its bytes is to ask the body, which may ask this for its own machine in a box.
        let implement = (self.room() != Room::Open).then(
            || quote!(#private::native_send! { [] #name [#parameters] [#arguments] [#bounds] }),
        );
        let span = Span::call_site().located_at(declared);
        let path = names::path_at(volt, span);
        let assert = quote_spanned!(span=> #path::__private::native::output_is_send);
        Some(quote! {
            #implement
            fn __volt_is_send<#brand, #parameters>(_: #ty) where #bounds {
                #assert #types (#made);
                #private::arguments_are_send::<#tuple>();
            }
        })
    }

    /// The bounds under which a machine is `Send`. They name the parameters alone: a bound on a type
    /// with a lifetime in it would hide what is known of all lifetimes.
    fn send_bounds(&self) -> TokenStream {
        let bounds = self.signature.bounds();
        let types = self.signature.generics.type_params();
        let types = types.map(|param| &param.ident);
        quote!(#bounds #(#types: ::core::marker::Send,)*)
    }
}
