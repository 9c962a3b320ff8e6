//! The tables of a machine: its states, the steps between them, its layout, its documentation.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::coroutine::Coroutine;
use super::native_machine::NativeMachine;
use super::rows::{gated_slots, number, row, slots, state, step};
use super::walks::{suspend_points, transitions};
use crate::names;
use crate::syntax::source_text;

impl NativeMachine<'_> {
    /// Returns the name of the type with the table.
    pub(super) fn table(&self) -> Ident {
        format_ident!("__{}Table", self.name)
    }

    /// Returns the slots for the suspend points of a coroutine.
    pub(super) fn suspend_points(&self, coroutine: &Coroutine) -> TokenStream {
        let (sites, macros) = (coroutine.marks.sites.len(), self.macros.get());
        let count = suspend_points(sites, macros, &coroutine.body);
        if self.is_compact_generic() && self.receives_arguments() {
            return gated_slots(count + 1);
        }
        slots(count, self.depends_on_types())
    }

    /// Returns the tables of the machine, which are the same for all its parameters.
    pub(super) fn table_of(&self, coroutine: &Coroutine) -> TokenStream {
        let (name, table) = (self.name.to_string(), self.table());
        let own = self.signature.name.span();
        let sites = coroutine.marks.sites.iter();
        let sites = sites.map(|site| state(&site.title, site.span));
        let (start, done) = (state("start", own), state("done", own));
        let arguments = self.signature.arguments.iter().map(|argument| {
            let (name, ty) = (names::user_name(&argument.name), source_text(&argument.ty));
            row(quote!(#name, #ty))
        });
        let last = coroutine.marks.sites.len() + 1;
        let steps = transitions(&coroutine.body, last);
        let pairs = steps.iter().copied().map(step);
        let (why, line) = (&self.why.text, self.why.line());
        let storage = if self.is_boxed() {
            quote!(Boxed)
        } else {
            quote!(Inline)
        };
        let count = number(last + 1);
        let known = number(self.signature.arguments.len());
        let taken = number(steps.len());
        let pinned = coroutine.marks.pinned.iter();
        let pinned: Vec<_> = pinned.map(|local| &local.name).collect();
        let pinned = (!pinned.is_empty()).then(|| quote!(pinned [#(#pinned),*]));
        let may_await = self.is_compact() && self.macros.get().may_await;
        let hides = may_await.then(|| quote!(hides awaits true));
        quote! {
            table #table #name
            states #count [#start, #(#sites,)* #done]
            arguments #known [#(#arguments),*]
            steps #taken [#(#pairs),*]
            #storage because #why on #line
            #pinned
            #hides
        }
    }

    /// Returns the documentation of the struct.
    pub(super) fn doc(&self, coroutine: &Coroutine) -> String {
        let name = names::own_name(&self.signature.name);
        let mut doc = vec![
            self.signature.doc_of_output(),
            String::new(),
            format!(" It is the state machine of `{name}`."),
            String::new(),
        ];
        let boxed =
            " Its first poll allocates one box, because the function has type parameters.\n";
        doc.extend(self.is_boxed().then(|| boxed.to_owned()));
        doc.push(" | state | line |\n | --- | ---: |".to_owned());
        let sites = coroutine.marks.sites.iter();
        doc.extend(sites.map(|site| format!(" | {} | {} |", site.title, site.span.start().line)));
        let pinned = coroutine.marks.pinned.iter();
        let held: Vec<_> = pinned.filter(|local| !local.lines.is_empty()).collect();
        let header = "\n | dormant local | lines |\n | --- | ---: |".to_owned();
        doc.extend((!held.is_empty()).then_some(header));
        doc.extend(held.iter().map(|local| {
            let lines: Vec<_> = local.lines.iter().map(usize::to_string).collect();
            format!(" | `{}` | {} |", local.name, lines.join(", "))
        }));
        // The reason is for the author, so it comes last.
        let (why, line) = (&self.why.text, self.why.line());
        doc.push(format!("\n Native layout, line {line}: {why}."));
        doc.join("\n")
    }
}
