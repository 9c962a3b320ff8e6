//! What was found to be refused, and how it is said.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;

pub(crate) use super::rule::Rule;
use super::source_text::{as_written, source_text};
use super::why::Why;

impl Rule {
    /// The whole of what is said about `place`.
    fn says(self, place: &str, instead: &str) -> String {
        let (message, reason, _) = self.text();
        let (instead, anchor) = (instead.replace("{}", place), self.anchor());
        format!(
            "{message}\n  = reason: {reason}\n  = instead: {instead}\n  = \
             book: refusals.md#{anchor}"
        )
    }
}

/// Source that is short enough to be repeated.
fn shown(place: &impl ToTokens) -> String {
    const MOST: usize = 60;
    let text = source_text(place);
    let short = text.len() <= MOST && !text.contains('\n');
    if short { text } else { "..".to_owned() }
}

/// Errors found so far.
#[derive(Default, Debug)]
pub(crate) struct Errors {
    found: Vec<syn::Error>,
    rules: Vec<(Rule, Span)>,
    /// What would be refused by nobody, but is likely to be no machine's.
    preferred: Option<Why>,
}

impl Errors {
    /// Notes that the source at `place` breaks `rule`.
    pub(crate) fn refuse(&mut self, rule: Rule, place: &impl ToTokens) {
        let (_, _, instead) = rule.text();
        self.refuse_as(rule, place, instead);
    }

    /// Notes that the source at `place` breaks `rule`, with an advice of its own.
    pub(crate) fn refuse_as(&mut self, rule: Rule, place: &impl ToTokens, instead: &str) {
        let said = rule.says(&shown(place), instead);
        self.rules.push((rule, place.span()));
        self.found
            .push(syn::Error::new_spanned(as_written(place), said));
    }

    /// Notes that the source at `span` breaks `rule`.
    pub(crate) fn refuse_at(&mut self, rule: Rule, span: Span) {
        let (_, _, instead) = rule.text();
        self.rules.push((rule, span));
        self.found
            .push(syn::Error::new(span, rule.says("..", instead)));
    }

    /// Notes that the function is native unless an explicit machine is asked for.
    pub(crate) fn prefer_native(&mut self, text: &str, place: &impl ToTokens) {
        self.preferred.get_or_insert_with(|| Why {
            text: text.to_owned(),
            span: place.span(),
        });
    }

    /// Notes an error that is no rule's.
    pub(crate) fn push(&mut self, error: syn::Error) {
        self.found.push(error);
    }

    /// Adds what was found elsewhere.
    pub(crate) fn append(&mut self, other: Self) {
        self.found.extend(other.found);
        self.rules.extend(other.rules);
        self.preferred = self.preferred.take().or(other.preferred);
    }

    /// Whether nothing was found.
    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// How many were found.
    pub(crate) fn len(&self) -> usize {
        self.found.len()
    }

    /// The rules broken, in the order found.
    #[cfg(test)]
    pub(crate) fn rules(&self) -> Vec<Rule> {
        self.rules.iter().map(|(rule, _)| *rule).collect()
    }

    /// What was found, if all of it is doubt: the function is right, and only its explicit layout
    /// is not sure.
    pub(crate) fn doubt(&self) -> Option<Why> {
        if self.found.is_empty() {
            return self.preferred.clone();
        }
        let is_doubt = self.rules.len() == self.found.len()
            && self.rules.iter().all(|(rule, _)| rule.is_doubt());
        let (rule, span) = self.rules.first().filter(|_| is_doubt)?;
        let (message, ..) = rule.text();
        Some(Why {
            text: message.to_owned(),
            span: *span,
        })
    }

    /// All of them, as `compile_error!`s at their places.
    pub(crate) fn to_compile_errors(&self) -> TokenStream {
        self.found
            .iter()
            .map(syn::Error::to_compile_error)
            .collect()
    }
}
