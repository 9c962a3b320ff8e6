//! Machines whose fields have written types: struct, layout, and requested traits.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::explicit_machine::{ExplicitMachine, local_ident};
use crate::layout::FieldTypes;
use crate::options::Send;
use crate::signature::{Carried, Struct, carrying_vis};

/// The types that a struct carries as defaults of parameters.
pub(super) struct CarriedTypes {
    pub(super) impl_target: Option<Carried>,
    pub(super) arguments: Option<Carried>,
    /// The type of each field of the layout.
    fields: Vec<Option<Carried>>,
}

impl CarriedTypes {
    fn all(&self) -> impl Iterator<Item = &Carried> {
        let own = [&self.impl_target, &self.arguments].into_iter().flatten();
        own.chain(self.fields.iter().flatten())
    }

    /// Returns the parameters of the declaration.
    pub(super) fn declared(&self) -> impl Iterator<Item = TokenStream> {
        self.all().map(Carried::declared)
    }
}

impl ExplicitMachine<'_> {
    /// Returns the types that the struct carries.
    pub(super) fn carried(&self) -> CarriedTypes {
        let (signature, tuple) = (self.signature, self.signature.tuple());
        let types = self.typed.into_iter().flat_map(|typed| &typed.types);
        let vis = self.vis();
        let of_signature = carrying_vis(self.method, self.options.vis.as_ref(), vis);
        let fields = types.enumerate();
        let fields = fields.map(|(index, ty)| signature.carried(&format!("Field{index}"), ty, vis));
        CarriedTypes {
            impl_target: signature.carried_home(of_signature),
            arguments: signature.carried("Arguments", &tuple, of_signature),
            fields: fields.collect(),
        }
    }

    /// Returns the struct for all types that it may carry.
    pub(super) fn for_all(&self, carried: &CarriedTypes) -> Struct {
        let support = self.support();
        let needs = quote!(#support::ExplicitMachine);
        self.signature
            .with_carried(self.name, carried.all(), &needs)
    }

    /// Returns the fields of the struct.
    pub(super) fn typed_fields(&self, typed: &FieldTypes, carried: &CarriedTypes) -> TokenStream {
        let (volt, private) = (self.volt(), self.support());
        let fields = typed.groups.iter().enumerate().map(|(index, group)| {
            let name = field(index);
            let ty = group.iter().rev().fold(quote!(()), |rest, field| {
                let ty = Carried::within(carried.fields[*field].as_ref(), &typed.types[*field]);
                quote!(#private::UnionField<#ty, #rest>)
            });
            quote!(#name: #ty,)
        });
        let stays = matches!(self.options.send_of(), Send::Local);
        let marks =
            stays.then(|| quote!(marker: #volt::__private::native::HeldAcrossAwait<false, false>,));
        quote! {
            #(#fields)*
            tag: ::core::primitive::u8,
            #marks
        }
    }

    /// Returns the fields of an empty machine.
    pub(crate) fn typed_empty(&self, typed: &FieldTypes) -> TokenStream {
        let (volt, private) = (self.volt(), self.support());
        let names = (0..typed.groups.len()).map(field);
        let stays = matches!(self.options.send_of(), Send::Local);
        let marks = stays.then(|| quote!(marker: #volt::__private::native::HeldAcrossAwait::NEW,));
        quote! {
            #(#names: #private::UnionField::EMPTY,)*
            tag: 0,
            #marks
        }
    }

    /// Returns the offsets of the fields. The compiler derives the auto traits of the machine from
    /// the types of its fields.
    pub(crate) fn typed_layout_info(&self, typed: &FieldTypes) -> TokenStream {
        let (private, ty) = (self.private(), self.static_type());
        let (parameters, bounds) = (self.signature.parameters(), self.signature.bounds());
        let at = (0..typed.types.len()).map(|index| field(typed.group(index)));
        let native = self.of_reference_fn(&quote!(size_of_coroutine), self.signature.tuple());
        let proof = self.typed_proof();
        quote! {
            #proof
            #[doc(hidden)]
            #[automatically_derived]
            #[allow(warnings, clippy::all, reason = "written by `state_machine`")]
            impl<#parameters> #private::LayoutInfo for #ty where #bounds {
                const RECURSIVE_MACHINE_NEEDS_BOX_PIN: #private::MachineLayout = #private::MachineLayout {
                    offsets: &[#(::core::mem::offset_of!(Self, #at)),*],
                    tag: ::core::mem::offset_of!(Self, tag),
                    size: ::core::mem::size_of::<Self>(),
                    align: ::core::mem::align_of::<Self>(),
                    ..#private::MachineLayout::NONE
                };
                const REFERENCE_SIZE: ::core::primitive::usize = #native;
            }
        }
    }

    /// Returns the proof of `Send`, if it is declared.
    fn typed_proof(&self) -> Option<TokenStream> {
        let (private, ty) = (self.private(), self.static_type());
        let (parameters, bounds) = (self.signature.parameters(), self.signature.bounds());
        matches!(self.options.send_of(), Send::Declared(_)).then(|| {
            quote! {
                #[allow(warnings, clippy::all, reason = "written by `state_machine`")]
                fn __volt_send<#parameters>() where #bounds {
                    #private::native::arguments_must_be_send::<#ty>();
                }
            }
        })
    }

    /// Returns the implementations of the requested traits, each with its bounds on the fields.
    pub(crate) fn typed_derived(&self, typed: &FieldTypes) -> TokenStream {
        let traits = self.options.value_traits();
        let derived = traits.iter().map(|of| self.typed_trait(typed, of));
        derived.chain(self.typed_snapshot(typed)).collect()
    }

    fn typed_trait(&self, typed: &FieldTypes, of: &Ident) -> TokenStream {
        let (private, name, empty) = (self.private(), self.name, self.empty());
        let (parameters, arguments) = (self.signature.parameters(), self.signature.arguments());
        let (bounds, ty, slots) = (self.signature.bounds(), self.static_type(), self.slots());
        let path = match of.to_string().as_str() {
            "Clone" => quote!(::core::clone::Clone),
            "Hash" => quote!(::core::hash::Hash),
            _ => quote!(::core::cmp::#of),
        };
        let types = &typed.types;
        let (tag, mode) = (local_ident("tag"), local_ident("mode"));
        let states = self.each_state(std::slice::from_ref(of));
        quote! {
            #private::derive_typed! {
                #of #name [#parameters] [#arguments] [#bounds #(#types: #path,)*] [#ty]
                [#empty]
                (__VoltMode, #tag, #mode)
                slots { #slots }
                { #states }
            }
        }
    }
}

fn field(index: usize) -> Ident {
    format_ident!("field_{}", Literal::usize_unsuffixed(index).to_string())
}
