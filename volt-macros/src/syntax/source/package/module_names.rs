//! Modules with the name of a crate.
//!
//! A path that begins with such a name may lead to the module, whose macros may do anything.

use proc_macro2::Span;

use super::super::file_modules::read_file;
use super::super::name_context::{last_word, uses};
use super::read_package::{ReadPackage, with_package};

/// Returns `true` if the package of a place declares a module of the name, or imports an item as
/// that name.
pub(in super::super) fn has_module(name: &str, place: Span) -> bool {
    let has_module = |package: &mut ReadPackage| {
        if let Some(known) = package.modules.get(name) {
            return *known;
        }
        let texts = package.texts.iter();
        // The text may be that of a comment.
        let named = texts.filter(|(_, text)| declares(text, name));
        let mut files = named.filter_map(|(path, _)| read_file(path.clone()));
        let has = files.any(|file| {
            let mut modules = file.modules();
            modules.any(|module| declares(module.code().text(), name))
        });
        package.modules.insert(name.to_owned(), has);
        has
    };
    with_package(place, has_module).unwrap_or(false)
}

fn declares(code: &str, name: &str) -> bool {
    let mut uses = uses(code, name);
    uses.any(|of| matches!(last_word(of.before), "mod" | "as"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_and_renamed_imports_are_found() {
        assert!(declares("pub mod log { }", "log"));
        assert!(declares("use slog as log;", "log"));
        assert!(declares("mod log;", "log"));
        assert!(!declares("use log::info; mod logs;", "log"));
    }
}
