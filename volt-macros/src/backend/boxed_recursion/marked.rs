//! The marker of a machine whose lifetimes are its only parameters: `Send` and `Sync` by constants.
//!
//! ```text
//! impl<'x, 'a> HasMarker<'x> for Fetch<'a> { type Marker = HeldAcrossAwait<{ send }, { sync }>; }
//! unsafe impl<'a> Send for Fetch<'a> where for<'x> <Fetch<'a> as HasMarker<'x>>::Marker: Send {}
//! impl<'a> CoroutineInfo for Fetch<'a> where for<'x, 'b> Fetch<'b>: HasMarker<'x> { .. }
//! ```
//!
//! The last `impl` determines the auto traits of the coroutine; that of an explicit machine is
//! `AutoTraitInfo`. Its bound breaks the cycle if the coroutine contains its own machine: see
//! `HasMarker` in the support code.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{ItemFn, Path};

use super::super::lint_reason::LINT_REASON;
use super::linked_calls::CallPlaces;
use crate::names::{self, TokenList};
use crate::options::{CopyAnswer, Send};
use crate::signature::{Method, Signature};

/// A machine whose auto traits are constants.
pub(crate) struct MarkerImpl<'a> {
    pub(crate) volt: &'a Path,
    pub(crate) name: &'a Ident,
    pub(crate) signature: &'a Signature,
    pub(crate) send: Send,
    /// The function, which may be copied to determine `Send`.
    pub(crate) item: &'a ItemFn,
    /// The method that the function was lifted out of.
    pub(crate) method: Option<&'a Method>,
    /// The module with the functions that return the auto traits of a type.
    pub(crate) module: &'a TokenList,
}

impl MarkerImpl<'_> {
    /// Returns the field for the auto traits that no implementation declares.
    pub(crate) fn field(&self) -> Option<TokenStream> {
        let is_send = match self.send {
            Send::Local => quote!(false),
            // An `impl` declares it, so the marker must not prevent it.
            Send::Declared(_) => quote!(true),
            Send::Asked | Send::AskedInCycle | Send::OfArguments(_) | Send::OfCopy(..) => {
                return None;
            }
        };
        let volt = self.volt;
        Some(quote!(marker: #volt::__private::native::HeldAcrossAwait<#is_send, false>,))
    }

    /// Returns the value of the field.
    pub(crate) fn value(&self) -> Option<TokenStream> {
        let volt = self.volt;
        let value = || quote!(marker: #volt::__private::native::HeldAcrossAwait::NEW,);
        self.field().map(|_| value())
    }

    /// Returns the implementations of the auto traits.
    pub(crate) fn implement(&self) -> Option<TokenStream> {
        let (volt, name) = (self.volt, self.name);
        let private = quote!(#volt::__private::native);
        let (arguments, tuple) = (self.signature.arguments(), self.signature.tuple());
        // The bounds are over all lifetimes.
        let (parameters, bounds) = self.signature.of_any_lifetimes();
        let bounds = bounds.map(|bounds| quote!(#bounds,));
        let (of_machine, [send, sync]) = (self.of_machine(), self.answers());
        let place = self.signature.place();
        let (answers, asked) = match self.send {
            Send::Asked | Send::AskedInCycle => {
                let answers = quote_spanned!(place=> { #send #of_machine }, { #sync #of_machine });
                (answers, None)
            }
            Send::OfArguments(_) => {
                let answers =
                    quote_spanned!(place=> { #private::are_arguments_send #of_machine }, false);
                (answers, Some(tuple))
            }
            Send::OfCopy(_, answer) => {
                let (volt, is_send) = (self.volt, self.is_copy_send(answer));
                let is_sync = quote!({ #volt::__private::inferred::is_sync #of_machine });
                let asked = matches!(answer, CopyAnswer::OrArguments).then_some(tuple);
                (quote_spanned!(place=> #is_send, #is_sync), asked)
            }
            Send::Local | Send::Declared(_) => return None,
        };
        let copy = match self.send {
            Send::OfCopy(_, CopyAnswer::Linked) => Some(self.linked_copy(CallPlaces::Neutral)),
            Send::OfCopy(_, CopyAnswer::Assumed) | Send::AskedInCycle => {
                Some(self.linked_copy(CallPlaces::Any))
            }
            Send::OfCopy(..) => Some(self.recursive_copy()),
            _ => None,
        };
        Some(quote! {
            #copy
            #private::impl_marker! { #name [#parameters] [#arguments] [#bounds] [#answers] [#asked] }
        })
    }

    /// Returns `true` if the machine may contain itself, in a box or on the heap.
    pub(crate) fn is_recursive(&self) -> bool {
        matches!(self.send, Send::OfArguments(_) | Send::OfCopy(..))
    }

    /// Returns the name of the struct with the fields that have constants in their types.
    pub(crate) fn opaque_name(&self) -> Ident {
        format_ident!("__{}Fields", self.name)
    }

    /// Returns the type of the field of a machine that may contain itself, and the struct in it
    /// with the storage.
    pub(crate) fn opaque_field(
        &self,
        (parameters, arguments): (TokenStream, TokenStream),
        bounds: &impl ToTokens,
        storage: &TokenStream,
    ) -> Option<(TokenStream, Option<TokenStream>)> {
        let (volt, opaque, conditions) =
            (self.volt, self.opaque_name(), self.signature.conditions());
        let field = quote!(
            #volt::__private::native::OpaqueField<#opaque<#arguments>, ::core::marker::PhantomPinned>
        );
        let declared = quote_spanned! {self.signature.place()=>
            #(#conditions)*
            #[doc(hidden)]
            #[allow(
                dead_code, explicit_outlives_requirements, non_camel_case_types,
                single_use_lifetimes, reason = #LINT_REASON
            )]
            #[repr(C)]
            struct #opaque<#parameters> where #bounds {
                native: #storage,
            }
        };
        self.is_recursive().then_some((field, Some(declared)))
    }

    /// Returns the bound of the `impl` that determines the auto traits, followed by a comma.
    pub(crate) fn bound(&self) -> Option<TokenStream> {
        if !matches!(
            self.send,
            Send::Asked | Send::AskedInCycle | Send::OfCopy(..)
        ) {
            return None;
        }
        let bound = self.hidden_by("HasMarker");
        Some(quote!(#bound,))
    }

    /// Returns a bound of the machine, which rustc prefers to the implementation of the trait: the
    /// associated type of the machine is unknown under it.
    pub(super) fn hidden_by(&self, implemented: &str) -> TokenStream {
        let (volt, name) = (self.volt, self.name);
        let implemented = Ident::new(implemented, Span::call_site());
        let brand = names::label("__volt");
        let count = self.signature.generics.lifetimes().count();
        let lifetimes = (0..count).map(|index| names::label(&format!("__volt_{index}")));
        let lifetimes: Vec<_> = lifetimes.collect();
        quote! {
            for<#brand, #(#lifetimes),*> #name<#(#lifetimes),*>: #volt::__private::native::#implemented<#brand>
        }
    }

    /// Returns the constant that is `true` if the machine is `Send`, or `true` if it has to be.
    pub(crate) fn is_asked(&self) -> TokenStream {
        match self.send {
            Send::OfArguments(_) => {
                let (volt, of_machine) = (self.volt, self.of_machine());
                quote!({ #volt::__private::native::are_arguments_send #of_machine })
            }
            Send::OfCopy(_, answer) => self.is_copy_send(answer),
            _ => quote!(true),
        }
    }

    /// Returns the constant that is `true` if the copy of the coroutine is `Send`, or the arguments
    /// are.
    fn is_copy_send(&self, answer: CopyAnswer) -> TokenStream {
        let (volt, of_machine) = (self.volt, self.of_machine());
        let or_arguments = matches!(answer, CopyAnswer::OrArguments)
            .then(|| quote!(|| #volt::__private::native::are_arguments_send #of_machine));
        quote!({ #volt::__private::inferred::is_send #of_machine #or_arguments })
    }

    /// Returns the statement after which the proof is type-checked and not borrow-checked, as the
    /// copy is: the compiler cannot prove each type that is `Send`.
    pub(crate) fn begins_unchecked(&self) -> Option<TokenStream> {
        let volt = self.volt;
        matches!(self.send, Send::OfCopy(..))
            .then(|| quote!(let _never = #volt::__private::inferred::never();))
    }

    /// Returns the proof that the future of a function is `Sync` if its copy is.
    pub(crate) fn sync_proof(
        &self,
        native: &TokenStream,
        closure: &TokenStream,
    ) -> Option<TokenStream> {
        let (volt, of_machine) = (self.volt, self.of_machine());
        let is_sync = quote!({ #volt::__private::inferred::is_sync #of_machine });
        let proof = quote!(#native::SyncProof::<#is_sync>::macro_must_not_match_another_call_otherwise(#closure););
        matches!(self.send, Send::OfCopy(..)).then_some(proof)
    }

    /// Returns `true` if an implementation declares that the machine is `Send`, whatever its marker
    /// is.
    pub(crate) fn is_declared(&self) -> bool {
        matches!(self.send, Send::Declared(_))
    }

    /// Returns these functions.
    fn answers(&self) -> [TokenStream; 2] {
        let module = self.module;
        [quote!(#module::is_send), quote!(#module::is_sync)]
    }

    fn of_machine(&self) -> TokenStream {
        let (name, arguments) = (self.name, self.signature.static_arguments());
        names::located_at(quote!(::<#name<#arguments>>()), self.signature.name.span())
    }
}
