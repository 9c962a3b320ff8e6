//! The items that the words of a function lead to.

use std::collections::{HashMap, HashSet};

use super::super::super::name_context::last_word;
use super::item_places::ItemPlace;
use super::item_search::UsePlace;
use super::item_uses::{freed, uses_of};
use super::package_items::{PackageItem, PackageItems};

/// The place of the function from which a search begins.
#[derive(Debug)]
pub(in super::super) struct Origin {
    /// The modules that declare it.
    modules: Vec<usize>,
    /// The type of the implementation around it.
    owner: Option<String>,
    /// The function itself, or several of its name.
    items: Vec<usize>,
    /// `true` if a scope around it may have imports.
    is_free: bool,
    is_nested: bool,
}

impl Origin {
    /// Returns the place of a use in the function. It is unknown without an origin.
    fn place(of: Option<&Self>) -> UsePlace<'_> {
        UsePlace {
            modules: of.map(|origin| &*origin.modules),
            owner: of.and_then(|origin| origin.owner.as_deref()),
            is_nested: of.is_none_or(|origin| origin.is_nested),
        }
    }
}

impl PackageItems {
    /// Returns the place of a function, if the text shows it.
    pub(super) fn origin(&self, name: &str, module: usize) -> Option<Origin> {
        let numbers = self.by_name.get(name)?.iter().copied();
        let is_own = |number: &usize| self.items[*number].module == module;
        let mut items: Vec<usize> = numbers.filter(is_own).collect();
        let is_machine = |number: &usize| self.items[*number].is_machine;
        if items.iter().any(is_machine) {
            items.retain(is_machine);
        }
        let (mut modules, mut owners) = (Vec::new(), HashSet::new());
        for item in self.items(&items) {
            modules.extend(self.modules_of(item)?);
            owners.insert(item.owner.clone());
        }
        modules.sort_unstable();
        modules.dedup();
        let owner = if owners.len() == 1 {
            owners.drain().next()
        } else {
            None
        };
        let is_free =
            |item: &PackageItem| !matches!(item.place, ItemPlace::Module | ItemPlace::Impl);
        let is_free = self.items(&items).into_iter().any(is_free);
        (!items.is_empty()).then(|| Origin {
            modules,
            owner: owner.flatten(),
            is_nested: self.items(&items).iter().any(|item| item.is_nested),
            items,
            is_free,
        })
    }

    /// Returns the items that the words of a text may mean at a place, except words of one name.
    pub(super) fn used_by(&self, text: &str, origin: Option<&Origin>, but: &str) -> Vec<usize> {
        let mut found = Vec::new();
        let mut uses = uses_of(text);
        if origin.is_some_and(|origin| origin.is_free) {
            uses = freed(uses);
        }
        for of in uses.iter().filter(|of| of.name != but) {
            self.find(of, Origin::place(origin), &mut found);
        }
        found
    }

    /// Returns the items that an item may use.
    fn used(&self, number: usize) -> &[usize] {
        let item = &self.items[number];
        item.used.get_or_init(|| {
            let place = UsePlace {
                modules: self.modules_of(item),
                owner: item.owner.as_deref(),
                is_nested: item.is_nested,
            };
            let mut found = Vec::new();
            for of in &item.uses {
                self.find(of, place, &mut found);
            }
            found.sort_unstable();
            found.dedup();
            found
        })
    }

    /// Returns the items that may be reached from some.
    pub(super) fn reached(&self, from: Vec<usize>) -> Vec<usize> {
        let (mut next, mut seen) = (from, vec![false; self.items.len()]);
        let mut found = Vec::new();
        while let Some(number) = next.pop() {
            if !std::mem::replace(&mut seen[number], true) {
                found.push(number);
                next.extend(self.used(number));
            }
        }
        found
    }

    /// Returns the items, of those that were reached, from which one of the others may be reached.
    pub(super) fn leading_to(&self, reached: &[usize], ends: &[usize]) -> Vec<usize> {
        let mut using: HashMap<usize, Vec<usize>> = HashMap::new();
        for by in reached {
            for number in self.used(*by) {
                using.entry(*number).or_default().push(*by);
            }
        }
        let (mut next, mut seen) = (ends.to_vec(), HashSet::new());
        while let Some(number) = next.pop() {
            if seen.insert(number) {
                next.extend(using.get(&number).into_iter().flatten());
            }
        }
        seen.into_iter().collect()
    }

    /// Returns the items, of those that were reached, that use a function or its machine by name.
    pub(super) fn using(
        &self,
        reached: &[usize],
        [function, machine]: [&str; 2],
        origin: Option<&Origin>,
    ) -> Vec<usize> {
        let uses_function = |number: usize| match origin {
            Some(origin) => self.used(number).iter().any(|it| origin.items.contains(it)),
            None => self.items[number].names(function),
        };
        let uses_machine = |number: usize| {
            let item = &self.items[number];
            item.names(machine) && origin.is_none_or(|origin| self.may_access_all(origin, item))
        };
        let numbers = reached.iter().copied();
        let using = numbers.filter(|number| uses_function(*number) || uses_machine(*number));
        using.collect()
    }

    /// Returns `true` if an item may use the machine of a function.
    fn may_access_all(&self, origin: &Origin, item: &PackageItem) -> bool {
        let modules = self.modules_of(item);
        let mut of_function = self.items(&origin.items).into_iter();
        of_function.any(|function| {
            let may_access = |modules: &[usize]| {
                let mut modules = modules.iter();
                modules.any(|from| self.may_access(function, *from))
            };
            modules.is_none_or(may_access)
        })
    }

    /// Returns the functions without a receiver that the path of a call may mean at a place.
    pub(super) fn meant_by(&self, path: &str, origin: Option<&Origin>) -> Vec<usize> {
        self.called_by(path, origin, &[""])
    }

    /// Returns the items that the path of a call may mean at a place, with marks before the names.
    fn called_by(&self, path: &str, origin: Option<&Origin>, marks: &[&str]) -> Vec<usize> {
        let mut found = Vec::new();
        let last = last_word(path.trim_end());
        let names: Vec<String> = marks.iter().map(|mark| format!("{mark}{last}")).collect();
        let uses = uses_of(&format!("{path}()"));
        for of in uses.iter().filter(|of| names.contains(&of.name)) {
            self.find(of, Origin::place(origin), &mut found);
        }
        found
    }

    /// Returns `true` if a module has a machine of a name, and none that a path may mean.
    pub(super) fn has_other_machine(
        &self,
        path: &str,
        origin: Option<&Origin>,
        module: usize,
    ) -> bool {
        let meant = self.called_by(path, origin, &["", "."]);
        let last = last_word(path);
        let is_meant = |item: &&PackageItem| {
            let modules = self.modules_of(item);
            modules.is_none_or(|modules| modules.contains(&module))
        };
        let method = format!(".{last}");
        let mut of_name = self.of_name(last).chain(self.of_name(&method));
        let has_machine = of_name.any(|item| item.is_machine && item.module == module);
        has_machine && !self.items(&meant).iter().any(is_meant)
    }

    /// Returns the items of a name that code at a place may use.
    pub(super) fn accessible(&self, name: &str, origin: Option<&Origin>) -> Vec<&PackageItem> {
        let may_access = |item: &&PackageItem| {
            origin.is_none_or(|origin| {
                let mut modules = origin.modules.iter();
                modules.any(|from| self.is_known(item, *from))
            })
        };
        self.of_name(name).filter(may_access).collect()
    }
}
