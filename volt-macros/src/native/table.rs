//! What a machine tells of itself: its states, the steps between, its layout, its documentation.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

use super::coroutine::Coroutine;
use super::machine::{Machine, Room};
use super::steps::steps;
use crate::names;
use crate::syntax::source_text;

impl Machine<'_> {
    /// The name of the type that has the table.
    pub(super) fn table(&self) -> Ident {
        format_ident!("__{}Table", self.name)
    }

    /// What the machine tells of itself, whatever its parameters are.
    pub(super) fn table_of(&self, coroutine: &Coroutine) -> TokenStream {
        let (volt, name, table) = (self.volt(), self.name.to_string(), self.table());
        let private = quote!(#volt::__private::tables);
        let place = location(self.signature.name.span());
        let last = coroutine.sites.len() + 1;
        let arguments = self.signature.arguments.iter().map(|argument| {
            let (name, ty) = (names::written(&argument.name), source_text(&argument.ty));
            quote!(#volt::machine::Local::new(#name, #ty))
        });
        let states = coroutine.sites.iter().map(|site| {
            let (title, place) = (&site.title, location(site.span));
            quote!((#title, #place, &[]))
        });
        let steps = steps(&coroutine.body, last);
        let steps = steps.iter().map(|(from, to)| quote!((#from, #to)));
        let (why, line) = (&self.why.text, self.why.line());
        let storage = match self.room() {
            Room::Boxed => quote!(Boxed),
            _ => quote!(Inline),
        };
        quote! {
            #[automatically_derived]
            impl #volt::__private::native::Table for #table {
                const TABLES: &'static #volt::machine::Tables = &#volt::machine::Tables {
                    name: #name,
                    states: &#private::states(#name, ::core::file!(), [
                        ("start", #place, &[#(#arguments),*]),
                        #(#states,)*
                        ("done", #place, &[]),
                    ]),
                    own: &#private::own(#name, ::core::file!(), #last, (#place)),
                    transitions: &#private::steps([#(#steps),*]),
                    layout: #volt::__private::native::layout(#why, #line, #volt::machine::Storage::#storage),
                };
            }
        }
    }

    /// The documentation of the struct.
    pub(super) fn doc(&self, coroutine: &Coroutine) -> Vec<String> {
        let name = names::own_name(&self.signature.name);
        let mut doc = vec![
            format!(
                " The state machine of `{name}`, in the native layout: {}.",
                self.why.text
            ),
            String::new(),
        ];
        if self.room() == Room::Boxed {
            doc.push(
                " Its first poll allocates one box, because the function has type parameters."
                    .to_owned(),
            );
            doc.push(String::new());
        }
        doc.push(" | state | line |".to_owned());
        doc.push(" | --- | ---: |".to_owned());
        let sites = coroutine.sites.iter();
        doc.extend(sites.map(|site| format!(" | {} | {} |", site.title, site.span.start().line)));
        doc
    }
}

fn location(span: Span) -> TokenStream {
    let start = span.start();
    let line = u32::try_from(start.line).unwrap_or(u32::MAX);
    let column = u32::try_from(start.column + 1).unwrap_or(u32::MAX);
    quote!(#line, #column)
}
