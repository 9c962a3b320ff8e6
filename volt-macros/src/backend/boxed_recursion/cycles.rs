//! Functions whose names lead back to themselves, because they may await each other.
//!
//! The attribute of a function has no access to other functions. But the attributes of a crate run
//! in one process, so each records the names in its function for later ones. The last function of a
//! cycle finds the cycle. That is enough: the constant of that function depends on nothing, so the
//! cycle is broken.
//!
//! A name may mean something else, and the process of an editor expands several versions of a
//! function. Both lead only to a proof in place of a constant.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use crate::syntax::{ModuleFunctions, ModuleKey, PlainFunction, next_word};

/// The limit of functions that a search visits, which bounds its time in a large crate.
const MAX_VISITED: usize = 64;

static EXPANDED: Mutex<ExpandedFunctions> = Mutex::new(ExpandedFunctions {
    functions: Vec::new(),
    numbers: BTreeMap::new(),
    naming: BTreeMap::new(),
    declared: BTreeMap::new(),
});

/// The functions that were expanded.
struct ExpandedFunctions {
    functions: Vec<FunctionKey>,
    /// The index of each function in the list.
    numbers: BTreeMap<FunctionKey, usize>,
    /// The functions that use each name.
    naming: BTreeMap<NameUse, Vec<usize>>,
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

/// The use of a name in a function, with the path before it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum NameUse {
    /// `name(..)`, or `name` as an argument.
    Bare(String),
    /// `module::name`
    InModule(String),
    /// `Type::name`: the name, and the type if it is a single word.
    OfType(String, Option<String>),
    /// `self.name(..)`, in a method of a type.
    OwnMethod(String, String),
    /// `value.name(..)`, in a method of a type.
    Method(String, String),
}

impl NameUse {
    /// Returns `true` if it may be the use of a function of the name.
    fn is_function(&self, name: &str) -> bool {
        matches!(self, Self::Bare(used) | Self::InModule(used) if used == name)
    }
}

/// The ways in which the names in a function lead back to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WaysBack {
    /// By its own name.
    pub(super) by_itself: bool,
    /// Through other functions.
    pub(super) by_others: bool,
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
/// text. Another function of the name may name itself, so that is decided by the text.
pub(super) fn names_lead_back(
    name: &str,
    impl_target: Option<&str>,
    module: Option<ModuleKey>,
    text: &str,
    is_named: bool,
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
        found.retain(|named| !named.is_function(name));
    }
    let names_itself = found.iter().any(|named| named.is_function(name));
    for named in found {
        seen.naming.entry(named).or_default().push(own);
    }
    WaysBack {
        by_itself: impl_target.is_none() && names_itself,
        by_others: seen.leads_back(own),
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
            for named in found {
                seen.naming.entry(named).or_default().push(own);
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

    /// Returns `true` if a cycle leads through another function.
    fn leads_back(&self, own: usize) -> bool {
        let (mut visited, mut next) = (vec![own], 0);
        while let Some(&at) = visited.get(next).filter(|_| next < MAX_VISITED) {
            next += 1;
            for by in self.functions_naming(at) {
                if by == own && at != own {
                    return true;
                }
                if !visited.contains(&by) {
                    visited.push(by);
                }
            }
        }
        false
    }

    /// Returns the functions that name a function.
    fn functions_naming(&self, function: usize) -> Vec<usize> {
        let of = &self.functions[function];
        let name = of.name.clone();
        let Some(impl_target) = of.impl_target.clone() else {
            let bare = self.using(&NameUse::Bare(name.clone())).iter().copied();
            let bare = bare.filter(|by| self.may_mean(*by, of));
            let by_path = self.using(&NameUse::InModule(name));
            return bare.chain(by_path.iter().copied()).collect();
        };
        let methods = self.using(&NameUse::Method(impl_target.clone(), name.clone()));
        let own = self.using(&NameUse::OwnMethod(impl_target.clone(), name));
        let own = own.iter().copied();
        let own = own.filter(|by| self.may_mean_method(*by, &impl_target, of));
        let methods = methods.iter().copied().chain(own);
        methods.chain(self.using_type(of)).collect()
    }

    /// Returns the functions with a use.
    fn using(&self, named: &NameUse) -> &[usize] {
        self.naming.get(named).map_or(&[], Vec::as_slice)
    }

    /// Returns the functions that may name a method by a path, `Type::name`.
    fn using_type<'s>(&'s self, of: &'s FunctionKey) -> impl Iterator<Item = usize> + use<'s> {
        let first = NameUse::OfType(of.name.clone(), None);
        let uses = self.naming.range(first..);
        let of_name = uses.map_while(|(named, by)| match named {
            NameUse::OfType(name, of_type) if *name == of.name => Some((of_type.as_deref(), by)),
            _ => None,
        });
        of_name.flat_map(move |(of_type, by)| {
            let may_mean =
                move |by: &usize| of_type.is_none_or(|ty| self.may_mean_method(*by, ty, of));
            by.iter().copied().filter(may_mean)
        })
    }

    /// Returns the names that the module of a function declares.
    fn declared_around(&self, function: usize) -> Option<&ModuleNames> {
        self.declared.get(self.functions[function].module.as_ref()?)
    }

    /// Returns `true` if the bare name of a function may mean it in another one. The name means the
    /// function that the module declares, if there is one.
    fn may_mean(&self, by: usize, function: &FunctionKey) -> bool {
        let declared = self.declared_around(by);
        self.functions[by].module == function.module
            || !declared.is_some_and(|it| it.functions.contains(&function.name))
    }

    /// Returns `true` if a method of a type that is named in another function may be `method`. If
    /// the module of that function declares such a method, the name of the type means that one.
    fn may_mean_method(&self, by: usize, of_type: &str, method: &FunctionKey) -> bool {
        let is_of = |(ty, name): &(String, String)| ty == of_type && *name == method.name;
        let declared = self.declared_around(by);
        !declared.is_some_and(|it| it.methods.iter().any(is_of))
            || self.functions[by].module == method.module
                && method.impl_target.as_deref() == Some(of_type)
    }
}

/// Returns the names in a text of tokens that may be those of functions. The first `own` is that of
/// the function itself.
fn named_in(text: &str, own: &str, impl_target: Option<&str>) -> BTreeSet<NameUse> {
    let mut found = BTreeSet::new();
    let (mut is_own_found, mut from) = (false, 0);
    while let Some((start, end)) = next_word(text.as_bytes(), from) {
        let word = &text[start..end];
        from = end;
        if !is_own_found && word == own {
            is_own_found = true;
        } else if may_be_function(text.as_bytes(), start, end)
            && word.starts_with(|letter: char| letter.is_lowercase() || letter == '_')
        {
            let around = [&text[..start], &text[end..]];
            found.extend(named(around, word, own, impl_target));
        }
    }
    found
}

/// Returns `true` if, by the letters next to it, a word may name a function: `name(`, `name::`,
/// `::name`, `(name)`. Most words fail this check, which is cheaper than that of [`named`].
fn may_be_function(text: &[u8], mut start: usize, mut end: usize) -> bool {
    while start > 0 && text[start - 1].is_ascii_whitespace() {
        start -= 1;
    }
    while end < text.len() && text[end].is_ascii_whitespace() {
        end += 1;
    }
    let before = if start > 0 { text[start - 1] } else { b' ' };
    let behind = if end < text.len() { text[end] } else { b' ' };
    match behind {
        b'(' | b':' => true,
        b')' | b',' => matches!(before, b'(' | b',' | b':'),
        _ => before == b':',
    }
}

fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Returns the use of a name, by the text around it.
fn named(around: [&str; 2], word: &str, own: &str, impl_target: Option<&str>) -> Option<NameUse> {
    let (before, behind) = (around[0].trim_end(), around[1].trim_start());
    let word = word.to_owned();
    let is_called = behind.starts_with('(') || behind.starts_with("::");
    if before.ends_with("::") {
        let path = path_before(before);
        // Another module often has a function of the same name, which this one calls.
        let is_near = word != own || path.first().is_some_and(|it| is_near(it));
        return match path.last() {
            Some(last) if !last.starts_with(char::is_uppercase) => {
                Some(NameUse::InModule(word)).filter(|_| is_near)
            }
            last => {
                let single = last.filter(|_| path.len() == 1);
                let of_type = single.and_then(|last| match *last {
                    "Self" => impl_target,
                    name => Some(name),
                });
                Some(NameUse::OfType(word, of_type.map(str::to_owned)))
            }
        };
    }
    if before.ends_with('.') {
        let of_type = impl_target?.to_owned();
        let is_own = is_self(before.trim_end_matches('.'));
        let named = if is_own {
            NameUse::OwnMethod
        } else {
            NameUse::Method
        };
        return Some(named(of_type, word)).filter(|_| is_called);
    }
    let is_argument = before.ends_with(['(', ',']) && behind.starts_with([')', ',']);
    (is_called || is_argument && !is_printed(before)).then_some(NameUse::Bare(word))
}

/// Returns the segments of the path that ends with `::`. There are none after a type in angle
/// brackets.
fn path_before(text: &str) -> Vec<&str> {
    let (mut rest, mut segments) = (text, Vec::new());
    while let Some(before) = rest.strip_suffix("::") {
        let before = without_arguments(before.trim_end());
        let start = before.rfind(|letter| !is_letter(letter));
        let segment = &before[start.map_or(0, |start| start + 1)..];
        if segment.is_empty() {
            segments.clear();
            break;
        }
        segments.insert(0, segment);
        rest = before[..before.len() - segment.len()].trim_end();
    }
    segments
}

/// Returns the text without the generic arguments at its end, `::<..>`. A type in angle brackets,
/// `<T as Trait>`, stays.
fn without_arguments(text: &str) -> &str {
    let mut depth = 0_usize;
    let opens = text.bytes().rposition(|byte| {
        match byte {
            b'>' => depth += 1,
            b'<' => depth -= usize::from(depth > 0),
            _ => {}
        }
        depth == 0
    });
    let before = opens.map_or(text, |at| text[..at].trim_end());
    match before.strip_suffix("::") {
        Some(path) if text.ends_with('>') => path.trim_end(),
        _ => text,
    }
}

fn is_near(root: &str) -> bool {
    ["crate", "self", "super"].contains(&root)
}

/// Returns `true` if the text ends with the receiver of a method.
fn is_self(text: &str) -> bool {
    let text = text.trim_end();
    let before = text.strip_suffix("self").map(str::trim_end);
    before.is_some_and(|before| !before.ends_with(|last| is_letter(last) || last == '.'))
}

/// Returns `true` if the text is the beginning of `stringify!(..)`, which calls nothing.
fn is_printed(before: &str) -> bool {
    let name = before.strip_suffix('(').map(str::trim_end);
    let name = name.and_then(|name| name.strip_suffix('!'));
    let word = name.map(|name| name.trim_end().rsplit(|letter| !is_letter(letter)).next());
    word.flatten() == Some("stringify")
}

#[cfg(test)]
mod tests;
