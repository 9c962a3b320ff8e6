//! What the macro knows of the standard library by name. No other file names what is in it.
//!
//! The macro sees no types, so a name is all that tells it that `println!` takes nothing and that
//! `Some(..)` has no destructor. Each table says what happens where a user has something else by that name:
//! it is an error of the compiler's, and never another program. There `native` says what is meant.

use proc_macro2::Ident;
use syn::{Macro, Path};

/// How a macro evaluates its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// Takes each of them: `vec![a, b]`.
    List,
    /// Looks at them; the format string is the argument with this index.
    Formats(usize),
    /// Looks at so many, and at the others if it fails.
    Asserts(usize),
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

/// The macros that never give a value. Where one of a user's own does it does not build.
const PANICS: &[&str] = &["panic", "todo", "unimplemented", "unreachable"];

/// The events of `log` and `tracing`, which neither return nor declare anything, by their paths. A macro of a user's own by such
/// a name alone may do both.
const EVENTS: &[&str] = &["debug", "error", "info", "trace", "warn"];
const LOGS: &[&str] = &["log", "tracing"];

/// The macro that makes a JSON value of what it borrows: its crate and its name. It is known by
/// both.
pub(crate) const JSON: [&str; 2] = ["serde_json", "json"];

/// Methods that give a value which owns what it holds. A type for which one of them borrows is an error of the
/// compiler's.
const OWNING: &[&str] = &["clone", "len", "to_owned", "to_string"];

/// Types that borrow nothing if their parameters do not. One of a user's own by such a name that borrows is an error of the
/// compiler's.
const OWNERS: &[&str] = &["Option", "Result", "String", "Vec"];

/// Variants that have no destructor of their own. What a pattern by another name opens may have one. A pattern of the
/// machine names them by their whole paths, so an enum of a user's own by such names does not build.
const VARIANTS: &[&str] = &["Err", "None", "Ok", "Some"];

/// Types and traits of the preludes of all editions, and traits that are derived by these names. A machine of such a name
/// would hide what every module has, or what its reader takes it for.
const PRELUDE: &str = "
    AsMut AsRef AsyncFn AsyncFnMut AsyncFnOnce Box Clone Copy Debug Default
    DoubleEndedIterator Drop Eq Err ExactSizeIterator Extend Fn FnMut FnOnce From FromIterator
    Future Hash Into IntoFuture IntoIterator Iterator None Ok Option Ord PartialEq PartialOrd
    Result Self Send Sized Some String Sync ToOwned ToString TryFrom TryInto Unpin Vec
";

/// Types that the language itself has. One by the name of a function would hide them.
const PRIMITIVES: &str =
    "bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize";

/// What shows that a future stays on its thread, by itself or by who takes it. Under any other name the machine is
/// told to be `Send`, and an error of the compiler's says that it is not.
const STAYS: &str = "LocalBoxFuture LocalSet NonNull Rc boxed_local spawn_local";

/// What is known of a macro.
pub(crate) fn known(mac: &Macro) -> Option<Known> {
    let last = mac.path.segments.last()?.ident.to_string();
    let first = &mac.path.segments.first()?.ident;
    let is_std =
        mac.path.segments.len() == 1 || first == "std" || first == "core" || first == "alloc";
    let found = MACROS.iter().find(|(name, _)| *name == last)?;
    is_std.then_some(found.1)
}

/// Returns `true` if the editions before 2021 print a text that is alone, and later ones format it.
pub(crate) fn formats_by_edition(mac: &Macro) -> bool {
    panics(mac) || ends_in(&mac.path, &["assert"])
}

/// Whether the macro never gives a value.
pub(crate) fn panics(mac: &Macro) -> bool {
    ends_in(&mac.path, PANICS)
}

/// Whether the macro is an event that is logged.
pub(crate) fn is_event(mac: &Macro) -> bool {
    let mut segments = mac.path.segments.iter().rev().skip(1);
    let is_of_log = segments
        .next()
        .is_some_and(|segment| LOGS.contains(&&*segment.ident.to_string()));
    is_of_log && ends_in(&mac.path, EVENTS) || is_json(mac)
}

/// Returns `true` if the macro is `serde_json::json`, by its path.
pub(crate) fn is_json(mac: &Macro) -> bool {
    let segments = mac.path.segments.iter().map(|segment| &segment.ident);
    segments.eq(JSON)
}

/// Returns `true` if a macro by this name makes text of its own source. One of a user's own by
/// another name is not known, and its function is native.
pub(crate) fn prints_own_source(name: &Ident) -> bool {
    name == "stringify" || name == "dbg"
}

/// Whether the macro makes text of its own source.
pub(crate) fn prints_source(mac: &Macro) -> bool {
    known(mac).is_some() && ends_in(&mac.path, &["stringify"])
}

/// Returns `true` if the macro is `dbg!` of one value, by its name alone.
pub(crate) fn is_dbg(mac: &Macro) -> bool {
    mac.path.is_ident("dbg")
}

/// Whether the macro is `matches!`.
pub(crate) fn is_matches(mac: &Macro) -> bool {
    mac.path.is_ident("matches")
}

/// Whether the values of a method own what they hold.
pub(crate) fn returns_owned(method: &Ident) -> bool {
    OWNING.iter().any(|name| method == name)
}

/// Whether the method makes a clone.
pub(crate) fn clones(method: &Ident) -> bool {
    method == "clone"
}

/// Whether the name is that of the function whose future has nothing but a closure. Where it is another's the compiler is asked.
pub(crate) fn is_poll_fn(function: &Ident) -> bool {
    function == "poll_fn"
}

/// Whether values of a type own what they hold, if its parameters do.
pub(crate) fn is_owner(ty: &Ident) -> bool {
    OWNERS.iter().any(|name| ty == name)
}

/// Whether the name is that of a variant without a destructor of its own.
pub(crate) fn is_variant(name: &Ident) -> bool {
    VARIANTS.iter().any(|variant| name == variant)
}

/// Whether the path is that of such a variant, and of nothing else.
pub(crate) fn is_variant_of_core(path: &Path) -> bool {
    let first = path
        .segments
        .first()
        .filter(|_| path.leading_colon.is_some());
    first.is_some_and(|first| first.ident == "core") && last_of(path).is_some_and(is_variant)
}

/// Whether a machine of this name would hide what every module has.
pub(crate) fn is_in_prelude(name: &str) -> bool {
    is_among(PRELUDE, name)
}

/// Whether the language itself has a type of this name.
pub(crate) fn is_primitive(name: &str) -> bool {
    is_among(PRIMITIVES, name)
}

/// The traits of what can be awaited. A bound by another name makes a machine native.
pub(crate) const FUTURES: [&str; 2] = ["Future", "IntoFuture"];

/// Whether the name is that of the trait of futures.
pub(crate) fn is_future(name: &str) -> bool {
    name == "Future"
}

/// Whether the name is that of the trait of what may go to another thread.
pub(crate) fn is_send(name: &str) -> bool {
    name == "Send"
}

/// Whether the name shows that a future stays on its thread.
pub(crate) fn names_not_send(name: &str) -> bool {
    is_among(STAYS, name)
}

/// What is in the text of all that `boxes_future` finds.
pub(crate) const BOXES: &[&str] = &["Box", "boxed"];

/// Whether a word and the one before it put a future into a box: `Box::pin`, `.boxed` or `BoxFuture`.
pub(crate) fn boxes_future(before: &str, word: &str) -> bool {
    matches!(
        (before, word),
        ("Box", "pin") | (".", "boxed") | (_, "BoxFuture")
    )
}

fn is_among(names: &str, name: &str) -> bool {
    names.split_whitespace().any(|known| known == name)
}

fn ends_in(path: &Path, names: &[&str]) -> bool {
    // To compare a name is to ask the compiler for its text.
    last_of(path).is_some_and(|last| names.contains(&&*last.to_string()))
}

/// The last name of a path.
pub(crate) fn last_of(path: &Path) -> Option<&Ident> {
    path.segments.last().map(|last| &last.ident)
}
