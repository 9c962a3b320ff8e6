//! The reference function, and the constants that depend on the compiler's own coroutine.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{FnArg, ImplItemFn, ItemFn, ReceiverKind, Type};

use super::explicit_machine::{ExplicitMachine, local_ident};
use crate::backend::{MarkerImpl, is_for_body, send_assertion};
use crate::options::Send;
use crate::signature::{Functions, Method, body_name, is_receiver};

/// The largest number of arguments for which the coroutine can be stored.
pub(crate) const MAX_PROBED_ARGUMENTS: usize = 8;

impl ExplicitMachine<'_> {
    /// Returns the function under another name. The compiler reports the errors of the user's text
    /// there.
    pub(crate) fn reference_fn(&self) -> TokenStream {
        let mut item = ItemFn {
            vis: syn::Visibility::Inherited,
            ..self.item.clone()
        };
        let method = self.method_of_reference_fn();
        if let Some(ImplItemFn { sig, block, .. }) = method.map(|method| &method.original) {
            (item.sig, *item.block) = (sig.clone(), block.clone());
        }
        item.sig.ident = body_name(&self.signature.name);
        self.name_all(&mut item.sig);
        crate::syntax::without_labels(&mut item.block);
        item.attrs.retain(is_for_body);
        let declared = method.map(|method| self.declared_reference_fn(method, &item.sig));
        let reference_fn = quote! {
            #[allow(single_use_lifetimes, unused_lifetimes, reason = "written by `state_machine`")]
            #[cfg_attr(
                clippy,
                allow(
                    clippy::extra_unused_lifetimes,
                    clippy::multiple_bound_locations,
                    clippy::needless_lifetimes,
                    clippy::too_many_arguments,
                    reason = "written by `state_machine`"
                )
            )]
            #item
        };
        match method {
            Some(method) => {
                let functions = Functions {
                    items: reference_fn,
                    declared: declared.flatten().unwrap_or_default(),
                };
                method.within(self.name, &functions, self.signature.conditions())
            }
            None => reference_fn,
        }
    }

    /// Returns the method, if the reference function is a method: one with a receiver, so that
    /// errors name `self`.
    fn method_of_reference_fn(&self) -> Option<&Method> {
        let (method, receiver) = (self.method?, self.signature.arguments.first());
        let receiver = receiver.filter(|argument| is_receiver(argument))?;
        let declared = method.declared_receiver(&receiver.ty);
        declared.map(|_| method)
    }

    /// Returns the declaration of the reference function in the private trait, if it is a method of
    /// a trait.
    fn declared_reference_fn(&self, method: &Method, sig: &syn::Signature) -> Option<TokenStream> {
        method.impl_target.trait_path.as_ref()?;
        let (name, generics, output) = (&sig.ident, &sig.generics, &sig.output);
        let (params, bounds) = (&generics.params, &generics.where_clause);
        let receiver = self.signature.arguments.first()?;
        let receiver = method.declared_receiver(&receiver.ty)?;
        let others = self.signature.arguments.iter().skip(1);
        let others = others.map(|argument| &argument.ty);
        Some(quote! {
            #[allow(single_use_lifetimes, unused_lifetimes, reason = "written by `state_machine`")]
            async fn #name<#params>(#receiver #(, _: #others)*) #output #bounds;
        })
    }

    /// Returns the path of the reference function. `is_given` adds its own generic arguments.
    fn path_of_reference_fn(&self, is_given: bool) -> TokenStream {
        let (reference_fn, method) = (
            body_name(&self.signature.name),
            self.method_of_reference_fn(),
        );
        let types = is_given.then(|| self.signature.turbofish(method));
        let types = types.flatten();
        let name = quote!(#reference_fn #types);
        match method {
            Some(method) => method.inferred_path(self.name, &name),
            None => name,
        }
    }

    /// Writes types and lifetimes that the signature elides.
    fn name_all(&self, sig: &mut syn::Signature) {
        let (signature, method) = (self.signature, self.method_of_reference_fn());
        sig.generics.params = signature.own_params(method).cloned().collect();
        if let (None, Some(clause)) = (method, &signature.generics.where_clause) {
            sig.generics.where_clause = Some(clause.clone());
        }
        for (input, argument) in sig.inputs.iter_mut().zip(&signature.arguments) {
            match (input, &argument.ty) {
                (FnArg::Typed(input), ty) => *input.ty = ty.clone(),
                (FnArg::Receiver(receiver), ty) => name_receiver(&mut receiver.kind, ty),
            }
        }
        if let syn::ReturnType::Type(_, ty) = &mut sig.output {
            **ty = signature.output.clone();
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
            0..=MAX_PROBED_ARGUMENTS => (tuple, self.path_of_reference_fn(is_given)),
            _ => (quote!((#tuple,)), self.coroutine_closure(&tuple, is_given)),
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
            module: self.support(),
        }
    }

    /// Returns the implementation with the constant for the auto traits, unless they are declared.
    fn auto_traits(&self) -> Option<TokenStream> {
        if !matches!(self.send, Send::Asked) {
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
        if !matches!(marked.send, Send::Declared(_) | Send::OfArguments(_)) {
            return None;
        }
        let private = self.private();
        let native = quote!(#private::native);
        let (parameters, arguments) = (self.signature.parameters(), self.signature.arguments());
        let (bounds, tuple) = (self.signature.bounds(), self.signature.tuple());
        let (closure, name) = (self.coroutine_closure(&tuple, false), self.name);
        let assert = send_assertion(self.options);
        let is_asked = marked.is_asked();
        let lists = quote!([#parameters] [#arguments] [#bounds]);
        let implement = marked
            .is_declared()
            .then(|| quote!(#native::impl_send! { [] #name #lists }));
        let assertions = match self.options.send {
            Some(_) => {
                quote!(#native::#assert(#closure); #native::arguments_must_be_send::<#tuple>();)
            }
            None => quote!(#native::SendProof::<#is_asked>::#assert(#closure);),
        };
        Some(quote! {
            #implement
            fn __volt_send<#parameters>(_: fn(#tuple)) where #bounds {
                #assertions
            }
        })
    }

    /// Returns a closure that returns the coroutine.
    fn coroutine_closure(&self, tuple: &TokenStream, is_given: bool) -> TokenStream {
        let reference_fn = self.path_of_reference_fn(is_given);
        let names: Vec<_> = (0..self.signature.arguments.len())
            .map(|index| local_ident(&format!("argument_{index}")))
            .collect();
        quote!(|(#(#names,)*): #tuple| #reference_fn(#(#names),*))
    }
}

/// Gives a receiver its lifetime.
fn name_receiver(kind: &mut ReceiverKind, ty: &Type) {
    match (kind, ty) {
        (ReceiverKind::Reference(_, lifetime, _), Type::Reference(reference)) => {
            lifetime.clone_from(&reference.lifetime);
        }
        (ReceiverKind::Typed(_, of), ty) => **of = ty.clone(),
        _ => {}
    }
}
