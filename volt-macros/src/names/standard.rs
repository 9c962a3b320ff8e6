//! What the macro knows of the standard library by name. No other file names what is in it.
//!
//! The macro sees no types, so a name is all that tells it that `len()` borrows nothing and that
//! `Some(..)` has no destructor. Each table says what happens where a user has something else by that name:
//! it is an error of the compiler's, and never another program.

use proc_macro2::Ident;
use syn::{Expr, ExprPath, Macro, Path};

/// How a macro evaluates its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// Takes each of them: `vec![a, b]`.
    List,
    /// Looks at them; the format string is the argument with this index.
    Formats(usize),
    /// Looks at so many, and at the others if it fails.
    Asserts(usize),
    /// Gives what it is given: `dbg!(value)`.
    Gives,
    /// Has no expressions: `line!()`.
    Constant,
}

/// The macros whose arguments are expressions, or that have none. A macro of a user's own by such a name shows in
/// its arguments, or does not build.
const MACROS: &[(&str, Known)] = &[
    ("assert", Known::Asserts(1)),
    ("assert_eq", Known::Asserts(2)),
    ("assert_ne", Known::Asserts(2)),
    ("cfg", Known::Constant),
    ("column", Known::Constant),
    ("concat", Known::Constant),
    ("dbg", Known::Gives),
    ("env", Known::Constant),
    ("eprint", Known::Formats(0)),
    ("eprintln", Known::Formats(0)),
    ("file", Known::Constant),
    ("format", Known::Formats(0)),
    ("format_args", Known::Formats(0)),
    ("include_bytes", Known::Constant),
    ("include_str", Known::Constant),
    ("line", Known::Constant),
    ("module_path", Known::Constant),
    ("panic", Known::Formats(0)),
    ("print", Known::Formats(0)),
    ("println", Known::Formats(0)),
    ("stringify", Known::Constant),
    ("todo", Known::Formats(0)),
    ("unimplemented", Known::Formats(0)),
    ("unreachable", Known::Formats(0)),
    ("vec", Known::List),
    ("write", Known::Formats(1)),
    ("writeln", Known::Formats(1)),
];

/// Before the names of assertions that only debug builds evaluate.
const DEBUG: &str = "debug_";

/// The macros that never give a value.
const PANICS: &[&str] = &["panic", "todo", "unimplemented", "unreachable"];

/// The events of `log` and `tracing`, which neither return nor declare anything.
const EVENTS: &[&str] = &["debug", "error", "info", "trace", "warn"];

/// What a method does, whatever it is called on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Does {
    /// It looks at what it is called on. Where one of them takes it the machine does not build.
    Looks,
    /// It gives a value that owns what it holds. A type for which it borrows is an error of the compiler's.
    Owns,
    Both,
}

const METHODS: &[(&str, Does)] = &[
    ("as_bytes", Does::Looks),
    ("as_mut", Does::Looks),
    ("as_ref", Does::Looks),
    ("as_slice", Does::Looks),
    ("as_str", Does::Looks),
    ("clone", Does::Both),
    ("cloned", Does::Owns),
    ("contains", Does::Both),
    ("contains_key", Does::Both),
    ("copied", Does::Owns),
    ("count", Does::Owns),
    ("elapsed", Does::Owns),
    ("ends_with", Does::Owns),
    ("into_owned", Does::Owns),
    ("is_empty", Does::Both),
    ("is_err", Does::Both),
    ("is_none", Does::Both),
    ("is_ok", Does::Both),
    ("is_some", Does::Both),
    ("iter", Does::Looks),
    ("len", Does::Both),
    ("starts_with", Does::Owns),
    ("to_owned", Does::Owns),
    ("to_string", Does::Both),
    ("to_vec", Does::Both),
];

/// Variants that have no destructor of their own. What a pattern by another name opens may have one.
const VARIANTS: &[&str] = &[
    "Break", "Continue", "Err", "None", "Ok", "Pending", "Ready", "Some",
];

/// Types that own what they hold, if their parameters do.
const OWNERS: &[&str] = &["Box", "Option", "Result", "String", "Vec"];

/// Types whose values are coerced: a `Box` of a type to one of a trait.
const POINTERS: &[&str] = &["Arc", "Box", "Rc"];

/// Types and traits that every module has by these names, which a machine of that name would hide.
const PRELUDE: &[&str] = &[
    "AsMut",
    "AsRef",
    "Box",
    "Clone",
    "Copy",
    "Default",
    "Drop",
    "Err",
    "Extend",
    "Fn",
    "From",
    "Future",
    "Into",
    "IntoFuture",
    "IntoIterator",
    "Iterator",
    "None",
    "Ok",
    "Option",
    "Ord",
    "Result",
    "Self",
    "Send",
    "Sized",
    "Some",
    "String",
    "Sync",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "Unpin",
    "Vec",
];

/// What is known of a macro.
pub(crate) fn known(mac: &Macro) -> Option<Known> {
    let last = mac.path.segments.last()?.ident.to_string();
    let first = &mac.path.segments.first()?.ident;
    let is_std =
        mac.path.segments.len() == 1 || first == "std" || first == "core" || first == "alloc";
    let asserted = last.strip_prefix(DEBUG);
    let found = MACROS
        .iter()
        .find(|(name, _)| *name == asserted.unwrap_or(&last))?;
    let is_meant = asserted.is_none() || matches!(found.1, Known::Asserts(_));
    (is_std && is_meant).then_some(found.1)
}

/// Whether the macro evaluates its arguments only where `debug_assertions` are on.
pub(crate) fn is_for_debug(mac: &Macro) -> bool {
    let asserts = matches!(known(mac), Some(Known::Asserts(_)));
    asserts && last_of(&mac.path).is_some_and(|last| last.to_string().starts_with(DEBUG))
}

/// Whether the macro never gives a value.
pub(crate) fn panics(mac: &Macro) -> bool {
    ends_in(&mac.path, PANICS)
}

/// Whether the macro is an event that is logged.
pub(crate) fn is_event(mac: &Macro) -> bool {
    ends_in(&mac.path, EVENTS)
}

/// Whether the macro makes text of its own source.
pub(crate) fn prints_source(mac: &Macro) -> bool {
    known(mac).is_some() && ends_in(&mac.path, &["stringify"])
}

/// Whether the macro gives what borrows its arguments.
pub(crate) fn gives_pieces(mac: &Macro) -> bool {
    ends_in(&mac.path, &["format_args"])
}

/// Whether the macro gives a `String`.
pub(crate) fn gives_text(mac: &Macro) -> bool {
    ends_in(&mac.path, &["format"])
}

/// Whether the macro is `matches!`.
pub(crate) fn is_matches(mac: &Macro) -> bool {
    mac.path.is_ident("matches")
}

/// Whether a method looks at what it is called on.
pub(crate) fn looks(method: &str) -> bool {
    does(method).is_some_and(|does| does != Does::Owns)
}

/// Whether the values of a method own what they hold.
pub(crate) fn gives_owned(method: &str) -> bool {
    does(method).is_some_and(|does| does != Does::Looks)
}

fn does(method: &str) -> Option<Does> {
    let found = METHODS.iter().find(|(name, _)| *name == method);
    found.map(|(_, does)| *does)
}

/// Whether a pattern's path is that of a variant without a destructor of its own.
pub(crate) fn is_variant(path: &Path) -> bool {
    ends_in(path, VARIANTS)
}

/// Whether the name is that of a variant without a destructor which holds nothing.
pub(crate) fn is_none(name: &Ident) -> bool {
    name == "None"
}

/// Whether the function is a variant that is made of a value: `Ok(value)`.
pub(crate) fn makes_variant(function: &Expr) -> bool {
    let Expr::Path(ExprPath { path, .. }) = function else {
        return false;
    };
    path.get_ident().is_some() && ends_in(path, &["Err", "Ok", "Some"])
}

/// Whether a type by this path owns what it holds, if its parameters do.
pub(crate) fn is_owner(path: &Path) -> bool {
    ends_in(path, OWNERS)
}

/// Whether a function by this path makes a `String`: `String::from`.
pub(crate) fn makes_text(path: &Path) -> bool {
    owner_of(path).is_some_and(|owner| owner == "String")
}

/// Whether a function by this path makes a pointer that is coerced: `Box::new`.
pub(crate) fn makes_pointer(path: &Path) -> bool {
    owner_of(path).is_some_and(|owner| POINTERS.iter().any(|name| owner == name))
}

/// Whether a machine of this name would hide what every module has.
pub(crate) fn is_in_prelude(name: &str) -> bool {
    PRELUDE.contains(&name)
}

fn ends_in(path: &Path, names: &[&str]) -> bool {
    // To compare a name is to ask the compiler for its text.
    last_of(path).is_some_and(|last| names.contains(&&*last.to_string()))
}

fn last_of(path: &Path) -> Option<&Ident> {
    path.segments.last().map(|last| &last.ident)
}

/// `String` of `String::from`.
fn owner_of(path: &Path) -> Option<&Ident> {
    path.segments.iter().rev().nth(1).map(|owner| &owner.ident)
}
