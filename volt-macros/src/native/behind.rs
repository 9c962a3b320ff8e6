//! The body under attributes of others, in a function of its own.
//!
//! ```text
//! #[tracing::instrument]
//! async fn __fetch_body(url: Url, Page { size, .. }: Page) -> Output { the body }
//! async fn __fetch<'__volt>(late: Late<'__volt, (Url, Page)>) -> Output {
//!     __fetch_body(late!(late.0), late!(late.1)).await
//! }
//! ```
//!
//! An attribute that is known, such as that one, leaves the awaits of the body to the machine: they are marked.
//! Behind any other the machine has one site, the call. Without a trace the function with the body makes the coroutine.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{Attribute, Block, Path};

use super::coroutine::{Part, allow};
use super::foreign::{is_instrument, named};
use super::sites::{Marking, Site, late, mark};
use crate::names;

impl Part<'_> {
    /// The body in a function under the attributes of others, and the one that awaits it.
    pub(super) fn behind(
        &self,
        foreign: &[&Attribute],
        body: &mut Block,
        table: &TokenStream,
    ) -> (Vec<Site>, TokenStream) {
        let (volt, private) = (self.volt, self.private());
        let is_known = foreign.iter().all(|attr| is_instrument(attr));
        let marking = Marking {
            volt,
            table,
            is_own: false,
            is_traced: is_known,
        };
        let mut sites = mark(body, &marking);
        self.import(body);
        let outer = foreign.first().map(|attr| path_text(attr.path()));
        sites.push(Site {
            title: format!("await #[{}]", outer.unwrap_or_default()),
            span: self.signature.name.span(),
        });
        let inner = format_ident!("{}_body", self.name());
        let function = self.under(foreign, &inner, is_known, body);
        let (call, index, late) = (self.call(&inner, is_known), sites.len(), late());
        let imports = self.imports();
        // What is marked within notes other sites, so this one is noted at each poll.
        let begun = match is_known {
            true => quote!(nested),
            false => quote!(begin().at_site),
        };
        let awaiting = quote! {
            #imports
            #private::Awaited(#call)
                .#begun::<#table, #index, _>(#late)
                .await
        };
        let plain = Part { own: &[], ..*self };
        let outer = plain.function(&awaiting);
        (sites, quote!(#function #outer))
    }

    /// The body under the attributes, for a coroutine that notes nothing.
    pub(super) fn alone(
        &self,
        foreign: &[&Attribute],
        body: &mut Block,
        table: &TokenStream,
    ) -> TokenStream {
        let marking = Marking {
            volt: self.volt,
            table,
            is_own: false,
            is_traced: false,
        };
        mark(body, &marking);
        self.under(foreign, &self.name(), false, body)
    }

    /// The function with the body, under the attributes. One that is known hands on the progress in a
    /// pattern that it does not look into.
    fn under(
        &self,
        foreign: &[&Attribute],
        inner: &Ident,
        is_known: bool,
        body: &Block,
    ) -> TokenStream {
        let (late, brand, own) = (late(), names::label("__volt"), self.own);
        let private = self.private();
        let attrs = foreign.iter().map(|attr| named(attr, &self.signature.name));
        let (tuple, output) = (self.signature.tuple(), &self.signature.output);
        let (parameters, bounds) = (
            self.signature.parameters_of_function(self.home),
            self.bounds(),
        );
        let (unsafety, receiver) = (self.signature.unsafety, self.written_receiver());
        let handed = is_known.then(|| quote!([#late]: [#private::Late<#brand, #tuple>; 1],));
        let lifetime = is_known.then(|| quote!(#brand,));
        let params = self.arguments().map(|(_, argument)| {
            let (pat, ty) = (&argument.pat, &argument.ty);
            quote!(#pat: #ty)
        });
        let (allow, conditions) = (allow(), self.signature.conditions());
        quote! {
            #(#conditions)*
            #(#own)*
            #(#attrs)*
            #allow
            async #unsafety fn #inner<#lifetime #parameters>(
                #receiver #handed #(#params),*
            ) -> #output #bounds {
                #body
            }
        }
    }

    /// The call of the function with the body, which takes the arguments.
    fn call(&self, inner: &Ident, is_known: bool) -> TokenStream {
        let (private, late) = (self.private(), late());
        let given = is_known.then(|| quote!([#late],));
        let receiver = self.home.and_then(|method| method.original.sig.receiver());
        let receiver = receiver.map(|receiver| {
            let token = receiver.self_token;
            quote!(#token,)
        });
        let arguments = self.arguments().map(|(index, _)| {
            let index = syn::Index::from(index);
            quote!(#private::late!(#late.#index))
        });
        let inner = self.named(inner);
        let path = match self.home {
            Some(_) => quote!(Self::#inner),
            None => inner,
        };
        let call = quote!(#path(#receiver #given #(#arguments),*));
        match self.signature.unsafety {
            Some(token) => quote!(#token { #call }),
            None => call,
        }
    }
}

/// A path as people write it.
fn path_text(path: &Path) -> String {
    let names = path
        .segments
        .iter()
        .map(|segment| segment.ident.to_string());
    names.collect::<Vec<_>>().join("::")
}
