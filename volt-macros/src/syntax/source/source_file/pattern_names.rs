//! Names of items that a pattern without a path may mean: constants, unit structs and variants.
//!
//! The macro reads a lower-case name in a pattern as a local, and `None` as the variant of `core`.
//! An item of the package may have either name.

use std::path::PathBuf;
use std::rc::Rc;

use proc_macro2::{Ident, Span};

use super::super::file_modules::{file_of, place_of};
use super::super::item_scopes::OddItems;
use super::super::package::odd_items;

/// The items that the patterns of a function may name.
pub(crate) struct PatternItems {
    /// `true` if an item in the file may have such a name.
    is_searched: bool,
    /// The file, and the items of its package, if the file may name some of those.
    package: Option<(PathBuf, Rc<OddItems>)>,
}

impl PatternItems {
    /// The items of the file and of the package of a span.
    pub(crate) fn new(span: Span) -> Self {
        let (Some(file), Some(path)) = (file_of(span), span.local_file()) else {
            return Self {
                is_searched: false,
                package: None,
            };
        };
        let scopes = file.item_scopes();
        let may_name = |items: &Rc<OddItems>| {
            !items.is_empty() && (scopes.have_imports() || items.has_macros_in(&path))
        };
        let package = file.odd_items(|| odd_items(span)).filter(may_name);
        // Most files have none, so the names of their functions are not looked up.
        Self {
            is_searched: scopes.have_odd_names() || package.is_some(),
            package: package.map(|items| (path, items)),
        }
    }

    /// Returns `true` if the scope of the name declares or imports a constant, a unit struct or a
    /// variant by this name, except the variants of `core`.
    pub(crate) fn may_be(&self, name: &Ident) -> bool {
        if !self.is_searched {
            return false;
        }
        let text = name.to_string();
        let text = text.trim_start_matches("r#");
        let is_of_macro = self
            .package
            .as_ref()
            .is_some_and(|(file, items)| items.is_of_macro(file, text));
        let is_of_package = |module: &[String], name: &str| {
            let mut package = self.package.iter();
            package.any(|(file, items)| items.are_in(module, name, file))
        };
        is_of_macro
            || place_of(name.span()).is_some_and(|(file, place)| {
                file.item_scopes().may_be_item(place, text, &is_of_package)
            })
    }
}
