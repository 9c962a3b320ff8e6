//! Methods that may take the value that they are called on, by their names.
//!
//! A name tells nothing for certain: `map` takes an iterator or an `Option`, and looks at what is
//! behind a guard. It only tells which question to ask the type.

use proc_macro2::Ident;

/// What is asked of the type of a receiver, by the name of a method of `volt::__private::Like`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// Whatever the type, the method takes it.
    None,
    /// Whether it is one of the types that have the method.
    Ask(&'static str),
}

/// The methods of `Option` and `Result`.
const OPENED: &[&str] = &[
    "and",
    "and_then",
    "err",
    "expect",
    "expect_err",
    "is_none_or",
    "is_ok_and",
    "is_err_and",
    "is_some_and",
    "map_err",
    "map_or",
    "map_or_else",
    "map_or_default",
    "ok",
    "ok_or",
    "ok_or_else",
    "or",
    "or_else",
    "transpose",
    "unwrap",
    "unwrap_err",
    "unwrap_or",
    "unwrap_or_default",
    "unwrap_or_else",
    "xor",
];

/// The methods of iterators.
const TURNED: &[&str] = &[
    "chain",
    "collect",
    "count",
    "cycle",
    "enumerate",
    "filter_map",
    "flat_map",
    "fold",
    "for_each",
    "fuse",
    "last",
    "map_while",
    "max_by",
    "max_by_key",
    "min_by",
    "min_by_key",
    "partition",
    "peekable",
    "product",
    "reduce",
    "rev",
    "scan",
    "skip",
    "skip_while",
    "step_by",
    "sum",
    "take",
    "take_while",
    "unzip",
];

/// The methods of all of these.
const MAPPED: &[&str] = &[
    "cloned", "copied", "filter", "flatten", "inspect", "map", "zip",
];

/// The methods of the entries of a map.
const ENTERED: &[&str] = &[
    "and_modify",
    "or_default",
    "or_insert",
    "or_insert_with",
    "or_insert_with_key",
];

/// The question for a method.
pub(crate) fn question(method: &Ident) -> Question {
    let is = |names: &[&str]| names.iter().any(|name| method == name);
    match () {
        () if is(&["into", "try_into"]) => Question::None,
        () if is(&["into_iter"]) => Question::Ask("iterated"),
        () if is(&["min", "max", "clamp"]) => Question::Ask("ordered"),
        () if is(OPENED) => Question::Ask("opened"),
        () if is(TURNED) => Question::Ask("turned"),
        () if is(MAPPED) => Question::Ask("mapped"),
        () if is(ENTERED) => Question::Ask("entered"),
        () => Question::Ask("left"),
    }
}
