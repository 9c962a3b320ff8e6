//! The body under other attributes, in a function of its own.
//!
//! ```text
//! #[other::attribute]
//! async fn __fetch_body(url: Url, Page { size, .. }: Page) -> Output { the body }
//! async fn __fetch<'__volt>(ptr: ProgressCapture<'__volt, (Url, Page)>) -> Output {
//!     let ptr = ptr.receive();
//!     __fetch_body(take_arguments!(ptr.0), take_arguments!(ptr.1)).await
//! }
//! ```
//!
//! Under such an attribute the machine has one site, the call. For the known attribute
//! `#[tracing::instrument]` the macro marks the awaits of the body, and the function with the body
//! creates the coroutine. The same is done for a machine without a trace.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{Attribute, Block, Path};

use super::coroutine::{allow, parameters};
use super::native_machine::{NativeMachine, arguments_ptr};
use super::sites::{Marks, Site};
use crate::backend::with_span_name;
use crate::names;
use crate::signature::Functions;

impl NativeMachine<'_> {
    /// Returns the function with the body under the other attributes, and the function that awaits
    /// it.
    pub(super) fn wrapped_by_attributes(
        &self,
        foreign: &[&Attribute],
        own: &[&Attribute],
        body: &mut Block,
    ) -> (Marks, Functions) {
        self.mark(body, false, false);
        let outer = foreign.first().map(|attr| path_text(attr.path()));
        let site = Site {
            title: format!("await #[{}]", outer.unwrap_or_default()),
            span: self.signature.name.span(),
        };
        let inner = format_ident!("__{}_body", self.body_name);
        let function = self.attributed_function(foreign, own, &inner, false, body);
        let (private, imports) = (self.private(), self.imports());
        let (call, arguments_ptr, table) = (self.call(&inner), arguments_ptr(), self.table());
        let awaiting = quote! {
            #imports
            #private::AwaitOperand(#call)
                .__volt_begin().__volt_at_site::<#table, 1, _>(#arguments_ptr)
                .await
        };
        let outer = self.function(&[], &awaiting);
        let functions = Functions {
            items: [function.items, outer.items].into_iter().collect(),
            declared: [function.declared, outer.declared].into_iter().collect(),
        };
        let marks = Marks {
            sites: vec![site],
            ..Marks::default()
        };
        (marks, functions)
    }

    /// Returns the function with the body, under the attributes. For a known attribute the pointer
    /// to the progress is in a pattern, which the attribute does not record.
    pub(super) fn attributed_function(
        &self,
        foreign: &[&Attribute],
        own: &[&Attribute],
        inner: &Ident,
        is_known: bool,
        body: &Block,
    ) -> Functions {
        let (arguments_ptr, brand, private) =
            (arguments_ptr(), names::label("__volt"), self.private());
        let (tuple, allow) = (self.signature.tuple(), allow());
        let foreign = foreign
            .iter()
            .map(|attr| with_span_name(attr, &self.signature.name));
        let attrs = quote!(#(#own)* #(#foreign)* #allow);
        let handed = is_known.then(|| quote!([#private::ArgumentsPtr<#brand, #tuple>; 1]));
        let brand = is_known.then_some(&brand);
        let (params, types) = (parameters(self.other_arguments()), self.other_arguments());
        let types = types.map(|(_, argument)| &argument.ty);
        let handed_type = handed.iter();
        let declared = quote!(#(_: #handed_type,)* #(_: #types),*);
        let handed = handed.iter();
        let params = quote!(#([#arguments_ptr]: #handed,)* #(#params),*);
        self.head(&attrs, (inner, brand), [params, declared], body)
    }

    /// Returns the call of the function with the body, with its arguments.
    fn call(&self, inner: &Ident) -> TokenStream {
        let receiver = self.impl_target().and_then(|it| it.original.sig.receiver());
        let receiver = receiver.map(|receiver| {
            let token = receiver.self_token;
            quote!(#token,)
        });
        let arguments = self
            .other_arguments()
            .map(|(index, _)| self.take_argument(index));
        let of_type = self.impl_target().map(|_| quote!(Self::));
        let inner = self.named(inner);
        self.unsafe_block(quote!(#of_type #inner(#receiver #(#arguments),*)))
    }
}

/// Returns a path as text.
fn path_text(path: &Path) -> String {
    let names = path.segments.iter().map(|name| name.ident.to_string());
    names.collect::<Vec<_>>().join("::")
}
