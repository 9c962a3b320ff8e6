//! The tables of a machine: its states, the steps between them, its documentation.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, Group, Literal, TokenStream};
use quote::{ToTokens, quote};
use syn::Token;

use super::explicit_machine::ExplicitMachine;
use crate::cfg::{Block, BlockId, End, Step};
use crate::hir::{AwaitId, LocalId};
use crate::syntax::source_text;

impl ExplicitMachine<'_> {
    /// Returns `name .. states .. locals .. steps ..`.
    pub(crate) fn table(&self) -> TokenStream {
        let name = Literal::string(&self.name.to_string());
        let mut locals = Vec::new();
        let rows: Vec<_> = self.rows(&mut locals).collect();
        let steps = self.steps();
        let counts = [rows.len(), locals.len(), steps.len()].map(number);
        let [states, kept, taken] = counts;
        let steps = steps.into_iter().map(|(from, to)| {
            let (from, to) = (number(from), number(to));
            row(quote!(#from, #to))
        });
        quote! {
            name #name
            states #states [#(#rows),*]
            locals #kept [#(#locals),*]
            steps #taken [#(#steps),*]
        }
    }

    /// Returns the states: the start, one for each await, the end. Their locals are collected in
    /// one list.
    fn rows(&self, locals: &mut Vec<Group>) -> impl Iterator<Item = Group> {
        let own = self.signature.name.span();
        let start = ("start".to_owned(), own, self.arguments(), None);
        let awaits = self.body.awaits.iter().enumerate().map(|(id, data)| {
            let mut stored: Vec<_> = self.stored_at(AwaitId(id)).collect();
            stored.reverse();
            let future = self.layout.future(AwaitId(id));
            (data.title.clone(), data.span, stored, Some(future))
        });
        let done = ("done".to_owned(), own, Vec::new(), None);
        let states = [start].into_iter().chain(awaits).chain([done]);
        states.map(|(title, span, stored, future)| {
            let (start, before) = (span.start(), locals.len());
            locals.extend(self.locals(&stored));
            let (line, column) = (number(start.line), number(start.column + 1));
            let (title, kept) = (Literal::string(&title), number(locals.len() - before));
            let future = FieldNumber(future);
            row(quote!(#title, #line, #column, #kept, #future))
        })
    }

    /// Returns names and types of locals. A type that is not written is shown as `_`.
    fn locals(&self, locals: &[LocalId]) -> impl Iterator<Item = Group> {
        let locals = locals.iter().map(|id| (*id, &self.body.locals[id.0]));
        let locals = locals.filter(|(_, local)| !local.is_hidden());
        locals.map(|(id, local)| {
            let ty = local
                .ty
                .as_ref()
                .map_or_else(|| "_".to_owned(), source_text);
            let (name, ty) = (Literal::string(&local.name), Literal::string(&ty));
            let field = FieldNumber(self.field(id));
            row(quote!(#name, #ty, #field))
        })
    }

    /// Returns every step from one state to another, within one poll.
    fn steps(&self) -> BTreeSet<(usize, usize)> {
        let mut steps = BTreeSet::new();
        let resumes = self.layout.resumes.iter().enumerate();
        let mut from = vec![(0, BlockId(0))];
        from.extend(resumes.map(|(id, block)| (id + 1, *block)));
        for (state, block) in from {
            let mut seen = vec![false; self.cfg.blocks.len()];
            self.walk(block, &mut seen, &mut |to| {
                steps.insert((state, to));
            });
        }
        steps
    }

    /// Finds the states that can follow a block.
    fn walk(&self, block: BlockId, seen: &mut [bool], found: &mut dyn FnMut(usize)) {
        if std::mem::replace(&mut seen[block.0], true) {
            return;
        }
        let end = &self.cfg.blocks[block.0];
        if self.returns(end) {
            found(self.body.awaits.len() + 1);
        }
        if let End::Suspend { id, .. } = end.end {
            found(id.0 + 1);
        }
        for to in self.cfg.exits(block) {
            self.walk(to, seen, found);
        }
    }

    /// Returns `true` if a block, an expression of it, or a branch of its end returns.
    fn returns(&self, block: &Block) -> bool {
        let mut exprs = block.all_exprs().into_iter();
        let is_return = |step: &Step| matches!(step, Step::Return(_));
        matches!(block.end, End::Return(_))
            || block.all_steps().any(is_return)
            || exprs.any(|expr| self.cfg.expr_exits[expr.0].returns)
    }

    /// Returns the documentation of the struct.
    pub(crate) fn doc(&self) -> Vec<String> {
        let name = &self.signature.name;
        let mut doc = vec![
            self.signature.doc_of_output(),
            String::new(),
            format!(" It is the state machine of `{name}`."),
            String::new(),
            " | state | line | keeps |".to_owned(),
            " | --- | ---: | --- |".to_owned(),
        ];
        for (id, data) in self.body.awaits.iter().enumerate() {
            let stored = self
                .stored_at(AwaitId(id))
                .map(|local| &self.body.locals[local.0]);
            let stored = stored.filter(|local| !local.is_hidden());
            let stored: Vec<_> = stored.map(|local| format!("`{}`", local.name)).collect();
            let (title, line) = (&data.title, data.span.start().line);
            doc.push(format!(" | {title} | {line} | {} |", stored.join(", ")));
        }
        doc
    }
}

/// Returns tokens in parentheses, as one token.
fn row(tokens: TokenStream) -> Group {
    Group::new(Delimiter::Parenthesis, tokens)
}

/// The number of a field.
struct FieldNumber(Option<usize>);

impl ToTokens for FieldNumber {
    /// Writes the number, or one that no field has.
    fn to_tokens(&self, tokens: &mut TokenStream) {
        if self.0.is_none() {
            <Token![!]>::default().to_tokens(tokens);
        }
        number(self.0.unwrap_or(0)).to_tokens(tokens);
    }
}

fn number(number: usize) -> Literal {
    Literal::usize_unsuffixed(number)
}
