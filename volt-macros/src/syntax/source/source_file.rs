//! The source file of a function: other uses of a name in it.
//!
//! The macro cannot resolve names of the module. An item that it declares takes precedence over a
//! glob import and over a crate of the same name. So the macro reads the file for uses of the name
//! that cannot mean the item. If the file cannot be read, the macro assumes nothing about the name.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::SystemTime;

use proc_macro2::Span;

thread_local! {
    /// The files that were read, without their comments and literals, each with its modification
    /// time.
    static FILES: RefCell<HashMap<PathBuf, (SystemTime, Rc<str>)>> = RefCell::default();
}

/// Returns `true` if the file of the span has a glob import, declares no type of the name, and uses
/// the name as a machine cannot be used: `Name { .. }`, `Name(..)`, `Name::new`, `dyn Name`.
pub(crate) fn imports_by_glob(span: Span, name: &str) -> bool {
    module_of(span).is_some_and(|code| {
        let has_glob = code.contains("::*");
        has_glob && !declares(&code, name) && uses(&code, name).any(|of| of.is_of_another_item())
    })
}

/// Returns `true` if the file of the span has a path that begins with the name: `name::item`.
pub(crate) fn begins_path(span: Span, name: &str) -> bool {
    let code = module_of(span);
    code.is_some_and(|code| uses(&code, name).any(|of| of.begins_path() || of.is_imported()))
}

/// Returns `true` if the module of the span declares a type of the name, or imports one.
pub(crate) fn declares_type(span: Span, name: &str) -> bool {
    let code = module_of(span).filter(|code| code.contains(name));
    code.is_some_and(|code| declares(&items(&code), name))
}

/// Returns `true` if the module of the span imports the name by a path that begins with the root.
pub(crate) fn imports_from(span: Span, root: &str, name: &str) -> bool {
    let code = module_of(span);
    code.is_some_and(|code| {
        uses(&code, name).any(|of| of.is_imported() && uses(of.statement(), root).next().is_some())
    })
}

/// Returns `true` if the module of the span declares a module of the name, or another item with
/// which a type alias of the name would conflict.
pub(crate) fn declares_module(span: Span, name: &str) -> bool {
    let code = module_of(span).filter(|code| code.contains(name));
    code.is_some_and(|code| {
        let items = items(&code);
        let is_module = uses(&items, name).any(|of| last_word(of.before) == "mod");
        is_module || declares(&items, name)
    })
}

/// The code of a module without the bodies of its items. The braces of a `use` are no body.
fn items(code: &str) -> String {
    let outer = usize::from(code.starts_with('{'));
    let (mut depth, mut items, mut groups) = (0_usize, String::new(), Vec::new());
    for (at, letter) in code.char_indices() {
        match letter {
            '{' if depth <= outer && code[..at].trim_end().ends_with("::") => groups.push(depth),
            '{' => depth += 1,
            '}' if groups.pop().is_none() => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth <= outer {
            items.push(letter);
        }
    }
    items
}

/// The code of the module that contains the span, without the modules in it.
pub(super) fn module_of(span: Span) -> Option<String> {
    let code = code_of(span)?;
    let line = span.start().line.checked_sub(1)?;
    let before: usize = code.split_inclusive('\n').take(line).map(str::len).sum();
    Some(module_at(&code, before))
}

/// The code of the innermost module around a place, without the modules in it.
fn module_at(code: &str, place: usize) -> String {
    // The open modules: the depth, the code so far, and `true` if the module contains the place.
    let (mut open, mut depth) = (vec![(0, String::new(), true)], 0);
    for (at, letter) in code.char_indices() {
        if letter == '{' {
            depth += 1;
            if begins_module(&code[..at]) {
                open.push((depth, String::new(), false));
            }
        }
        if let Some((_, code_of_module, has_place)) = open.last_mut() {
            code_of_module.push(letter);
            *has_place |= at == place;
        }
        if letter == '}' {
            let is_end = open.len() > 1 && open.last().is_some_and(|(begun, ..)| *begun == depth);
            if let Some((_, code_of_module, true)) = is_end.then(|| open.pop()).flatten() {
                return code_of_module;
            }
            depth -= 1;
        }
    }
    let first = open.into_iter().next();
    first
        .map(|(_, code_of_module, _)| code_of_module)
        .unwrap_or_default()
}

/// Returns `true` if a brace after the code opens a module: `mod name {`.
fn begins_module(before: &str) -> bool {
    let name = before.trim_end();
    let word = name.trim_end_matches(is_word);
    word.len() < name.len()
        && word.ends_with(char::is_whitespace)
        && last_word(word.trim_end()) == "mod"
}

/// The code of a file.
fn code_of(span: Span) -> Option<Rc<str>> {
    let path = span.local_file()?;
    let written = std::fs::metadata(&path).and_then(|data| data.modified());
    let written = written.ok()?;
    FILES.with_borrow_mut(|files| match files.get(&path) {
        Some((known, code)) if *known == written => Some(code.clone()),
        _ => {
            let code: Rc<str> = read(&path)?.into();
            files.insert(path, (written, code.clone()));
            Some(code)
        }
    })
}

fn read(path: &Path) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    Some(code(&text))
}

/// A use of a name, with the code before and after it.
pub(super) struct NameContext<'c> {
    pub(super) before: &'c str,
    pub(super) after: &'c str,
}

/// The uses of a name in code.
pub(super) fn uses<'c>(code: &'c str, name: &'c str) -> impl Iterator<Item = NameContext<'c>> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    code.match_indices(name).filter_map(move |(at, _)| {
        let (before, after) = (&code[..at], &code[at + name.len()..]);
        let is_word = !before.ends_with(is_part) && !after.starts_with(is_part);
        let (before, after) = (before.trim_end(), after.trim_start());
        is_word.then_some(NameContext { before, after })
    })
}

/// Returns `true` if the code declares an item of the name, or imports one.
fn declares(code: &str, name: &str) -> bool {
    const KINDS: [&str; 6] = ["struct", "enum", "union", "trait", "type", "as"];
    uses(code, name).any(|of| {
        let word = last_word(of.before);
        KINDS.contains(&word) || of.is_imported()
    })
}

pub(super) fn last_word(code: &str) -> &str {
    let start = code.rfind(|letter: char| !letter.is_alphanumeric() && letter != '_');
    &code[start.map_or(0, |start| start + 1)..]
}

impl NameContext<'_> {
    fn is_in_path(&self) -> bool {
        self.before.ends_with("::")
    }

    /// Returns `true` if a path begins with the name.
    fn begins_path(&self) -> bool {
        self.after.starts_with("::") && !self.is_in_path() && last_word(self.before) != "mod"
    }

    /// The statement or item that contains the use, up to the name.
    fn statement(&self) -> &str {
        let start = self.before.rfind(';').map_or(0, |at| at + 1);
        self.before[start..].trim_start()
    }

    /// Returns `true` if the name is a part of a `use`.
    fn is_imported(&self) -> bool {
        let statement = self.statement();
        let after_use = statement.rfind("use ").map(|at| &statement[at + 4..]);
        after_use.is_some_and(|path| {
            let is_path = |letter: char| {
                letter.is_alphanumeric() || letter.is_whitespace() || "_:{},".contains(letter)
            };
            path.chars().all(is_path)
        }) && !self.is_glob()
    }

    fn is_glob(&self) -> bool {
        self.after.starts_with("::*")
    }

    /// Returns `true` if the name is used as a machine cannot be used. A machine has no public
    /// fields, functions or variants, and is no trait.
    fn is_of_another_item(&self) -> bool {
        const OF_MACHINES: [&str; 8] = [
            "STATES",
            "NAME",
            "LAYOUT",
            "TRANSITIONS",
            "NATIVE_SIZE",
            "TABLES",
            "mermaid",
            "dot",
        ];
        if self.is_in_path() {
            return false;
        }
        let before = last_word(self.before);
        let is_value = !matches!(before, "impl" | "for" | "fn" | "mod" | "macro_rules");
        let is_block = self.before.ends_with("->") || self.before.ends_with('>');
        match self.after.strip_prefix("::") {
            Some(item) => {
                let item = item.trim_start();
                let letter = |letter: char| !letter.is_alphanumeric() && letter != '_';
                let end = item.find(letter).unwrap_or(item.len());
                end > 0 && !OF_MACHINES.contains(&&item[..end])
            }
            None if self.after.starts_with('{') => is_value && !is_block,
            None if self.after.starts_with('(') => is_value,
            None => before == "dyn",
        }
    }
}

/// The text with a space for each comment and literal.
fn code(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let skipped = skipped(rest);
        match skipped {
            0 => {
                code.push(first);
                rest = &rest[first.len_utf8()..];
                // A letter within a word begins no raw literal.
                while rest.starts_with(is_word) && is_word(first) {
                    let next = rest.chars().next().map_or(0, char::len_utf8);
                    code.push_str(&rest[..next]);
                    rest = &rest[next..];
                }
            }
            length => {
                // Lines keep their numbers.
                let (skipped, after) = rest.split_at(length.min(rest.len()));
                code.push(' ');
                code.extend(skipped.chars().filter(|letter| *letter == '\n'));
                rest = after;
            }
        }
    }
    code
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The length of the comment or literal with which the text begins.
fn skipped(text: &str) -> usize {
    let until = |end: &str, from: usize| {
        let found = text.get(from..).and_then(|rest| rest.find(end));
        found.map_or(text.len(), |at| from + at + end.len())
    };
    if text.starts_with("//") {
        return until("\n", 2);
    }
    if text.starts_with("/*") {
        return until("*/", 2);
    }
    let prefix = ["", "b", "c"].into_iter().find_map(|prefix| {
        let rest = text.strip_prefix(prefix)?;
        (rest.starts_with('"') || rest.starts_with("r\"") || rest.starts_with("r#"))
            .then_some((prefix.len(), rest))
    });
    match prefix {
        Some((length, rest)) if rest.starts_with('"') => length + quoted(rest, '"'),
        Some((length, rest)) => {
            let marks = rest[1..].chars().take_while(|mark| *mark == '#').count();
            if rest[1 + marks..].starts_with('"') {
                until(&format!("\"{}", "#".repeat(marks)), length + marks + 2)
            } else {
                // A raw name.
                0
            }
        }
        None if text.starts_with('\'') => letter(text),
        None => 0,
    }
}

/// The length of a quoted text.
fn quoted(text: &str, mark: char) -> usize {
    let mut is_escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            letter if letter == mark => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of a character literal. A lifetime has no second quote.
fn letter(text: &str) -> usize {
    let mut letters = text.char_indices().skip(1);
    let Some((_, first)) = letters.next() else {
        return 0;
    };
    match letters.next() {
        _ if first == '\\' => quoted(text, '\''),
        Some((at, '\'')) => at + 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests;
