//! Rule: the libraries name atomics, cells, locks and threads only through their loom shim, so
//! that every model checks the code that ships.
//!
//! Tests may name them: most of them run without a model.

use crate::modules::{Aliases, File, Library, aliases};
use crate::reading::Mention;
use crate::source::{Violation, Workspace};

const RULE: &str = "shim";

/// The modules of `std`, `core` and `alloc` that a model has to replace.
const WATCHED: [&str; 11] = [
    "sync::Arc",
    "sync::Condvar",
    "sync::Mutex",
    "sync::RwLock",
    "sync::atomic",
    "cell::UnsafeCell",
    "thread::Builder",
    "thread::park",
    "thread::park_timeout",
    "thread::scope",
    "thread::spawn",
];

/// Where they are named all the same, and why.
const PERMITS: &[(&str, &str)] = &[
    ("volt/src/loom/", "this is the shim"),
    ("volt-combinators/src/loom/", "this is the shim"),
    (
        "adapters/hyper/src/",
        "it has no protocol between threads: one flag that publishes nothing but itself",
    ),
    (
        "adapters/quinn/src/",
        "it has no protocol between threads: quinn asks for an `Arc`",
    ),
    (
        "volt/src/machine/",
        "it needs no std, which the shim does; its one atomic is a hook that is set once",
    ),
    (
        "volt-inspect/src/",
        "its atomics are a hook that is set once, and a list of statics",
    ),
    (
        "volt-durable/src/",
        "its protocol is between workers and a database; its locks guard plain values",
    ),
    (
        "volt/src/signal/",
        "what a handler of signals sets is the standard library's, and no model has signals",
    ),
];

pub(crate) fn check(workspace: &Workspace) -> Vec<Violation> {
    let mut violations = Vec::new();
    for library in Library::all(workspace) {
        if library.name == "volt-macros" {
            continue;
        }
        for file in library.files.iter().filter(|file| !permitted(file)) {
            let names = aliases(file);
            let mentions = file.source.reading.mentions.iter();
            let shipped = mentions.filter(|mention| !mention.test);
            violations.extend(shipped.filter_map(|mention| unwatched(file, mention, &names)));
        }
    }
    violations
}

fn permitted(file: &File<'_>) -> bool {
    let path = &file.source.path;
    file.test || PERMITS.iter().any(|(start, _)| path.starts_with(start))
}

fn unwatched(file: &File<'_>, mention: &Mention, names: &Aliases) -> Option<Violation> {
    let mut path = mention.segments.clone();
    if let Some(target) = names.get(&path[0]).filter(|_| mention.alias.is_none()) {
        // A name that a `use` line imports is found at that line.
        if watched(target).is_some() {
            return None;
        }
        path.splice(..1, target.iter().cloned());
    }
    let name = watched(&path)?;
    let said = format!(
        "`{name}` is out of loom's sight: take it from `crate::loom`, and add it there if it is \
         missing"
    );
    Some(file.source.violation(mention.line, RULE, said))
}

fn watched(path: &[String]) -> Option<&'static str> {
    let (root, rest) = path.split_first()?;
    let of_std = ["std", "core", "alloc"].contains(&root.as_str());
    let inner = rest.get(..2)?.join("::");
    WATCHED
        .into_iter()
        .find(|watched| of_std && *watched == inner)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::expect;

    fn house<'a>(path: &'a str, text: &'a str) -> [(&'a str, &'a str); 4] {
        [
            ("volt/src/lib.rs", "//! .\nmod loom;\nmod driver;\n"),
            ("volt/src/loom/mod.rs", "//! .\nmod std_impl;\n"),
            ("volt/src/driver/mod.rs", "//! .\nmod clock;\n"),
            (path, text),
        ]
    }

    #[test]
    fn atomic_through_the_shim_is_clean() {
        let text = "//! .\nuse crate::loom::sync::atomic::AtomicU64;\nuse std::sync::OnceLock;\n";
        expect::clean(&house("volt/src/driver/clock.rs", text));
    }

    #[test]
    fn atomic_in_the_shim_is_clean() {
        let text = "//! .\npub(crate) use std::sync::atomic::AtomicU64;\n";
        expect::clean(&house("volt/src/loom/std_impl.rs", text));
    }

    #[test]
    fn atomic_past_the_shim_is_found() {
        let text = "//! .\nuse std::sync::{OnceLock, atomic::AtomicU64};\n";
        let files = house("volt/src/driver/clock.rs", text);
        expect::one(&files, RULE, "volt/src/driver/clock.rs:2");
    }

    #[test]
    fn lock_past_the_shim_by_an_alias_is_found() {
        let text = "//! .\nuse std::sync;\nfn f(lock: &sync::Mutex<u8>) {}\n";
        let files = house("volt/src/driver/clock.rs", text);
        expect::one(&files, RULE, "volt/src/driver/clock.rs:3");
    }

    #[test]
    fn thread_past_the_shim_is_found() {
        let text = "//! .\nfn f() {\n    std::thread::spawn(run);\n}\n";
        let files = house("volt/src/driver/clock.rs", text);
        expect::one(&files, RULE, "volt/src/driver/clock.rs:3");
    }

    #[test]
    fn thread_past_the_shim_in_a_test_is_clean() {
        let text = "//! .\n#[cfg(test)]\nmod tests {\n    use std::thread::spawn;\n}\n";
        expect::clean(&house("volt/src/driver/clock.rs", text));
    }
}
