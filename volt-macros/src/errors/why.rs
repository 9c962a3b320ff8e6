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
    fn new(text: &str, span: Span) -> Self {
        let text = text.to_owned();
        Self { text, span }
    }

    /// The user has asked for it.
    pub(crate) fn asked(span: Span) -> Self {
        Self::new("asked for", span)
    }

    /// The function is refused.
    pub(crate) fn refused(span: Span) -> Self {
        Self::new("the macro says why", span)
    }

    /// The line of the source.
    pub(crate) fn line(&self) -> u32 {
        u32::try_from(self.span.start().line).unwrap_or(u32::MAX)
    }
}
