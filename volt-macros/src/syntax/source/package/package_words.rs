//! `PackageWords`: the words in the functions, types and macros of a package, by their names.
//!
//! The name of a function with a receiver has a point before it, `.name`, and that of an associated
//! type two colons, `::Name`.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use super::super::file_modules::read_file;
use super::super::name_context::{last_word, uses};
use super::super::words::next_word;
use super::machine_heads::MachineHeads;

/// The words in the functions, types and macros of each name.
#[derive(Debug, Default)]
pub(super) struct PackageWords {
    words: HashMap<String, HashSet<String>>,
    /// The words of the items that are no machines.
    others: HashMap<String, HashSet<String>>,
    /// The words of the types.
    types: HashMap<String, HashSet<String>>,
    /// The number of machines of each name. One that a macro declares counts as two.
    machines: HashMap<String, usize>,
    /// The heads of the functions without a receiver.
    pub(super) heads: HashMap<String, Vec<String>>,
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
        for file in paths.cloned().filter_map(read_file) {
            for module in file.modules() {
                words.enter(module.code().text());
            }
        }
        words
    }

    /// Returns `true` if an item uses one of the names.
    pub(super) fn use_any(&self, names: [&str; 2]) -> bool {
        let mut words = self.words.values();
        words.any(|words| names.iter().any(|name| words.contains(*name)))
    }

    /// Enters the functions, types and macros of a module, also those within other items.
    pub(super) fn enter(&mut self, code: &str) {
        let (mut from, mut heads) = (0, MachineHeads::new(code));
        let mut end_of_macro = 0;
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
                return;
            };
            let found = FoundItem {
                kind,
                before: &code[..start],
                name: &code[name_start..name_end],
                code: item(&code[name_end..]),
                is_machine: kind == "fn" && heads.is_machine(start),
                is_in_macro: start < end_of_macro,
            };
            if kind == "macro_rules" {
                end_of_macro = name_end + found.code.len();
            }
            self.enter_item(&found);
        }
    }

    fn enter_item(&mut self, found: &FoundItem<'_>) {
        let (kind, mut code, mut name) = (found.kind, found.code, found.name.to_owned());
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
            let head = format!("fn {name}{}", head(code));
            self.heads.entry(name.clone()).or_default().push(head);
        }
        if kind == "type" && is_associated(found.before) {
            name.insert_str(0, "::");
        }
        let words = || words_of(code);
        if found.is_machine {
            let count = self.machines.entry(name.clone()).or_default();
            *count += if found.is_in_macro { 2 } else { 1 };
        } else {
            self.others.entry(name.clone()).or_default().extend(words());
        }
        match kind {
            "macro_rules" => {
                let rules = self.macros.entry(name.clone()).or_default();
                rules.push(code.to_owned());
            }
            "fn" => {}
            _ => self.types.entry(name.clone()).or_default().extend(words()),
        }
        self.words.entry(name).or_default().extend(words());
    }

    /// Enters the head of an implementation of a trait without arguments.
    fn enter_impl(&mut self, code: &str) {
        let head = code.split(['{', ';']).next().unwrap_or_default().trim_end();
        if let Some((before, _)) = head.split_once(" for ") {
            let name = last_word(before.trim_end()).to_owned();
            self.impls.entry(name).or_default().push(head.to_owned());
        }
    }

    /// Returns `true` if several machines may have a name.
    pub(super) fn has_machines(&self, name: &str) -> bool {
        self.machines.get(name).is_some_and(|count| *count > 1)
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

    pub(super) fn lead_back(&self, names: [&str; 2], text: &str) -> bool {
        let own: Vec<String> = words_of(text).collect();
        self.reach(names, own.iter().filter(|word| *word != names[0]))
    }

    /// Returns `true` if the items of the words use one of the names, at any distance.
    fn reach<'w>(&'w self, names: [&str; 2], words: impl Iterator<Item = &'w String>) -> bool
    where
        Self: 'w,
    {
        let (mut next, mut seen) = (Vec::new(), HashSet::new());
        self.follow(words, &mut next, &mut seen);
        while let Some(words) = next.pop() {
            if names.iter().any(|name| words.contains(*name)) {
                return true;
            }
            self.follow(words.iter(), &mut next, &mut seen);
        }
        false
    }

    /// Returns `true` if the words of a text lead back to one of the names through an item that is
    /// no machine.
    pub(super) fn lead_back_by_others(&self, names: [&str; 2], text: &str) -> bool {
        let own: Vec<String> = words_of(text).collect();
        let (mut next, mut seen) = (Vec::new(), HashSet::new());
        self.follow(own.iter(), &mut next, &mut seen);
        while let Some(words) = next.pop() {
            self.follow(words.iter(), &mut next, &mut seen);
        }
        let mut others = self.others.iter();
        others.any(|(other, words)| {
            let names_own = || names.iter().any(|name| words.contains(*name));
            seen.contains(other.as_str()) && (names_own() || self.reach(names, words.iter()))
        })
    }

    /// Adds the items of the words that were not seen before.
    fn follow<'w>(
        &'w self,
        words: impl Iterator<Item = &'w String>,
        next: &mut Vec<&'w HashSet<String>>,
        seen: &mut HashSet<&'w str>,
    ) {
        for word in words {
            if let Some((name, words)) = self.words.get_key_value(word)
                && seen.insert(name)
            {
                next.push(words);
            }
        }
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
struct FoundItem<'c> {
    /// The word that declares it.
    kind: &'c str,
    before: &'c str,
    name: &'c str,
    /// The code behind its name.
    code: &'c str,
    is_machine: bool,
    is_in_macro: bool,
}

/// Returns `true` if code within an attribute is before an `extern crate`.
fn is_before_crate(code: &str) -> bool {
    let item = code.split([';', '{']).next().unwrap_or_default();
    uses(item, "extern").next().is_some()
}

/// Returns `true` if the first argument of a function is `self`.
fn has_receiver(item: &str) -> bool {
    let inputs = item.split_once('(').map_or("", |(_, inputs)| inputs);
    let first = inputs.split([',', ')', ':']).next().unwrap_or_default();
    last_word(first.trim_end()) == "self"
}

/// Returns `true` if the first argument of a function is `self` by value.
fn takes_self(item: &str) -> bool {
    let inputs = item.split_once('(').map_or("", |(_, inputs)| inputs);
    let first = inputs.split([',', ')']).next().unwrap_or_default();
    matches!(first.trim(), "self" | "mut self")
}

/// Returns `true` if the compiler looks through the output of a function. `before` is the code
/// before `fn`.
fn is_opaque(before: &str, item: &str) -> bool {
    let mut before = before.trim_end();
    while matches!(last_word(before), "unsafe" | "extern") {
        before = before[..before.len() - last_word(before).len()].trim_end();
    }
    let output = head(item).rsplit_once("->");
    last_word(before) == "async"
        || output.is_some_and(|(_, output)| uses(output, "impl").next().is_some())
}

/// Returns `true` if a type that is declared behind `before` belongs to a trait. Only a path names
/// such a type.
fn is_associated(before: &str) -> bool {
    let Some(item) = item_around(before) else {
        return false;
    };
    let mut words = word_places(item).map(|(start, end)| &item[start..end]);
    let kind = words.find(|word| ["fn", "impl", "trait"].contains(word));
    matches!(kind, Some("impl" | "trait"))
}

/// Returns the head of the item around the code after `before`.
fn item_around(before: &str) -> Option<&str> {
    let mut depth = 0_usize;
    let opens = before.bytes().rposition(|byte| {
        let is_outer = byte == b'{' && depth == 0;
        match byte {
            b'}' => depth += 1,
            b'{' => depth = depth.saturating_sub(1),
            _ => {}
        }
        is_outer
    });
    before[..opens?].rsplit([';', '{', '}']).next()
}

/// Returns the place of each word of a text.
fn word_places(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let (start, end) = next_word(text.as_bytes(), from)?;
        from = end;
        Some((start, end))
    })
}

/// Returns the code before the body of an item.
fn head(item: &str) -> &str {
    item.split('{').next().unwrap_or_default()
}

/// Returns the code up to the end of the first group in braces. A declaration without a body ends
/// at its semicolon.
fn item(code: &str) -> &str {
    let (bytes, mut depth, mut at) = (code.as_bytes(), 0_usize, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'{' | b'(' | b'[' => depth += 1,
            b'}' | b')' | b']' => depth = depth.saturating_sub(1),
            b';' if depth == 0 => return &code[..at],
            _ => {}
        }
        if bytes[at] == b'}' && depth == 0 {
            return &code[..=at];
        }
        at += 1;
    }
    code
}

/// Returns the words that may use an item of their name.
fn words_of(code: &str) -> impl Iterator<Item = String> {
    word_places(code).flat_map(move |(start, end)| {
        let [is_plain, is_method] = is_use(&code[..start], &code[start..end], &code[end..]);
        let word = &code[start..end];
        let plain = is_plain.then(|| word.to_owned());
        let is_end = code[..start].trim_end().ends_with("::");
        plain
            .into_iter()
            .chain(is_method.then(|| format!(".{word}")))
            .chain(is_end.then(|| format!("::{word}")))
    })
}

/// Returns `true` if a word may use an item, and `true` if it may use a function with a receiver.
fn is_use(before: &str, word: &str, after: &str) -> [bool; 2] {
    let (before, after) = (before.trim_end(), after.trim_start());
    let is_called = after.starts_with(['(', '!']) || after.starts_with("::");
    if before.ends_with("::") {
        [true, true]
    } else if before.ends_with('.') && !before.ends_with("..") {
        [false, is_called]
    } else {
        let is_value = before.ends_with(['(', ',', '=']) && after.starts_with([')', ',', ';']);
        [
            is_called || is_value || word.starts_with(char::is_uppercase),
            false,
        ]
    }
}

#[cfg(test)]
mod tests;
