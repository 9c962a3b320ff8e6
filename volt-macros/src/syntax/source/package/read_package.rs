//! `ReadPackage`: the text of a package, read once for all its machines.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use proc_macro2::Span;

use super::super::file_modules::{FileModules, read_file};
use super::super::item_scopes::OddItems;
use super::package_files::{package_files, package_folder};
use super::package_words::PackageWords;

/// The limit of files in a package. Most of them are only searched for a name.
const MAX_SEARCHED: usize = 3000;

thread_local! {
    /// The package that was read last.
    static LAST: RefCell<Option<ReadPackage>> = const { RefCell::new(None) };
}

/// The files of a package, and their words as far as they were needed.
#[derive(Debug)]
pub(super) struct ReadPackage {
    folder: PathBuf,
    pub(super) texts: Vec<(PathBuf, String)>,
    /// The version of each file that needed the words.
    versions: HashMap<PathBuf, Rc<FileModules>>,
    pub(super) words: Option<PackageWords>,
    /// The names of functions that are called without an await of the output.
    pub(super) stored: Option<HashSet<String>>,
    /// The names of the `async` functions.
    pub(super) async_functions: Option<HashSet<String>>,
    pub(super) odd_items: Option<Rc<OddItems>>,
    /// For each searched name, `true` if a module or a renamed import has it.
    pub(super) modules: HashMap<String, bool>,
}

impl ReadPackage {
    /// Reads a package. If it has too many files, none of them is read.
    fn new(folder: PathBuf, paths: Vec<PathBuf>) -> Self {
        let read = |path: PathBuf| Some((path.clone(), std::fs::read_to_string(path).ok()?));
        let paths = Some(paths).filter(|paths| paths.len() < MAX_SEARCHED);
        let paths = paths.into_iter().flatten();
        Self {
            folder,
            texts: paths.filter_map(read).collect(),
            versions: HashMap::new(),
            words: None,
            stored: None,
            async_functions: None,
            odd_items: None,
            modules: HashMap::new(),
        }
    }

    /// Returns `true` if the package is that of a file, and has the current version of the file.
    fn is_of(&self, folder: &Path, file: &Path, own: &Rc<FileModules>) -> bool {
        let known = self.versions.get(file);
        self.folder == folder && known.is_none_or(|known| Rc::ptr_eq(known, own))
    }
}

/// Calls a function with the package of a place, if it can be read. An editor keeps the process of
/// a macro, so the package is read again if the file has changed.
pub(super) fn with_package<T>(place: Span, find: impl FnOnce(&mut ReadPackage) -> T) -> Option<T> {
    let file = place.local_file()?;
    let own = read_file(file.clone())?;
    LAST.with_borrow_mut(|last| {
        let folder = package_folder(&file)?;
        let last = match last.take().filter(|last| last.is_of(folder, &file, &own)) {
            Some(known) => last.insert(known),
            None => {
                let paths = package_files(&file, MAX_SEARCHED);
                last.insert(ReadPackage::new(folder.to_owned(), paths))
            }
        };
        // A file of another package may be included.
        if !last.texts.iter().any(|(path, _)| *path == file) {
            return None;
        }
        last.versions.insert(file, own);
        Some(find(last))
    })
}

/// Returns the files of the package that contain a word, or none if the package cannot be read.
pub(super) fn files_with(word: &str, place: Span) -> Vec<Rc<FileModules>> {
    let files = |package: &mut ReadPackage| {
        let texts = package.texts.iter();
        let named = texts.filter(|(_, text)| text.contains(word));
        named
            .filter_map(|(path, _)| read_file(path.clone()))
            .collect()
    };
    with_package(place, files).unwrap_or_default()
}
