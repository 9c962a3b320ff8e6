//! What a format string captures.

use std::ops::Range;

/// The places of the names that a format string captures: `{w}`, `{w:?}`, `{:w$}`, `{:.w$}`.
fn places(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut rest = 0;
    while let Some(open) = text[rest..].find('{').map(|at| rest + at) {
        rest = open + 1;
        if text[rest..].starts_with('{') {
            rest += 1;
            continue;
        }
        let end = text[rest..].find('}').map_or(text.len(), |at| rest + at);
        found.extend(within(text, rest..end));
        rest = end;
    }
    found
}

/// The names in one pair of braces.
fn within(text: &str, inside: Range<usize>) -> Vec<Range<usize>> {
    let colon = text[inside.clone()].find(':');
    let colon = colon.map_or(inside.end, |at| inside.start + at);
    let argument = trimmed(text, inside.start..colon);
    let mut found: Vec<_> = Some(argument)
        .filter(|at| is_name(&text[at.clone()]))
        .into_iter()
        .collect();
    for (dollar, _) in text[colon..inside.end].match_indices('$') {
        let end = colon + dollar;
        let digits =
            |at: &Range<usize>| text[at.clone()].starts_with(|first: char| first.is_ascii_digit());
        let mut name = word_before(text, colon..end);
        // A flag stands before the name of a width.
        while !name.is_empty() && digits(&name) {
            name.start += 1;
        }
        found.extend(Some(name).filter(|at| is_name(&text[at.clone()])));
    }
    found
}

fn trimmed(text: &str, at: Range<usize>) -> Range<usize> {
    let (inside, start) = (&text[at.clone()], at.start);
    let before = inside.len() - inside.trim_start().len();
    let start = start + before;
    start..start + inside.trim().len()
}

/// The letters before the end.
fn word_before(text: &str, at: Range<usize>) -> Range<usize> {
    let letters = text[at.clone()]
        .chars()
        .rev()
        .take_while(|&letter| is_letter(letter));
    let length: usize = letters.map(char::len_utf8).sum();
    at.end - length..at.end
}

fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn is_name(word: &str) -> bool {
    let starts = word.starts_with(|first: char| is_letter(first) && !first.is_ascii_digit());
    starts && word.chars().all(is_letter)
}

/// The names that a format string captures.
pub(crate) fn captured(text: &str) -> impl Iterator<Item = &str> {
    places(text).into_iter().map(|at| &text[at])
}

/// The string with another name captured, if it captures this one.
pub(crate) fn renamed(text: &str, from: &str, to: &str) -> Option<String> {
    let (mut out, mut rest) = (String::new(), 0);
    let found = places(text).into_iter();
    for at in found.filter(|at| &text[at.clone()] == from) {
        out.push_str(&text[rest..at.start]);
        out.push_str(to);
        rest = at.end;
    }
    (rest > 0).then(|| out + &text[rest..])
}

#[cfg(test)]
mod tests;
