//! The fallback reasons of a function, with their places and their texts as errors.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;

use super::reason::FallbackReason;
use crate::errors::{NativeReason, is_short};
use crate::syntax::source_text;

/// A fallback reason with its place.
#[derive(Clone, Debug)]
pub(crate) struct Fallback {
    pub(crate) reason: FallbackReason,
    pub(crate) span: Span,
    /// The source at the place.
    pub(crate) place: String,
}

/// The fallback reasons so far, in the order of the stages.
#[derive(Debug, Default)]
pub(crate) struct Fallbacks {
    pub(super) found: Vec<Fallback>,
    /// The locals that are moved partly, or on some paths only.
    pub(crate) moved: BTreeSet<String>,
}

impl Fallbacks {
    /// A single reason, for the source at `place`.
    pub(crate) fn of(reason: FallbackReason, place: &(impl ToTokens + ?Sized)) -> Self {
        let mut fallbacks = Self::default();
        fallbacks.note(reason, place);
        fallbacks
    }

    /// Notes a reason for the source at `place`.
    pub(crate) fn note(&mut self, reason: FallbackReason, place: &(impl ToTokens + ?Sized)) {
        let tokens = place.to_token_stream();
        self.found.push(Fallback {
            reason,
            span: tokens.span(),
            place: source_text(&tokens),
        });
    }

    /// Notes a reason for a place whose source is not shown.
    pub(crate) fn note_at(&mut self, reason: FallbackReason, span: Span) {
        let place = String::new();
        self.found.push(Fallback {
            reason,
            span,
            place,
        });
    }

    /// Notes a reason for a place that has a name.
    pub(crate) fn note_named(&mut self, reason: FallbackReason, span: Span, name: &str) {
        let place = name.to_owned();
        self.found.push(Fallback {
            reason,
            span,
            place,
        });
    }

    /// Changes the source at the place of each entry.
    pub(crate) fn change_places(&mut self, change: impl Fn(&str) -> String) {
        for fallback in &mut self.found {
            fallback.place = change(&fallback.place);
        }
    }

    /// Removes and returns the entries with a reason.
    pub(crate) fn take(&mut self, reason: FallbackReason) -> Self {
        let found = std::mem::take(&mut self.found);
        let (taken, left) = found
            .into_iter()
            .partition(|fallback| fallback.reason == reason);
        self.found = left;
        Self {
            found: taken,
            moved: self.moved.clone(),
        }
    }

    /// Returns `true` if there is an entry with the reason.
    pub(crate) fn has(&self, reason: FallbackReason) -> bool {
        self.found.iter().any(|fallback| fallback.reason == reason)
    }

    /// Returns `true` if each entry may be due to temporaries in code that awaits, or to the locals
    /// that replace them.
    pub(crate) fn may_be_of_temporaries(&self) -> bool {
        let mut found = self.found.iter();
        !self.is_empty() && found.all(|fallback| fallback.reason.may_be_of_temporaries())
    }

    /// Adds the entries of another list.
    pub(crate) fn append(&mut self, other: Self) {
        self.found.extend(other.found);
        self.moved.extend(other.moved);
    }

    /// Returns `true` if the function can be explicit.
    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The first entry, as the reason for which the function is native.
    pub(crate) fn native_reason(&self, function: &Ident) -> NativeReason {
        let first = self.found.first();
        NativeReason {
            text: first.map(Fallback::reason_text).unwrap_or_default(),
            span: first.map_or_else(|| function.span(), |fallback| fallback.span),
        }
    }

    /// All entries.
    pub(crate) fn all(&self) -> &[Fallback] {
        &self.found
    }
}

impl Fallback {
    /// The reason in one line, with the name of a macro or the source at the place.
    pub(super) fn reason_text(&self) -> String {
        let place = match self.reason {
            FallbackReason::UnknownMacro => self.named_macro(),
            _ => self.shown_place(),
        };
        format!("{}{place}", self.reason.message())
    }

    /// The whole text of the error.
    pub(crate) fn error_text(&self) -> String {
        self.reason.error_text(&self.shown_place(), "")
    }

    /// The source at the place if it is short, or the name of an unknown macro.
    fn shown_place(&self) -> String {
        if is_short(&self.place) && !self.place.is_empty() {
            format!(": `{}`", self.place)
        } else {
            self.named_macro()
        }
    }

    /// The name of an unknown macro.
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
    /// All entries as errors at their places.
    pub(crate) fn to_compile_errors(&self) -> TokenStream {
        let errors = self.found.iter();
        let errors = errors.map(|fallback| syn::Error::new(fallback.span, fallback.error_text()));
        errors.map(|error| error.to_compile_error()).collect()
    }
}
