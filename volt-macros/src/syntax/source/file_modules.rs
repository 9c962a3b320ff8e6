//! The modules of a source file.
//!
//! The expansion of each machine reads its module. So a file is split into modules once for each of
//! its versions. The results that need a scan of a module are stored with it.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::SystemTime;

use proc_macro2::Span;

use super::impl_blocks::{ImplBlock, impl_blocks};
use super::indexed_code::IndexedCode;
use super::name_context::{is_word, last_word};
use super::plain_functions::{PlainFunction, functions};

thread_local! {
    /// The files that were read, each with its modification time.
    static FILES: RefCell<HashMap<PathBuf, (SystemTime, Rc<FileModules>)>> = RefCell::default();
}

/// The modules of a file, without comments and literals.
#[derive(Debug)]
pub(super) struct FileModules {
    /// The first place of each line.
    lines: Vec<usize>,
    /// Modules in the order of their ends, so a module comes after the modules in it.
    modules: Vec<Rc<Module>>,
}

/// The code of a module, without the modules in it.
#[derive(Debug)]
pub(super) struct Module {
    /// The places of its first and of its last letter in the file.
    ends: (usize, usize),
    code: IndexedCode,
    items: OnceCell<IndexedCode>,
    has_glob: OnceCell<bool>,
    /// `true` if the plain functions were taken.
    is_taken: Cell<bool>,
    impl_blocks: OnceCell<Vec<ImplBlock>>,
}

impl Module {
    fn new(ends: (usize, usize), code: String) -> Rc<Self> {
        Rc::new(Self {
            ends,
            code: IndexedCode::new(code),
            items: OnceCell::new(),
            has_glob: OnceCell::new(),
            is_taken: Cell::new(false),
            impl_blocks: OnceCell::new(),
        })
    }

    pub(super) fn code(&self) -> &IndexedCode {
        &self.code
    }

    /// The code without the bodies of its items.
    pub(super) fn items(&self) -> &IndexedCode {
        let items = || IndexedCode::new(items(self.code.text()));
        self.items.get_or_init(items)
    }

    /// Returns `true` if the code has a glob import.
    pub(super) fn has_glob(&self) -> bool {
        let has_glob = || self.code.text().contains("::*");
        *self.has_glob.get_or_init(has_glob)
    }

    /// The functions that return an opaque future and are no machines. Only the first call returns
    /// them, because each expansion would enter them again.
    pub(super) fn take_plain_functions(&self) -> Vec<PlainFunction> {
        if self.is_taken.replace(true) {
            return Vec::new();
        }
        functions(self.code.text())
    }

    /// The `impl` blocks with machines.
    pub(super) fn impl_blocks(&self) -> &[ImplBlock] {
        self.impl_blocks
            .get_or_init(|| impl_blocks(self.code.text()))
    }
}

impl FileModules {
    /// Splits the code of a file.
    pub(super) fn new(code: &str) -> Self {
        // The open modules: the depth, the first place, and the code so far.
        let (mut open, mut depth, mut modules) = (vec![(0, 0, String::new())], 0, Vec::new());
        for (at, letter) in code.char_indices() {
            if letter == '{' {
                depth += 1;
                if begins_module(&code[..at]) {
                    open.push((depth, at, String::new()));
                }
            }
            if let Some((_, _, code_of_module)) = open.last_mut() {
                code_of_module.push(letter);
            }
            if letter == '}' {
                let is_end =
                    open.len() > 1 && open.last().is_some_and(|(begun, ..)| *begun == depth);
                if let Some((_, start, code_of_module)) = is_end.then(|| open.pop()).flatten() {
                    modules.push(Module::new((start, at), code_of_module));
                }
                depth -= 1;
            }
        }
        let file = open.into_iter().next().map(|(_, _, code)| code);
        modules.push(Module::new((0, code.len()), file.unwrap_or_default()));
        let lines = code.split_inclusive('\n').scan(0, |start, line| {
            let first = *start;
            *start += line.len();
            Some(first)
        });
        Self {
            lines: lines.collect(),
            modules,
        }
    }

    /// The innermost module around a place.
    pub(super) fn module_at(&self, place: usize) -> Option<Rc<Module>> {
        let is_around = |module: &&Rc<Module>| (module.ends.0..=module.ends.1).contains(&place);
        self.modules.iter().find(is_around).cloned()
    }
}

/// The module that contains the span.
pub(super) fn module_of(span: Span) -> Option<Rc<Module>> {
    let file = file_of(span)?;
    let line = span.start().line.checked_sub(1)?;
    file.module_at(*file.lines.get(line)?)
}

fn file_of(span: Span) -> Option<Rc<FileModules>> {
    let path = span.local_file()?;
    let written = std::fs::metadata(&path).and_then(|data| data.modified());
    let written = written.ok()?;
    FILES.with_borrow_mut(|files| match files.get(&path) {
        Some((known, modules)) if *known == written => Some(modules.clone()),
        _ => {
            let modules = Rc::new(FileModules::new(&read(&path)?));
            files.insert(path, (written, modules.clone()));
            Some(modules)
        }
    })
}

fn read(path: &Path) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    Some(code(&text))
}

/// Returns `true` if a brace after the code opens a module: `mod name {`.
fn begins_module(before: &str) -> bool {
    let name = before.trim_end();
    let word = name.trim_end_matches(is_word);
    word.len() < name.len()
        && word.ends_with(char::is_whitespace)
        && last_word(word.trim_end()) == "mod"
}

/// The code of a module without the bodies of its items. The braces of a `use` are no body.
pub(super) fn items(code: &str) -> String {
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

/// The text with a space for each comment and literal.
pub(super) fn code(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let may_skip = matches!(first, '/' | '"' | '\'' | 'b' | 'c' | 'r');
        let skipped = if may_skip { skipped(rest) } else { 0 };
        match skipped {
            0 => {
                // A letter within a word begins no raw literal.
                let word = if is_word(first) {
                    rest.find(|letter| !is_word(letter)).unwrap_or(rest.len())
                } else {
                    first.len_utf8()
                };
                code.push_str(&rest[..word]);
                rest = &rest[word..];
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
