//! What was found to be refused, and how it is said.

use proc_macro2::TokenStream;
use quote::ToTokens;

use super::rule::Rule;
use crate::syntax::{as_written, source_text};

impl Rule {
    /// The whole of what is said about `place`.
    fn says(self, place: &str, instead: &str) -> String {
        let (message, reason, _) = self.text();
        let (instead, anchor) = (instead.replace("{}", place), self.anchor());
        format!(
            "{message}\n  = reason: {reason}\n  = instead: {instead}\n  = \
             book: page \"What is refused\", {anchor}"
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
}

impl Errors {
    /// Notes that the source at `place` breaks `rule`.
    pub(crate) fn refuse(&mut self, rule: Rule, place: &impl ToTokens) {
        let (_, _, instead) = rule.text();
        let said = rule.says(&shown(place), instead);
        self.found
            .push(syn::Error::new_spanned(as_written(place), said));
    }

    /// Notes an error that is no rule's.
    pub(crate) fn push(&mut self, error: syn::Error) {
        self.found.push(error);
    }

    /// Whether nothing was found.
    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// All of them, as `compile_error!`s at their places.
    pub(crate) fn to_compile_errors(&self) -> TokenStream {
        self.found
            .iter()
            .map(syn::Error::to_compile_error)
            .collect()
    }
}
