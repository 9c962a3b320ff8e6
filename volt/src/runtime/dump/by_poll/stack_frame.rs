//! `StackFrame`: a function on the stack of an inspection poll, with its name and line.

use std::collections::HashMap;

use backtrace::Symbol;

use super::frame_origin::{FrameOrigin, POLL, dependency_path, module_of};
use crate::loom::PerProcess;

/// A function on the stack. Its texts are leaked, once for each address of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StackFrame {
    /// The name of the function, or that of the future whose `poll` it is.
    pub(super) name: &'static str,
    /// The file, or an empty text if it is unknown.
    pub(super) file: &'static str,
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) origin: FrameOrigin,
}

/// The functions at one address: several, if the compiler has inlined some.
type FramesAt = &'static [StackFrame];

static RESOLVED: PerProcess<HashMap<usize, FramesAt>> = PerProcess::new();

/// Returns the functions of a trace, the outermost first.
///
/// The poll of the task and the clone of the waker are left out, and so are the inner functions of
/// a dependency.
pub(super) fn frames(addresses: &[usize]) -> Vec<StackFrame> {
    let mut frames = all_frames(addresses);
    let is = |origin| move |frame: &StackFrame| frame.origin == origin;
    let begin = frames.iter().rposition(is(FrameOrigin::TaskPoll));
    frames.drain(..begin.map_or(0, |last| last + 1));
    let end = frames.iter().position(is(FrameOrigin::Clone));
    frames.truncate(end.unwrap_or(frames.len()));
    frames.retain(|frame| frame.origin != FrameOrigin::Plumbing);
    frames.dedup_by(|inner, outer| inner.is_detail_of(outer));
    frames
}

/// Returns the functions of a backtrace in the poll of a task, the innermost first.
///
/// The poll of the task and the functions that have called it are left out, and so are the inner
/// functions of a dependency and those of the standard library.
pub(super) fn frames_in_poll(addresses: &[usize]) -> Vec<StackFrame> {
    let mut frames = all_frames(addresses);
    let is_poll = |frame: &StackFrame| frame.origin == FrameOrigin::TaskPoll;
    let begin = frames.iter().rposition(is_poll);
    frames.drain(..begin.map_or(0, |last| last + 1));
    frames.retain(|frame| frame.origin != FrameOrigin::Plumbing);
    frames.dedup_by(|inner, outer| inner.is_detail_of(outer));
    frames.reverse();
    frames
}

fn all_frames(addresses: &[usize]) -> Vec<StackFrame> {
    let mut resolved = RESOLVED.lock();
    let mut frames = Vec::new();
    for address in addresses {
        let at = resolved
            .entry(*address)
            .or_insert_with(|| resolve(*address));
        frames.extend_from_slice(at);
    }
    drop(resolved);
    frames.reverse();
    frames
}

/// Finds the functions at a return address, the innermost first.
fn resolve(address: usize) -> FramesAt {
    let mut frames = Vec::new();
    backtrace::resolve(std::ptr::without_provenance_mut(address), |symbol| {
        frames.push(StackFrame::of(symbol));
    });
    if frames.is_empty() {
        frames.push(StackFrame {
            name: format!("{address:#x}").leak(),
            file: "",
            line: 0,
            column: 0,
            origin: FrameOrigin::Program,
        });
    }
    frames.leak()
}

impl StackFrame {
    fn of(symbol: &Symbol) -> Self {
        let path = symbol
            .filename()
            .map(|path| path.to_string_lossy().into_owned());
        let path = path.unwrap_or_default();
        let function = symbol
            .name()
            .map_or_else(String::new, |name| format!("{name:#}"));
        Self {
            name: shown_name(&function, &path).leak(),
            file: shown_path(&path).to_owned().leak(),
            line: symbol.lineno().unwrap_or(0),
            column: symbol.colno().unwrap_or(0),
            origin: FrameOrigin::of(&function, &path),
        }
    }

    /// Returns `true` if the function is not shown inside of another one: an inner function of the
    /// same dependency, or the same line of the program.
    fn is_detail_of(&self, outer: &Self) -> bool {
        if self.origin != outer.origin {
            return false;
        }
        match self.origin {
            FrameOrigin::Dependency => {
                self.package() == outer.package() && self.package() != "volt"
            }
            _ => (self.file, self.line) == (outer.file, outer.line) && self.line != 0,
        }
    }

    /// Returns the name of the crate of a function of a dependency.
    fn package(&self) -> &str {
        let name = self.name.trim_start_matches(['<', '&']);
        name.split("::").next().unwrap_or(name)
    }
}

/// Returns the text of a path: relative to the working folder or to the folder of dependencies.
fn shown_path(path: &str) -> &str {
    if let Some(rest) = dependency_path(path) {
        return rest;
    }
    let folder = std::env::current_dir().unwrap_or_default();
    let rest = folder.to_str().and_then(|folder| path.strip_prefix(folder));
    rest.and_then(|rest| rest.strip_prefix('/')).unwrap_or(path)
}

/// Returns the name of an `async fn` without its closure, and of a `poll` that of its future.
fn shown_name(function: &str, path: &str) -> String {
    let function = function
        .split_once('<')
        .map_or(function, |(name, generics)| match name {
            "" | "&" => function,
            _ if generics.contains(">::") => function,
            name => name,
        });
    if !function.contains("::") {
        return shown_short_name(function, path);
    }
    let of_future = function
        .strip_prefix('<')
        .and_then(|name| name.strip_suffix(POLL));
    let name = of_future.unwrap_or(function);
    let end = name
        .rfind("::{")
        .filter(|end| name[*end..].contains("closure"));
    name[..end.unwrap_or(name.len())].to_owned()
}

/// Returns the name of a function whose name in the debug information has no path.
fn shown_short_name(function: &str, path: &str) -> String {
    if let Some(module) = module_of(path) {
        return match function {
            "poll" => module,
            _ if function.starts_with('{') => module,
            _ => format!("{module}::{function}"),
        };
    }
    let kind = function
        .trim_start_matches('{')
        .split('#')
        .next()
        .unwrap_or(function);
    match kind {
        "async_fn" => "async fn".to_owned(),
        "async_block" => "async block".to_owned(),
        "async_closure" => "async closure".to_owned(),
        "closure" => "closure".to_owned(),
        _ => function.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{FrameOrigin, shown_name, shown_path};

    const TOKIO: &str = "/a/registry/src/index.crates.io-19/tokio-1.54.1/src/sync/notify.rs";

    #[test]
    fn names_omit_polls_and_closures() {
        let names = [
            ("app::wait::{{closure}}", "/a/src/main.rs", "app::wait"),
            (
                "app::wait::{{closure}}::{{closure}}",
                "/a/src/main.rs",
                "app::wait::{{closure}}",
            ),
            (
                "app[1f]::wait::{closure#0}",
                "/a/src/main.rs",
                "app[1f]::wait",
            ),
            (
                "<app::Wait as core::future::future::Future>::poll",
                "/a.rs",
                "app::Wait",
            ),
            ("app::Cell<T>::get", "/a.rs", "app::Cell<T>::get"),
            ("advance<app::Wait, bool>", "/a.rs", "advance"),
            ("{async_fn#0}", "/a.rs", "async fn"),
            ("{async_block#2}", "/a.rs", "async block"),
            ("poll", TOKIO, "tokio::sync::notify"),
            ("{closure#5}", TOKIO, "tokio::sync::notify"),
            ("acquire<T>", TOKIO, "tokio::sync::notify::acquire"),
        ];
        for (function, path, expected) in names {
            assert_eq!(shown_name(function, path), expected, "{function}");
        }
    }

    #[test]
    fn origin_follows_from_the_file() {
        let volt = |file: &str| format!("{}/src/{file}", env!("CARGO_MANIFEST_DIR"));
        let origins = [
            (
                "app::wait::{{closure}}",
                "/a/src/main.rs".to_owned(),
                FrameOrigin::Program,
            ),
            ("poll_notified", TOKIO.to_owned(), FrameOrigin::Dependency),
            (
                "poll<T>",
                "/rustc/59/library/core/src/future.rs".to_owned(),
                FrameOrigin::Plumbing,
            ),
            (
                "poll_future<T>",
                volt("task/memory/cell.rs"),
                FrameOrigin::TaskPoll,
            ),
            (
                "clone_recorded",
                volt("task/reference/waker.rs"),
                FrameOrigin::Clone,
            ),
            (
                "advance<app::Wait>",
                volt("machine/run.rs"),
                FrameOrigin::Plumbing,
            ),
            ("poll", volt("time/sleeping.rs"), FrameOrigin::Dependency),
            ("register", volt("time/sleeping.rs"), FrameOrigin::Plumbing),
            (
                "core::ops::function::FnOnce::call_once",
                String::new(),
                FrameOrigin::Plumbing,
            ),
            ("app::main", String::new(), FrameOrigin::Program),
        ];
        for (function, path, expected) in origins {
            assert_eq!(FrameOrigin::of(function, &path), expected, "{function}");
        }
    }

    #[test]
    fn path_of_a_dependency_begins_with_its_version() {
        assert_eq!(shown_path(TOKIO), "tokio-1.54.1/src/sync/notify.rs");
    }
}
