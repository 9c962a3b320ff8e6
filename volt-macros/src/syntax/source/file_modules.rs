//! The modules of a source file.
//!
//! The expansion of each machine reads its module. So a file is split into modules once for each of
//! its versions. The results that need a scan of a module are stored with it.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::SystemTime;

use proc_macro2::Span;

use super::bare_code::code;
use super::indexed_code::IndexedCode;
use super::item_scopes::{ItemScopes, OddItems};
use super::machines::{ImplBlock, NamedMachine, impl_blocks, methods, named_machines};
use super::module_items::without_bodies;
use super::name_context::{is_word, last_word};
use super::plain_functions::{ModuleFunctions, functions};

thread_local! {
    /// The files that were read, each with its modification time.
    static FILES: RefCell<HashMap<PathBuf, (SystemTime, Rc<FileModules>)>> = RefCell::default();
}

/// The modules of a file, without comments and literals.
#[derive(Debug)]
pub(super) struct FileModules {
    code: String,
    item_scopes: OnceCell<ItemScopes>,
    odd_items: OnceCell<Option<Rc<OddItems>>>,
    /// The first place of each line.
    lines: Vec<usize>,
    /// Modules in the order of their ends, so a module comes after the modules in it.
    modules: Vec<Rc<Module>>,
    declared_macros: OnceCell<Vec<&'static str>>,
}

/// The parameters of a type, with `true` for each that the declaration bounds by `'static`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DeclaredLifetimes {
    pub(crate) are_static: Vec<bool>,
    pub(crate) are_types_static: Vec<bool>,
}

/// A function, or a method of a type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeclaredFn<'n> {
    pub(crate) name: &'n str,
    /// The name of the type.
    pub(crate) impl_target: Option<&'n str>,
}

/// The code of a module, without the modules in it.
#[derive(Debug)]
pub(super) struct Module {
    /// The places of its first and of its last letter in the file.
    ends: (usize, usize),
    /// The name in its file. The module of the file has none there.
    name: Option<String>,
    code: IndexedCode,
    items: OnceCell<IndexedCode>,
    has_glob: OnceCell<bool>,
    /// `true` if the functions were taken.
    is_taken: Cell<bool>,
    impl_blocks: OnceCell<Vec<ImplBlock>>,
    named_machines: OnceCell<Vec<NamedMachine>>,
    imported_macros: OnceCell<Vec<&'static str>>,
    own_primitives: OnceCell<Vec<&'static str>>,
    /// The parameters of the types that were looked up.
    declared_lifetimes: RefCell<BTreeMap<String, Option<DeclaredLifetimes>>>,
}

impl Module {
    fn new(ends: (usize, usize), name: Option<String>, code: String) -> Rc<Self> {
        Rc::new(Self {
            ends,
            name,
            code: IndexedCode::new(code),
            items: OnceCell::new(),
            has_glob: OnceCell::new(),
            is_taken: Cell::new(false),
            impl_blocks: OnceCell::new(),
            named_machines: OnceCell::new(),
            imported_macros: OnceCell::new(),
            own_primitives: OnceCell::new(),
            declared_lifetimes: RefCell::default(),
        })
    }

    pub(super) fn code(&self) -> &IndexedCode {
        &self.code
    }

    /// The code without the bodies of its items.
    pub(super) fn items(&self) -> &IndexedCode {
        let items = || IndexedCode::new(without_bodies(self.code.text()));
        self.items.get_or_init(items)
    }

    /// The lifetime parameters of a type that the module declares outside of bodies. `find` is
    /// called once for each name.
    pub(super) fn declared_lifetimes(
        &self,
        name: &str,
        find: impl FnOnce(&IndexedCode, &str) -> Option<DeclaredLifetimes>,
    ) -> Option<DeclaredLifetimes> {
        if let Some(known) = self.declared_lifetimes.borrow().get(name) {
            return known.clone();
        }
        let found = find(self.items(), name);
        let mut known = self.declared_lifetimes.borrow_mut();
        known.insert(name.to_owned(), found.clone());
        found
    }

    /// Returns `true` if the code has a glob import.
    pub(super) fn has_glob(&self) -> bool {
        let has_glob = || self.code.text().contains("::*");
        *self.has_glob.get_or_init(has_glob)
    }

    /// The functions of the module. Only the first call returns them, because each expansion would
    /// enter them again.
    pub(super) fn take_functions(&self) -> Option<ModuleFunctions> {
        let is_first = !self.is_taken.replace(true);
        is_first.then(|| ModuleFunctions {
            methods: methods(self.impl_blocks()),
            ..functions(self.code.text())
        })
    }

    /// Returns `true` if the module declares a function.
    pub(super) fn declares(&self, function: &DeclaredFn<'_>) -> bool {
        let name = function.name;
        let is_method = |block: &ImplBlock| block.methods.iter().any(|method| method == name);
        match function.impl_target {
            Some(ty) => {
                let mut blocks = self.impl_blocks().iter();
                blocks.any(|block| block.owner == ty && is_method(block))
            }
            None => functions(self.code.text())
                .names
                .iter()
                .any(|it| it == name),
        }
    }

    pub(super) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Returns `true` if another module of its file is in it.
    pub(super) fn contains(&self, other: &Self) -> bool {
        self.ends.0 < other.ends.0 && other.ends.1 < self.ends.1
            || self.name.is_none() && other.name.is_some()
    }

    /// The place at which the module begins in its file.
    pub(super) fn start(&self) -> usize {
        self.ends.0
    }

    /// The `impl` blocks with machines.
    pub(super) fn impl_blocks(&self) -> &[ImplBlock] {
        self.impl_blocks
            .get_or_init(|| impl_blocks(self.code.text()))
    }

    /// The machines that get their names from their functions.
    pub(super) fn named_machines(&self) -> &[NamedMachine] {
        self.named_machines
            .get_or_init(|| named_machines(self.code.text()))
    }

    /// The primitive types whose names the module gives to other types. `find` is called once.
    pub(super) fn own_primitives(
        &self,
        find: impl FnOnce(&IndexedCode) -> Vec<&'static str>,
    ) -> &[&'static str] {
        self.own_primitives.get_or_init(|| find(&self.code))
    }

    /// The known macros that the module imports. `find` is called once.
    pub(super) fn imported_macros(
        &self,
        find: impl FnOnce(&IndexedCode) -> Vec<&'static str>,
    ) -> &[&'static str] {
        self.imported_macros.get_or_init(|| find(&self.code))
    }
}

impl FileModules {
    /// Splits the code of a file.
    pub(super) fn new(code: &str) -> Self {
        let (bytes, length) = (code.as_bytes(), code.len());
        let (mut modules, mut lines) = (Vec::new(), vec![0]);
        let (mut open, mut depth) = (vec![OpenModule::new(0, 0)], 0);
        let (mut copied, mut at) = (0, 0);
        while at < length {
            match bytes[at] {
                b'\n' => lines.push(at + 1),
                b'{' => {
                    depth += 1;
                    if begins_module(&code[..at]) {
                        push_code(&mut open, &code[copied..at]);
                        copied = at;
                        open.push(OpenModule::new(depth, at));
                    }
                }
                b'}' => {
                    if let Some(module) = open.pop_if(|module| module.depth == depth) {
                        let name = last_word(code[..module.start].trim_end()).to_owned();
                        let code = module.code + &code[copied..=at];
                        copied = at + 1;
                        modules.push(Module::new((module.start, at), Some(name), code));
                    }
                    depth -= 1;
                }
                _ => {}
            }
            at += 1;
        }
        push_code(&mut open, &code[copied..]);
        let file = open.into_iter().next().map(|file| file.code);
        modules.push(Module::new((0, length), None, file.unwrap_or_default()));
        Self {
            code: code.to_owned(),
            item_scopes: OnceCell::new(),
            odd_items: OnceCell::new(),
            lines,
            modules,
            declared_macros: OnceCell::new(),
        }
    }

    pub(super) fn modules(&self) -> impl Iterator<Item = &Module> {
        self.modules.iter().map(|module| &**module)
    }

    /// The items that patterns of the file may name.
    pub(super) fn item_scopes(&self) -> &ItemScopes {
        self.item_scopes.get_or_init(|| ItemScopes::new(&self.code))
    }

    /// The items of the package that patterns may name. `find` is called once.
    pub(super) fn odd_items(
        &self,
        find: impl FnOnce() -> Option<Rc<OddItems>>,
    ) -> Option<Rc<OddItems>> {
        self.odd_items.get_or_init(find).clone()
    }

    /// The known macros that the file declares. `find` is called once.
    pub(super) fn declared_macros(
        &self,
        find: impl FnOnce(&Self) -> Vec<&'static str>,
    ) -> &[&'static str] {
        self.declared_macros.get_or_init(|| find(self))
    }

    /// Returns `true` if a module begins on the line, so its first place is not in that module.
    fn begins_module(&self, line: usize) -> bool {
        let Some(&start) = self.lines.get(line) else {
            return false;
        };
        let end = self.lines.get(line + 1).copied().unwrap_or(usize::MAX);
        let mut modules = self.modules.iter();
        modules.any(|module| (start.max(1)..end).contains(&module.ends.0))
    }

    /// The innermost module around a place.
    pub(super) fn module_at(&self, place: usize) -> Option<Rc<Module>> {
        let is_around = |module: &&Rc<Module>| (module.ends.0..=module.ends.1).contains(&place);
        self.modules.iter().find(is_around).cloned()
    }
}

/// A module whose end is not reached.
struct OpenModule {
    /// The number of open braces in it.
    depth: i32,
    /// The place of its first letter.
    start: usize,
    code: String,
}

impl OpenModule {
    fn new(depth: i32, start: usize) -> Self {
        let code = String::new();
        Self { depth, start, code }
    }
}

/// Adds code to the innermost open module.
fn push_code(open: &mut [OpenModule], code: &str) {
    if let Some(module) = open.last_mut() {
        module.code.push_str(code);
    }
}

/// The module that contains the span.
pub(super) fn module_of(span: Span) -> Option<Rc<Module>> {
    let (file, place) = place_of(span)?;
    file.module_at(place)
}

/// The file that contains the span, and a place in it that is in the same module.
pub(super) fn place_of(span: Span) -> Option<(Rc<FileModules>, usize)> {
    let file = file_of(span)?;
    let line = span.start().line.checked_sub(1)?;
    let mut place = *file.lines.get(line)?;
    if file.begins_module(line) {
        // The text before the span shows the length of its code without comments and literals.
        let text = std::fs::read_to_string(span.local_file()?).ok()?;
        let before = text.lines().nth(line)?.chars().take(span.start().column);
        place += code(&before.collect::<String>()).len();
    }
    Some((file, place))
}

/// The file that contains the span.
pub(super) fn file_of(span: Span) -> Option<Rc<FileModules>> {
    read_file(span.local_file()?)
}

/// The modules of a file, from memory if the file has not changed.
pub(super) fn read_file(path: PathBuf) -> Option<Rc<FileModules>> {
    let written = std::fs::metadata(&path).and_then(|data| data.modified());
    let written = written.ok()?;
    FILES.with_borrow_mut(|files| match files.get(&path) {
        Some((known, modules)) if *known == written => Some(modules.clone()),
        _ => {
            let modules = Rc::new(FileModules::new(&read(&path)?));
            files.insert(path, (written, modules.clone()));
            Some(modules)
        }
    })
}

fn read(path: &Path) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    Some(code(&text))
}

/// Returns `true` if a brace after the code opens a module: `mod name {`.
fn begins_module(before: &str) -> bool {
    let name = before.trim_end();
    let word = name.trim_end_matches(is_word);
    word.len() < name.len()
        && word.ends_with(char::is_whitespace)
        && last_word(word.trim_end()) == "mod"
}
