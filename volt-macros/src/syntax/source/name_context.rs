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
        is_word.then(|| NameContext::new(code, at, name.len()))
    })
}

impl<'c> NameContext<'c> {
    /// The use of a name of `length` bytes at a place of the code.
    pub(super) fn new(code: &'c str, at: usize, length: usize) -> Self {
        Self {
            before: code[..at].trim_end(),
            after: code[at + length..].trim_start(),
        }
    }
}

pub(super) fn last_word(code: &str) -> &str {
    code.rsplit(|letter| !is_word(letter))
        .next()
        .unwrap_or(code)
}

pub(super) fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The text in the brackets at the start of code.
pub(super) fn group_at(code: &str) -> Option<&str> {
    let mut depth = 0_usize;
    for (at, byte) in code.bytes().enumerate() {
        match byte {
            b'{' | b'(' | b'[' => depth += 1,
            b'}' | b')' | b']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return code.get(1..at);
        }
    }
    None
}
