//! The search for the items that a name may mean at a place.

use std::collections::HashSet;

use super::item_places::ItemPlace;
use super::item_uses::{ItemUse, UsePath, is_type};
use super::package_items::PackageItems;

/// The place of a use.
#[derive(Clone, Copy)]
pub(super) struct UsePlace<'p> {
    /// The modules that declare the using item, or none if they are unknown.
    pub(super) modules: Option<&'p [usize]>,
    /// The type of the implementation around it.
    pub(super) owner: Option<&'p str>,
    pub(super) is_nested: bool,
}

impl PackageItems {
    /// Adds the items that a word may mean in one of the modules.
    pub(super) fn find(&self, of: &ItemUse, place: UsePlace<'_>, found: &mut Vec<usize>) {
        let name = &*of.name;
        if !self.by_name.contains_key(name) && !self.scopes.has_alias(name) {
            return;
        }
        let Some(modules) = place.modules else {
            return self.all(name, found);
        };
        let path = match &of.path {
            UsePath::Bare if self.hides_macros => &UsePath::Free,
            UsePath::In(last) if self.hides_macros && is_type(last) => &UsePath::Any,
            path => path,
        };
        for from in modules {
            let mut search = Search {
                items: self,
                found,
                is_nested: place.is_nested,
                seen: HashSet::new(),
            };
            match path {
                UsePath::Bare => search.in_scope(*from, name, true),
                UsePath::Free => search.in_scope(*from, name, false),
                UsePath::In(last) if last == "Self" => search.of_type(*from, name, place.owner),
                UsePath::In(last) if is_type(last) => search.of_type(*from, name, Some(last)),
                UsePath::In(last) => search.in_module(*from, name, last),
                UsePath::Any => search.of_type(*from, name, None),
            }
        }
    }
}

/// The search for the items that a name may mean.
struct Search<'s> {
    items: &'s PackageItems,
    found: &'s mut Vec<usize>,
    /// `true` if the place of the use is in the body of a function.
    is_nested: bool,
    /// The modules and names that were searched.
    seen: HashSet<(usize, String)>,
}

impl Search<'_> {
    /// Adds the items of a name that are in scope in a module. `is_bare` is `true` if those of the
    /// module come first.
    fn in_scope(&mut self, module: usize, name: &str, is_bare: bool) {
        if !self.seen.insert((module, name.to_owned())) {
            return;
        }
        let (items, mut is_declared) = (self.items, false);
        for number in items.by_name.get(name).into_iter().flatten() {
            let item = &items.items[*number];
            let modules = items.modules_of(item);
            let is_own = |modules: &[usize]| modules.contains(&module);
            let is_in_scope = item.place != ItemPlace::Impl
                && modules.is_none_or(is_own)
                && (self.is_nested || !item.is_nested);
            if item.is_macro || is_in_scope {
                self.found.push(*number);
                is_declared |=
                    item.place == ItemPlace::Module && !item.is_macro && !item.is_conditional;
            }
        }
        if is_bare && is_declared {
            return;
        }
        for import in items.scopes.imports(module) {
            let (path, last) = match &import.name {
                Some(known) if known == name => match import.path.split_last() {
                    Some((last, path)) => (path, &**last),
                    None => continue,
                },
                Some(_) => continue,
                None => (&*import.path, name),
            };
            self.imported(module, path, last);
        }
    }

    /// Adds the items of a name in a module that an import names.
    fn imported(&mut self, module: usize, path: &[String], name: &str) {
        if path.is_empty() {
            // A renamed item of the module, or a crate.
            return self.in_scope(module, name, false);
        }
        match self.items.scopes.named(path, module) {
            Some(modules) => {
                for module in modules {
                    self.in_scope(module, name, false);
                }
            }
            None => self.items.all(name, self.found),
        }
    }

    /// Adds the items of a name behind `last::`.
    fn in_module(&mut self, module: usize, name: &str, last: &str) {
        let segment = [last.to_owned()];
        match self.items.scopes.named(&segment, module) {
            Some(modules) if !modules.is_empty() && !name.starts_with(['.', ':']) => {
                for module in modules {
                    self.in_scope(module, name, false);
                }
            }
            Some(_) => self.of_type(module, name, None),
            None => self.items.all(name, self.found),
        }
    }

    /// Adds the functions of a name that belong to a type. If the module has an implementation of
    /// the type with such a function, no other inherent implementation has it.
    fn of_type(&mut self, module: usize, name: &str, owner: Option<&str>) {
        let items = self.items;
        let has_own = owner.is_some_and(|owner| items.declares_in(module, owner, name));
        for number in items.by_name.get(name).into_iter().flatten() {
            let item = &items.items[*number];
            let is_of_other = item.module != module || item.owner.as_deref() != owner;
            let is_left_out = has_own && item.owner.is_some() && is_of_other;
            if item.place != ItemPlace::Module && !is_left_out && items.is_known(item, module) {
                self.found.push(*number);
            }
        }
    }
}
