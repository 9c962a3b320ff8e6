//! The functions of a project, numbered through all of its files.

use std::collections::HashSet;
use std::path::PathBuf;

use crate::layouts::Place;
use crate::rewrite::{AttributeEdit, Rewritten, rewrite};
use crate::scan::{Function, Kind};
use crate::workspace::{Source, Sources};

/// The number of a function.
pub(crate) type Id = usize;

/// A function and its place.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    /// Its file, as an index.
    pub(crate) file: usize,
    /// Its `impl` block, as its file and an index.
    pub(crate) block: Option<(usize, usize)>,
    pub(crate) package: usize,
    pub(crate) function: Function,
    /// `true` if the compiler reads its file.
    pub(crate) compiled: bool,
}

/// All functions that can take the attribute.
#[derive(Clone, Debug)]
pub(crate) struct Subjects<'a> {
    pub(crate) sources: &'a Sources,
    pub(crate) all: Vec<Subject>,
}

impl<'a> Subjects<'a> {
    /// Numbers the functions; `compiled` are the files that the compiler reads, if that is known.
    pub(crate) fn new(sources: &'a Sources, compiled: Option<&HashSet<PathBuf>>) -> Self {
        let mut all = Vec::new();
        for (file, source) in sources.files.iter().enumerate() {
            let compiled = compiled.is_none_or(|files| files.contains(&source.path));
            all.extend(free(source).map(|function| Subject {
                file,
                block: function.block.map(|block| (file, block)),
                package: source.package,
                function: function.clone(),
                compiled,
            }));
        }
        Self { sources, all }
    }

    pub(crate) fn source(&self, id: Id) -> &'a Source {
        &self.sources.files[self.all[id].file]
    }

    /// The place by which the macro reports it.
    pub(crate) fn place(&self, id: Id) -> Place {
        let function = &self.all[id].function;
        let source = self.source(id);
        let first = source.text[..function.range.start].matches('\n').count() + 1;
        (
            source.path.clone(),
            first..=function.line,
            function.name.clone(),
        )
    }

    /// Each file with the attributes of those functions that have a edit.
    pub(crate) fn rewritten(
        &self,
        edits: &[Option<AttributeEdit>],
        options: &str,
    ) -> Vec<Rewritten> {
        let mut edits = self
            .all
            .iter()
            .map(|subject| subject.file)
            .zip(edits)
            .peekable();
        let files = self.sources.files.iter().enumerate();
        files
            .map(|(file, source)| {
                let of_file = source.found.functions.iter().map(|function| {
                    let next = edits.next_if(|(of, _)| takes(function) && *of == file);
                    next.and_then(|(_, edit)| *edit)
                });
                rewrite(
                    &source.text,
                    &source.found,
                    &of_file.collect::<Vec<_>>(),
                    options,
                )
            })
            .collect()
    }
}

/// The functions of a file that can take the attribute.
fn free(source: &Source) -> impl Iterator<Item = &Function> {
    source
        .found
        .functions
        .iter()
        .filter(|function| takes(function))
}

fn takes(function: &Function) -> bool {
    function.kind != Kind::OfTrait
}
