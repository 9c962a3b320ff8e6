//! Names of items that a pattern without a path may mean: constants, unit structs and variants.
//!
//! The macro reads a lower-case name in a pattern as a local, and `None` as the variant of `core`.
//! An item of the file may have either name.

use std::rc::Rc;

use proc_macro2::{Ident, Span};

use super::super::file_modules::{FileModules, file_of, place_of};

/// The items that the patterns of a function may name.
pub(crate) struct PatternItems {
    /// The file, if it has an item with such a name.
    file: Option<Rc<FileModules>>,
}

impl PatternItems {
    /// The items of the file of a span.
    pub(crate) fn new(span: Span) -> Self {
        let mut file = file_of(span);
        // Most files have none, so the names of their functions are not looked up.
        file.take_if(|file| !file.item_scopes().have_odd_names());
        Self { file }
    }

    /// Returns `true` if the scope of the name declares or imports a constant, a unit struct or a
    /// variant by this name, except the variants of `core`.
    pub(crate) fn may_be(&self, name: &Ident) -> bool {
        if self.file.is_none() {
            return false;
        }
        let text = name.to_string();
        place_of(name.span()).is_some_and(|(file, place)| {
            let text = text.trim_start_matches("r#");
            file.item_scopes().may_be_item(place, text)
        })
    }
}
