//! A doubt as an error, which says what to write instead.

use proc_macro2::TokenStream;

use super::found::{Doubt, Doubts};
use crate::errors::is_short;

impl Doubt {
    /// What is there, why that is a doubt, and what to write instead.
    pub(crate) fn says(&self) -> String {
        let place = match is_short(&self.place) {
            true => format!(": `{}`", self.place),
            false => String::new(),
        };
        self.reason.says(&place, "")
    }
}

impl Doubts {
    /// All doubts as errors at their places.
    pub(crate) fn to_compile_errors(&self) -> TokenStream {
        let errors = self.found.iter();
        let errors = errors.map(|doubt| syn::Error::new(doubt.span, doubt.says()));
        errors.map(|error| error.to_compile_error()).collect()
    }
}
