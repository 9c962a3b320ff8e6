//! The names of the standard library that the macro knows. No other file contains such names,
//! except `pin_macros`.
//!
//! The macro sees no types. So only the name shows that `println!` moves nothing, and that
//! `Some(..)` has no destructor. Each table states the effect if a user has another item by that
//! name. The effect is a compile error, and never a different program. The option `native` avoids
//! it.

use proc_macro2::Ident;
use syn::{Macro, Path};

/// The way in which a macro evaluates its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// By value: `vec![a, b]`.
    List,
    /// By reference. The format string is the argument with this index.
    Formats(usize),
    /// The first ones by reference, and the others only if the assertion fails.
    Asserts(usize),
    /// Without expressions: `line!()`.
    Constant,
}

/// The macros whose arguments are expressions, or that have none. A macro of the user with such a
/// name differs in its arguments, or does not compile.
const MACROS: &[(&str, Known)] = &[
    ("assert", Known::Asserts(1)),
    ("assert_eq", Known::Asserts(2)),
    ("assert_ne", Known::Asserts(2)),
    ("cfg", Known::Constant),
    ("column", Known::Constant),
    ("concat", Known::Constant),
    ("env", Known::Constant),
    ("eprint", Known::Formats(0)),
    ("eprintln", Known::Formats(0)),
    ("file", Known::Constant),
    ("format", Known::Formats(0)),
    ("include_bytes", Known::Constant),
    ("include_str", Known::Constant),
    ("line", Known::Constant),
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

/// The macros that diverge. A macro of the user with such a name that does not diverge does not
/// compile.
const PANICS: &[&str] = &["panic", "todo", "unimplemented", "unreachable"];

/// The events of `log` and `tracing`, which neither return nor declare anything. Their paths are
/// checked, because a macro of the user with such a name may do both.
const EVENTS: &[&str] = &["debug", "error", "info", "trace", "warn"];
const LOGS: &[&str] = &["log", "tracing"];

/// The macro that creates a JSON value from borrowed values: its crate and its name. The path is
/// checked.
const JSON: [&str; 2] = ["serde_json", "json"];

/// Methods that return an owned value. A type for which one of them borrows causes a compile error.
const OWNING: &[&str] = &["clone", "len", "to_owned", "to_string"];

/// Methods that borrow a receiver without a name. The macro only guesses by these names. For any
/// other method the compiler confirms that it moves its receiver.
const BORROWING: &[&str] = &[
    "acquire",
    "all",
    "any",
    "borrow",
    "borrow_mut",
    "bytes",
    "chars",
    "clone",
    "contains",
    "count",
    "find",
    "frame",
    "get",
    "get_mut",
    "get_or_insert",
    "is_empty",
    "is_err",
    "is_none",
    "is_ok",
    "is_some",
    "iter",
    "iter_mut",
    "join",
    "keys",
    "last",
    "len",
    "lines",
    "lock",
    "next",
    "peek",
    "poll",
    "pop",
    "push",
    "query_async",
    "read",
    "recv",
    "split",
    "starts_with",
    "take",
    "to_owned",
    "to_string",
    "to_vec",
    "trim",
    "try_lock",
    "try_read",
    "try_recv",
    "try_write",
    "upgrade",
    "values",
    "wait",
    "write",
];

/// Types that borrow nothing if their parameters do not. A type of the user with such a name that
/// borrows causes a compile error.
const OWNERS: &[&str] = &["Option", "Result", "String", "Vec"];

/// Variants without a destructor. Any other variant may have one. The patterns of the machine
/// contain the whole paths of these, so an enum of the user with such variants does not compile.
const VARIANTS: &[&str] = &["Err", "None", "Ok", "Some"];

/// Types and traits of the preludes of all editions, and traits of derives with these names. A
/// machine of such a name would hide an item of every module, or mislead its reader.
const PRELUDE: &[&str] = &[
    "AsMut",
    "AsRef",
    "AsyncFn",
    "AsyncFnMut",
    "AsyncFnOnce",
    "Box",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "DoubleEndedIterator",
    "Drop",
    "Eq",
    "Err",
    "ExactSizeIterator",
    "Extend",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "FromIterator",
    "Future",
    "Hash",
    "Into",
    "IntoFuture",
    "IntoIterator",
    "Iterator",
    "None",
    "Ok",
    "Option",
    "Ord",
    "PartialEq",
    "PartialOrd",
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

/// The primitive types. A type alias with the name of a function would hide them.
const PRIMITIVES: &[&str] = &[
    "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "str", "u8", "u16",
    "u32", "u64", "u128", "usize",
];

/// Names which show that a future, or its caller, is not `Send`. Without such a name the machine
/// has to be `Send`, and the compiler reports an error if it is not.
const STAYS: &[&str] = &[
    "LocalBoxFuture",
    "LocalSet",
    "NonNull",
    "Rc",
    "boxed_local",
    "spawn_local",
];

/// The names of the macros that are known without their path.
pub(crate) fn known_names() -> impl Iterator<Item = &'static str> {
    let names = MACROS.iter().map(|(name, _)| *name);
    names.chain(["dbg", "matches"])
}

/// The kind of a known macro.
pub(crate) fn known(mac: &Macro) -> Option<Known> {
    let last = mac.path.segments.last()?.ident.to_string();
    let first = &mac.path.segments.first()?.ident;
    let is_std =
        mac.path.segments.len() == 1 || first == "std" || first == "core" || first == "alloc";
    let found = MACROS.iter().find(|(name, _)| *name == last)?;
    is_std.then_some(found.1)
}

/// Returns `true` if editions before 2021 print a single literal, and later ones format it.
pub(crate) fn formats_by_edition(mac: &Macro) -> bool {
    panics(mac) || ends_in(&mac.path, &["assert"])
}

/// Returns `true` if the macro diverges.
pub(crate) fn panics(mac: &Macro) -> bool {
    ends_in(&mac.path, PANICS)
}

/// Returns `true` if the macro is a logging event.
pub(crate) fn is_event(mac: &Macro) -> bool {
    let mut segments = mac.path.segments.iter().rev().skip(1);
    let is_of_log = segments
        .next()
        .is_some_and(|segment| LOGS.contains(&&*segment.ident.to_string()));
    is_of_log && ends_in(&mac.path, EVENTS) || is_json(mac)
}

/// The crates that have a macro of this name, which the macro knows by its path.
pub(crate) fn crates_of_macro(name: &str) -> &'static [&'static str] {
    const JSON_CRATES: &[&str] = &[JSON[0]];
    match name {
        name if name == JSON[1] => JSON_CRATES,
        name if EVENTS.contains(&name) => LOGS,
        _ => &[],
    }
}

/// Returns `true` for a crate with a macro that is known by its path.
pub(crate) fn is_crate_of_macros(name: &str) -> bool {
    LOGS.contains(&name) || name == JSON[0]
}

/// Returns `true` if the macro is `serde_json::json`, by its path.
pub(crate) fn is_json(mac: &Macro) -> bool {
    let segments = mac.path.segments.iter().map(|segment| &segment.ident);
    segments.eq(JSON)
}

/// Returns `true` if a macro with this name prints its own source. A macro of the user with another
/// name is unknown, and its function is native.
pub(crate) fn prints_own_source(name: &Ident) -> bool {
    name == "stringify" || name == "dbg"
}

/// Returns `true` if a macro with this name reads its arguments as tokens, and runs none of them. A
/// macro of the user with such a name may await, which the macro does not see then.
pub(crate) fn takes_tokens(name: &Ident) -> bool {
    const MACROS: &[&str] = &["parse_quote", "quote", "quote_spanned", "stringify"];
    MACROS.iter().any(|known| name == known)
}

/// Returns `true` if the macro prints its own source.
pub(crate) fn prints_source(mac: &Macro) -> bool {
    known(mac).is_some() && ends_in(&mac.path, &["stringify"])
}

/// Returns `true` if the macro is `dbg!`, by its name alone.
pub(crate) fn is_dbg(mac: &Macro) -> bool {
    mac.path.is_ident("dbg")
}

/// Returns `true` if the macro is `matches!`.
pub(crate) fn is_matches(mac: &Macro) -> bool {
    mac.path.is_ident("matches")
}

/// Returns `true` if the method returns an owned value.
pub(crate) fn returns_owned(method: &Ident) -> bool {
    OWNING.iter().any(|name| method == name)
}

/// Returns `true` for the method that moves a value and leaves an empty one.
pub(crate) fn takes_moved(method: &Ident) -> bool {
    method == "__volt_take"
}

/// Returns `true` if a method with this name probably borrows its receiver.
pub(crate) fn borrows_receiver(method: &Ident) -> bool {
    let name = method.to_string();
    name.starts_with("as_") || is_among(BORROWING, &name)
}

/// Returns `true` if a method with this name probably returns a reference.
pub(crate) fn returns_reference(method: &Ident) -> bool {
    let name = method.to_string();
    let ends = name.ends_with("_ref") || name.ends_with("_mut");
    ends || name.starts_with("as_") || matches!(&*name, "borrow" | "deref" | "trim")
}

/// Returns `true` if a method with this name may return a value of the receiver's type.
pub(crate) fn returns_copy(method: &Ident) -> bool {
    clones(method) || method == "to_owned"
}

/// Returns `true` if the method is `clone`.
pub(crate) fn clones(method: &Ident) -> bool {
    method == "clone"
}

/// Returns `true` for the name of `poll_fn`, whose future contains only a closure. The compiler
/// checks that the name has this meaning.
pub(crate) fn is_poll_fn(function: &Ident) -> bool {
    function == "poll_fn"
}

/// Returns `true` if values of the type own their content, if its parameters do.
pub(crate) fn is_owner(ty: &Ident) -> bool {
    OWNERS.iter().any(|name| ty == name)
}

/// Returns `true` for the name of a variant without a destructor.
pub(crate) fn is_variant(name: &Ident) -> bool {
    VARIANTS.iter().any(|variant| name == variant)
}

/// Returns `true` for the whole path of such a variant.
pub(crate) fn is_variant_of_core(path: &Path) -> bool {
    let first = path
        .segments
        .first()
        .filter(|_| path.leading_colon.is_some());
    first.is_some_and(|first| first.ident == "core") && last_of(path).is_some_and(is_variant)
}

/// Returns `true` if a machine of this name would hide an item of the prelude.
pub(crate) fn is_in_prelude(name: &str) -> bool {
    is_among(PRELUDE, name)
}

/// Returns `true` for the name of a primitive type.
pub(crate) fn is_primitive(name: &str) -> bool {
    is_among(PRIMITIVES, name)
}

/// The traits of awaitable types. With another bound a machine is native.
pub(crate) const FUTURES: [&str; 2] = ["Future", "IntoFuture"];

/// Returns `true` for the name of the trait `Future`.
pub(crate) fn is_future(name: &str) -> bool {
    name == "Future"
}

/// Returns `true` for the name of the trait `Send`.
pub(crate) fn is_send(name: &str) -> bool {
    name == "Send"
}

/// Returns `true` if the name shows that a future is not `Send`.
pub(crate) fn names_not_send(name: &str) -> bool {
    is_among(STAYS, name)
}

/// A text without these words contains nothing that `boxes_future` finds.
pub(crate) const BOXES: &[&str] = &["Box", "boxed"];

/// Returns `true` if a word and the one before it put a future into a box: `Box::pin`, `.boxed` or
/// `BoxFuture`.
pub(crate) fn boxes_future(before: &str, word: &str) -> bool {
    matches!(
        (before, word),
        ("Box", "pin") | (".", "boxed") | (_, "BoxFuture")
    )
}

fn is_among(names: &[&str], name: &str) -> bool {
    names.contains(&name)
}

fn ends_in(path: &Path, names: &[&str]) -> bool {
    // Each comparison with an identifier requests its text from the compiler.
    last_of(path).is_some_and(|last| names.contains(&&*last.to_string()))
}

/// The last name of a path.
pub(crate) fn last_of(path: &Path) -> Option<&Ident> {
    path.segments.last().map(|last| &last.ident)
}
