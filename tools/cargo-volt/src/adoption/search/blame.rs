//! Attribution of errors to functions.
//!
//! 1. The innermost function with an attribute that holds the error's main place, or the place of
//!    a macro call around it; then the other places that the error names.
//! 2. The `impl` block, if the place is in its head.
//! 3. The function that the error, or the source at its place, names, or whose machine it names; a
//!    group, if there are several of the name.
//! 4. The package: `bisect` finds the function by removing attributes.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::diagnostic::{Diagnostic, Span};
use crate::paths::cleaned;
use crate::rewrite::Rewritten;
use crate::subjects::{Id, Subjects};

/// The function or group to which an error is attributed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Blame {
    Function(Id),
    /// An `impl` block, as its file and an index.
    Block((usize, usize)),
    /// One of these.
    Among(Vec<Id>),
    /// A package, by its identifier.
    Package(String),
}

/// The sources as they were compiled.
#[derive(Debug)]
pub(crate) struct Compiled<'a> {
    subjects: &'a Subjects<'a>,
    rewritten: &'a [Rewritten],
    /// For each function, `true` if it had the attribute.
    marked: Vec<bool>,
    root: &'a Path,
    files: HashMap<&'a Path, usize>,
}

impl<'a> Compiled<'a> {
    pub(crate) fn new(
        subjects: &'a Subjects<'a>,
        rewritten: &'a [Rewritten],
        marked: Vec<bool>,
        root: &'a Path,
    ) -> Self {
        let files = subjects.sources.files.iter().enumerate();
        let files = files.map(|(index, source)| (source.path.as_path(), index));
        Self {
            subjects,
            rewritten,
            marked,
            root,
            files: files.collect(),
        }
    }

    /// Attributes an error.
    pub(crate) fn blame(&self, error: &Diagnostic) -> Blame {
        let spans = error.all_spans();
        let mut places = spans.iter().flat_map(|span| span.outwards());
        if let Some(id) = places.find_map(|span| self.function_at(span)) {
            return Blame::Function(id);
        }
        let mut places = spans.iter().flat_map(|span| span.outwards());
        if let Some(block) = places.find_map(|span| self.block_at(span)) {
            return Blame::Block(block);
        }
        match self.named(error)[..] {
            [] => Blame::Package(error.package.clone()),
            [id] => Blame::Function(id),
            ref several => Blame::Among(several.to_vec()),
        }
    }

    /// The function whose machine, or whose alias, the error names in another function: its name
    /// may hide
    /// what is meant there.
    pub(crate) fn hiding(&self, error: &Diagnostic) -> Option<Id> {
        if !error.may_be_hidden() {
            return None;
        }
        let said = words_of(error);
        let source = error.spans.iter().filter(|span| span.primary);
        let source: Vec<_> = source.flat_map(|span| words(&span.text)).collect();
        let spans = error.all_spans();
        let mut places = spans.iter().flat_map(|span| span.outwards());
        let place = places.find_map(|span| self.function_at(span));
        let hides = |id: &Id| {
            let function = &self.subjects.all[*id].function;
            let machine = machine_name(function.home.as_deref(), &function.name);
            let is_crate = matches!(error.code.as_deref(), Some("E0433" | "E0659"));
            let names_machine = place != Some(*id) && said.contains(&machine);
            names_machine
                || is_crate && (source.contains(&function.name) || said.contains(&function.name))
        };
        self.marked().find(hides)
    }

    /// The functions with an attribute.
    pub(crate) fn marked(&self) -> impl Iterator<Item = Id> {
        (0..self.marked.len()).filter(|&id| self.marked[id])
    }

    /// The file and the place in its original text.
    fn original(&self, span: &Span) -> Option<(usize, usize)> {
        let path: PathBuf = cleaned(&self.root.join(&span.file));
        let file = *self.files.get(path.as_path())?;
        Some((file, self.rewritten[file].original(span.start)))
    }

    fn function_at(&self, span: &Span) -> Option<Id> {
        let (file, at) = self.original(span)?;
        let holds = |id: &Id| {
            let subject = &self.subjects.all[*id];
            subject.file == file && subject.function.range.contains(&at)
        };
        let holding = self.marked().filter(holds);
        holding.min_by_key(|&id| self.subjects.all[id].function.range.len())
    }

    fn block_at(&self, span: &Span) -> Option<(usize, usize)> {
        let (file, at) = self.original(span)?;
        let blocks = self.subjects.sources.files[file]
            .found
            .blocks
            .iter()
            .enumerate();
        let holding = blocks.filter(|(_, block)| block.range.contains(&at));
        let smallest = holding.min_by_key(|(_, block)| block.range.len());
        let block = (file, smallest?.0);
        let is_of = |id: Id| self.subjects.all[id].block == Some(block);
        self.marked().any(is_of).then_some(block)
    }

    fn named(&self, error: &Diagnostic) -> Vec<Id> {
        let said = words_of(error);
        let source = error.spans.iter().filter(|span| span.primary);
        let source: Vec<_> = source.flat_map(|span| words(&span.text)).collect();
        let is_named = |id: &Id| {
            let function = &self.subjects.all[*id].function;
            let machine = machine_name(function.home.as_deref(), &function.name);
            said.contains(&machine) || source.contains(&function.name)
        };
        self.marked().filter(is_named).collect()
    }
}

fn words_of(error: &Diagnostic) -> Vec<String> {
    let mut found = words(&error.message);
    found.extend(error.children.iter().flat_map(words_of));
    found
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    words
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// `ConnReadLine` for `Conn::read_line`.
fn machine_name(home: Option<&str>, name: &str) -> String {
    let mut machine = home.unwrap_or_default().to_owned();
    for part in name.trim_start_matches("r#").split('_') {
        let mut letters = part.chars();
        machine.extend(letters.next().into_iter().flat_map(char::to_uppercase));
        machine.push_str(letters.as_str());
    }
    machine
}

#[cfg(test)]
mod tests;
