//! The reference function, and the constants that depend on the compiler's own coroutine.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::explicit_machine::ExplicitMachine;
use crate::backend::{MarkerImpl, PlainFn, send_assertion};
use crate::options::Send;
use crate::signature::body_name;

/// The largest number of arguments for which the coroutine can be stored.
pub(crate) const MAX_PROBED_ARGUMENTS: usize = 8;

impl ExplicitMachine<'_> {
    /// Returns the function under another name. The compiler reports the errors of the user's text
    /// there.
    pub(crate) fn reference_fn(&self) -> TokenStream {
        let function = self.plain_fn();
        function.declare(&function.body())
    }

    fn plain_fn(&self) -> PlainFn<'_> {
        PlainFn {
            item: self.item,
            method: self.method,
            signature: self.signature,
            machine: self.name,
            name: body_name(&self.signature.name),
            bound: None,
            is_only_copy: !matches!(self.send, Send::OfCopy(..)),
        }
    }

    /// Returns `true` if the machine may store the coroutine instead of its fields, when these are
    /// larger. It may not if the option `explicit` is set, or if it is cloned or compared, because
    /// a coroutine has no such traits.
    fn may_be_native(&self) -> bool {
        self.typed.is_none()
            && !self.options.is_explicit()
            && self.signature.arguments.len() <= MAX_PROBED_ARGUMENTS
    }

    /// Returns the coroutine with which the fields are compared, and which is stored if they are
    /// larger.
    pub(crate) fn coroutine(&self) -> TokenStream {
        let function = if self.may_be_native() {
            quote!(stored_fallback)
        } else if self.options.snapshot().is_some() {
            // A snapshot needs the fields, so they may be larger.
            quote!(uncompared_size)
        } else {
            quote!(size_only)
        };
        self.of_reference_fn(&function, self.signature.static_tuple())
    }

    /// Returns the call of a constant function with the reference function.
    pub(crate) fn of_reference_fn(
        &self,
        function: &TokenStream,
        tuple: TokenStream,
    ) -> TokenStream {
        let private = self.private();
        let (arguments, coroutine_fn) = self.coroutine_call(tuple, true);
        quote!(#private::#function::<#arguments, _>(#coroutine_fn))
    }

    /// Returns the argument tuple and the function that creates the coroutine: the reference
    /// function. If it has more arguments than the support code has implementations for, the
    /// function is a closure with one tuple as its argument.
    fn coroutine_call(&self, tuple: TokenStream, is_given: bool) -> (TokenStream, TokenStream) {
        match self.signature.arguments.len() {
            0..=MAX_PROBED_ARGUMENTS => (tuple, self.plain_fn().path(is_given)),
            _ => (quote!((#tuple,)), self.plain_fn().closure(&tuple, is_given)),
        }
    }

    /// Returns `true` as a type, if the reference function has no errors. A constant cannot
    /// determine it for a function with type parameters.
    pub(crate) fn well_typed(&self) -> TokenStream {
        let private = self.private();
        let sound = match self.typed {
            Some(_) => quote!(true),
            None => self.of_reference_fn(&quote!(is_well_typed), self.signature.static_tuple()),
        };
        quote!(type __WellTyped = #private::WellTyped<{ #sound }>;)
    }

    /// Returns the constants of the machine: its layout, and its auto traits.
    pub(crate) fn layout_info(&self) -> TokenStream {
        let (private, name) = (self.private(), self.name);
        let (parameters, arguments) = (self.signature.parameters(), self.signature.arguments());
        let bounds = self.signature.bounds();
        let (probe, made) = self.layout_constant();
        let (marked, auto) = (self.marked(), self.auto_traits());
        let (implement, proof) = (marked.implement(), self.proof());
        quote_spanned! {self.signature.place()=>
            #probe
            #proof
            #implement
            #auto
            #[doc(hidden)]
            #[automatically_derived]
            impl<#parameters> #private::LayoutInfo for #name<#arguments> where #bounds {
                const RECURSIVE_MACHINE_NEEDS_BOX_PIN: #private::MachineLayout = #private::MachineLayout::of(&#made);
            }
        }
    }

    /// Returns the marker, whose auto traits are those of the machine.
    pub(crate) fn marked(&self) -> MarkerImpl<'_> {
        MarkerImpl {
            volt: self.volt(),
            name: self.name,
            signature: self.signature,
            send: self.send,
            item: self.item,
            method: self.method,
            module: self.support(),
        }
    }

    /// Returns the implementation with the constant for the auto traits, unless they are declared.
    fn auto_traits(&self) -> Option<TokenStream> {
        if !matches!(self.send, Send::Asked | Send::AskedInCycle) {
            return None;
        }
        let (private, name, bound) = (self.private(), self.name, self.marked().bound());
        let (parameters, arguments) = (self.signature.parameters(), self.signature.arguments());
        let bounds = self.signature.bounds();
        // It is in an implementation that is generic over all lifetimes of the machine.
        let (tuple, coroutine_fn) = self.coroutine_call(self.signature.tuple(), false);
        Some(quote! {
            #[doc(hidden)]
            #[automatically_derived]
            impl<#parameters> #private::AutoTraitInfo for #name<#arguments> where #bounds #bound {
                const AUTO: #private::native::AutoTraits = #private::native::auto_traits_of(|| {
                    let _never = #private::never();
                    #private::probe_output::<#tuple, _>(#coroutine_fn).__volt_auto()
                });
            }
        })
    }

    /// Implements `Send` for the struct if it is declared, and proves it. A check of the struct's
    /// bytes would need their number, and a body that stores its own machine in a box of a `Send`
    /// type would need the result before that is known.
    fn proof(&self) -> Option<TokenStream> {
        let marked = self.marked();
        if !matches!(
            marked.send,
            Send::Declared(_) | Send::OfArguments(_) | Send::OfCopy(..)
        ) {
            return None;
        }
        let private = self.private();
        let native = quote!(#private::native);
        let (parameters, arguments) = (self.signature.parameters(), self.signature.arguments());
        let (bounds, tuple) = (self.signature.bounds(), self.signature.tuple());
        let (closure, name) = (self.plain_fn().closure(&tuple, false), self.name);
        let assert = send_assertion(self.options);
        let (is_asked, unchecked) = (marked.is_asked(), marked.begins_unchecked());
        let lists = quote!([#parameters] [#arguments] [#bounds]);
        let implement = marked
            .is_declared()
            .then(|| quote!(#native::impl_send! { [] #name #lists }));
        let assertions = match self.options.send {
            Some(_) => {
                quote!(#native::#assert(#closure); #native::arguments_must_be_send::<#tuple>();)
            }
            None => quote!(#unchecked #native::SendProof::<#is_asked>::#assert(#closure);),
        };
        Some(quote! {
            #implement
            fn __volt_send<#parameters>(_: fn(#tuple)) where #bounds {
                #assertions
            }
        })
    }
}
