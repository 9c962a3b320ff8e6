//! The module tree of a library, and where its paths lead.

use std::collections::{HashMap, HashSet};

use crate::reading::Mention;
use crate::source::{Source, Workspace};

/// The libraries whose modules have an order.
pub(crate) const LIBRARIES: [&str; 8] = [
    "adapters/hyper",
    "adapters/metrics",
    "adapters/quinn",
    "volt",
    "volt-combinators",
    "volt-durable",
    "volt-inspect",
    "volt-macros",
];

/// A module, as the names that lead to it from the root of its crate.
pub(crate) type Module = Vec<String>;

/// One library: its files as modules, and the order in which each folder declares them.
#[derive(Debug)]
pub(crate) struct Library<'a> {
    pub(crate) name: &'static str,
    pub(crate) files: Vec<File<'a>>,
    modules: HashSet<Module>,
    /// For each folder, its modules in building order.
    orders: HashMap<Module, Vec<String>>,
}

/// A file as a module.
#[derive(Debug)]
pub(crate) struct File<'a> {
    pub(crate) source: &'a Source,
    pub(crate) module: Module,
    /// `true` if only test builds contain it.
    pub(crate) test: bool,
}

/// A path of the code, followed to its end inside its library.
#[derive(Debug)]
pub(crate) struct Import<'a> {
    pub(crate) from: &'a File<'a>,
    pub(crate) to: Module,
    pub(crate) written: String,
    pub(crate) line: usize,
    pub(crate) test: bool,
}

impl<'a> Library<'a> {
    pub(crate) fn all(workspace: &'a Workspace) -> Vec<Self> {
        LIBRARIES
            .iter()
            .map(|name| Self::new(workspace, name))
            .collect()
    }

    fn new(workspace: &'a Workspace, name: &'static str) -> Self {
        let mut files = files_of(workspace, name);
        let tests: HashSet<Module> = files.iter().flat_map(declared_tests).collect();
        for file in &mut files {
            file.test |= (1..=file.module.len()).any(|to| tests.contains(&file.module[..to]));
        }
        Self {
            name,
            modules: files.iter().flat_map(with_folders).collect(),
            orders: files.iter().map(order_of).collect(),
            files,
        }
    }

    pub(crate) fn is_module(&self, path: &[String]) -> bool {
        self.modules.contains(path)
    }

    pub(crate) fn exports_macro(&self, path: &[String]) -> bool {
        let mut macros = self
            .files
            .iter()
            .flat_map(|file| &file.source.reading.exported_macros);
        macros.any(|name| path == [name.as_str()])
    }

    /// The place of `name` among the `mod` lines of `folder`.
    pub(crate) fn rank(&self, folder: &[String], name: &str) -> Option<usize> {
        self.orders
            .get(folder)?
            .iter()
            .position(|declared| declared == name)
    }

    /// Every path of the library that leads into the library.
    pub(crate) fn imports(&self) -> Vec<Import<'_>> {
        self.files
            .iter()
            .flat_map(|file| self.imports_of(file))
            .collect()
    }

    fn imports_of<'b>(&'b self, file: &'b File<'a>) -> Vec<Import<'b>> {
        let aliases = aliases(file);
        let import = |mention: &'a Mention| {
            let to = self.follow(file, mention, &aliases)?;
            Some(Import {
                from: file,
                to,
                written: mention.segments.join("::"),
                line: mention.line,
                test: file.test || mention.test,
            })
        };
        file.source
            .reading
            .mentions
            .iter()
            .filter_map(import)
            .collect()
    }

    /// Follows a path to what it names in this library; `None` for all others. A glob ends in `*`.
    fn follow(&self, file: &File<'_>, mention: &Mention, aliases: &Aliases) -> Option<Module> {
        let here: Module = [file.module.as_slice(), &mention.inside].concat();
        match aliases.get(&mention.segments[0]) {
            Some(target) if mention.alias.is_none() => {
                // The rest of a path after an item was followed where the item was imported.
                let path = self.lead(&file.module, target)?;
                let leads_on = self.is_module(&path);
                leads_on.then(|| [path.as_slice(), &mention.segments[1..]].concat())
            }
            _ => self.lead(&here, &mention.segments),
        }
    }

    /// Where `segments` lead from the module `here`.
    fn lead(&self, here: &[String], segments: &[String]) -> Option<Module> {
        let (first, rest) = segments.split_first()?;
        let mut base = match first.as_str() {
            "crate" => Vec::new(),
            "self" => here.to_vec(),
            "super" => here[..here.len().checked_sub(1)?].to_vec(),
            _ if self.is_module(&child(here, first)) => child(here, first),
            _ => return None,
        };
        for segment in rest {
            if segment == "super" {
                base.pop()?;
            } else {
                base.push(segment.clone());
            }
        }
        Some(base)
    }
}

/// The paths that the `use` lines of a file import, by name.
pub(crate) type Aliases = HashMap<String, Vec<String>>;

pub(crate) fn aliases(file: &File<'_>) -> Aliases {
    let uses = file.source.reading.mentions.iter();
    uses.filter(|mention| mention.inside.is_empty() && mention.segments.len() > 1)
        .filter_map(|mention| Some((mention.alias.clone()?, mention.segments.clone())))
        .collect()
}

impl Import<'_> {
    /// How many names lead from the root to the nearest module around both ends.
    pub(crate) fn shared(&self) -> usize {
        let pairs = self.from.module.iter().zip(&self.to);
        pairs.take_while(|(from, to)| from == to).count()
    }
}

pub(crate) fn child(module: &[String], name: &str) -> Module {
    [module, &[name.to_owned()]].concat()
}

fn files_of<'a>(workspace: &'a Workspace, library: &str) -> Vec<File<'a>> {
    let renamed: HashMap<String, Module> = workspace
        .sources
        .iter()
        .flat_map(|source| renamed_by(library, source))
        .collect();
    let file = |source: &'a Source| {
        let module = renamed.get(&source.path).cloned();
        Some(File {
            source,
            module: module.or_else(|| module_of(library, &source.path))?,
            test: source.reading.only_test,
        })
    };
    workspace.sources.iter().filter_map(file).collect()
}

/// The files that `#[path = ".."]` makes modules of this one.
fn renamed_by(library: &str, source: &Source) -> Vec<(String, Module)> {
    let Some(module) = module_of(library, &source.path) else {
        return Vec::new();
    };
    let folder = source
        .path
        .rsplit_once('/')
        .map_or("", |(folder, _)| folder);
    let lines = source.reading.mods.iter();
    lines
        .filter_map(|line| {
            let path = format!("{folder}/{}", line.path.as_ref()?);
            Some((path, child(&module, &line.name)))
        })
        .collect()
}

fn declared_tests(file: &File<'_>) -> Vec<Module> {
    let tests = file.source.reading.mods.iter().filter(|line| line.test);
    tests.map(|line| child(&file.module, &line.name)).collect()
}

fn order_of(file: &File<'_>) -> (Module, Vec<String>) {
    let lines = file.source.reading.mods.iter();
    let outside = lines.filter(|line| line.inside.is_empty());
    let names = outside.map(|line| line.name.clone()).collect();
    (file.module.clone(), names)
}

fn with_folders(file: &File<'_>) -> Vec<Module> {
    let ends = 0..=file.module.len();
    ends.map(|to| file.module[..to].to_vec()).collect()
}

/// `volt/src/task/mod.rs` is `task`; `volt/src/task/state.rs` is `task::state`.
fn module_of(library: &str, path: &str) -> Option<Module> {
    let inside = path.strip_prefix(library)?.strip_prefix("/src/")?;
    let module = inside.strip_suffix(".rs")?;
    let module = module.strip_suffix("/mod").unwrap_or(module);
    if module == "lib" {
        return Some(Vec::new());
    }
    Some(module.split('/').map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::Library;
    use crate::source::Workspace;

    fn ends(files: &[(&str, &str)]) -> Vec<String> {
        let workspace = Workspace::of(files);
        let library = Library::new(&workspace, "volt");
        let imports = library.imports();
        imports.iter().map(|import| import.to.join("::")).collect()
    }

    #[test]
    fn every_spelling_leads_to_the_same_end() {
        let spellings = [
            "use crate::task::state::State;",
            "use super::state::State;",
            "use self::super::state::State;",
            "fn f() { super::state::State; }",
            "mod tests { use super::super::state::State; }",
            "use crate::{task::{state::{State}}};",
        ];
        for text in spellings {
            let files = [
                ("volt/src/task/state.rs", ""),
                ("volt/src/task/cell.rs", text),
            ];
            assert_eq!(ends(&files), ["task::state::State"], "{text}");
        }
    }

    #[test]
    fn alias_of_a_module_is_followed() {
        let text = "use super::state as s;\nfn f() -> s::State { s::State::new() }";
        let files = [
            ("volt/src/task/state.rs", ""),
            ("volt/src/task/cell.rs", text),
        ];
        let expected = [
            "task::state",
            "task::state::State",
            "task::state::State::new",
        ];
        assert_eq!(ends(&files), expected);
    }

    #[test]
    fn item_is_followed_once() {
        let text = "use super::state::State;\nfn f() -> State { State::new() }";
        let files = [
            ("volt/src/task/state.rs", ""),
            ("volt/src/task/cell.rs", text),
        ];
        assert_eq!(ends(&files), ["task::state::State"]);
    }

    #[test]
    fn other_crates_lead_nowhere() {
        let text = "use std::task::Waker;\nfn f() { core::mem::take(x); }";
        assert!(ends(&[("volt/src/task/cell.rs", text)]).is_empty());
    }

    #[test]
    fn path_attribute_names_the_declared_module() {
        let files = [
            (
                "volt/src/ring.rs",
                "#[cfg(test)]\n#[path = \"ring_tests.rs\"]\nmod tests;",
            ),
            ("volt/src/ring_tests.rs", "use super::Owner;"),
        ];
        let workspace = Workspace::of(&files);
        let library = Library::new(&workspace, "volt");
        let imports = library.imports();
        assert_eq!(
            (imports[0].to.join("::").as_str(), imports[0].test),
            ("ring::Owner", true)
        );
    }

    #[test]
    fn file_declared_under_cfg_test_is_a_test() {
        let files = [
            ("volt/src/task/mod.rs", "#[cfg(test)]\nmod tests;"),
            ("volt/src/task/tests.rs", "use super::x::Y;"),
        ];
        let workspace = Workspace::of(&files);
        let library = Library::new(&workspace, "volt");
        assert!(library.imports()[0].test);
    }
}
