//! Functions whose names lead back to themselves, because they may await each other.
//!
//! The attribute of a function has no access to other functions. But the attributes of a crate run
//! in one process, so each records the names in its function for later ones. The last function of a
//! cycle finds the cycle. That is enough: the constant of that function depends on nothing, so the
//! cycle is broken.
//!
//! A name may mean something else, and the process of an editor expands several versions of a
//! function. Both lead only to a proof in place of a constant.

mod name_uses;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use crate::syntax::{ModuleFunctions, ModuleKey, PlainFunction};
use name_uses::{NameUse, named_in};

/// The limit of functions that a search visits, which bounds its time in a large crate.
const MAX_VISITED: usize = 64;

static EXPANDED: Mutex<ExpandedFunctions> = Mutex::new(ExpandedFunctions {
    functions: Vec::new(),
    numbers: BTreeMap::new(),
    naming: BTreeMap::new(),
    callers: BTreeMap::new(),
    types: BTreeMap::new(),
    declared: BTreeMap::new(),
});

/// The functions that were expanded.
struct ExpandedFunctions {
    functions: Vec<FunctionKey>,
    /// The index of each function in the list.
    numbers: BTreeMap<FunctionKey, usize>,
    /// The functions that use each name.
    naming: BTreeMap<NameUse, Vec<Naming>>,
    /// The types whose methods call a method of each name, of any value.
    callers: BTreeMap<String, BTreeSet<String>>,
    /// The types that each method names, by its number.
    types: BTreeMap<usize, BTreeSet<String>>,
    declared: BTreeMap<ModuleKey, ModuleNames>,
}

/// The names that a module declares.
struct ModuleNames {
    /// The functions outside of its types.
    functions: Vec<String>,
    /// The methods, each with the name of its type.
    methods: Vec<(String, String)>,
}

/// A function, identified by its name, type and module.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct FunctionKey {
    name: String,
    /// The type that it is a method of.
    impl_target: Option<String>,
    /// Its module, if the source is known.
    module: Option<ModuleKey>,
}

/// A function that uses a name, or the first one of several that lead to a function by their names.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Naming {
    /// The number of the function.
    by: usize,
    /// `true` if its machine has a linked copy, and each use is a linked call.
    is_linked: bool,
    /// `true` if a use is not awaited at once.
    is_stored: bool,
    /// `true` if the use is a method of a value, whose type may be another one.
    is_by_value: bool,
}

impl Naming {
    /// Returns the use after that of another function.
    fn after(self, other: Self) -> Self {
        Self {
            by: self.by,
            is_linked: self.is_linked && other.is_linked,
            is_stored: self.is_stored || other.is_stored,
            is_by_value: self.is_by_value || other.is_by_value,
        }
    }

    /// Returns `true` if a machine on the way may contain the next one. A method of another type
    /// with this name may be called, too, which no type shows.
    fn may_contain(self) -> bool {
        self.is_stored || !self.is_by_value
    }
}

/// The search for a way from the declaration of a type to another type.
type LeadsTo<'t> = &'t dyn Fn(&str, &str) -> bool;

/// The ways in which the names in a function lead back to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WaysBack {
    /// By its own name.
    pub(super) by_itself: bool,
    /// Through other functions.
    pub(super) by_others: bool,
    /// Through other functions, and not only by linked calls.
    pub(super) by_machines: bool,
}

impl WaysBack {
    /// Returns `true` if there is one.
    pub(super) fn any(self) -> bool {
        self.by_itself || self.by_others
    }
}

/// Returns the ways in which the names in a function lead back to it, through functions that were
/// expanded before. A function that names itself is a cycle only if it is no method, because any
/// type may have a method of that name. `is_named` is `false` if the name means another item in the
/// text. Another function of the name may name itself, so that is decided by the text. The second
/// text is that without linked calls. `leads_to` returns `true` if a value of the first type
/// may contain one of the second type, so that a method of the first one may call its methods.
pub(super) fn names_lead_back(
    name: &str,
    impl_target: Option<&str>,
    module: Option<ModuleKey>,
    [text, unlinked]: [&str; 2],
    is_named: bool,
    leads_to: LeadsTo<'_>,
) -> WaysBack {
    let function = FunctionKey {
        name: name.to_owned(),
        impl_target: impl_target.map(str::to_owned),
        module,
    };
    let mut seen = EXPANDED.lock().unwrap_or_else(PoisonError::into_inner);
    let own = seen.number(function);
    let mut found = named_in(text, name, impl_target);
    if !is_named {
        found.uses.retain(|named, _| !named.is_function(name));
    }
    let names_itself = found.uses.keys().any(|named| named.is_function(name));
    seen.types.insert(own, found.types);
    let (found, mut machines) = (found.uses, named_in(unlinked, name, impl_target).uses);
    if text != unlinked {
        // The remaining uses of the own name are at places of other types than machines.
        machines.retain(|named, _| named.name() != name);
    }
    for (named, is_stored) in &found {
        let is_linked = !machines.contains_key(named);
        seen.enter(named.clone(), own, [is_linked, *is_stored]);
    }
    let [by_others, by_machines] = seen.leads_back(own, leads_to);
    if by_machines {
        seen.unlink(&found, own);
    }
    WaysBack {
        by_itself: impl_target.is_none() && names_itself,
        by_others,
        by_machines,
    }
}

/// Enters the functions of a module, also those that are no machines and return futures. A cycle
/// may lead through them.
pub(super) fn enter_functions(module: Option<&ModuleKey>, functions: Option<ModuleFunctions>) {
    let Some(functions) = functions else {
        return;
    };
    let mut seen = EXPANDED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(module) = module {
        let names = ModuleNames {
            functions: functions.names,
            methods: functions.methods,
        };
        seen.declared.insert(module.clone(), names);
    }
    for PlainFunction { name, code } in functions.plain {
        let function = FunctionKey {
            name,
            impl_target: None,
            module: module.cloned(),
        };
        if !seen.numbers.contains_key(&function) {
            let found = named_in(&code, &function.name, None);
            let own = seen.number(function);
            for (named, is_stored) in found.uses {
                seen.enter(named, own, [false, is_stored]);
            }
        }
    }
}

impl ExpandedFunctions {
    /// Returns the number of a function.
    fn number(&mut self, function: FunctionKey) -> usize {
        if let Some(number) = self.numbers.get(&function) {
            return *number;
        }
        let number = self.functions.len();
        self.functions.push(function.clone());
        self.numbers.insert(function, number);
        number
    }

    /// Enters the use of a name. The last entry of a function counts.
    fn enter(&mut self, named: NameUse, by: usize, [is_linked, is_stored]: [bool; 2]) {
        if let NameUse::Method(of_type, name) = &named {
            let callers = self.callers.entry(name.clone()).or_default();
            callers.insert(of_type.clone());
        }
        let naming = Naming {
            by,
            is_linked,
            is_stored,
            is_by_value: false,
        };
        let uses = self.naming.entry(named).or_default();
        match uses.last_mut().filter(|last| last.by == by) {
            Some(last) => *last = naming,
            None => uses.push(naming),
        }
    }

    /// Enters that the uses in a function are those of machines.
    fn unlink(&mut self, uses: &BTreeMap<NameUse, bool>, function: usize) {
        for named in uses.keys() {
            let naming = self.naming.get_mut(named).into_iter().flatten();
            naming
                .filter(|naming| naming.by == function)
                .for_each(|naming| naming.is_linked = false);
        }
    }

    /// Returns `true` if a cycle leads through another function, and `true` if one of its calls is
    /// not linked.
    fn leads_back(&self, own: usize, leads_to: LeadsTo<'_>) -> [bool; 2] {
        let start = Naming {
            by: own,
            is_linked: true,
            is_stored: false,
            is_by_value: false,
        };
        let (mut visited, mut next, mut ways) = (vec![start], 0, [false; 2]);
        while let Some(&at) = visited.get(next).filter(|_| next < MAX_VISITED) {
            next += 1;
            for naming in self.functions_naming(at.by, leads_to) {
                let naming = naming.after(at);
                if naming.by == own {
                    let is_way = at.by != own && naming.may_contain();
                    ways[0] |= is_way;
                    ways[1] |= is_way && !naming.is_linked;
                } else if !visited.contains(&naming) {
                    visited.push(naming);
                }
            }
        }
        ways
    }

    /// Returns the functions that name a function.
    fn functions_naming(&self, function: usize, leads_to: LeadsTo<'_>) -> Vec<Naming> {
        let of = &self.functions[function];
        let name = of.name.clone();
        let Some(impl_target) = of.impl_target.clone() else {
            let bare = self.using(&NameUse::Bare(name.clone())).iter().copied();
            let bare = bare.filter(|naming| self.may_mean(naming.by, of));
            let by_path = self.using(&NameUse::InModule(name));
            return bare.chain(by_path.iter().copied()).collect();
        };
        let by_value = NameUse::Method(impl_target.clone(), name.clone());
        let by_self = NameUse::OwnMethod(impl_target.clone(), name);
        let methods = [by_value, by_self].into_iter();
        let methods = methods.flat_map(|named| self.using(&named).iter().copied());
        let methods = methods.filter(|naming| self.may_mean_method(naming.by, &impl_target, of));
        let of_values = self.calling_of_values(function, leads_to);
        methods
            .chain(self.using_type(of))
            .chain(of_values)
            .collect()
    }

    /// Returns the methods of other types that may call a method of a value, `value.name()`.
    fn calling_of_values(&self, of: usize, leads_to: LeadsTo<'_>) -> Vec<Naming> {
        let FunctionKey {
            name, impl_target, ..
        } = &self.functions[of];
        let types = self.callers.get(name).into_iter().flatten();
        let others = types.filter(|ty| Some(*ty) != impl_target.as_ref());
        let uses = others.flat_map(|ty| self.using(&NameUse::Method(ty.clone(), name.clone())));
        let linked =
            uses.filter(|it| self.has(it.by, of, leads_to) && self.has(of, it.by, leads_to));
        linked
            .map(|naming| Naming {
                is_by_value: true,
                ..*naming
            })
            .collect()
    }

    /// Returns `true` if a method may have a value of the type of another one.
    fn has(&self, function: usize, other: usize, leads_to: LeadsTo<'_>) -> bool {
        let mut types = self.types.get(&function).into_iter().flatten();
        let target = self.functions[other].impl_target.as_deref();
        target.is_some_and(|target| types.any(|ty| ty == target || leads_to(ty, target)))
    }

    /// Returns the functions with a use.
    fn using(&self, named: &NameUse) -> &[Naming] {
        self.naming.get(named).map_or(&[], Vec::as_slice)
    }

    /// Returns the functions that may name a method by a path, `Type::name`.
    fn using_type<'s>(&'s self, of: &'s FunctionKey) -> impl Iterator<Item = Naming> + use<'s> {
        let first = NameUse::OfType(of.name.clone(), None);
        let uses = self.naming.range(first..);
        let of_name = uses.map_while(|(named, by)| match named {
            NameUse::OfType(name, of_type) if *name == of.name => Some((of_type.as_deref(), by)),
            _ => None,
        });
        of_name.flat_map(move |(of_type, uses)| {
            let may_mean = move |naming: &Naming| {
                of_type.is_none_or(|ty| self.may_mean_method(naming.by, ty, of))
            };
            uses.iter().copied().filter(may_mean)
        })
    }

    /// Returns `true` if the module of a function declares a function or a method. Macros may
    /// declare some, which the source does not show before they are expanded.
    fn declares_around(&self, function: usize, name: &str, impl_target: Option<&str>) -> bool {
        let module = &self.functions[function].module;
        let key = FunctionKey {
            name: name.to_owned(),
            impl_target: impl_target.map(str::to_owned),
            module: module.clone(),
        };
        let shows = |names: &ModuleNames| match impl_target {
            Some(of_type) => names
                .methods
                .iter()
                .any(|it| it.0 == of_type && it.1 == name),
            None => names.functions.iter().any(|it| it == name),
        };
        module.as_ref().is_some_and(|module| {
            self.numbers.contains_key(&key) || self.declared.get(module).is_some_and(shows)
        })
    }

    /// Returns `true` if the bare name of a function may mean it in another one. The name means the
    /// function that the module declares, if there is one.
    fn may_mean(&self, by: usize, function: &FunctionKey) -> bool {
        self.functions[by].module == function.module
            || !self.declares_around(by, &function.name, None)
    }

    /// Returns `true` if a method of a type that is named in another function may be `method`. If
    /// the module of that function declares such a method, the name of the type means that one.
    fn may_mean_method(&self, by: usize, of_type: &str, method: &FunctionKey) -> bool {
        !self.declares_around(by, &method.name, Some(of_type))
            || self.functions[by].module == method.module
                && method.impl_target.as_deref() == Some(of_type)
    }
}

#[cfg(test)]
mod tests;
