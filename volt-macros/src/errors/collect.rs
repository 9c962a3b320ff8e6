//! Collected errors.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::Error;

use super::rule::Rule;
use crate::syntax::{as_written, source_text};

/// Returns `true` if source is short enough to be repeated in an error.
pub(crate) fn is_short(source: &str) -> bool {
    source.len() <= 60 && !source.contains('\n')
}

/// The errors so far.
#[derive(Default, Debug)]
pub(crate) struct Errors {
    found: Vec<Error>,
}

impl Errors {
    /// Adds the error that the source at `place` breaks `rule`.
    pub(crate) fn refuse(&mut self, rule: Rule, place: &impl ToTokens) {
        let source = source_text(place);
        let shown = if is_short(&source) { &source } else { ".." };
        let text = rule.error_text("", shown);
        self.push(Error::new_spanned(as_written(place), text));
    }

    /// Adds another error.
    pub(crate) fn push(&mut self, error: Error) {
        self.found.push(error);
    }

    /// The number of errors.
    pub(crate) fn len(&self) -> usize {
        self.found.len()
    }

    /// Returns `true` if there is no error.
    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// All errors, as `compile_error!`s at their places.
    pub(crate) fn to_compile_errors(&self) -> TokenStream {
        self.found.iter().map(Error::to_compile_error).collect()
    }
}
