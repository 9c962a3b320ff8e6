//! The function that creates the machine, the struct, and the block with all other items.

use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::Visibility;

use super::explicit_machine::{ExplicitMachine, allow};
use super::typed_fields::CarriedTypes;
use crate::backend::{function, interface, max_size_check, max_size_item, size_report};
use crate::names::{declared_by_user, located_at};
use crate::options::tracking_item;
use crate::signature::Carried;

/// Returns the function, and the items next to it.
pub(crate) fn machine(input: &ExplicitMachine<'_>) -> (TokenStream, TokenStream) {
    let (function, declared) = (input.constructor(), input.declared());
    // This is first, because the probe counts the claims that it has to confirm.
    let parts = match input.typed {
        Some(typed) => input.typed_layout_info(typed),
        None => input.layout_info(),
    };
    let (reference_fn, advance, derived) = (input.reference_fn(), input.advance(), input.derived());
    let sound = input.well_typed();
    let (support, private, known) = (input.support(), input.private(), input.known());
    let conditions = input.signature.conditions();
    let tracking = tracking_item();
    let limit = max_size_item(input.options, input.signature, input.name);
    let sizes = size_report(
        input.options,
        input.signature,
        input.name,
        |machine| quote!(#support::offsets::<#machine>()),
    );
    let public = interface(input.options, input.signature, input.name, false);
    let items = quote! {
        #limit
        #sizes
        #public
        #declared
        #(#conditions)*
        const _: () = {
            use #support as #private;
            #tracking
            #reference_fn
            #known
            #private::allow_lints! {
                {
                    #sound
                    #parts
                    #advance
                    #derived
                }
            }
        };
    };
    (function, items)
}

impl ExplicitMachine<'_> {
    /// Returns code that does not build if a macro is not the known one of its name: a glob import
    /// must not hide another macro.
    fn known(&self) -> Option<TokenStream> {
        let (private, trusted) = (self.private(), &self.body.trusted_macros);
        (!trusted.is_empty()).then(|| {
            quote! {
                #[allow(unused_imports, unused_must_use, reason = "written by `state_machine`")]
                const _: fn() = || {
                    use #private::known::*;
                    #(#trusted!((), ());)*
                };
            }
        })
    }

    /// Returns the visibility of the machine.
    pub(crate) fn vis(&self) -> &Visibility {
        self.options.vis.as_ref().unwrap_or(&self.item.vis)
    }

    /// Returns the struct.
    fn declared(&self) -> TokenStream {
        let (name, carried) = (self.name, self.carried());
        let fields = self.fields(&carried);
        let vis = self.vis();
        let parameters = self.signature.parameters();
        let parameters = parameters.into_iter().chain(carried.declared());
        let phantom = self.signature.phantom(carried.impl_target.as_ref());
        // The types of the arguments imply which lifetimes outlive others.
        let tuple = Carried::within(carried.arguments.as_ref(), &self.signature.tuple());
        // Without carried arguments the signature is in no other place.
        let any = carried.any_lifetimes.as_ref();
        let any = any.map(|any| any.parameter.name()).into_iter();
        let bounds = self.for_all(&carried).bounds;
        let machine = quote_spanned! {self.signature.place()=>
            #vis struct #name<#(#parameters),*> where #bounds {
                #fields
                parameters: ::core::marker::PhantomData<(#phantom, fn(#tuple) -> #tuple #(, fn() -> #any)*)>,
                end: (),
            }
        };
        let machine = match self.options.public {
            Some(_) => declared_by_user(machine, self.signature.name.span()),
            None => machine,
        };
        let (conditions, doc, allow) = (self.signature.conditions(), self.doc(), allow());
        let nameable = self.options.nameable();
        let repr = self.typed.is_none().then(|| quote!(#[repr(C)]));
        let (hiding, opaque) = (self.signature.hiding(), self.opaque_struct());
        quote! {
            #(#conditions)*
            #(#hiding)*
            #(#[doc = #doc])*
            #[must_use = "futures do nothing unless you `.await` or poll them"]
            #allow
            #nameable
            #repr
            #machine
            #opaque
        }
    }

    /// Returns the fields of the struct, except for those of size zero at its end.
    fn fields(&self, carried: &CarriedTypes) -> TokenStream {
        if let Some(typed) = self.typed {
            return self.typed_fields(typed, carried);
        }
        let marked = self.marked();
        let (fields, marks) = (self.memory(), marked.field());
        if marked.is_recursive() {
            let (volt, opaque) = (self.volt(), marked.opaque_name());
            return quote!(bytes: #volt::__private::native::OpaqueField<#opaque, ()>, #marks);
        }
        quote!(#fields #marks)
    }

    /// Returns the fields with constants in their types.
    fn memory(&self) -> TokenStream {
        let private = self.support();
        let ty = located_at(self.static_type(), self.signature.name.span());
        quote_spanned! {self.signature.place()=>
            bytes: #private::Bytes<{ #private::size::<#ty>() }, { #private::align::<#ty>() }>,
            pinned: #private::Pinned<{ #private::is_unpin::<#ty>() }>,
        }
    }

    /// Returns the struct with these fields, if they are not in the machine itself.
    fn opaque_struct(&self) -> Option<TokenStream> {
        let marked = self.marked();
        let is_opaque = self.typed.is_none() && marked.is_recursive();
        let (opaque, fields, allow) = (marked.opaque_name(), self.memory(), allow());
        let conditions = self.signature.conditions();
        is_opaque.then(|| {
            quote! {
                #(#conditions)*
                #[doc(hidden)]
                #allow
                #[repr(C)]
                struct #opaque { #fields }
            }
        })
    }

    /// Returns the function that creates the machine.
    fn constructor(&self) -> TokenStream {
        let (name, arguments) = (self.name, self.signature.arguments());
        let of = (self.signature, self.method, &self.item.vis);
        function(of, quote!(#name<#arguments>), None, self.constructor_body())
    }

    /// Returns code that stores the arguments in an empty machine.
    fn constructor_body(&self) -> TokenStream {
        let (private, ty) = (self.support(), self.static_type());
        let limit = max_size_check(self.options, self.signature, &ty);
        let arguments = &self.signature.arguments;
        let method = self.method.and_then(|it| it.original.sig.receiver());
        let receiver = method.map(|receiver| {
            let (name, token) = (&arguments[0].name, &receiver.self_token);
            quote!(let #name = #token;)
        });
        let initial = arguments.iter().enumerate().map(|(index, argument)| {
            let (name, index) = (&argument.name, Literal::usize_unsuffixed(index));
            quote!(#name => #index,)
        });
        let empty = self.typed.map(|_| self.empty());
        quote! {
            #limit
            #receiver
            #private::start!([#ty] #empty, { #(#initial)* })
        }
    }

    /// Returns an empty machine.
    pub(crate) fn empty(&self) -> TokenStream {
        let (private, name, ty) = (self.support(), self.name, self.static_type());
        let fields = match self.typed {
            Some(typed) => self.typed_empty(typed),
            None => {
                let (volt, marked) = (self.volt(), self.marked());
                let (marks, opaque) = (marked.value(), marked.opaque_name());
                let memory = quote! {
                    bytes: #private::Bytes::new(<#ty as #private::LayoutInfo>::RECURSIVE_MACHINE_NEEDS_BOX_PIN.tag),
                    pinned: #private::Pinned::NEW,
                };
                if marked.is_recursive() {
                    quote! {
                        bytes: #volt::__private::native::OpaqueField::new((), #opaque { #memory }),
                        #marks
                    }
                } else {
                    quote!(#memory #marks)
                }
            }
        };
        quote! {
            #name {
                #fields
                parameters: ::core::marker::PhantomData,
                end: (),
            }
        }
    }

    /// Returns the implementations of the requested traits.
    fn derived(&self) -> Option<TokenStream> {
        if let Some(typed) = self.typed {
            return Some(self.typed_derived(typed));
        }
        let (traits, snapshot) = (self.options.value_traits(), self.snapshot());
        if traits.is_empty() {
            return snapshot;
        }
        let (private, name, empty) = (self.private(), self.name, self.empty());
        let lists = self.signature.lists();
        Some(quote!(#private::derive! { [#(#traits)*] #name #lists #empty } #snapshot))
    }
}
