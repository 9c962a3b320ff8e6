//! `NameContext`: a use of a name in code.

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

pub(super) fn last_word(code: &str) -> &str {
    let start = code.rfind(|letter: char| !letter.is_alphanumeric() && letter != '_');
    &code[start.map_or(0, |start| start + 1)..]
}

pub(super) fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}
