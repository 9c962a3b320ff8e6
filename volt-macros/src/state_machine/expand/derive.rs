//! `Clone`, `PartialEq`, `Eq` and `Hash` of a machine.
//!
//! A machine is what it keeps, so these are asked of its fields: of the types that have type
//! parameters in bounds, of the others where they are used. A clone of a future that is pinned is
//! none of unsafe code: it is looked at by reference, and the clone is not pinned yet.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

use super::face::implement;
use super::fields::{Field, fields, start};
use super::lints::allow;
use crate::state_machine::args::{Derived, Trait};
use crate::state_machine::model::Machine;
use crate::state_machine::scope::holds_word;

/// The implementations that were asked for.
pub(super) fn derives(machine: &Machine) -> TokenStream {
    let derive = machine.options.derive.iter();
    derive
        .map(|derived| Derive { machine, derived }.all())
        .collect()
}

/// A struct, or a variant, and its fields.
type Shape = (TokenStream, Vec<Field>);

struct Derive<'a> {
    machine: &'a Machine,
    derived: &'a Derived,
}

impl Derive<'_> {
    /// The trait for the states, for what holds them, and for what is lent to that.
    fn all(&self) -> TokenStream {
        let machine = self.machine;
        let names = &machine.names;
        let rooms = 0..machine.rooms.0.len();
        let levels = std::iter::once(None).chain(rooms.map(Some));
        let levels = levels.map(|level| {
            let name = level.map_or(&names.states, |room| &machine.room_names[room].states);
            self.of(name, None, &self.level(level))
        });
        let states = Field {
            pinned: true,
            name: format_ident!("states"),
            ty: TokenStream::new(),
        };
        let core = self.of(&names.core, None, &[(quote!(Self), vec![states])]);
        let lender = machine.function.splits().then(|| {
            let lent = &machine.function.lent;
            self.of(&names.machine, Some(quote!(#(#lent,)*)), &[self.lender()])
        });
        quote!(#(#levels)* #core #lender)
    }

    /// The variants of a set of states.
    fn level(&self, level: Option<usize>) -> Vec<Shape> {
        let machine = self.machine;
        let mut variants = Vec::new();
        if level.is_none() {
            variants.push((format_ident!("Start"), start(machine)));
            variants.push((format_ident!("Done"), Vec::new()));
        }
        let found = machine.level(level);
        variants.extend(found.iter().map(|found| fields(machine, found)));
        let phantom = machine.function.mentions_all().filter(|_| level.is_some());
        let marker = phantom.map(|ty| Field {
            pinned: false,
            name: machine.names.marker.clone(),
            ty: quote!(::core::marker::PhantomData<#ty>),
        });
        variants.push((format_ident!("Poisoned"), marker.into_iter().collect()));
        let variants = variants.into_iter();
        variants
            .map(|(name, fields)| (quote!(Self::#name), fields))
            .collect()
    }

    fn lender(&self) -> Shape {
        let params = self.machine.function.params.iter();
        let lent = params
            .filter(|param| param.lent.is_some())
            .map(|param| Field {
                pinned: false,
                name: param.name.clone(),
                ty: param.ty.to_token_stream(),
            });
        let core = Field {
            pinned: true,
            name: format_ident!("machine"),
            ty: TokenStream::new(),
        };
        (quote!(Self), std::iter::once(core).chain(lent).collect())
    }

    /// The trait for one type.
    fn of(&self, name: &Ident, lent: Option<TokenStream>, shapes: &[Shape]) -> TokenStream {
        let (path, body) = match self.derived.of {
            Trait::Clone => (quote!(::core::clone::Clone), clone(shapes)),
            Trait::PartialEq => (quote!(::core::cmp::PartialEq), eq(shapes)),
            Trait::Eq => (quote!(::core::cmp::Eq), TokenStream::new()),
            Trait::Hash => (quote!(::core::hash::Hash), hash(shapes)),
        };
        let machine = self.machine;
        let bounds = self.bounds(&path, shapes);
        let head = match &lent {
            None => {
                let head = implement(machine, Some(path.clone()), name);
                quote!(#head #(#bounds,)*)
            }
            Some(lent) => {
                let function = &machine.function;
                let (parameters, arguments) = (function.parameters(), function.arguments());
                let (own, allow) = (function.bounds(), allow(machine));
                let conditions = function.conditions();
                quote! {
                    #(#conditions)*
                    #[automatically_derived]
                    #allow
                    impl<#lent #parameters> #path for #name<#lent #arguments>
                    where #own #(#bounds,)*
                }
            }
        };
        let arguments = machine.function.arguments();
        let proof = (self.derived.of == Trait::Eq)
            .then(|| self.proof(&quote!(#name<#lent #arguments>), shapes));
        quote!(#head { #body } #proof)
    }

    /// The bounds on fields whose types have type parameters, those of the machine itself left out.
    fn bounds(&self, path: &TokenStream, shapes: &[Shape]) -> Vec<TokenStream> {
        let machine = self.machine;
        let function = &machine.function;
        let rooms = 0..machine.rooms.0.len();
        let levels = std::iter::once(None).chain(rooms.map(Some));
        let states: Vec<Shape> = levels.flat_map(|level| self.level(level)).collect();
        let fields = states.iter().chain(shapes).flat_map(|(_, fields)| fields);
        let types = fields.filter(|field| !field.ty.is_empty());
        let mentions = |ty: &TokenStream, name: &Ident| holds_word(ty.clone(), &name.to_string());
        let own = [
            &machine.names.core,
            &machine.names.machine,
            &function.item.sig.ident,
        ];
        let rooms = machine.room_names.iter().map(|names| &names.states);
        let own: Vec<_> = own.into_iter().chain(rooms).collect();
        let mut bounds: Vec<TokenStream> = Vec::new();
        for Field { ty, .. } in types {
            let mut params = function.generics.type_params();
            let is_generic = params.any(|param| mentions(ty, &param.ident).is_some());
            let is_own = own.iter().any(|name| mentions(ty, name).is_some());
            let bound = quote!(#ty: #path);
            let is_new = bounds
                .iter()
                .all(|known| known.to_string() != bound.to_string());
            if is_generic && !is_own && is_new {
                bounds.push(bound);
            }
        }
        bounds
    }

    /// Nothing in `Eq` uses the fields, so they are asked for.
    fn proof(&self, ty: &TokenStream, shapes: &[Shape]) -> TokenStream {
        let function = &self.machine.function;
        let (parameters, own, lent) = (function.parameters(), function.bounds(), &function.lent);
        let (volt, conditions) = (&self.machine.options.volt, function.conditions());
        let bounds = self.bounds(&quote!(::core::cmp::Eq), shapes);
        let fields = shapes.iter().flat_map(|(_, fields)| fields);
        let asserts = fields.filter(|field| !field.ty.is_empty()).map(|field| {
            let (span, ty) = (span(field), &field.ty);
            quote_spanned!(span=> #volt::__private::assert_total_eq::<#ty>();)
        });
        let allow = allow(self.machine);
        quote! {
            #(#conditions)*
            const _: () = {
                #allow
                fn is_eq<#(#lent,)* #parameters>(_: &#ty) where #own #(#bounds,)* {
                    #(#asserts)*
                }
            };
        }
    }
}

/// Where errors about a field point: at its type.
fn span(field: &Field) -> Span {
    Span::call_site().located_at(field.ty.span())
}

/// The pattern of a shape, its fields bound to `prefix_0` and so on.
fn pattern((path, fields): &Shape, prefix: &str) -> (TokenStream, Vec<Ident>) {
    let bound = fields.iter().enumerate();
    let bound = bound.map(|(index, field)| {
        let name = format!("{prefix}_{index}");
        Ident::new(&name, span(field))
    });
    let bound: Vec<Ident> = bound.collect();
    let names = fields.iter().map(|field| &field.name);
    (quote!(#path { #(#names: #bound,)* }), bound)
}

fn clone(shapes: &[Shape]) -> TokenStream {
    let arms = shapes.iter().map(|shape| {
        let (path, fields) = shape;
        let (pattern, bound) = pattern(shape, "field");
        let clones = fields.iter().zip(&bound).map(|(field, bound)| {
            let name = &field.name;
            let clone = quote_spanned!(span(field)=> ::core::clone::Clone::clone(#bound));
            quote!(#name: #clone,)
        });
        quote!(#pattern => #path { #(#clones)* },)
    });
    quote! {
        fn clone(&self) -> Self {
            match self { #(#arms)* }
        }
    }
}

fn eq(shapes: &[Shape]) -> TokenStream {
    let arms = shapes.iter().map(|shape| {
        let ((left, lefts), (right, rights)) = (pattern(shape, "left"), pattern(shape, "right"));
        let fields = shape.1.iter().zip(lefts.iter().zip(&rights));
        let equal = fields.map(|(field, (left, right))| {
            quote_spanned!(span(field)=> && ::core::cmp::PartialEq::eq(#left, #right))
        });
        quote!((#left, #right) => true #(#equal)*,)
    });
    quote! {
        fn eq(&self, other: &Self) -> bool {
            match (self, other) {
                #(#arms)*
                _ => false,
            }
        }
    }
}

fn hash(shapes: &[Shape]) -> TokenStream {
    let arms = shapes.iter().map(|shape| {
        let (pattern, bound) = pattern(shape, "field");
        let hashes = shape.1.iter().zip(&bound).map(|(field, bound)| {
            quote_spanned!(span(field)=> ::core::hash::Hash::hash(#bound, hasher);)
        });
        quote!(#pattern => { #(#hashes)* })
    });
    let which = (shapes.len() > 1)
        .then(|| quote!(::core::hash::Hash::hash(&::core::mem::discriminant(self), hasher);));
    quote! {
        fn hash<__H: ::core::hash::Hasher>(&self, hasher: &mut __H) {
            #which
            match self { #(#arms)* }
        }
    }
}
