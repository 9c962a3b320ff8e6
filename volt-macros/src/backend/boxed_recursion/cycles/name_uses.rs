//! `NameUse`: the uses of names in the text of a function.

use std::collections::{BTreeMap, BTreeSet};

use crate::syntax::{is_awaited, next_word};

/// The use of a name in a function, with the path before it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NameUse {
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
    /// Returns the name.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Bare(name)
            | Self::InModule(name)
            | Self::OfType(name, _)
            | Self::OwnMethod(_, name)
            | Self::Method(_, name) => name,
        }
    }

    /// Returns `true` if it may be the use of a function of the name.
    pub(super) fn is_function(&self, name: &str) -> bool {
        matches!(self, Self::Bare(used) | Self::InModule(used) if used == name)
    }
}

/// The names in the text of a function.
#[derive(Default)]
pub(super) struct NamesIn {
    /// The names that may be those of functions, and `true` for each that is not only awaited at
    /// once.
    pub(super) uses: BTreeMap<NameUse, bool>,
    /// The names of types, if it is a method.
    pub(super) types: BTreeSet<String>,
}

/// Returns the names in a text of tokens. The first `own` is that of the function itself.
pub(super) fn named_in(text: &str, own: &str, impl_target: Option<&str>) -> NamesIn {
    let (mut found, mut is_own_found, mut from) = (NamesIn::default(), false, 0);
    found.types.extend(impl_target.map(str::to_owned));
    // The future of a block may be stored.
    let has_blocks = text.matches("async").nth(1).is_some();
    while let Some((start, end)) = next_word(text.as_bytes(), from) {
        let word = &text[start..end];
        from = end;
        if !is_own_found && word == own {
            is_own_found = true;
        } else if word.starts_with(char::is_uppercase) {
            found.types.extend(impl_target.map(|_| word.to_owned()));
        } else if may_be_function(text.as_bytes(), start, end)
            && word.starts_with(|letter: char| letter.is_lowercase() || letter == '_')
        {
            let around = [&text[..start], &text[end..]];
            if let Some(named) = named(around, word, own, impl_target) {
                let is_stored = found.uses.entry(named).or_insert(false);
                *is_stored |= has_blocks || !is_awaited(around[1].trim_start());
            }
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
