//! The properties of a machine's coroutine: its size, its alignment, `Send` and `Sync`.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Lifetime;

use super::coroutine::Coroutine;
use super::native_machine::{CoroutineStorage, NativeMachine, arguments_ptr};
use super::sites::begun_at;
use crate::backend::{LINT_REASON, send_assertion};
use crate::names;
use crate::options::Send;

impl NativeMachine<'_> {
    /// Returns the constant with the properties of the coroutine.
    pub(super) fn measure(&self, coroutine: &Coroutine) -> Option<TokenStream> {
        let is_asked = match (self.room, self.send) {
            (CoroutineStorage::Measured, Send::Asked | Send::AskedInCycle) => true,
            (CoroutineStorage::Measured | CoroutineStorage::Given(_), _) => false,
            _ => return None,
        };
        let (name, signature) = (&self.name, &self.signature);
        let coroutine_fn = self.coroutine_fn(coroutine, &Lifetime::new("'_", Span::call_site()));
        let ((parameters, bounds), arguments) =
            (signature.of_any_lifetimes(), signature.arguments());
        // The span is the user's own, because the compiler then reports a cycle of machines in
        // fewer lines.
        let place = signature.name.span();
        let volt: Vec<_> = self.volt().to_token_stream().into_iter().collect();
        let volt = begun_at(&volt, (place, place));
        let path = quote_spanned!(place=> #volt::__private::native::measure_coroutine);
        Some(if is_asked {
            let marked = self.marker_impl().bound();
            // The predicates end without a comma.
            let bounds = bounds.map(|bounds| quote!(#bounds,));
            quote_spanned! {place=>
                #path! { asked [#parameters] #name<#arguments> where [#bounds #marked] #coroutine_fn }
            }
        } else {
            quote_spanned! {place=>
                #path! { plain [#parameters] #name<#arguments> where [#bounds] #coroutine_fn }
            }
        })
    }

    /// Returns the expression by which a poll creates the coroutine, if no constant has it.
    pub(super) fn make(&self, coroutine: &Coroutine) -> Option<TokenStream> {
        if !self.is_boxed() {
            return None;
        }
        let private = self.private();
        let coroutine_fn =
            self.coroutine_fn(coroutine, &Lifetime::new("'static", Span::call_site()));
        let constructor = match coroutine.plain {
            Some(_) => quote!(CapturingFn),
            None => quote!(InputFn),
        };
        Some(quote!(#private::#constructor(#coroutine_fn)))
    }

    /// Returns a function that returns the coroutine, for a probe.
    fn coroutine_fn(&self, coroutine: &Coroutine, brand: &Lifetime) -> TokenStream {
        let (arguments_ptr, make) = (arguments_ptr(), &coroutine.make);
        coroutine.plain.clone().unwrap_or_else(|| {
            let ty = self.coroutine_input(brand);
            quote!(|#arguments_ptr: #ty| #make)
        })
    }

    /// Returns the proof of `Send`, if it is declared.
    pub(super) fn send_proof(&self, coroutine: &Coroutine) -> Option<TokenStream> {
        let is_open = matches!(self.room, CoroutineStorage::Open);
        let (Send::Declared(place) | Send::OfArguments(place) | Send::OfCopy(place, _)) = self.send
        else {
            return None;
        };
        // The compiler derives it for each instance, through any number of boxes.
        if is_open && self.options.send.is_none() {
            return None;
        }
        let (private, name, bounds) = (self.private(), &self.name, self.send_bounds());
        let marked = self.marker_impl();
        // The bound may be the user's own, too.
        let allow = quote!(#[allow(clippy::multiple_bound_locations, reason = #LINT_REASON)]);
        let (parameters, arguments) = (self.signature.parameters(), self.signature.arguments());
        let (tuple, brand) = (self.signature.tuple(), names::label("__volt"));
        let (ty, made) = (
            self.coroutine_input(&brand),
            self.coroutine_fn(coroutine, &brand),
        );
        // The implementation is for the struct. A check of its bytes would check the body, which
        // may need the result for its own machine in a box.
        let implement = (!is_open && marked.is_declared()).then(
            || quote!(#private::impl_send! { [#allow] #name [#parameters] [#arguments] [#bounds] }),
        );
        let span = Span::call_site().located_at(place);
        let path = names::path_at(self.volt(), span);
        let assert = send_assertion(self.options);
        let native = quote_spanned!(span=> #path::__private::native);
        let is_asked = marked.is_asked();
        let unchecked = marked.begins_unchecked();
        let assertions = match self.options.send {
            Some(_) => {
                quote_spanned!(span=> #native::#assert(#made); #private::arguments_must_be_send::<#tuple>();)
            }
            None => {
                let of_sync = marked.sync_proof(&native, &made);
                quote_spanned!(span=> #unchecked #native::SendProof::<#is_asked>::#assert(#made); #of_sync)
            }
        };
        Some(quote! {
            #implement
            #allow
            fn __volt_is_send<#brand, #parameters>(_: #ty) where #bounds {
                #assertions
            }
        })
    }

    /// Returns the bounds under which a machine is `Send`. They name only the parameters: a bound
    /// on a type with a lifetime in it would hide the facts about all lifetimes.
    fn send_bounds(&self) -> TokenStream {
        let bounds = self.signature.bounds();
        let types = self.signature.generics.type_params();
        let types = types.map(|param| &param.ident);
        quote!(#bounds #(#types: ::core::marker::Send,)*)
    }
}
