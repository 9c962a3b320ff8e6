//! The tables of a machine: its states, the steps between them, its layout, its documentation.

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

use super::coroutine::Coroutine;
use super::native_machine::NativeMachine;
use super::transitions::transitions;
use crate::names;
use crate::syntax::source_text;

impl NativeMachine<'_> {
    /// Returns the name of the type with the table.
    pub(super) fn table(&self) -> Ident {
        format_ident!("__{}Table", self.name)
    }

    /// Returns the tables of the machine, which are the same for all its parameters.
    pub(super) fn table_of(&self, coroutine: &Coroutine) -> TokenStream {
        let (name, table) = (self.name.to_string(), self.table());
        let own = self.signature.name.span();
        let sites = coroutine.sites.iter();
        let sites = sites.map(|site| state(&site.title, site.span));
        let (start, done) = (state("start", own), state("done", own));
        let arguments = self.signature.arguments.iter().map(|argument| {
            let (name, ty) = (names::user_name(&argument.name), source_text(&argument.ty));
            row(quote!(#name, #ty))
        });
        let last = coroutine.sites.len() + 1;
        let steps = transitions(&coroutine.body, last);
        let pairs = steps.iter().map(|(from, to)| {
            let (from, to) = (number(*from), number(*to));
            row(quote!(#from, #to))
        });
        let (why, line) = (&self.why.text, self.why.line());
        let storage = if self.is_boxed() {
            quote!(Boxed)
        } else {
            quote!(Inline)
        };
        let count = number(last + 1);
        let known = number(self.signature.arguments.len());
        let taken = number(steps.len());
        quote! {
            table #table #name
            states #count [#start, #(#sites,)* #done]
            arguments #known [#(#arguments),*]
            steps #taken [#(#pairs),*]
            #storage because #why on #line
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
        let sites = coroutine.sites.iter();
        doc.extend(sites.map(|site| format!(" | {} | {} |", site.title, site.span.start().line)));
        // The reason is for the author, so it comes last.
        let (why, line) = (&self.why.text, self.why.line());
        doc.push(format!("\n Native layout, line {line}: {why}."));
        doc.join("\n")
    }
}

/// Returns a row of the states.
fn state(title: &str, span: Span) -> Group {
    let start = span.start();
    let (line, column) = (number(start.line), number(start.column + 1));
    row(quote!(#title, #line, #column))
}

/// Returns tokens in parentheses, as one token.
fn row(tokens: TokenStream) -> Group {
    Group::new(Delimiter::Parenthesis, tokens)
}

fn number(number: usize) -> Literal {
    Literal::usize_unsuffixed(number)
}
