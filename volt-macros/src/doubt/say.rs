//! A doubt as an error, which says what to write instead.

use proc_macro2::TokenStream;

use super::found::{Doubt, Doubts};
use super::reason::Reason;
use crate::errors::is_short;

impl Doubt {
    /// What is there in one line, with the name of a macro that is not known.
    pub(super) fn names(&self) -> String {
        let (what, ..) = self.reason.text();
        format!("{what}{}", self.named_macro())
    }

    /// What is there, why that is a doubt, and what to write instead.
    pub(crate) fn says(&self) -> String {
        let place = match is_short(&self.place) {
            true => format!(": `{}`", self.place),
            false => self.named_macro(),
        };
        self.reason.says(&place, "")
    }

    /// The name of a macro that is not known.
    fn named_macro(&self) -> String {
        match self.place.split_once('!') {
            Some((name, _)) if self.reason == Reason::UnknownMacro => {
                format!(": `{}!`", name.trim_end())
            }
            _ => String::new(),
        }
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
