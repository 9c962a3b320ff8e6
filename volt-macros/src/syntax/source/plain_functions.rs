//! Functions of a module that return futures and are not machines.
//!
//! The compiler looks through the opaque future of such a function, so a machine may contain itself
//! through it. No attribute sees the function, so the macro reads the file for it.

use super::name_context::{last_word, uses};

/// A function of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlainFunction {
    pub(crate) name: String,
    /// Its code, with the name first.
    pub(crate) code: String,
}

/// The functions in the code of a module that return an opaque future and are no machines. Its
/// items are outside of braces, or in the braces of `mod name { .. }`.
pub(super) fn functions(code: &str) -> Vec<PlainFunction> {
    let outer = usize::from(code.starts_with('{'));
    let (mut depth, mut start, mut body, mut found) = (0_usize, 0, 0, Vec::new());
    for (at, letter) in code.char_indices() {
        match letter {
            '{' => {
                depth += 1;
                if depth == outer {
                    start = at + 1;
                } else if depth == outer + 1 {
                    body = at;
                }
            }
            '}' => {
                depth = depth.saturating_sub(1);
                if depth == outer {
                    found.extend(function(&code[start..body], &code[body..=at]));
                    start = at + 1;
                }
            }
            ';' if depth == outer => start = at + 1,
            _ => {}
        }
    }
    found
}

/// The function of a head and a body, if it is one that returns an opaque future.
fn function(head: &str, body: &str) -> Option<PlainFunction> {
    let found = uses(head, "fn").next()?;
    let is_machine = found.before.contains("state_machine");
    let is_async = last_word(found.before) == "async";
    let output = found
        .after
        .rsplit_once("->")
        .map_or("", |(_, output)| output);
    let is_opaque = uses(output, "impl").next().is_some() && output.contains("Future");
    let letter = |letter: char| !letter.is_alphanumeric() && letter != '_';
    let name = &found.after[..found.after.find(letter)?];
    (!is_machine && (is_async || is_opaque)).then(|| PlainFunction {
        name: name.to_owned(),
        code: format!("{} {body}", found.after),
    })
}

#[cfg(test)]
mod tests;
