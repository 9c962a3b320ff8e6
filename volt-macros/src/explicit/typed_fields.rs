//! Machines whose fields have written types: struct, layout, and requested traits.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::explicit_machine::{ExplicitMachine, local_ident};
use crate::layout::FieldTypes;
use crate::options::Send;
use crate::signature::{AnyLifetimes, Carried, Struct, carrying_vis};

/// The types that a struct carries as defaults of parameters.
pub(super) struct CarriedTypes {
    pub(super) impl_target: Option<Carried>,
    pub(super) arguments: Option<Carried>,
    /// The type of each field of the layout.
    fields: Vec<Option<Carried>>,
    /// The signature in place of the other two. The future is then for all types of the fields.
    pub(super) any_lifetimes: Option<AnyLifetimes>,
}

impl CarriedTypes {
    fn all(&self) -> impl Iterator<Item = &Carried> {
        let (own, any) = match &self.any_lifetimes {
            Some(any) => ([None, None], Some(&any.parameter)),
            None => ([self.impl_target.as_ref(), self.arguments.as_ref()], None),
        };
        let own = own.into_iter().flatten();
        own.chain(self.fields.iter().flatten()).chain(any)
    }

    /// Returns the parameters of the fields.
    fn of_fields(&self) -> impl Iterator<Item = TokenStream> {
        self.fields.iter().flatten().map(Carried::name)
    }

    /// Returns the parameters of the declaration.
    pub(super) fn declared(&self) -> impl Iterator<Item = TokenStream> {
        self.all().map(Carried::declared)
    }
}

/// The generics of a machine that carries its signature for all lifetimes.
pub(super) struct OfAnyLifetimes {
    /// The generics of the code. Its types imply the same bounds as the signature.
    pub(super) code: Struct,
    pub(super) types: TokenStream,
    /// The generics of all other implementations.
    pub(super) machine: Struct,
    /// The code of the machine, in these implementations.
    pub(super) own: TokenStream,
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
        let mut carried = CarriedTypes {
            impl_target: signature.carried_home(of_signature),
            arguments: signature.carried("Arguments", &tuple, of_signature),
            fields: fields.collect(),
            any_lifetimes: None,
        };
        let carries = carried.all().next().is_some();
        let any_lifetimes = (carries && self.may_be_for_any_lifetimes())
            .then(|| signature.any_lifetimes(vis))
            .flatten();
        if let Some(any) = &any_lifetimes {
            let own = [&mut carried.impl_target, &mut carried.arguments];
            for carried in own.into_iter().flatten() {
                *carried = any.parameter.clone();
            }
        }
        carried.any_lifetimes = any_lifetimes;
        carried
    }

    /// Returns `true` if the machine is implemented for all types that it may carry. The compiler
    /// infers the carried types of a machine behind `impl Future`, and a derived trait names the
    /// types of the fields in its own implementation.
    fn may_be_for_any_lifetimes(&self) -> bool {
        self.typed.is_some() && !self.signature.is_opaque && self.options.derive.is_empty()
    }

    /// Returns the struct for all types that it may carry.
    pub(super) fn for_all(&self, carried: &CarriedTypes) -> Struct {
        let support = self.support();
        let needs = quote!(#support::ExplicitMachine);
        self.signature
            .with_carried(self.name, carried.all(), &needs)
    }

    /// Returns the generics of a machine that carries its signature: those of its code, and those
    /// of all other implementations.
    pub(super) fn any_lifetimes(&self, carried: &CarriedTypes) -> Option<OfAnyLifetimes> {
        let any = carried.any_lifetimes.as_ref()?;
        let (private, name) = (self.private(), self.name);
        let (parameters, bounds) = self.signature.of_any_lifetimes();
        let arguments = self.signature.arguments();
        let of_struct = |names: Vec<TokenStream>| {
            let parameters = parameters.iter().chain(&names);
            let arguments = arguments.iter().chain(&names);
            let bounds = bounds.iter();
            Struct {
                parameters: quote!(#(#parameters),*),
                arguments: quote!(#(#arguments),*),
                bounds: quote!(#(#bounds,)*),
            }
        };
        let (signature, lifetimes) = (any.parameter.name(), &any.lifetimes);
        let at_lifetimes = quote!(#private::AtLifetimes<#lifetimes>);
        let code = quote!(#private::CarriedCode<<#signature as #at_lifetimes>::Types>);
        let mut machine = of_struct(carried.all().map(Carried::name).collect());
        let arguments = &machine.arguments;
        let more = quote!(#signature: #at_lifetimes, #name<#arguments>: #code,);
        machine.bounds.extend(more);
        Some(OfAnyLifetimes {
            code: of_struct(carried.of_fields().collect()),
            machine,
            own: quote!(<Self as #code>),
            types: any.types.clone(),
        })
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
        let (private, proof, names) = (self.private(), self.typed_proof(), self.assert_names());
        let at = (0..typed.types.len()).map(|index| field(typed.group(index)));
        let (parameters, bounds, ty, native) = match self.any_lifetimes(&self.carried()) {
            Some(OfAnyLifetimes { machine, own, .. }) => {
                let (name, arguments) = (self.name, machine.arguments);
                let (parameters, bounds) = (Some(machine.parameters), Some(machine.bounds));
                let ty = quote!(#name<#arguments>);
                (parameters, bounds, ty, quote!(#own::REFERENCE_SIZE))
            }
            None => {
                let (signature, ty) = (self.signature, self.static_type());
                let (parameters, bounds) = (signature.parameters(), signature.bounds());
                (parameters, bounds, ty, self.reference_size())
            }
        };
        quote! {
            #proof
            #names
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

    /// Returns the size of the compiler's coroutine, as a constant.
    pub(super) fn reference_size(&self) -> TokenStream {
        self.of_reference_fn(&quote!(size_of_coroutine), self.signature.tuple())
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
