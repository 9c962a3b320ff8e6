//! Why a machine is native.

use proc_macro2::Span;

/// What keeps a machine from being explicit.
#[derive(Clone, Debug)]
pub(crate) struct Why {
    /// In one line.
    pub(crate) text: String,
    /// Where.
    pub(crate) span: Span,
}

impl Why {
    /// The user has asked for it.
    pub(crate) fn asked(span: Span) -> Self {
        Self {
            text: "asked for".to_owned(),
            span,
        }
    }

    /// The line of the source.
    pub(crate) fn line(&self) -> u32 {
        u32::try_from(self.span.start().line).unwrap_or(u32::MAX)
    }
}
