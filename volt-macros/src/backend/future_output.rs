//! The output of a machine in its implementation of `Future`.
//!
//! An associated type may not be less visible than the machine, error E0446. A function may: a
//! public one with a private output has the lint `private_interfaces`. So a private trait maps the
//! machine to its output, and the associated type is a parameter that the trait determines:
//!
//! ```text
//! trait __VoltOutputOf<T> { type Type; fn own(output: T) -> Self::Type; }
//! impl __VoltOutputOf<Row> for Load { type Type = Row; .. }
//! impl<__VoltOutput> Future for Load where Load: __VoltOutputOf<Row, Type = __VoltOutput> {
//!     type Output = __VoltOutput;
//! }
//! ```
//!
//! rustdoc shows the signature, and does not check visibilities. It gets the output itself.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{Type, Visibility};

use crate::names::is_primitive;
use crate::options::is_rustdoc;
use crate::signature::Signature;

/// The output of a machine, and the generics of the implementation that has it.
pub(crate) struct FutureOutput {
    /// The trait that maps the machine to its output.
    pub(crate) items: Option<TokenStream>,
    /// The generics of the implementation, and its output: `[parameters] [bounds] [type]`.
    pub(crate) list: TokenStream,
    /// The function that returns an output as that type.
    pub(crate) own: TokenStream,
}

impl FutureOutput {
    /// Returns the output of a machine that is visible as `vis`.
    pub(crate) fn of(
        vis: &Visibility,
        name: &Ident,
        signature: &Signature,
        output: &TokenStream,
    ) -> Self {
        let (parameters, bounds) = (signature.parameters(), signature.bounds());
        let is_private = matches!(vis, Visibility::Inherited);
        if is_private || is_rustdoc() || !may_be_private(&signature.output) {
            return Self {
                items: None,
                list: quote!([#parameters] [#bounds] [#output]),
                own: quote!(::core::convert::identity),
            };
        }
        let [of, ty] = ["__VoltOutputOf", "__VoltOutput"].map(|it| format_ident!("{it}"));
        let arguments = signature.arguments();
        let machine = quote!(#name<#arguments>);
        let followed = parameters.as_ref().map(|parameters| quote!(#parameters,));
        Self {
            items: Some(quote! {
                trait #of<T> {
                    type Type;
                    fn own(output: T) -> Self::Type;
                }
                #[automatically_derived]
                impl<#parameters> #of<#output> for #machine where #bounds {
                    type Type = #output;
                    #[inline]
                    fn own(output: #output) -> #output {
                        output
                    }
                }
            }),
            list: quote!([#followed #ty] [#bounds #machine: #of<#output, Type = #ty>,] [#ty]),
            own: quote!(<#machine as #of<#output>>::own),
        }
    }
}

/// Returns `false` for a type that consists of primitive types. A module uses them often, and
/// declares no type of their name.
fn may_be_private(ty: &Type) -> bool {
    match ty {
        Type::Never(_) => false,
        Type::Paren(ty) => may_be_private(&ty.elem),
        Type::Group(ty) => may_be_private(&ty.elem),
        Type::Reference(ty) => may_be_private(&ty.elem),
        Type::Tuple(ty) => ty.elems.iter().any(may_be_private),
        Type::Path(path) => !path
            .path
            .get_ident()
            .is_some_and(|ident| is_primitive(&ident.to_string())),
        _ => true,
    }
}
