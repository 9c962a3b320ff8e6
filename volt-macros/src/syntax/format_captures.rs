//! The captures of a format string.

/// The names that a format string captures: `{w}`, `{w:?}`, `{:w$}`, `{:.w$}`.
pub(crate) fn captured(text: &str) -> impl Iterator<Item = &str> {
    let (mut found, mut rest) = (Vec::new(), text);
    while let Some((_, after)) = rest.split_once('{') {
        if let Some(literal) = after.strip_prefix('{') {
            rest = literal;
            continue;
        }
        let end = after.find('}').unwrap_or(after.len());
        found.extend(within(&after[..end]));
        rest = &after[end..];
    }
    found.into_iter()
}

/// The names in one pair of braces.
fn within(inside: &str) -> impl Iterator<Item = &str> {
    let (argument, format) = inside.split_once(':').unwrap_or((inside, ""));
    let mut parts = format.split('$');
    // The text after the last `$` is no width.
    parts.next_back();
    let widths = parts.map(|part| {
        let word = part.rsplit(|letter| !is_letter(letter)).next();
        // Flags precede the name of a width.
        word.unwrap_or_default()
            .trim_start_matches(|first: char| first.is_ascii_digit())
    });
    let names = std::iter::once(argument.trim()).chain(widths);
    names.filter(|word| is_name(word))
}

/// Returns `true` if the name is a width or a precision in a format string: `{:w$}`.
pub(super) fn is_width(text: &str, name: &str) -> bool {
    let name = name.trim_start_matches("r#");
    let mut pieces = text.split(name).skip(1);
    pieces.any(|after| after.starts_with('$'))
}

fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn is_name(word: &str) -> bool {
    let starts = word.starts_with(|first: char| is_letter(first) && !first.is_ascii_digit());
    starts && word.chars().all(is_letter)
}

#[cfg(test)]
mod tests;
