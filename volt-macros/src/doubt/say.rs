//! A doubt as an error, which says what to write instead.

use proc_macro2::TokenStream;

use super::found::{Doubt, Doubts};
use super::reason::Reason;
use crate::names;

/// The longest source that is repeated in an error.
const MOST: usize = 60;

impl Reason {
    /// The name of its place in the book: `await-in-guard`.
    pub(crate) fn anchor(self) -> String {
        names::kebab(&format!("{self:?}"))
    }
}

impl Doubt {
    /// What is there, why that is a doubt, and what to write instead.
    pub(crate) fn says(&self) -> String {
        let (what, why, instead) = self.reason.text();
        let place = match self.place.len() <= MOST && !self.place.contains('\n') {
            true => format!(": `{}`", self.place),
            false => String::new(),
        };
        let anchor = self.reason.anchor();
        format!(
            "{what}{place}\n  = reason: {why}\n  = instead: {instead}\n  = book: page \"What is refused\", {anchor}"
        )
    }
}

impl Doubts {
    /// All doubts as errors at their places.
    pub(crate) fn to_compile_errors(&self) -> TokenStream {
        let errors = self
            .found
            .iter()
            .map(|doubt| syn::Error::new(doubt.span, doubt.says()));
        errors.map(|error| error.to_compile_error()).collect()
    }
}
