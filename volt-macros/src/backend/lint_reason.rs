//! The reason that generated `allow` attributes give.

/// A string constant, because the compiler parses each literal within `quote!` again.
pub(crate) const LINT_REASON: &str = "written by `state_machine`";
