//! `PackageWords`: the functions, types and macros of a package, and the words in each.

mod item_heads;
mod item_uses;
mod item_places;
mod module_scopes;
mod package_items;
mod item_search;
mod item_graph;

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

pub(super) use self::item_graph::Origin;
use self::item_heads::{
    begins_name, has_receiver, has_word, head, inherent_owner, is_associated, is_before_crate,
    is_opaque, item, item_around, takes_self,
};
use self::item_places::{ItemPlace, ItemPlaces};
use self::item_uses::uses_of;
use self::module_scopes::module_of_file;
use self::package_items::{PackageItem, PackageItems};
use super::super::file_modules::{Module, read_file};
use super::super::name_context::last_word;
use super::super::words::next_word;
use super::machine_heads::MachineHeads;

/// The functions, types and macros of a package.
#[derive(Debug, Default)]
pub(super) struct PackageWords {
    items: PackageItems,
    /// The number of each module, by its file and by the place at which it begins there.
    modules: HashMap<PathBuf, HashMap<usize, usize>>,
    /// The words of the types.
    types: HashMap<String, HashSet<String>>,
    /// The methods that take `self` by value, by their names.
    pub(super) methods: HashMap<String, Vec<MethodOfTrait>>,
    /// The heads of the implementations of each trait.
    pub(super) impls: HashMap<String, Vec<String>>,
    /// The rules of each macro.
    pub(super) macros: HashMap<String, Vec<String>>,
    /// `true` if a file has a `#[macro_use] extern crate`.
    pub(super) uses_foreign_macros: bool,
}

impl PackageWords {
    pub(super) fn of<'p>(paths: impl Iterator<Item = &'p PathBuf>) -> Self {
        let mut words = Self::default();
        for path in paths {
            let Some(file) = read_file(path.clone()) else {
                continue;
            };
            let modules: Vec<&Module> = file.modules().collect();
            let mut entered: Vec<(&Module, usize)> = Vec::new();
            // A module comes after those in it.
            for module in modules.into_iter().rev() {
                let mut outer = entered.iter().rev();
                let outer = outer.find(|(outer, _)| outer.contains(module));
                let name = module
                    .name()
                    .map_or_else(|| module_of_file(path), str::to_owned);
                let outer = outer.map(|(_, number)| *number);
                let number = words.enter(&name, outer, module.code().text());
                entered.push((module, number));
            }
            let starts = entered
                .iter()
                .map(|(module, number)| (module.start(), *number));
            words.modules.insert(path.clone(), starts.collect());
        }
        words
    }

    /// Returns `true` if an item uses one of the names.
    pub(super) fn use_any(&self, names: [&str; 2]) -> bool {
        self.items.use_any(names)
    }

    /// Returns the place of a function with a name, from the file and the begin of its module.
    pub(super) fn origin(&self, name: &str, module: Option<(&Path, usize)>) -> Option<Origin> {
        let (file, start) = module?;
        let number = self.modules.get(file)?.get(&start)?;
        self.items.origin(name, *number)
    }

    /// Enters the functions, types and macros of a module, also those within other items.
    pub(super) fn enter(&mut self, name: &str, outer: Option<usize>, code: &str) -> usize {
        let module = self.items.scopes.add(name, outer, code);
        let (mut from, mut heads) = (0, MachineHeads::new(code));
        let mut places = ItemPlaces::new(code);
        while let Some((start, end)) = next_word(code.as_bytes(), from) {
            from = end;
            let kind = &code[start..end];
            self.uses_foreign_macros |= kind == "macro_use" && is_before_crate(&code[end..]);
            if kind == "impl" {
                self.enter_impl(&code[start..]);
            }
            if !matches!(kind, "fn" | "macro_rules" | "struct" | "enum" | "type") {
                continue;
            }
            let Some((name_start, name_end)) = next_word(code.as_bytes(), end) else {
                break;
            };
            // `r#type` and `fn(u32)` declare nothing.
            let is_raw = code[..start].ends_with("r#");
            if is_raw || !begins_name(&code[end..name_start]) {
                continue;
            }
            places.move_to(start);
            self.enter_item(&FoundItem {
                kind,
                module,
                before: &code[..start],
                name: &code[name_start..name_end],
                code: item(&code[name_end..]),
                is_machine: kind == "fn" && heads.is_machine(start),
                places: &places,
            });
        }
        places.move_to(code.len());
        self.items.add_calls(module, &places.calls);
        module
    }

    fn enter_item(&mut self, found: &FoundItem<'_, '_>) {
        let (kind, mut code, mut name) = (found.kind, found.code, found.name.to_owned());
        let mut of_function = None;
        if kind == "fn" && !is_opaque(found.before, code) {
            code = head(code);
        }
        if kind == "fn" && has_receiver(code) {
            if takes_self(code)
                && let Some(around) = item_around(found.before)
            {
                let method = MethodOfTrait {
                    around: around.trim().to_owned(),
                    head: format!("fn {name}{}", head(code)),
                };
                self.methods.entry(name.clone()).or_default().push(method);
            }
            name.insert(0, '.');
        } else if kind == "fn" {
            of_function = Some(format!("fn {name}{}", head(code)));
        }
        if kind == "type" && is_associated(found.before) {
            name.insert_str(0, "::");
        }
        let uses = uses_of(code);
        match kind {
            "macro_rules" => {
                let rules = self.macros.entry(name.clone()).or_default();
                rules.push(code.to_owned());
            }
            "fn" => {}
            _ => {
                let words = uses.iter().map(|of| of.name.clone());
                self.types.entry(name.clone()).or_default().extend(words);
            }
        }
        let item = found.item(of_function, uses);
        self.items.add(name, item);
    }

    /// Enters the head of an implementation of a trait without arguments.
    fn enter_impl(&mut self, code: &str) {
        let head = code.split(['{', ';']).next().unwrap_or_default().trim_end();
        if let Some((before, _)) = head.split_once(" for ") {
            let name = last_word(before.trim_end()).to_owned();
            self.impls.entry(name).or_default().push(head.to_owned());
        }
    }

    /// Returns `true` if several machines may have a name at a place. One that a macro declares
    /// counts as two.
    pub(super) fn has_machines(&self, name: &str, origin: Option<&Origin>) -> bool {
        let items = self.items.accessible(name, origin).into_iter();
        let machines = items.filter(|item| item.is_machine);
        let counts = machines.map(|item| if item.is_in_macro() { 2 } else { 1 });
        counts.sum::<usize>() > 1
    }

    /// Returns the heads of the functions that a path may mean at a place, or of all functions of
    /// its last name.
    pub(super) fn heads(&self, path: &str, origin: Option<&Origin>) -> Option<Vec<&str>> {
        let of_name = self.items.meant_by(path, origin);
        let heads = self.items.items(&of_name).into_iter();
        let heads: Vec<_> = heads.filter_map(|item| item.head.as_deref()).collect();
        (!heads.is_empty()).then_some(heads)
    }

    /// Returns `true` if a module has another machine of the name than those that a path may mean
    /// at a place. A name of a machine there is that of its own one.
    pub(super) fn means_own_machine(
        &self,
        path: &str,
        origin: Option<&Origin>,
        (file, start): (&Path, usize),
    ) -> bool {
        let number = self
            .modules
            .get(file)
            .and_then(|modules| modules.get(&start));
        number.is_some_and(|module| self.items.has_other_machine(path, origin, *module))
    }

    /// Returns `true` if the declarations of types lead from one type to another one.
    pub(super) fn type_leads_to(&self, from: &str, to: &str) -> bool {
        let (mut next, mut seen) = (vec![from], HashSet::from([from]));
        while let Some(name) = next.pop() {
            let words = self.types.get(name).into_iter().flatten();
            for word in words.map(String::as_str) {
                if word == to {
                    return true;
                }
                if seen.insert(word) {
                    next.push(word);
                }
            }
        }
        false
    }

    /// Returns `true` if the words of a text lead back to a function or its machine.
    pub(super) fn lead_back(&self, names: [&str; 2], origin: Option<&Origin>, text: &str) -> bool {
        let from = self.items.used_by(text, origin, names[0]);
        let reached = self.items.reached(from);
        !self.items.using(&reached, names, origin).is_empty()
    }

    /// Returns `true` if the words of a text lead back to one of the names through an item that is
    /// no machine.
    pub(super) fn lead_back_by_others(
        &self,
        names: [&str; 2],
        origin: Option<&Origin>,
        text: &str,
    ) -> bool {
        let reached = self.items.reached(self.items.used_by(text, origin, ""));
        let using = self.items.using(&reached, names, origin);
        let leading = self.items.leading_to(&reached, &using);
        let mut leading = self.items.items(&leading).into_iter();
        leading.any(|item| !item.is_machine)
    }
}

/// A method that takes `self` by value.
#[derive(Debug)]
pub(super) struct MethodOfTrait {
    /// The head of the trait or implementation around it.
    pub(super) around: String,
    pub(super) head: String,
}

/// An item in the code of a module.
struct FoundItem<'c, 'p> {
    /// The word that declares it.
    kind: &'c str,
    module: usize,
    before: &'c str,
    name: &'c str,
    /// The code behind its name.
    code: &'c str,
    is_machine: bool,
    /// The brackets around it.
    places: &'p ItemPlaces<'c>,
}

impl FoundItem<'_, '_> {
    fn item(&self, of_function: Option<String>, uses: HashSet<item_uses::ItemUse>) -> PackageItem {
        let (place, head, is_macro) = (
            self.places.kind(),
            self.places.head(),
            self.kind == "macro_rules",
        );
        let declared_by = match place {
            ItemPlace::Rules => Some(self.places.around()),
            _ if is_macro => Some(self.name),
            _ => None,
        };
        let is_of_impl = place == ItemPlace::Impl;
        let owner = is_of_impl.then(|| inherent_owner(self.places.around()));
        let owner = owner.flatten().map(str::to_owned);
        let is_public =
            head.contains('$') || has_word(head, "pub") || is_of_impl && owner.is_none();
        // A scope around the item may have imports.
        let is_free = !matches!(place, ItemPlace::Module | ItemPlace::Impl);
        PackageItem {
            module: self.module,
            place,
            declared_by: declared_by.map(str::to_owned),
            owner,
            is_nested: self.places.is_nested(),
            is_private: !is_public,
            is_conditional: head.contains("cfg"),
            is_macro,
            is_machine: self.is_machine,
            head: of_function,
            uses: if is_free {
                item_uses::freed(uses)
            } else {
                uses
            },
            modules: OnceCell::new(),
            used: OnceCell::new(),
        }
    }
}

#[cfg(test)]
mod tests;
