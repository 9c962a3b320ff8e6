//! The heads of items, and the code around them.

use super::super::super::name_context::{is_word, last_word, uses};
use super::super::super::words::next_word;

/// Returns `true` if code within an attribute is before an `extern crate`.
pub(super) fn is_before_crate(code: &str) -> bool {
    let item = code.split([';', '{']).next().unwrap_or_default();
    uses(item, "extern").next().is_some()
}

/// Returns `true` if the first argument of a function is `self`.
pub(super) fn has_receiver(item: &str) -> bool {
    let inputs = item.split_once('(').map_or("", |(_, inputs)| inputs);
    let first = inputs.split([',', ')', ':']).next().unwrap_or_default();
    last_word(first.trim_end()) == "self"
}

/// Returns `true` if the first argument of a function is `self` by value.
pub(super) fn takes_self(item: &str) -> bool {
    let inputs = item.split_once('(').map_or("", |(_, inputs)| inputs);
    let first = inputs.split([',', ')']).next().unwrap_or_default();
    matches!(first.trim(), "self" | "mut self")
}

/// Returns `true` if the compiler looks through the output of a function. `before` is the code
/// before `fn`.
pub(super) fn is_opaque(before: &str, item: &str) -> bool {
    let mut before = before.trim_end();
    while matches!(last_word(before), "unsafe" | "extern") {
        before = before[..before.len() - last_word(before).len()].trim_end();
    }
    let output = head(item).rsplit_once("->");
    last_word(before) == "async"
        || output.is_some_and(|(_, output)| uses(output, "impl").next().is_some())
}

/// Returns `true` if the code between a keyword and a word is that before the name of an item.
pub(super) fn begins_name(between: &str) -> bool {
    matches!(between.trim(), "" | "!" | "$" | "r#")
}

/// Returns `true` if a head has a word.
pub(super) fn has_word(head: &str, word: &str) -> bool {
    uses(head, word).next().is_some()
}

/// Returns the type of an inherent implementation, if it has no generic arguments.
pub(super) fn inherent_owner(head: &str) -> Option<&str> {
    let after = uses(head, "impl").next()?.after;
    let is_inherent = !has_word(after, "for") && !has_word(after, "where") && !after.contains('<');
    let ty = after.rsplit("::").next()?.trim();
    let is_name = ty.chars().all(is_word);
    (is_inherent && is_name && !ty.is_empty()).then_some(ty)
}

/// Returns `true` if a type that is declared behind `before` belongs to a trait. Only a path names
/// such a type.
pub(super) fn is_associated(before: &str) -> bool {
    let Some(item) = item_around(before) else {
        return false;
    };
    let mut words = word_places(item).map(|(start, end)| &item[start..end]);
    let kind = words.find(|word| ["fn", "impl", "trait"].contains(word));
    matches!(kind, Some("impl" | "trait"))
}

/// Returns the head of the item around the code after `before`.
pub(super) fn item_around(before: &str) -> Option<&str> {
    let mut depth = 0_usize;
    let opens = before.bytes().rposition(|byte| {
        let is_outer = byte == b'{' && depth == 0;
        match byte {
            b'}' => depth += 1,
            b'{' => depth = depth.saturating_sub(1),
            _ => {}
        }
        is_outer
    });
    before[..opens?].rsplit([';', '{', '}']).next()
}

/// Returns the place of each word of a text.
fn word_places(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let (start, end) = next_word(text.as_bytes(), from)?;
        from = end;
        Some((start, end))
    })
}

/// Returns the code before the body of an item.
pub(super) fn head(item: &str) -> &str {
    item.split('{').next().unwrap_or_default()
}

/// Returns the code up to the end of the first group in braces. A declaration without a body ends
/// at its semicolon.
pub(super) fn item(code: &str) -> &str {
    let (bytes, mut depth, mut at) = (code.as_bytes(), 0_usize, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'{' | b'(' | b'[' => depth += 1,
            b'}' | b')' | b']' => depth = depth.saturating_sub(1),
            b';' if depth == 0 => return &code[..at],
            _ => {}
        }
        if bytes[at] == b'}' && depth == 0 {
            return &code[..=at];
        }
        at += 1;
    }
    code
}
