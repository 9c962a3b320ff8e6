//! `ItemUse`: the words of code that may use an item of their name.
//!
//! The name of a function with a receiver has a point before it, `.name`, and that of an associated
//! type two colons, `::Name`.

use std::collections::HashSet;

use super::super::super::name_context::last_word;
use super::super::super::words::{is_word_byte, next_word};

/// The macros of the standard library and of this package that use their arguments as they are.
pub(super) const TRANSPARENT_MACROS: [&str; 16] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "format",
    "join",
    "matches",
    "panic",
    "print",
    "println",
    "select",
    "try_join",
    "vec",
    "write",
    "writeln",
];

/// A word that may use an item of its name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ItemUse {
    pub(super) name: String,
    pub(super) path: UsePath,
}

/// The path before a word.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum UsePath {
    /// No path: an item of the module comes before an imported one.
    Bare,
    /// No path. An import within the code or a macro around the word may give it another meaning.
    Free,
    /// `module::name`, `Type::name`: the segment before the name.
    In(String),
    /// Another path, or a value before the name of a method.
    Any,
}

/// Returns the words that may use an item of their name.
pub(super) fn uses_of(code: &str) -> HashSet<ItemUse> {
    let (mut found, mut macros) = (HashSet::new(), MacroArguments::default());
    let (bytes, mut from, mut has_imports) = (code.as_bytes(), 0, false);
    while let Some((start, end)) = next_word(bytes, from) {
        macros.pass(code, from, start);
        from = end;
        let (before, word) = (code[..start].trim_end(), &code[start..end]);
        let after = code[end..].trim_start();
        has_imports |= word == "use" && !after.starts_with('<');
        let [is_plain, is_method] = is_use(before, word, after);
        if !is_plain && !is_method {
            continue;
        }
        let path = path_before(before, macros.is_inside());
        let is_end = before.ends_with("::");
        let plain = is_plain.then(|| word.to_owned());
        let method = is_method.then(|| format!(".{word}"));
        let associated = is_end.then(|| format!("::{word}"));
        let names = [plain, method, associated].into_iter().flatten();
        found.extend(names.map(|name| ItemUse {
            name,
            path: path.clone(),
        }));
    }
    if has_imports {
        found = freed(found);
    }
    found
}

/// Returns the uses in code with imports.
pub(super) fn freed(uses: HashSet<ItemUse>) -> HashSet<ItemUse> {
    uses.into_iter().map(ItemUse::freed).collect()
}

impl ItemUse {
    /// Returns the use in code with imports.
    fn freed(self) -> Self {
        let path = match self.path {
            UsePath::Bare => UsePath::Free,
            UsePath::In(last) if is_type(&last) => UsePath::Any,
            path => path,
        };
        Self { path, ..self }
    }
}

/// The arguments of a macro around a place.
#[derive(Default)]
struct MacroArguments {
    /// The number of open brackets.
    depth: usize,
    /// The number of open brackets in the outermost arguments.
    outermost: Option<usize>,
}

impl MacroArguments {
    /// Moves the place over the code between two words.
    fn pass(&mut self, code: &str, from: usize, to: usize) {
        for (at, byte) in code.bytes().enumerate().take(to).skip(from) {
            match byte {
                b'(' | b'[' | b'{' => {
                    self.depth += 1;
                    let name = called_macro(&code[..at]);
                    if name.is_some_and(|name| !TRANSPARENT_MACROS.contains(&name)) {
                        self.outermost = self.outermost.or(Some(self.depth));
                    }
                }
                b')' | b']' | b'}' => {
                    self.outermost.take_if(|depth| *depth == self.depth);
                    self.depth = self.depth.saturating_sub(1);
                }
                _ => {}
            }
        }
    }

    fn is_inside(&self) -> bool {
        self.outermost.is_some()
    }
}

/// Returns the name of the macro whose arguments begin after the code: `name!(`.
pub(super) fn called_macro(before: &str) -> Option<&str> {
    let name = before.trim_end().strip_suffix('!')?.trim_end();
    let last = *name.as_bytes().last()?;
    is_word_byte(last).then(|| last_word(name))
}

/// Returns `true` if a segment of a path is the name of a type.
pub(super) fn is_type(segment: &str) -> bool {
    segment.starts_with(char::is_uppercase)
}

/// Returns `true` if a word may use an item, and `true` if it may use a function with a receiver.
fn is_use(before: &str, word: &str, after: &str) -> [bool; 2] {
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

/// Returns the path that ends before a word.
fn path_before(before: &str, is_in_macro: bool) -> UsePath {
    if let Some(path) = before.strip_suffix("::").map(str::trim_end) {
        let last = last_word(path);
        let is_super = || {
            let outer = path[..path.len() - last.len()].trim_end();
            last == "super" && outer.ends_with("::")
        };
        return if last.is_empty() || is_super() || is_in_macro && is_type(last) {
            UsePath::Any
        } else {
            UsePath::In(last.to_owned())
        };
    }
    match before.strip_suffix('.').map(str::trim_end) {
        Some(value) if before.ends_with('.') && !before.ends_with("..") => {
            let is_self = last_word(value) == "self" && !is_in_macro;
            let outer = value.strip_suffix("self").map(str::trim_end);
            match outer.filter(|outer| is_self && !outer.ends_with('.')) {
                Some(_) => UsePath::In("Self".to_owned()),
                None => UsePath::Any,
            }
        }
        _ if is_in_macro => UsePath::Free,
        _ => UsePath::Bare,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(code: &str, name: &str) -> Option<UsePath> {
        let found = uses_of(code).into_iter();
        let mut paths = found.filter(|of| of.name == name).map(|of| of.path);
        paths.next()
    }

    #[test]
    fn words_have_their_paths() {
        let within = |last: &str| Some(UsePath::In(last.to_owned()));
        assert_eq!(path("fn a() { walk(1) }", "walk"), Some(UsePath::Bare));
        assert_eq!(
            path("fn a() { vec![walk(1)] }", "walk"),
            Some(UsePath::Bare)
        );
        assert_eq!(path("own ! [walk (1)]", "walk"), Some(UsePath::Free));
        assert_eq!(path("own![1]; walk(1)", "walk"), Some(UsePath::Bare));
        assert_eq!(path("use a::*; walk(1)", "walk"), Some(UsePath::Free));
        assert_eq!(path("a::b::walk(1)", "walk"), within("b"));
        assert_eq!(path("super :: walk (1)", "walk"), within("super"));
        assert_eq!(path("super::super::walk(1)", "walk"), Some(UsePath::Any));
        assert_eq!(path("<A as B>::walk(1)", "walk"), Some(UsePath::Any));
        assert_eq!(path("Tree::walk(1)", ".walk"), within("Tree"));
        assert_eq!(path("own!(Tree::walk(1))", ".walk"), Some(UsePath::Any));
        assert_eq!(path("self . walk (1)", ".walk"), within("Self"));
        assert_eq!(path("self.next.walk(1)", ".walk"), Some(UsePath::Any));
        assert_eq!(path("n.walk(1)", "walk"), None);
    }
}
