//! The body under attributes of others, in a function of its own.
//!
//! ```text
//! #[other::attribute]
//! async fn __fetch_body(url: Url, Page { size, .. }: Page) -> Output { the body }
//! async fn __fetch<'__volt>(late: Late<'__volt, (Url, Page)>) -> Output {
//!     __fetch_body(late!(late.0), late!(late.1)).await
//! }
//! ```
//!
//! Behind such an attribute the machine has one site, the call. One that is known, `#[tracing::instrument]`, leaves the
//! awaits of the body to the machine: they are marked, and the function with the body makes the coroutine. So it does
//! without a trace.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{Attribute, Block, Path};

use super::coroutine::{Part, allow};
use super::foreign::named;
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
        self.mark(body, table, false);
        let outer = foreign.first().map(|attr| path_text(attr.path()));
        let site = Site {
            title: format!("await #[{}]", outer.unwrap_or_default()),
            span: self.signature.name.span(),
        };
        let inner = format_ident!("{}_body", self.name());
        let function = self.under(foreign, &inner, false, body);
        let (private, imports) = (self.private(), self.imports());
        let (call, late) = (self.call(&inner), late());
        let awaiting = quote! {
            #imports
            #private::Awaited(#call)
                .begin().at_site::<#table, 1, _>(#late)
                .await
        };
        let plain = Part { own: &[], ..*self };
        let outer = plain.function(&awaiting);
        (vec![site], quote!(#function #outer))
    }

    /// The body under the attributes, which makes the coroutine.
    pub(super) fn alone(
        &self,
        foreign: &[&Attribute],
        body: &mut Block,
        table: &TokenStream,
    ) -> (Vec<Site>, TokenStream) {
        let sites = self.mark(body, table, self.is_traced);
        let function = self.under(foreign, &self.name(), self.is_traced, body);
        (sites, function)
    }

    fn mark(&self, body: &mut Block, table: &TokenStream, is_traced: bool) -> Vec<Site> {
        let marking = Marking {
            volt: self.volt,
            table,
            is_own: false,
            is_traced,
        };
        let sites = mark(body, &marking);
        self.import(body);
        sites
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
    fn call(&self, inner: &Ident) -> TokenStream {
        let (private, late) = (self.private(), late());
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
        let call = quote!(#path(#receiver #(#arguments),*));
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
