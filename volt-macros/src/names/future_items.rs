//! The functions and bounds whose names show that a future stays as it is.

/// The functions of `futures` and `volt::future` that combine futures. They require no auto trait.
const COMBINATORS: &[&str] = &[
    "join",
    "join3",
    "join4",
    "join5",
    "join_all",
    "race",
    "race_all",
    "race_ok_all",
    "select",
    "select_all",
    "select_ok",
    "settle_all",
    "try_join",
    "try_join3",
    "try_join4",
    "try_join5",
    "try_join_all",
];

/// The methods of futures in `futures` that require no auto trait.
const METHODS: &[&str] = &["boxed_local", "fuse", "left_future", "map", "right_future"];

/// The traits of the standard library that neither are auto traits nor imply one.
const NEUTRAL_BOUNDS: &[&str] = &[
    "Clone",
    "Debug",
    "Default",
    "Display",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "Future",
    "Into",
    "IntoFuture",
    "IntoIterator",
    "Iterator",
    "Sized",
];

/// Returns `true` for the name of a function that combines futures.
pub(crate) fn combines_futures(name: &str) -> bool {
    COMBINATORS.contains(&name)
}

/// Returns `true` for the name of a method of futures that requires nothing of the future.
pub(crate) fn keeps_future(method: &proc_macro2::Ident) -> bool {
    METHODS.iter().any(|known| method == known)
}

/// Returns `true` for a trait that implies no auto trait.
pub(crate) fn is_neutral_bound(name: &proc_macro2::Ident) -> bool {
    NEUTRAL_BOUNDS.iter().any(|bound| name == bound)
}
