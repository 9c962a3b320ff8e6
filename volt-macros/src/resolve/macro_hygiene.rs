//! Names with one spelling that differ by macro hygiene: a name of a `macro_rules!`, and one of its
//! caller.
//!
//! ```text
//! macro_rules! add { ($n:expr) => { async fn add() -> u32 { let base = 1; wait().await; base + $n } } }
//! add!(base);
//! ```

use std::collections::BTreeMap;

use proc_macro2::Span;

use crate::names::expansion;

/// The expansion of each name that was visited, by its spelling.
#[derive(Debug, Default)]
pub(super) struct ExpansionNames(BTreeMap<String, Option<String>>);

impl ExpansionNames {
    /// Returns `true` if the name is of another expansion than an earlier name with its spelling.
    pub(super) fn are_two(&mut self, name: &str, span: Span) -> bool {
        let of = expansion(span);
        match self.0.get(name) {
            Some(known) => *known != of,
            None => self.0.insert(name.to_owned(), of).is_some(),
        }
    }
}
