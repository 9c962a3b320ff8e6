//! The items of a package with names that the macro reads otherwise in a pattern.
//!
//! A pattern may name an item of another file through a glob import, or one that a `macro_rules!`
//! declares. The search begins at the keywords of such items, because most texts have none of them:
//!
//! ```text
//! const limit: u32 = 3;      struct ready;      enum Reply { None, quiet }
//! replies! { None, quiet }   of macro_rules! replies { ($($name:ident),*) => { enum Reply { $($name),* } } }
//! ```

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::super::name_context::{group_at, is_word, last_word, uses};
use super::super::words::is_word_byte;
use super::item_scope::is_odd;

/// The most glob imports that one search follows. They may import each other.
const MOST_GLOBS: u32 = 4;

/// The names of such items in the files of a package.
#[derive(Debug, Default)]
pub(in super::super) struct OddItems {
    files: Vec<FileItems>,
}

#[derive(Debug)]
struct FileItems {
    path: PathBuf,
    /// The name of the file's module, and those of the modules that it declares.
    modules: Vec<String>,
    /// The items, with those that macros declare.
    names: HashSet<String>,
    /// The items that macros declare.
    of_macros: HashSet<String>,
    /// The last names of modules that it exports by `pub use module::*`.
    globs: Vec<String>,
}

/// A `macro_rules!` that declares such items.
struct DeclaringMacro<'t> {
    name: &'t str,
    /// The items that its rules name.
    items: HashSet<String>,
    /// The items that a call names.
    given: GivenItems,
}

/// The kinds of items whose names a macro receives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct GivenItems {
    /// Any kind.
    any: bool,
    /// Constants, whose types may follow their names.
    constants: bool,
}

impl OddItems {
    /// Finds the items in the texts of a package.
    pub(in super::super) fn of(texts: &[(PathBuf, String)]) -> Self {
        let macros: Vec<_> = texts.iter().flat_map(|(_, text)| macros_in(text)).collect();
        let files = texts.iter().map(|(path, text)| {
            let (mut names, mut of_macros) = (HashSet::new(), HashSet::new());
            declared_in(text, &mut names);
            for of in &macros {
                calls_in(text, of, &mut of_macros);
            }
            names.extend(of_macros.iter().cloned());
            FileItems::new(path, text, [names, of_macros])
        });
        let mut found = Self::default();
        found.files.extend(files);
        // Without items, no glob import has one.
        if found.files.iter().all(|file| file.names.is_empty()) {
            found.files.clear();
        }
        found
    }

    /// Returns `true` if the package has no such item.
    pub(in super::super) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Returns `true` if a module, as a file names it, may contain an item of the name.
    pub(in super::super) fn are_in(&self, module: &[String], name: &str, by: &Path) -> bool {
        let Some(last) = module.last() else {
            return false;
        };
        if last == "super" || last == "self" {
            let own = module_name(by);
            let mut outer = self.files.iter().filter(|file| file.modules.contains(&own));
            outer.any(|file| self.has(file, name, MOST_GLOBS))
        } else {
            self.are_in_module(last, name, MOST_GLOBS)
        }
    }

    fn are_in_module(&self, module: &str, name: &str, most: u32) -> bool {
        let is_enum = module.starts_with(char::is_uppercase);
        let mut files = self.files.iter();
        files.any(|file| {
            (is_enum || file.modules.iter().any(|it| it == module)) && self.has(file, name, most)
        })
    }

    fn has(&self, file: &FileItems, name: &str, most: u32) -> bool {
        let mut globs = file.globs.iter().filter(|_| most > 0);
        file.names.contains(name) || globs.any(|glob| self.are_in_module(glob, name, most - 1))
    }

    /// Returns `true` if a macro declares items in a file.
    pub(in super::super) fn has_macros_in(&self, file: &Path) -> bool {
        self.of_file(file)
            .is_some_and(|file| !file.of_macros.is_empty())
    }

    /// Returns `true` if a macro declares an item of the name in a file.
    pub(in super::super) fn is_of_macro(&self, file: &Path, name: &str) -> bool {
        self.of_file(file)
            .is_some_and(|file| file.of_macros.contains(name))
    }

    fn of_file(&self, path: &Path) -> Option<&FileItems> {
        self.files.iter().find(|file| file.path == path)
    }
}

impl FileItems {
    fn new(path: &Path, text: &str, [names, of_macros]: [HashSet<String>; 2]) -> Self {
        let (mut modules, mut globs) = (vec![module_name(path)], Vec::new());
        for (keyword, at) in keywords(text) {
            let after = text[at + keyword.len()..].trim_start();
            match keyword {
                "mod" => modules.push(name_at(after).0.to_owned()),
                "use" if is_exported(&text[..at]) => {
                    let tree = after.split(';').next().unwrap_or_default();
                    globs.extend(last_of_globs(tree).map(str::to_owned));
                }
                _ => {}
            }
        }
        Self {
            path: path.to_owned(),
            modules,
            names,
            of_macros,
            globs,
        }
    }
}

/// The name of the module in a file. That of the root of a crate is `crate`.
fn module_name(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    match &*stem {
        "lib" | "main" => "crate".to_owned(),
        "mod" => {
            let folder = path.parent().and_then(Path::file_name);
            folder.unwrap_or_default().to_string_lossy().into_owned()
        }
        _ => stem.into_owned(),
    }
}

/// Returns `true` if `pub` or `pub(..)` ends the code.
fn is_exported(before: &str) -> bool {
    let before = before.trim_end();
    last_word(before) == "pub"
        || before
            .strip_suffix(')')
            .and_then(|before| before.rsplit_once('('))
            .is_some_and(|(before, _)| last_word(before.trim_end()) == "pub")
}

/// The last names before the stars of a `use`.
fn last_of_globs(tree: &str) -> impl Iterator<Item = &str> {
    let before = tree.match_indices("::*").map(|(at, _)| &tree[..at]);
    before.map(|path| last_word(path.trim_end()))
}

/// Adds the items that a text declares. Returns the kinds that have names of macro parameters.
fn declared_in(text: &str, found: &mut HashSet<String>) -> GivenItems {
    let mut given = GivenItems::default();
    let mut add = |name: &str| {
        if name != "_" && is_odd(name) {
            found.insert(name.to_owned());
        }
    };
    for (keyword, at) in keywords(text) {
        let (before, after) = (
            text[..at].trim_end(),
            text[at + keyword.len()..].trim_start(),
        );
        let (name, rest) = name_at(after);
        match keyword {
            // A parameter of a type, and a pointer, are no items.
            "const" if rest.starts_with(':') && !before.ends_with(['<', ',', '*']) => {
                given.constants |= name.starts_with('$');
                add(name);
            }
            "struct" => {
                given.any |= name.starts_with('$');
                if rest.starts_with([';', '(']) {
                    add(name);
                }
            }
            "enum" => {
                let body = rest.find('{').and_then(|at| group_at(&rest[at..]));
                for name in entries(body.unwrap_or_default()) {
                    given.any |= name.starts_with('$');
                    add(name);
                }
            }
            _ => {}
        }
    }
    given.any |= given.constants;
    given
}

/// The macros of a text that declare such items.
fn macros_in(text: &str) -> impl Iterator<Item = DeclaringMacro<'_>> {
    let rules = keywords(text).into_iter();
    let rules = rules.filter(|(keyword, _)| *keyword == "macro_rules");
    rules.filter_map(|(keyword, at)| {
        let after = text[at + keyword.len()..].strip_prefix('!')?;
        let (name, rest) = name_at(after.trim_start());
        let mut items = HashSet::new();
        let given = declared_in(group_at(rest)?, &mut items);
        (given.any || !items.is_empty()).then_some(DeclaringMacro { name, items, given })
    })
}

/// Adds the items that calls of a macro declare in a text.
fn calls_in(text: &str, of: &DeclaringMacro<'_>, found: &mut HashSet<String>) {
    for (at, _) in text.match_indices(of.name) {
        let after = text[at + of.name.len()..].strip_prefix('!');
        let (Some(after), false) = (after, text[..at].ends_with(is_word)) else {
            continue;
        };
        found.extend(of.items.iter().cloned());
        if let Some(arguments) = group_at(after.trim_start()).filter(|_| of.given.any) {
            found.extend(given_names(arguments, of.given).map(str::to_owned));
        }
    }
}

/// The odd names in the arguments of a macro that may be those of items. Arguments with a function
/// have names of locals, too.
fn given_names(arguments: &str, given: GivenItems) -> impl Iterator<Item = &str> {
    let has_function = uses(arguments, "fn").next().is_some();
    let mut rest = if has_function { "" } else { arguments };
    std::iter::from_fn(move || {
        let start = rest.find(is_word)?;
        let (before, from) = (rest[..start].trim_end(), &rest[start..]);
        let end = from.find(|letter| !is_word(letter)).unwrap_or(from.len());
        let after = from[end..].trim_start();
        let has_type = after.starts_with(':') && !after.starts_with("::");
        let ends = after.is_empty() || after.starts_with([',', ';', '(', '{', '=', ')', '}', ']']);
        let is_name = !before.ends_with(['.', ':', '"']) && (ends || has_type && given.constants);
        rest = &from[end..];
        Some((&from[..end], is_name))
    })
    .filter(|(name, is_name)| *is_name && is_odd(name))
    .map(|(name, _)| name)
}

/// The keywords of declarations in a text, with their places. One loop over the bytes takes fewer
/// instructions than a search for each keyword.
fn keywords(text: &str) -> Vec<(&'static str, usize)> {
    const KEYWORDS: [&str; 6] = ["const", "struct", "enum", "macro_rules", "mod", "use"];
    let (bytes, mut at, mut found) = (text.as_bytes(), 0, Vec::new());
    while at < bytes.len() {
        if !is_word_byte(bytes[at]) {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len() && is_word_byte(bytes[at]) {
            at += 1;
        }
        if matches!(bytes[start], b'c' | b's' | b'e' | b'm' | b'u') {
            let word = &bytes[start..at];
            let known = KEYWORDS.iter().find(|known| known.as_bytes() == word);
            found.extend(known.map(|known| (*known, start)));
        }
    }
    found
}

/// The name at the start of code, without the mark of a raw name, and the code after it. The name
/// of a macro parameter begins with `$`.
fn name_at(code: &str) -> (&str, &str) {
    let code = code.strip_prefix("r#").unwrap_or(code);
    let start = usize::from(code.starts_with('$'));
    let end = code[start..].find(|letter| !is_word(letter));
    let end = end.map_or(code.len(), |end| start + end);
    (&code[..end], code[end..].trim_start())
}

/// The names of the variants in the body of an enum. A repetition of a macro has the name `$`.
fn entries(body: &str) -> impl Iterator<Item = &str> {
    let mut rest = body;
    std::iter::from_fn(move || {
        rest = without_notes(rest);
        if rest.is_empty() {
            return None;
        }
        let (name, _) = name_at(rest);
        rest = after_comma(rest);
        Some(name)
    })
}

/// The code without the comments and attributes at its start.
fn without_notes(mut code: &str) -> &str {
    loop {
        code = code.trim_start_matches(|letter: char| letter.is_whitespace() || letter == ',');
        let group = code.strip_prefix('#').and_then(group_at);
        code = match (code.starts_with("//"), group) {
            (true, _) => code.find('\n').map_or("", |end| &code[end..]),
            (_, Some(group)) => &code[group.len() + 3..],
            _ => return code,
        };
    }
}

/// The code after the first comma outside of brackets.
fn after_comma(code: &str) -> &str {
    let mut depth = 0_usize;
    for (at, byte) in code.bytes().enumerate() {
        match byte {
            b'{' | b'(' | b'[' => depth += 1,
            b'}' | b')' | b']' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => return &code[at + 1..],
            _ => {}
        }
    }
    ""
}

#[cfg(test)]
mod tests;
