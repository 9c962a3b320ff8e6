//! `ProbeError`: the end of a probe.

use std::error::Error;
use std::fmt;

use serde::de;

/// The end of a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProbeError {
    /// The place was found, or the type has rejected a value.
    Stopped,
    /// The type requires a field.
    Missing,
    /// The type has read this field before.
    Duplicate(&'static str),
    /// The type has only these variants.
    UnknownVariant(&'static [&'static str]),
}

impl de::Error for ProbeError {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self::Stopped
    }

    fn missing_field(_: &'static str) -> Self {
        Self::Missing
    }

    fn duplicate_field(name: &'static str) -> Self {
        Self::Duplicate(name)
    }

    fn unknown_variant(_: &str, variants: &'static [&'static str]) -> Self {
        Self::UnknownVariant(variants)
    }
}

impl fmt::Display for ProbeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a probe has no values")
    }
}

impl Error for ProbeError {}
