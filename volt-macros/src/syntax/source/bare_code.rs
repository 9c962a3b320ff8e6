//! Code without comments and literals.

use super::words::{find_byte, is_word_byte};

/// The text with a space for each comment and literal.
pub(super) fn code(text: &str) -> String {
    let (bytes, length) = (text.as_bytes(), text.len());
    let mut code = String::with_capacity(length);
    let (mut copied, mut at) = (0, 0);
    while at < length {
        let skipped = match bytes[at] {
            b'/' | b'"' | b'\'' => skipped(&text[at..]),
            b'b' | b'c' | b'r' if begins_literal(bytes, at + 1) => skipped(&text[at..]),
            _ => 0,
        };
        if skipped > 0 {
            code.push_str(&text[copied..at]);
            code.push(' ');
            copied = length.min(at + skipped);
            push_lines(&mut code, &bytes[at..copied]);
            at = copied;
        } else if is_word_byte(bytes[at]) {
            // A letter within a word begins no raw literal.
            while at < length && is_word_byte(bytes[at]) {
                at += 1;
            }
        } else {
            at += 1;
        }
    }
    code.push_str(&text[copied..]);
    code
}

/// Returns `true` if a literal may continue here after its first letter.
fn begins_literal(bytes: &[u8], at: usize) -> bool {
    at < bytes.len() && matches!(bytes[at], b'"' | b'#' | b'r')
}

/// Adds the line ends of a skipped text, so that lines keep their numbers.
fn push_lines(code: &mut String, skipped: &[u8]) {
    let mut at = find_byte(skipped, 0, [b'\n'; 2]);
    while at < skipped.len() {
        code.push('\n');
        at = find_byte(skipped, at + 1, [b'\n'; 2]);
    }
}

/// The length of the comment or literal with which the text begins.
fn skipped(text: &str) -> usize {
    if text.starts_with("//") {
        return end_of(text, "\n", 2);
    }
    if text.starts_with("/*") {
        return end_of(text, "*/", 2);
    }
    let prefix = ["", "b", "c"].into_iter().find_map(|prefix| {
        let rest = text.strip_prefix(prefix)?;
        (rest.starts_with('"') || rest.starts_with("r\"") || rest.starts_with("r#"))
            .then_some((prefix.len(), rest))
    });
    match prefix {
        Some((length, rest)) if rest.starts_with('"') => length + quoted(rest, b'"'),
        Some((length, rest)) => {
            let marks = rest[1..].chars().take_while(|mark| *mark == '#').count();
            if rest[1 + marks..].starts_with('"') {
                end_of(
                    text,
                    &format!("\"{}", "#".repeat(marks)),
                    length + marks + 2,
                )
            } else {
                // A raw name.
                0
            }
        }
        None if text.starts_with('\'') => letter(text),
        None => 0,
    }
}

/// The place after the next `end`, or the length of the text.
fn end_of(text: &str, end: &str, from: usize) -> usize {
    let (bytes, end) = (text.as_bytes(), end.as_bytes());
    let mut at = find_byte(bytes, from, [end[0]; 2]);
    while at < bytes.len() {
        if bytes[at..].starts_with(end) {
            return at + end.len();
        }
        at = find_byte(bytes, at + 1, [end[0]; 2]);
    }
    bytes.len()
}

/// The length of a quoted text.
fn quoted(text: &str, mark: u8) -> usize {
    let bytes = text.as_bytes();
    let mut at = find_byte(bytes, 1, [b'\\', mark]);
    while at < bytes.len() {
        if bytes[at] == mark {
            return at + 1;
        }
        at = find_byte(bytes, at + 2, [b'\\', mark]);
    }
    bytes.len()
}

/// The length of a character literal. A lifetime has no second quote.
fn letter(text: &str) -> usize {
    let mut letters = text.char_indices().skip(1);
    let Some((_, first)) = letters.next() else {
        return 0;
    };
    match letters.next() {
        _ if first == '\\' => quoted(text, b'\''),
        Some((at, '\'')) => at + 1,
        _ => 0,
    }
}
