//! `PackageItems`: the items of a package, and those that each may use.
//!
//! A bare name means the item of its module, if the module declares one. An item without `pub` is
//! used in its module alone, and in the modules in it. A `macro_rules!` declares its items in the
//! modules that call it. Where the text shows none of this, a name means all items of that name.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use super::item_places::{ItemPlace, MacroCall};
use super::item_uses::{ItemUse, TRANSPARENT_MACROS};
use super::module_scopes::ModuleScopes;

/// A function, type or macro.
#[derive(Debug)]
pub(super) struct PackageItem {
    pub(super) module: usize,
    pub(super) place: ItemPlace,
    /// The macro that declares the item. A `macro_rules!` has its own name.
    pub(super) declared_by: Option<String>,
    /// The type of the inherent implementation around a function.
    pub(super) owner: Option<String>,
    /// `true` if it is in the body of a function. The words of that function contain its words.
    pub(super) is_nested: bool,
    pub(super) is_private: bool,
    /// `true` if the item may be left out by a `cfg`.
    pub(super) is_conditional: bool,
    pub(super) is_macro: bool,
    pub(super) is_machine: bool,
    /// The head of a function without a receiver.
    pub(super) head: Option<String>,
    pub(super) uses: HashSet<ItemUse>,
    /// The modules that declare it, or none if the text does not show them.
    pub(super) modules: OnceCell<Option<Vec<usize>>>,
    /// The items that it may use.
    pub(super) used: OnceCell<Vec<usize>>,
}

/// The modules that call a macro.
#[derive(Debug, Default)]
struct CallingModules {
    modules: Vec<usize>,
    /// `true` if another macro calls it.
    is_in_macro: bool,
}

/// The items of a package.
#[derive(Debug, Default)]
pub(super) struct PackageItems {
    pub(super) items: Vec<PackageItem>,
    pub(super) by_name: HashMap<String, Vec<usize>>,
    calls: HashMap<String, CallingModules>,
    /// The macros that each module calls.
    calls_in: HashMap<usize, HashSet<String>>,
    pub(super) scopes: ModuleScopes,
    /// `true` if a macro of the package has the name of one that uses its arguments as they are.
    pub(super) hides_macros: bool,
}

impl PackageItems {
    pub(super) fn add(&mut self, name: String, item: PackageItem) {
        self.hides_macros |= item.is_macro && TRANSPARENT_MACROS.contains(&&*name);
        let number = self.items.len();
        self.items.push(item);
        self.by_name.entry(name).or_default().push(number);
    }

    /// Enters the calls of macros in a module.
    pub(super) fn add_calls(&mut self, module: usize, calls: &[MacroCall<'_>]) {
        for call in calls {
            let in_module = self.calls_in.entry(module).or_default();
            in_module.insert(call.name.to_owned());
            let of_name = self.calls.entry(call.name.to_owned()).or_default();
            match call.place {
                ItemPlace::Rules | ItemPlace::Arguments => of_name.is_in_macro = true,
                _ => of_name.modules.push(module),
            }
        }
    }

    /// Returns `true` if an item uses one of the names.
    pub(super) fn use_any(&self, names: [&str; 2]) -> bool {
        let mut uses = self.items.iter().flat_map(|item| &item.uses);
        uses.any(|of| names.contains(&&*of.name))
    }

    pub(super) fn of_name(&self, name: &str) -> impl Iterator<Item = &PackageItem> {
        let numbers = self.by_name.get(name).into_iter().flatten();
        numbers.map(|number| &self.items[*number])
    }

    /// Returns the items with the numbers.
    pub(super) fn items(&self, numbers: &[usize]) -> Vec<&PackageItem> {
        let items = numbers.iter().map(|number| &self.items[*number]);
        items.collect()
    }

    /// Returns the modules that declare an item, or none if the text does not show them.
    pub(super) fn modules_of<'i>(&self, item: &'i PackageItem) -> Option<&'i [usize]> {
        let modules = item.modules.get_or_init(|| self.declaring_modules(item));
        modules.as_deref()
    }

    fn declaring_modules(&self, item: &PackageItem) -> Option<Vec<usize>> {
        if self.scopes.has_includes || item.place == ItemPlace::Arguments {
            return None;
        }
        let Some(by) = &item.declared_by else {
            return Some(vec![item.module]);
        };
        let calls = self.calls.get(by).filter(|calls| !calls.is_in_macro)?;
        // A macro of the module comes before those around it.
        let has_own = |module: &usize| {
            let mut macros = self.of_name(by).filter(|item| item.is_macro);
            macros.any(|item| item.module == *module)
        };
        let modules = calls.modules.iter().copied();
        let modules: Vec<_> = modules
            .filter(|module| *module == item.module || !has_own(module))
            .collect();
        let is_known = !modules.is_empty() && !self.scopes.has_alias(by);
        is_known.then_some(modules)
    }

    /// Returns the modules with the macros that a module calls.
    pub(super) fn macros_of(&self, module: usize) -> Vec<usize> {
        let called = self.calls_in.get(&module).into_iter().flatten();
        let macros = called.flat_map(|name| self.of_name(name));
        let macros = macros.filter(|item| item.is_macro);
        macros.map(|item| item.module).collect()
    }

    pub(super) fn all(&self, name: &str, found: &mut Vec<usize>) {
        found.extend(self.by_name.get(name).into_iter().flatten());
    }

    /// Returns `true` if code of a module may use an item.
    pub(super) fn may_access(&self, item: &PackageItem, from: usize) -> bool {
        let modules = self.modules_of(item);
        let is_within = |modules: &[usize]| {
            let mut modules = modules.iter();
            modules.any(|module| self.scopes.is_within(from, *module))
        };
        !item.is_private || modules.is_none_or(is_within)
    }

    /// Returns `true` if code of a module may use a function of a type.
    pub(super) fn is_known(&self, item: &PackageItem, from: usize) -> bool {
        let macros_of = |module: usize| self.macros_of(module);
        let may_share = |modules: &[usize]| {
            let mut modules = modules.iter();
            modules.any(|module| self.scopes.may_share(from, *module, &macros_of))
        };
        self.may_access(item, from) && self.modules_of(item).is_none_or(may_share)
    }

    /// Returns `true` if a module has an inherent implementation of a type with a function of the
    /// name, with or without a receiver.
    pub(super) fn declares_in(&self, module: usize, owner: &str, name: &str) -> bool {
        let name = name.trim_start_matches('.');
        let method = format!(".{name}");
        let mut of_name = self.of_name(name).chain(self.of_name(&method));
        of_name.any(|item| {
            let is_own = item.owner.as_deref() == Some(owner) && !item.is_conditional;
            is_own && self.modules_of(item) == Some(&[module])
        })
    }
}

impl PackageItem {
    /// Returns `true` if a macro declares the item.
    pub(super) fn is_in_macro(&self) -> bool {
        matches!(self.place, ItemPlace::Rules | ItemPlace::Arguments)
    }

    /// Returns `true` if the item uses a name.
    pub(super) fn names(&self, name: &str) -> bool {
        self.uses.iter().any(|of| of.name == name)
    }
}
