//! The copy of a recursive function that determines whether its machine is `Send`.
//!
//! ```text
//! const _: () = {
//!     fn walk(_: u32) -> OwnFuture<Walk> { .. }
//!     async fn __WalkCopy(n: u32) -> u32 { the body }
//!     impl AutoTraitInfo for Walk where for<'x> Walk: HasMarker<'x> {
//!         const AUTO: AutoTraits = auto_traits_of(|| probe_output::<(u32,), _>(__WalkCopy).__volt_auto());
//!     }
//! };
//! ```
//!
//! In the copy the own name is a function whose future is `Send`. In the copy of a method, such a
//! future replaces the output of each call by the name, if the output is the machine:
//!
//! ```text
//! fn __volt_own<V, R>(value: V) -> R where CopyOf<Walk, ..>: Replaced<V, R> { .. }
//! impl Tree { async fn __TreeWalkCopy(&self) { Box::pin(__volt_own(self.left.walk())).await } }
//! ```
//!
//! If the method is used as a value, such as `map(Self::walk)`, a function with that future
//! replaces it:
//!
//! ```text
//! map(__volt_own_value(Self::walk, Self::walk).__volt_pick(__volt_own_function))
//! ```
//!
//! A second copy has a future that is also `Sync`. If that copy is `Send` and `Sync`, the machine
//! is both. Otherwise the first copy decides, whose own future is not `Sync`.
//!
//! So the copy is `Send` if the coroutine is, for the case that its own machine is. If the copy is
//! not `Send`, the machine is not, and neither is the compiler's own future. If a call that may
//! return the own machine stays as it is, the machine is also `Send` if its arguments are, which a
//! function proves ([`CopyAnswer::OrArguments`]).

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{ItemFn, parse_quote};

use super::super::other_attributes::is_foreign;
use super::marked::MarkerImpl;
use super::own_calls::OwnCalls;
use super::own_traits::{OwnTraits, value_marks};
use super::path_ends::PathEnds;
use super::plain_fn::PlainFn;
use crate::options::{CopyAnswer, Options};
use crate::signature::{FunctionTokens, Method, machine_name};
use crate::syntax::{DeclaredFn, machine_is_named, words_lead_back};

/// Returns `true` if a copy of a function that awaits itself determines `Send`: alone, or together
/// with the arguments.
///
/// No path may end with the name of a function. A method may only be called, and a call whose
/// output is not awaited at once shows that its machine may be in a box. A type that names the
/// machine would not match the future of the copy.
pub(super) fn copy_answer(
    item: &ItemFn,
    method: Option<&Method>,
    tokens: &FunctionTokens,
    options: &Options,
) -> Option<CopyAnswer> {
    if options.editor || item.attrs.iter().any(is_foreign) {
        return None;
    }
    let name = &item.sig.ident;
    let (may_be, answer) = match method {
        Some(method) => {
            let calls = OwnCalls::find(method);
            (
                calls.is_stored && !calls.is_value,
                if calls.is_open {
                    CopyAnswer::OrArguments
                } else {
                    CopyAnswer::Exact
                },
            )
        }
        None => {
            let mut uses = PathEnds::new(name, &OwnTraits::Send.mark());
            uses.replace(tokens.tokens().clone());
            (!uses.is_stored && !uses.is_value, CopyAnswer::Exact)
        }
    };
    let machine = machine_name(options, item, method).to_string();
    let text = name.to_string();
    let target = method.and_then(|method| method.impl_target.name());
    let target = target.map(Ident::to_string);
    let declared = DeclaredFn {
        name: &text,
        impl_target: target.as_deref(),
    };
    let names_machine = || {
        tokens.contains(&machine)
            || machine_is_named(&machine, &declared, name.span())
                && words_lead_back([&machine, &machine], name.span(), tokens.text())
    };
    (may_be && !names_machine()).then_some(answer)
}

impl MarkerImpl<'_> {
    /// Returns the implementation with the auto traits of the copies.
    pub(super) fn recursive_copy(&self) -> TokenStream {
        let (volt, name, signature) = (self.volt, self.name, self.signature);
        let private = quote!(#volt::__private);
        let (parameters, bounds) = signature.of_any_lifetimes();
        let bounds = bounds.map(|bounds| quote!(#bounds,));
        let (arguments, bound) = (signature.arguments(), self.bound());
        let [(items, answer), (of_shared, shared)] =
            [OwnTraits::Send, OwnTraits::SendAndSync].map(|own| self.copy_with(own));
        // Two functions of the user's name need two scopes. Implementations need the outer one.
        let (outer, inner) = match self.method {
            Some(_) => (Some(of_shared), None),
            None => (None, Some(of_shared)),
        };
        quote! {
            const _: () = {
                #private::inferred::allow_lints! { {
                    #items
                    #outer
                    #[doc(hidden)]
                    #[automatically_derived]
                    impl<#parameters> #private::inferred::AutoTraitInfo for #name<#arguments> where #bounds #bound {
                        const AUTO: #private::native::AutoTraits = #private::native::AutoTraits::of_copies(
                            #private::native::auto_traits_of(|| {
                                let _never = #private::inferred::never();
                                #answer
                            }),
                            #private::native::auto_traits_of(|| {
                                #inner
                                let _never = #private::inferred::never();
                                #shared
                            }),
                        );
                    }
                } }
            };
        }
    }

    /// Returns a copy with the items that replace the own machine in it, and the query of its auto
    /// traits.
    fn copy_with(&self, own: OwnTraits) -> (TokenStream, TokenStream) {
        let (volt, machine, signature) = (self.volt, self.name, self.signature);
        let (inferred, tuple) = (quote!(#volt::__private::inferred), signature.tuple());
        // The private trait of a copy has this name, too.
        let name = match own {
            OwnTraits::Send => machine.clone(),
            OwnTraits::SendAndSync => format_ident!("{machine}Sync"),
        };
        let copy = PlainFn {
            item: self.item,
            method: self.method,
            signature,
            machine: &name,
            name: format_ident!("__{name}Copy"),
            bound: self.method.map(|_| {
                let bound = self.hidden_by("Kept");
                parse_quote!(#bound)
            }),
            is_only_copy: false,
        };
        let mut body = copy.body();
        let replacement = match self.method {
            Some(method) => {
                let has_values = OwnCalls::mark(method, &mut body, &own.mark()).has_values;
                let values = has_values.then(|| self.replacing_value(own));
                let function = self.replacing_function(own);
                quote!(#values #function)
            }
            None => self.own_function(&signature.name, own),
        };
        let (declared, closure) = (copy.declare(&body), copy.closure(&tuple, false));
        let query = quote!(#inferred::probe_output::<(#tuple,), _>(#closure).__volt_auto());
        (quote!(#replacement #declared), query)
    }

    /// Returns the function that replaces the user's function in the copy.
    fn own_function(&self, ident: &Ident, own: OwnTraits) -> TokenStream {
        let (volt, name, signature) = (self.volt, self.name, self.signature);
        let unsafety = signature.unsafety;
        let (parameters, arguments) = (signature.parameters(), signature.arguments());
        let bounds = signature.bounds().map(|bounds| quote!(where #bounds));
        let types = signature.arguments.iter().map(|argument| &argument.ty);
        let traits = own.parameter();
        quote! {
            #unsafety fn #ident<#parameters>(#(_: #types),*) -> #volt::__private::native::OwnFuture<#name<#arguments>, #traits> #bounds {
                #volt::__private::native::OwnFuture::new()
            }
        }
    }

    /// Returns the functions that replace the method in the copy where it is no call.
    fn replacing_value(&self, own: OwnTraits) -> TokenStream {
        let (volt, [value, function]) = (self.volt, value_marks(&own.mark()));
        let replacing = self.own_function(&function, own);
        quote! {
            use #volt::__private::native::value_of as #value;
            #replacing
        }
    }

    /// Returns the function that replaces a machine in the copy, and keeps any other value.
    fn replacing_function(&self, own: OwnTraits) -> TokenStream {
        let (name, signature) = (self.name, self.signature);
        let native = {
            let volt = self.volt;
            quote!(#volt::__private::native)
        };
        let (parameters, arguments) = (signature.parameters(), signature.arguments());
        let (bounds, mark, traits) = (signature.bounds(), own.mark(), own.parameter());
        let of_machine = signature.static_arguments();
        let copy = quote!(#native::CopyOf<#name<#of_machine>, #traits>);
        quote! {
            impl<#parameters> #native::Replaced<#name<#arguments>, #native::OwnFuture<#name<#arguments>, #traits>> for #copy where #bounds {}
            fn #mark<V, R>(value: V) -> R where #copy: #native::Replaced<V, R> {
                <#copy>::replace(value)
            }
        }
    }
}
