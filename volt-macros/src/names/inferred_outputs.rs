//! Methods whose output has a type that the compiler infers from its use.

use proc_macro2::Ident;

/// Methods and functions of the standard library, and `get`, `random` and `sample` of crates.
///
/// If one is missing, a method by that name that calls another one may need a type annotation. If
/// another method has such a name, the arguments decide whether its recursion is `Send`.
const INFERRED_OUTPUTS: &[&str] = &[
    "collect", "default", "extract", "from", "gen", "get", "into", "product", "random", "read",
    "sample", "sum",
];

/// Returns `true` if a method by this name may have an output of an inferred type.
pub(crate) fn infers_output(method: &Ident) -> bool {
    INFERRED_OUTPUTS.iter().any(|name| method == name)
}
