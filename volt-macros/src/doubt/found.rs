//! The doubts about a function, each with its place.

use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::spanned::Spanned;

use super::reason::Reason;
use crate::errors::Why;
use crate::syntax::source_text;

/// A reason with its place.
#[derive(Clone, Debug)]
pub(crate) struct Doubt {
    pub(crate) reason: Reason,
    pub(crate) span: Span,
    /// The source at the place.
    pub(crate) place: String,
}

/// The doubts found so far, in the order of the stages.
#[derive(Debug, Default)]
pub(crate) struct Doubts {
    pub(super) found: Vec<Doubt>,
}

impl Doubts {
    /// Notes a doubt about the source at `place`.
    pub(crate) fn note(&mut self, reason: Reason, place: &(impl ToTokens + ?Sized)) {
        let tokens = place.to_token_stream();
        self.found.push(Doubt {
            reason,
            span: tokens.span(),
            place: source_text(&tokens),
        });
    }

    /// Takes the doubts with a reason out.
    pub(crate) fn take(&mut self, reason: Reason) -> Self {
        let found = std::mem::take(&mut self.found);
        let (taken, left) = found.into_iter().partition(|doubt| doubt.reason == reason);
        self.found = left;
        Self { found: taken }
    }

    /// Whether there is a doubt with a reason.
    pub(crate) fn has(&self, reason: Reason) -> bool {
        self.found.iter().any(|doubt| doubt.reason == reason)
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
    pub(crate) fn why(&self, function: &Ident) -> Why {
        let first = self.found.first();
        Why {
            text: first.map(Doubt::names).unwrap_or_default(),
            span: first.map_or_else(|| function.span(), |doubt| doubt.span),
        }
    }

    /// All doubts.
    #[allow(dead_code, reason = "the tests of the stages look at them")]
    pub(crate) fn all(&self) -> &[Doubt] {
        &self.found
    }
}
