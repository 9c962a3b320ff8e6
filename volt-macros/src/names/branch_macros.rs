//! The macros of other crates that poll several futures in place. The macro knows them by their
//! paths: dumps of native machines show the futures that they poll.

use proc_macro2::Ident;
use syn::Macro;

/// The crates, and their macros that take a list of futures.
const JOINS: &[(&str, &str)] = &[
    ("futures", "join"),
    ("futures", "try_join"),
    ("futures_util", "join"),
    ("futures_util", "try_join"),
    ("tokio", "join"),
    ("tokio", "try_join"),
];

/// The macros whose arguments are arms.
const SELECTS: &[(&str, &str)] = &[("tokio", "select")];

/// The macros that await in place, with those above.
const OTHERS: &[(&str, &str)] = &[
    ("futures", "poll"),
    ("futures", "select"),
    ("futures", "select_biased"),
    ("futures_util", "poll"),
    ("futures_util", "select"),
    ("futures_util", "select_biased"),
];

/// The grammar of the arguments of a macro with branches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BranchMacro {
    /// `future, future`, after `biased;`.
    Join,
    /// `pattern = future, if condition => handler`, after `biased;`.
    Select,
}

/// Returns the grammar of a macro with branches. `is_from` returns `true` if the module imports a
/// bare name from a crate.
pub(crate) fn branch_macro(
    mac: &Macro,
    is_from: impl Fn(&Ident, &str) -> bool,
) -> Option<BranchMacro> {
    if is_one_of(mac, JOINS, &is_from) {
        Some(BranchMacro::Join)
    } else if is_one_of(mac, SELECTS, &is_from) {
        Some(BranchMacro::Select)
    } else {
        None
    }
}

/// Returns `true` if the macro awaits futures in the code around it.
pub(crate) fn awaits_branches(mac: &Macro, is_from: impl Fn(&Ident, &str) -> bool) -> bool {
    let mut lists = [JOINS, SELECTS, OTHERS].into_iter();
    lists.any(|macros| is_one_of(mac, macros, &is_from))
}

/// Returns `true` for the name of a macro whose arguments are arms: `pattern = future => handler`.
pub(crate) fn has_arms(name: &Ident) -> bool {
    name == "select" || name == "select_biased"
}

fn is_one_of(
    mac: &Macro,
    macros: &[(&str, &str)],
    is_from: &impl Fn(&Ident, &str) -> bool,
) -> bool {
    let path: Vec<_> = mac.path.segments.iter().map(|part| &part.ident).collect();
    macros.iter().any(|(root, known)| match &*path {
        [name] => *name == known && is_from(name, root),
        [first, name] => first == root && *name == known,
        _ => false,
    })
}
