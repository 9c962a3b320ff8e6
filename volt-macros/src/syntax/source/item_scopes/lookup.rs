//! The search for an item with a name.

use super::item_scope::{Enum, ItemScope, ItemScopes, is_capital};
use super::use_tree::Import;

/// The most imports that one search follows. Globs may import each other.
const MOST_IMPORTS: u32 = 6;

/// Returns `true` if a module of another file may have an item of a name.
pub(in super::super) type OtherFiles<'f> = &'f dyn Fn(&[String], &str) -> bool;

/// The end of a path that the file declares.
enum Found<'s> {
    Module(usize),
    Enum(&'s Enum),
}

impl ItemScopes {
    /// Returns `true` if a name in a pattern at a place may be that of an item, except the variants
    /// of `core`.
    pub(in super::super) fn may_be_item(
        &self,
        place: usize,
        name: &str,
        others: OtherFiles<'_>,
    ) -> bool {
        let mut scopes = self.visible(self.scope_at(place)).into_iter();
        scopes.any(|scope| self.declares(scope, name, others, MOST_IMPORTS))
    }

    /// Returns `true` if a name in a pattern at a place may be imported from another crate.
    pub(in super::super) fn may_be_foreign(&self, place: usize, name: &str) -> bool {
        let mut scopes = self.visible(self.scope_at(place)).into_iter();
        scopes.any(|scope| self.imports_foreign(scope, name, MOST_IMPORTS))
    }

    fn imports_foreign(&self, scope: usize, name: &str, most: u32) -> bool {
        let Some(most) = most.checked_sub(1) else {
            return false;
        };
        let mut imports = self.scopes[scope].imports.iter();
        imports.any(|import| match (&import.name, import.path.split_last()) {
            (Some(known), Some((last, parent))) => {
                known == name && self.is_foreign(scope, parent, last, most)
            }
            (Some(_), None) => false,
            (None, _) => self.is_foreign(scope, &import.path, name, most),
        })
    }

    /// Returns `true` if a module is one of another crate, or imports the name from one.
    fn is_foreign(&self, scope: usize, module: &[String], name: &str, most: u32) -> bool {
        let is_own = |first: &String| matches!(&**first, "self" | "super" | "crate");
        match self.find(scope, module, most) {
            Some(Found::Module(module)) => self.imports_foreign(module, name, most),
            Some(Found::Enum(_)) => false,
            None => !is_of_core(module) && module.first().is_some_and(|first| !is_own(first)),
        }
    }

    /// The scope, and those around it up to its module.
    fn visible(&self, scope: usize) -> Vec<usize> {
        let mut visible = vec![scope];
        let mut last = scope;
        while self.scopes[last].module.is_none() {
            last = self.scopes[last].outer;
            visible.push(last);
        }
        visible
    }

    /// Returns `true` if a scope declares or imports an item of the name.
    fn declares(&self, scope: usize, name: &str, others: OtherFiles<'_>, most: u32) -> bool {
        let Some(most) = most.checked_sub(1) else {
            return false;
        };
        let of = &self.scopes[scope];
        let mut imports = of.imports.iter();
        of.values.iter().any(|value| value == name)
            || imports.any(|import| match &import.name {
                Some(known) => known == name && self.is_value(scope, import, others, most),
                None => self.is_in_glob(scope, import, name, others, most),
            })
    }

    /// Returns `true` if an import may be that of a constant or variant.
    fn is_value(&self, scope: usize, import: &Import, others: OtherFiles<'_>, most: u32) -> bool {
        let Some((last, parent)) = import.path.split_last() else {
            return false;
        };
        match self.find(scope, parent, most) {
            Some(Found::Module(module)) => self.declares(module, last, others, most),
            Some(Found::Enum(of)) => of.variants.contains(last),
            // Most lower-case names of a module are those of functions, and of other modules.
            None => {
                let is_item = is_variant_or_constant(last, parent) || others(parent, last);
                !is_of_core(&import.path) && is_item
            }
        }
    }

    /// Returns `true` if a glob import may contain a variant or constant of the name.
    fn is_in_glob(
        &self,
        scope: usize,
        glob: &Import,
        name: &str,
        others: OtherFiles<'_>,
        most: u32,
    ) -> bool {
        match self.find(scope, &glob.path, most) {
            // The root of the file may be that of the crate.
            Some(Found::Module(module)) => {
                let is_crate = glob.path == ["crate"];
                self.declares(module, name, others, most) || is_crate && others(&glob.path, name)
            }
            Some(Found::Enum(of)) => of.variants.iter().any(|variant| variant == name),
            // An enum of another file may have each capital name.
            None => {
                let is_enum = glob.path.last().is_some_and(|last| is_capital(last));
                !is_of_core(&glob.path) && (is_enum && is_capital(name) || others(&glob.path, name))
            }
        }
    }

    /// The module or enum of a path, if the file declares it.
    fn find(&self, scope: usize, path: &[String], most: u32) -> Option<Found<'_>> {
        let most = most.checked_sub(1)?;
        let visible = self.visible(scope);
        let module = *visible.last()?;
        let (first, rest) = path.split_first()?;
        match &**first {
            "self" => self.descend(Found::Module(module), rest, most),
            "super" => {
                let outer = (module > 0).then(|| self.module_of(self.scopes[module].outer))?;
                self.find_from(outer, rest, most)
            }
            // The path of the file in its crate is not known.
            "crate" if rest.is_empty() => Some(Found::Module(0)),
            "crate" => {
                let mut ends = (0..rest.len()).map(|from| &rest[from..]);
                ends.find_map(|rest| self.descend(Found::Module(0), rest, most))
            }
            _ => {
                let found = visible
                    .iter()
                    .find_map(|scope| self.child(*scope, first, most));
                self.descend(found?, rest, most)
            }
        }
    }

    /// The end of a path after `super`.
    fn find_from(&self, module: usize, path: &[String], most: u32) -> Option<Found<'_>> {
        match path.first() {
            Some(first) if first == "super" => self.find(module, path, most),
            _ => self.descend(Found::Module(module), path, most),
        }
    }

    fn module_of(&self, scope: usize) -> usize {
        self.visible(scope).last().copied().unwrap_or(0)
    }

    /// The end of a path that begins in a module or enum.
    fn descend<'s>(&'s self, from: Found<'s>, path: &[String], most: u32) -> Option<Found<'s>> {
        let mut found = from;
        for name in path {
            found = match found {
                Found::Module(module) => self.child(module, name, most)?,
                Found::Enum(_) => return None,
            };
        }
        Some(found)
    }

    /// The module or enum of a name that a scope declares or imports.
    fn child(&self, scope: usize, name: &str, most: u32) -> Option<Found<'_>> {
        let of = &self.scopes[scope];
        if let Some(found) = of.enums.iter().find(|of| of.name == name) {
            return Some(Found::Enum(found));
        }
        let is_child =
            |inner: &ItemScope| inner.outer == scope && inner.module.as_deref() == Some(name);
        let mut inner = self.scopes.iter().skip(1);
        if let Some(at) = inner.position(is_child) {
            return Some(Found::Module(at + 1));
        }
        let mut imports = of.imports.iter();
        imports.find_map(|import| match &import.name {
            Some(known) if known == name && import.path != [name] => {
                self.find(scope, &import.path, most)
            }
            None if import.path == ["super"] => {
                let Found::Module(outer) = self.find(scope, &import.path, most)? else {
                    return None;
                };
                self.child(outer, name, most.checked_sub(1)?)
            }
            _ => None,
        })
    }
}

/// Returns `true` for the items of the standard library, and for the variants of the prelude.
fn is_of_core(path: &[String]) -> bool {
    path.first()
        .is_some_and(|first| matches!(&**first, "std" | "core" | "alloc" | "Option" | "Result"))
}

/// Returns `true` if a path of another file may end with a variant or a constant.
fn is_variant_or_constant(last: &str, parent: &[String]) -> bool {
    is_capital(last) || parent.last().is_some_and(|of| is_capital(of))
}
