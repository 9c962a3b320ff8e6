//! What was found to be refused.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::Error;

use super::rule::Rule;
use crate::syntax::{as_written, source_text};

/// Whether source is short enough to be repeated in an error.
pub(crate) fn is_short(source: &str) -> bool {
    source.len() <= 60 && !source.contains('\n')
}

/// Errors found so far.
#[derive(Default, Debug)]
pub(crate) struct Errors {
    found: Vec<Error>,
}

impl Errors {
    /// Notes that the source at `place` breaks `rule`.
    pub(crate) fn refuse(&mut self, rule: Rule, place: &impl ToTokens) {
        let source = source_text(place);
        let shown = if is_short(&source) { &source } else { ".." };
        self.push(Error::new_spanned(
            as_written(place),
            rule.error_text("", shown),
        ));
    }

    /// Notes an error that is no rule's.
    pub(crate) fn push(&mut self, error: Error) {
        self.found.push(error);
    }

    /// How many were found.
    pub(crate) fn len(&self) -> usize {
        self.found.len()
    }

    /// Whether nothing was found.
    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// All of them, as `compile_error!`s at their places.
    pub(crate) fn to_compile_errors(&self) -> TokenStream {
        self.found.iter().map(Error::to_compile_error).collect()
    }
}
