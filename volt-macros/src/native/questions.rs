//! What is asked of the coroutine of a machine: its size, its alignment, `Send` and `Sync`.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Lifetime;

use super::coroutine::Coroutine;
use super::lints::WRITTEN;
use super::machine::{Machine, Room};
use super::sites::begun_at;
use crate::names;
use crate::options::Send;

impl Machine<'_> {
    /// What the coroutine tells of itself.
    pub(super) fn measured(&self, coroutine: &Coroutine) -> Option<TokenStream> {
        if !matches!(self.room(), Room::Measured | Room::Given) {
            return None;
        }
        let (volt, name, signature) = (self.volt(), self.name, self.signature);
        let brand = Lifetime::new("'_", Span::call_site());
        let made = self.made(coroutine, &brand, &signature.tuple());
        let ((parameters, bounds), arguments) =
            (signature.of_any_lifetimes(), signature.arguments());
        let how = match (self.room(), self.send) {
            (Room::Measured, Send::Asked) => quote!(asked),
            _ => quote!(plain),
        };
        // As the user's own: the compiler then shows a circle of machines in fewer lines.
        let place = signature.name.span();
        let volt: Vec<_> = volt.to_token_stream().into_iter().collect();
        let volt = begun_at(&volt, place);
        Some(quote_spanned! {place=>
            #volt::__private::native::measured_parts! {
                #how [#parameters] #name<#arguments> where [#bounds] #made
            }
        })
    }

    /// What a poll makes the coroutine by, if that is not among the parts.
    pub(super) fn make(&self, coroutine: &Coroutine) -> Option<TokenStream> {
        if !self.is_boxed() {
            return None;
        }
        let (volt, late, make) = (self.volt(), super::sites::late(), &coroutine.make);
        let private = quote!(#volt::__private::native);
        Some(match &coroutine.plain {
            Some(path) => quote!(#private::Plain(#path)),
            None => {
                let brand = Lifetime::new("'static", Span::call_site());
                let ty = self.late(&brand, &self.signature.tuple());
                quote!(#private::Receiving(|#late: #ty| #make))
            }
        })
    }

    /// A function that returns the coroutine, to be asked of.
    fn made(&self, coroutine: &Coroutine, brand: &Lifetime, tuple: &TokenStream) -> TokenStream {
        let (late, make) = (super::sites::late(), &coroutine.make);
        match &coroutine.plain {
            Some(path) => path.clone(),
            None => {
                let ty = self.late(brand, tuple);
                quote!(|#late: #ty| #make)
            }
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
        // The bound may be the user's own, too.
        let allow = quote!(#[allow(clippy::multiple_bound_locations, reason = #WRITTEN)]);
        let (parameters, arguments) = (self.signature.parameters(), self.signature.arguments());
        let (tuple, brand) = (self.signature.tuple(), names::label("__volt"));
        let ty = self.late(&brand, &tuple);
        let made = self.made(coroutine, &brand, &tuple);
        // Of the struct: to ask its bytes is to ask the body, which may ask this for its own machine in a box.
        let implement = (self.room() != Room::Open).then(
            || quote!(#private::native_send! { [#allow] #name [#parameters] [#arguments] [#bounds] }),
        );
        let span = Span::call_site().located_at(declared);
        let path = names::path_at(volt, span);
        let assert =
            quote_spanned!(span=> #path::__private::native::is_send_or_needs_the_option_local);
        Some(quote! {
            #implement
            #allow
            fn __volt_is_send<#brand, #parameters>(_: #ty) where #bounds {
                #assert(#made);
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
