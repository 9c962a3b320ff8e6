//! The items of a module: their heads and bodies.

/// Returns the heads and the bodies in braces of the items of a module. Its items are outside of
/// braces, or in the braces of `mod name { .. }`.
pub(super) fn item_bodies(code: &str) -> Vec<(&str, &str)> {
    let (bytes, length) = (code.as_bytes(), code.len());
    let outer = usize::from(code.starts_with('{'));
    let (mut depth, mut start, mut body, mut found) = (0_usize, 0, 0, Vec::new());
    let mut at = 0;
    while at < length {
        match bytes[at] {
            b'{' => {
                depth += 1;
                if depth == outer {
                    start = at + 1;
                } else if depth == outer + 1 {
                    body = at;
                }
            }
            b'}' => {
                depth = depth.saturating_sub(1);
                if depth == outer {
                    found.push((&code[start..body], &code[body..=at]));
                    start = at + 1;
                }
            }
            b';' if depth == outer => start = at + 1,
            _ => {}
        }
        at += 1;
    }
    found
}

/// The code of a module without the bodies of its items. The braces of a `use` are no body.
pub(super) fn without_bodies(code: &str) -> String {
    let (bytes, length) = (code.as_bytes(), code.len());
    let outer = usize::from(code.starts_with('{'));
    let (mut depth, mut items, mut groups) = (0_usize, String::new(), Vec::new());
    // The place after the last body.
    let (mut copied, mut at) = (0, 0);
    while at < length {
        match bytes[at] {
            b'{' if depth <= outer && code[..at].trim_end().ends_with("::") => groups.push(depth),
            b'{' => {
                depth += 1;
                if depth == outer + 1 {
                    items.push_str(&code[copied..at]);
                }
            }
            b'}' if groups.pop().is_none() => {
                if depth == outer + 1 {
                    copied = at;
                }
                depth = depth.saturating_sub(1);
            }
            _ => {}
        }
        at += 1;
    }
    if depth <= outer {
        items.push_str(&code[copied..]);
    }
    items
}
