//! Names that are spelled alike and are two to the compiler: one of a `macro_rules!`, and one of its user.
//!
//! ```text
//! macro_rules! add { ($n:expr) => { async fn add() -> u32 { let base = 1; wait().await; base + $n } } }
//! add!(base);
//! ```

use std::collections::BTreeMap;

use proc_macro2::Span;

/// Of which expansion the names are that were met, by their spelling.
#[derive(Debug, Default)]
pub(super) struct ExpansionNames(BTreeMap<String, Option<String>>);

impl ExpansionNames {
    /// Whether the name is of another expansion than what was spelled alike before.
    pub(super) fn are_two(&mut self, name: &str, span: Span) -> bool {
        let of = expansion(span);
        match self.0.get(name) {
            Some(known) => *known != of,
            None => self.0.insert(name.to_owned(), of).is_some(),
        }
    }
}

/// The number of the expansion that a name is of. Stable Rust tells it only where a span is printed: `#4 bytes(5..9)`.
fn expansion(span: Span) -> Option<String> {
    let printed = format!("{span:?}");
    let (number, _) = printed.split_once(' ')?;
    number.starts_with('#').then(|| number.to_owned())
}
