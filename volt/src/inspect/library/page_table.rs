//! The pages of this process.

use std::collections::BTreeMap;

use super::library_page::LibraryPage;
use crate::loom::PerProcess;
use crate::loom::sync::Arc;

/// The pages of this process, by their names.
static PAGES: PerProcess<BTreeMap<&'static str, Arc<dyn LibraryPage>>> = PerProcess::new();

/// Adds a page to the inspection servers of this process, at the path `/NAME/`. A page with this
/// name is replaced.
///
/// # Panics
///
/// Panics if the name does not consist of lower-case letters and hyphens.
pub fn add_inspect_page(name: &'static str, page: impl LibraryPage) {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte == b'-';
    assert!(
        !name.is_empty() && name.bytes().all(is_plain),
        "the name of a page consists of lower-case letters and hyphens, not `{name}`"
    );
    let replaced = PAGES.lock().insert(name, Arc::new(page));
    // Its destructor is code of the library, so the lock is released first.
    drop(replaced);
}

/// Returns the page with this name. No lock is held while it is called.
pub(in crate::inspect) fn page_of(name: &str) -> Option<Arc<dyn LibraryPage>> {
    PAGES.lock().get(name).cloned()
}

/// Returns the names of the pages, as a JSON array.
pub(in crate::inspect) fn page_names() -> String {
    let names: Vec<_> = PAGES
        .lock()
        .keys()
        .map(|name| format!("\"{name}\""))
        .collect();
    format!("[{}]", names.join(","))
}
