//! The doubts about a function, each with its place, and as errors, which say what to write instead.

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;

use super::reason::FallbackReason;
use crate::errors::{NativeReason, is_short};
use crate::syntax::source_text;

/// A reason with its place.
#[derive(Clone, Debug)]
pub(crate) struct Fallback {
    pub(crate) reason: FallbackReason,
    pub(crate) span: Span,
    /// The source at the place.
    pub(crate) place: String,
}

/// The doubts found so far, in the order of the stages.
#[derive(Debug, Default)]
pub(crate) struct Fallbacks {
    pub(super) found: Vec<Fallback>,
}

impl Fallbacks {
    /// Notes a doubt about the source at `place`.
    pub(crate) fn note(&mut self, reason: FallbackReason, place: &(impl ToTokens + ?Sized)) {
        let tokens = place.to_token_stream();
        self.found.push(Fallback {
            reason,
            span: tokens.span(),
            place: source_text(&tokens),
        });
    }

    /// Notes a doubt about a place whose source is not shown.
    pub(crate) fn note_at(&mut self, reason: FallbackReason, span: Span) {
        let place = String::new();
        self.found.push(Fallback {
            reason,
            span,
            place,
        });
    }

    /// Takes the doubts with a reason out.
    pub(crate) fn take(&mut self, reason: FallbackReason) -> Self {
        let found = std::mem::take(&mut self.found);
        let (taken, left) = found
            .into_iter()
            .partition(|fallback| fallback.reason == reason);
        self.found = left;
        Self { found: taken }
    }

    /// Whether there is a doubt with a reason.
    pub(crate) fn has(&self, reason: FallbackReason) -> bool {
        self.found.iter().any(|fallback| fallback.reason == reason)
    }

    /// Adds what was found elsewhere.
    pub(crate) fn append(&mut self, other: Self) {
        self.found.extend(other.found);
    }

    /// Whether the macro is sure of everything.
    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Why the function is native: the first doubt.
    pub(crate) fn native_reason(&self, function: &Ident) -> NativeReason {
        let first = self.found.first();
        NativeReason {
            text: first.map(Fallback::names).unwrap_or_default(),
            span: first.map_or_else(|| function.span(), |fallback| fallback.span),
        }
    }

    /// All doubts.
    #[allow(dead_code, reason = "the tests of the stages look at them")]
    pub(crate) fn all(&self) -> &[Fallback] {
        &self.found
    }
}

impl Fallback {
    /// The reason in one line, with the name of a macro or the source at the place.
    pub(super) fn names(&self) -> String {
        let place = match self.reason {
            FallbackReason::UnknownMacro => self.named_macro(),
            _ => self.shown_place(),
        };
        format!("{}{place}", self.reason.message())
    }

    /// What is there, why that is a doubt, and what to write instead.
    pub(crate) fn says(&self) -> String {
        self.reason.error_text(&self.shown_place(), "")
    }

    /// The source at the place if that is short, or the name of a macro that is not known.
    fn shown_place(&self) -> String {
        if is_short(&self.place) && !self.place.is_empty() {
            format!(": `{}`", self.place)
        } else {
            self.named_macro()
        }
    }

    /// The name of a macro that is not known.
    fn named_macro(&self) -> String {
        match self.place.split_once('!') {
            Some((name, _)) if self.reason == FallbackReason::UnknownMacro => {
                format!(": `{}!`", name.trim_end())
            }
            _ => String::new(),
        }
    }
}

impl Fallbacks {
    /// All doubts as errors at their places.
    pub(crate) fn to_compile_errors(&self) -> TokenStream {
        let errors = self.found.iter();
        let errors = errors.map(|fallback| syn::Error::new(fallback.span, fallback.says()));
        errors.map(|error| error.to_compile_error()).collect()
    }
}
