//! The expansion for editors: the body in the function that makes the machine, and its type.
//!
//! ```text
//! fn read(&mut self, n: usize) -> ConnRead<'_> {
//!     let _ = async move { the body };
//!     loop {}
//! }
//! struct ConnRead<'this> { .. }                    beside, with all that it implements
//! ```
//!
//! The body is there once, with the user's own `self` and patterns. So completion has the same
//! results as in the plain function, and each local has one type. This code is never run.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;
use syn::visit_mut::VisitMut;
use syn::{Attribute, ItemFn, Lifetime, ReturnType, Type};

use super::native_machine::NativeMachine;
use crate::backend::{is_for_constructor, is_outer};
use crate::names;
use crate::options::body_in_editor;
use crate::syntax::without_labels;

impl NativeMachine<'_> {
    /// Returns the function with the body: the user's own, with the machine as its output.
    pub(super) fn function_in_editor(&self, item: &ItemFn) -> TokenStream {
        let (signature, method) = (&self.signature, self.method);
        let stays = |attr: &&Attribute| is_outer(attr) || is_for_constructor(attr);
        let attrs = signature.attrs.iter().filter(stays);
        let vis = method.map_or(&item.vis, |method| &method.original.vis);
        let mut sig = method.map_or(&item.sig, |it| &it.original.sig).clone();
        let mut body = method.map_or(&*item.block, |it| &it.original.block).clone();
        without_labels(&mut body);
        let body = body_in_editor(&body);
        sig.asyncness = None;
        sig.output = self.output_in_editor(&sig);
        quote! {
            #(#attrs)*
            #vis #sig {
                let _ = async move #body;
                loop {}
            }
        }
    }

    /// Returns the machine type, with lifetimes of the user's signature.
    fn output_in_editor(&self, sig: &syn::Signature) -> ReturnType {
        let method = self.method.map(|method| &method.impl_target.generics);
        let generics = [Some(&sig.generics), method];
        let declared = generics.into_iter().flatten().flat_map(|it| it.lifetimes());
        let declared = declared.map(|param| param.lifetime.clone()).collect();
        let returned = if self.signature.anonymous.is_empty() {
            self.returned()
        } else {
            self.opaque()
        };
        let mut returned = syn::parse2::<Type>(returned).unwrap_or(Type::Verbatim(self.opaque()));
        ElideOthers(declared).visit_type_mut(&mut returned);
        syn::parse2(quote!(-> #returned)).unwrap_or_else(|_| sig.output.clone())
    }
}

/// Elides the lifetimes that are not in the list.
struct ElideOthers(Vec<Lifetime>);

impl VisitMut for ElideOthers {
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if !self.0.contains(lifetime) && lifetime.ident != "static" {
            *lifetime = Lifetime::new("'_", lifetime.span());
        }
    }
}

/// Replaces the spans of all lifetimes that are places of the user, because an editor shows all
/// names at a place.
pub(super) fn without_lifetime_spans(tokens: TokenStream) -> TokenStream {
    let mut is_lifetime = false;
    names::each_token(tokens, &mut |token| {
        let was_quote = std::mem::take(&mut is_lifetime);
        match token {
            TokenTree::Ident(name) if was_quote => {
                Ident::new(&name.to_string(), Span::call_site()).into()
            }
            mut token => {
                is_lifetime = names::is_mark(&token, '\'');
                if is_lifetime {
                    token.set_span(Span::call_site());
                }
                token
            }
        }
    })
}
