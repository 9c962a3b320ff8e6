//! `ModuleScopes`: the modules of a package, and the names that each imports.
//!
//! The name of a module means all modules of that name. A search so finds more items than the
//! compiler, and never fewer.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::path::Path;

use super::super::super::item_scopes::{Import, imports};
use super::super::super::words::next_word;

/// A module.
#[derive(Debug, Default)]
struct ModuleScope {
    name: String,
    /// The module around it in its file.
    outer: Option<usize>,
    imports: Vec<Import>,
    /// The first words of its paths, and the segments of its imports.
    named: HashSet<String>,
    /// The modules that it has in other files.
    files: HashSet<String>,
    /// `true` if such a file may have another name than its module.
    names_files: bool,
    /// The modules whose items may be used in it, or none if they are unknown.
    known: OnceCell<Option<HashSet<usize>>>,
}

/// The search for the modules of the macros that a module calls.
pub(super) type MacrosOf<'m> = dyn Fn(usize) -> Vec<usize> + 'm;

/// The modules of a package.
#[derive(Debug, Default)]
pub(super) struct ModuleScopes {
    modules: Vec<ModuleScope>,
    by_name: HashMap<String, Vec<usize>>,
    /// The last segments of the paths that are imported by other names.
    aliases: HashMap<String, HashSet<String>>,
    /// `true` if a file is a part of a module of another one.
    pub(super) has_includes: bool,
}

impl ModuleScopes {
    /// Adds a module with its code. A module comes before those in it.
    pub(super) fn add(&mut self, name: &str, outer: Option<usize>, code: &str) -> usize {
        let mut scope = ModuleScope {
            name: name.to_owned(),
            outer,
            ..ModuleScope::default()
        };
        let bytes = code.as_bytes();
        let mut from = 0;
        while let Some((start, end)) = next_word(bytes, from) {
            from = end;
            let after = &code[end..];
            match &code[start..end] {
                "use" if !after.trim_start().starts_with('<') => {
                    let tree = after.split(';').next().unwrap_or_default();
                    scope.imports.extend(imports(tree));
                }
                "crate" => {
                    self.enter_crate(after);
                    scope.named.insert("crate".to_owned());
                }
                "mod" => scope.files.extend(file_of_module(after)),
                "path" => scope.names_files |= is_path_of_file(after),
                "include" => self.has_includes |= after.trim_start().starts_with('!'),
                word if after.trim_start().starts_with("::") && !scope.named.contains(word) => {
                    scope.named.insert(word.to_owned());
                }
                _ => {}
            }
        }
        for Import { path, .. } in &scope.imports {
            scope.named.extend(path.iter().cloned());
        }
        for Import { path, name } in &scope.imports {
            if let (Some(name), Some(last)) = (name, path.last())
                && name != last
            {
                self.enter_alias(name, last);
            }
        }
        let number = self.modules.len();
        self.by_name
            .entry(name.to_owned())
            .or_default()
            .push(number);
        self.modules.push(scope);
        number
    }

    /// Enters the name of `extern crate self as name`.
    fn enter_crate(&mut self, after: &str) {
        let item = after.split(';').next().unwrap_or_default();
        if let Some((of, name)) = item.split_once(" as ") {
            let last = if of.trim() == "self" {
                "crate"
            } else {
                of.trim()
            };
            self.enter_alias(name.trim(), last);
        }
    }

    fn enter_alias(&mut self, name: &str, last: &str) {
        let of_name = self.aliases.entry(name.to_owned()).or_default();
        of_name.insert(last.to_owned());
    }

    /// Returns `true` if an item may be in scope by a name that is not its own.
    pub(super) fn has_alias(&self, name: &str) -> bool {
        self.aliases.contains_key(name)
    }

    pub(super) fn imports(&self, module: usize) -> &[Import] {
        &self.modules[module].imports
    }

    /// Returns `true` if a module is another one, or is in it.
    pub(super) fn is_within(&self, module: usize, outer: usize) -> bool {
        let (mut next, mut seen) = (vec![module], HashSet::from([module]));
        while let Some(at) = next.pop() {
            if at == outer {
                return true;
            }
            next.extend(self.around(at).into_iter().filter(|it| seen.insert(*it)));
        }
        false
    }

    /// Returns the modules that may be directly around a module.
    fn around(&self, module: usize) -> Vec<usize> {
        let scope = &self.modules[module];
        if let Some(outer) = scope.outer {
            return vec![outer];
        }
        let declares = |of: &ModuleScope| of.files.contains(&scope.name) || of.has_named_file();
        let modules = self.modules.iter().enumerate();
        let found = modules.filter(|(number, of)| *number != module && declares(of));
        found.map(|(number, _)| number).collect()
    }

    /// Returns `true` if two modules may use items of the same module. Otherwise no value of a type
    /// of one of them is known in the other one. `macros_of` returns the modules of the macros that
    /// a module calls.
    pub(super) fn may_share(&self, one: usize, other: usize, macros_of: &MacrosOf<'_>) -> bool {
        if one == other {
            return true;
        }
        let [one, other] = [one, other].map(|module| self.known_in(module, macros_of));
        match (one, other) {
            (Some(one), Some(other)) => !one.is_disjoint(other),
            _ => true,
        }
    }

    /// Returns the modules whose items may be used in a module, also those that others name, or
    /// none if they are unknown.
    fn known_in(&self, module: usize, macros_of: &MacrosOf<'_>) -> Option<&HashSet<usize>> {
        let known = self.modules[module].known.get_or_init(|| {
            let (mut next, mut found) = (vec![module], HashSet::from([module]));
            while let Some(at) = next.pop() {
                let named = self.modules[at].named.iter();
                let modules = named.map(|name| self.named(std::slice::from_ref(name), at));
                let modules = modules.chain([Some(macros_of(at))]);
                for module in modules.collect::<Option<Vec<_>>>()?.into_iter().flatten() {
                    if found.insert(module) {
                        next.push(module);
                    }
                }
            }
            Some(found)
        });
        known.as_ref()
    }

    /// Returns the modules that a path may mean, by its last segment, or none if they are unknown.
    /// A path to another package means none of them.
    pub(super) fn named(&self, path: &[String], from: usize) -> Option<Vec<usize>> {
        let (last, before) = path.split_last()?;
        match last.as_str() {
            "self" if before.is_empty() => Some(vec![from]),
            "super" if before.is_empty() => Some(self.around(from)),
            "super" => {
                let inner = self.named(before, from)?.into_iter();
                Some(inner.flat_map(|module| self.around(module)).collect())
            }
            "crate" => Some(self.roots()),
            name => match self.inner(name, from) {
                inner if inner.is_empty() || !before.is_empty() => self.of_name(name),
                inner => Some(inner),
            },
        }
    }

    /// Returns the modules of a name in a module, unless it imports the name.
    fn inner(&self, name: &str, module: usize) -> Vec<usize> {
        let mut imports = self.modules[module].imports.iter();
        if imports.any(|import| import.name.as_deref() == Some(name)) {
            return Vec::new();
        }
        let of_name = self.by_name.get(name).into_iter().flatten().copied();
        let is_inner = |number: &usize| self.modules[*number].outer == Some(module);
        of_name.filter(is_inner).collect()
    }

    fn of_name(&self, name: &str) -> Option<Vec<usize>> {
        let (mut next, mut seen, mut found) = (vec![name], HashSet::from([name]), Vec::new());
        while let Some(name) = next.pop() {
            let is_in_named_file =
                |of: &ModuleScope| of.has_named_file() && of.files.contains(name);
            if matches!(name, "self" | "super") || self.modules.iter().any(is_in_named_file) {
                return None;
            }
            if name == "crate" {
                found.extend(self.roots());
            }
            found.extend(self.by_name.get(name).into_iter().flatten());
            let aliases = self.aliases.get(name).into_iter().flatten();
            next.extend(aliases.map(String::as_str).filter(|it| seen.insert(it)));
        }
        Some(found)
    }

    /// Returns the modules of whole files.
    fn roots(&self) -> Vec<usize> {
        let modules = self.modules.iter().enumerate();
        let roots = modules.filter(|(_, of)| of.outer.is_none());
        roots.map(|(number, _)| number).collect()
    }
}

impl ModuleScope {
    fn has_named_file(&self) -> bool {
        self.names_files && !self.files.is_empty()
    }
}

/// Returns `true` if code after `path` ends an attribute: `#[path = ".."]`. Code has no literals.
fn is_path_of_file(after: &str) -> bool {
    let value = after.trim_start().strip_prefix('=');
    value.is_some_and(|value| value.trim_start().starts_with([']', ')', ',']))
}

/// Returns the name of a module in another file, from the code after `mod`.
fn file_of_module(after: &str) -> Option<String> {
    let (name, rest) = after.split_at(after.find([';', '{'])?);
    let name = name.trim().trim_start_matches("r#");
    rest.starts_with(';').then(|| name.to_owned())
}

/// Returns the name of the module in a file.
pub(super) fn module_of_file(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    let folder = path.parent().and_then(Path::file_name);
    let name = if stem == "mod" {
        folder.unwrap_or(stem)
    } else {
        stem
    };
    name.to_string_lossy().into_owned()
}
