//! Functions of a module that return futures and are not machines.
//!
//! The compiler looks through the opaque future of such a function, so a machine may contain itself
//! through it. No attribute sees the function, so the macro reads the file for it.

use super::module_items::item_bodies;
use super::name_context::{group_at, last_word, uses};

/// A function of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlainFunction {
    pub(crate) name: String,
    /// Its code, with the name first.
    pub(crate) code: String,
}

/// The functions of a module.
#[derive(Clone, Debug, Default)]
pub(crate) struct ModuleFunctions {
    /// The names of those outside of its types.
    pub(crate) names: Vec<String>,
    /// The methods that are machines, each with the name of its type. A block for some arguments of
    /// a type has none here, because another module may have a block for other arguments.
    pub(crate) methods: Vec<(String, String)>,
    /// The functions that return an opaque future and are no machines.
    pub(crate) plain: Vec<PlainFunction>,
}

/// The functions in the code of a module.
pub(super) fn functions(code: &str) -> ModuleFunctions {
    let mut found = ModuleFunctions::default();
    for (head, body) in item_bodies(code) {
        found.names.extend(name(head).map(str::to_owned));
        found.plain.extend(function(head, body));
    }
    found
}

/// The name of the function of a head.
fn name(head: &str) -> Option<&str> {
    let after = uses(head, "fn").next()?.after;
    let letter = |letter: char| !letter.is_alphanumeric() && letter != '_';
    let name = &after[..after.find(letter)?];
    // `impl Fn for fn(u32)` is no function.
    (!name.is_empty()).then_some(name)
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
    let name = name(head)?;
    (!is_machine && (is_async || is_opaque)).then(|| PlainFunction {
        name: name.to_owned(),
        code: format!("{} {body}", found.after),
    })
}

/// The number of parameters of a function, from the code after its name. It is unknown for a
/// generic function, a method, and a function with attributes of its parameters.
pub(super) fn parameter_count(after: &str) -> Option<usize> {
    let params = after.starts_with('(').then(|| group_at(after))??;
    if params.contains('#') || uses(params, "self").next().is_some() {
        return None;
    }
    // A comma in brackets is part of a type. The arrow of a function type is no bracket.
    let (mut depth, mut count, mut is_empty, mut last) = (0_usize, 0, true, ' ');
    for letter in params.chars() {
        match letter {
            '(' | '[' | '{' | '<' => depth += 1,
            '>' if last == '-' => {}
            ')' | ']' | '}' | '>' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        let is_end = depth == 0 && letter == ',';
        count += usize::from(is_end);
        is_empty = is_end || is_empty && letter.is_whitespace();
        last = letter;
    }
    Some(count + usize::from(!is_empty))
}

#[cfg(test)]
mod tests;
