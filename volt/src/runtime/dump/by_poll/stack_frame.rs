//! `StackFrame`: a function on the stack of an inspection poll, with its name and line.

use std::collections::HashMap;

use super::frame_names::{UNNAMED_FUNCTION, is_unnamed_body, shown_path};
use super::frame_origin::FrameOrigin;
use super::frame_role::FrameRole;
use super::function_at::{FunctionAt, name_inlined_body};
#[cfg(target_os = "linux")]
use super::lookup::SymbolTable;
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
    pub(super) role: FrameRole,
}

/// The functions at one address: several, if the compiler has inlined some.
type FramesAt = &'static [StackFrame];

static RESOLVED: PerProcess<Resolved> = PerProcess::new();

/// The functions that were found so far.
#[derive(Default)]
struct Resolved {
    at: HashMap<usize, FramesAt>,
    /// The symbol table of the executable, after its first use.
    #[cfg(target_os = "linux")]
    symbols: Option<SymbolTable>,
}

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
    let mut frames = all_frames_in_poll(addresses);
    frames.retain(|frame| frame.origin != FrameOrigin::Plumbing);
    frames.dedup_by(|inner, outer| inner.is_detail_of(outer));
    frames.reverse();
    frames
}

/// Returns the functions of the program that have dropped a waker, the innermost first.
///
/// The list begins with the first function of the program, and ends with the poll of a task. The
/// functions before it are those of the runtime and of the standard library.
pub(super) fn frames_at_drop(addresses: &[usize]) -> Vec<StackFrame> {
    let mut frames = all_frames(addresses);
    frames.reverse();
    let poll = frames
        .iter()
        .position(|frame| frame.origin == FrameOrigin::TaskPoll);
    frames.truncate(poll.unwrap_or(frames.len()));
    let begin = frames.iter().position(StackFrame::is_of_program);
    frames.drain(..begin.unwrap_or(frames.len()));
    frames.retain(|frame| frame.origin != FrameOrigin::Plumbing);
    // The functions are compared with those that have called them.
    frames.reverse();
    frames.dedup_by(|inner, outer| inner.is_detail_of(outer));
    frames.reverse();
    frames
}

/// Returns the files of the innermost functions of a backtrace that are steps between others, such
/// as those of the standard library.
pub(super) fn innermost_files(addresses: &[usize]) -> Vec<&'static str> {
    let from_innermost = all_frames(addresses).into_iter().rev();
    // A function of the C library may have no file.
    let is_step =
        |frame: &StackFrame| frame.origin == FrameOrigin::Plumbing || frame.file.is_empty();
    let steps = from_innermost.take_while(is_step);
    steps.map(|frame| frame.file).collect()
}

/// Returns the functions in the poll of a task, the outermost first, with all steps between them.
pub(super) fn all_frames_in_poll(addresses: &[usize]) -> Vec<StackFrame> {
    let mut frames = all_frames(addresses);
    let is_poll = |frame: &StackFrame| frame.origin == FrameOrigin::TaskPoll;
    let begin = frames.iter().rposition(is_poll);
    frames.drain(..begin.map_or(0, |last| last + 1));
    frames
}

fn all_frames(addresses: &[usize]) -> Vec<StackFrame> {
    let mut resolved = RESOLVED.lock();
    let mut frames = Vec::new();
    for address in addresses {
        frames.extend_from_slice(resolved.frames_at(*address));
    }
    drop(resolved);
    frames.reverse();
    frames
}

impl Resolved {
    /// Finds the functions at a return address, the innermost first.
    fn frames_at(&mut self, address: usize) -> FramesAt {
        if let Some(frames) = self.at.get(&address) {
            return frames;
        }
        let mut functions = Vec::new();
        backtrace::resolve(std::ptr::without_provenance_mut(address), |symbol| {
            functions.push(FunctionAt::of(symbol));
        });
        match functions.last_mut() {
            None => functions.push(FunctionAt::unknown(address)),
            // The outermost function is not inlined, so it has a symbol.
            Some(outermost) if is_unnamed_body(&outermost.name) => {
                if let Some(name) = self.body_at(address) {
                    outermost.name = name;
                }
            }
            Some(_) => {}
        }
        name_inlined_body(&mut functions);
        let frames: Vec<StackFrame> = functions.iter().map(StackFrame::of).collect();
        let frames = frames.leak();
        self.at.insert(address, frames);
        frames
    }

    #[cfg(target_os = "linux")]
    fn body_at(&mut self, address: usize) -> Option<String> {
        let symbols = self.symbols.get_or_insert_with(SymbolTable::of_process);
        symbols.body_at(address).map(str::to_owned)
    }

    #[cfg(not(target_os = "linux"))]
    fn body_at(&mut self, _: usize) -> Option<String> {
        None
    }
}

impl StackFrame {
    fn of(function: &FunctionAt) -> Self {
        let FunctionAt { name, path, .. } = function;
        Self {
            name: function.shown_name().leak(),
            file: shown_path(path).to_owned().leak(),
            line: function.line,
            column: function.column,
            origin: function.origin(),
            role: FrameRole::of(name),
        }
    }

    /// Names an `async fn` of unknown name that is the future of a task, by the type of the future.
    pub(super) fn name_root(&mut self, type_name: &'static str) {
        if self.name == UNNAMED_FUNCTION
            && let Some(function) = type_name.strip_suffix("::{{closure}}")
        {
            self.name = function;
        }
    }

    /// Names the outermost function of a task or job, unless it has a name of its own: an
    /// `async fn`, a closure, or the function of a machine.
    pub(super) fn name_function_of_task(&mut self, path_of_type: &'static str) {
        let names = [
            UNNAMED_FUNCTION,
            "async block",
            "closure",
            "advance",
            "poll",
        ];
        if names.contains(&self.name) {
            self.name = path_of_type;
        }
    }

    /// Returns the function without the line at which it is.
    pub(super) fn function(&self) -> (&'static str, &'static str) {
        (self.name, self.file)
    }

    /// Returns `true` for a function of the program with a name. A function without debug
    /// information has only the path in its name.
    fn is_of_program(&self) -> bool {
        let name = self.name.trim_start_matches(['<', '&']);
        let is_named = !self.file.is_empty() || name.contains("::");
        self.origin == FrameOrigin::Program && is_named && !name.starts_with("backtrace::")
    }

    /// Returns `true` if the function is not shown inside of another one: an inner function of the
    /// same dependency, the same line of the program, or without lines, the same name.
    fn is_detail_of(&self, outer: &Self) -> bool {
        if self.origin != outer.origin {
            return false;
        }
        match self.origin {
            FrameOrigin::Dependency => {
                self.package() == outer.package() && self.package() != "volt"
            }
            _ if self.line == 0 => outer.line == 0 && self.name == outer.name,
            _ => (self.file, self.line) == (outer.file, outer.line),
        }
    }

    /// Returns `true` if the name of the function contains this name of a type, such as the name
    /// `<impl Future for app::Wait<T>>::poll` contains `Wait`.
    pub(super) fn names(&self, type_name: &str) -> bool {
        let is_end = |letter: char| matches!(letter, '<' | '>' | ' ' | ',' | '(' | ')' | '&');
        let mut paths = self.name.split(is_end);
        !type_name.is_empty() && paths.any(|path| path.rsplit("::").next() == Some(type_name))
    }

    /// Returns the name of the crate of a function of a dependency.
    fn package(&self) -> &str {
        let name = self.name.trim_start_matches(['<', '&']);
        name.split("::").next().unwrap_or(name)
    }
}

#[cfg(test)]
mod tests {
    use super::{FrameOrigin, FrameRole, StackFrame};

    #[test]
    fn root_is_named_by_the_type_of_its_future() {
        let mut frame = StackFrame {
            name: "async fn",
            file: "src/main.rs",
            line: 1,
            column: 1,
            origin: FrameOrigin::Program,
            role: FrameRole::Other,
        };
        frame.name_root("app::Machine");
        assert_eq!(frame.name, "async fn", "a machine has its own node");
        frame.name_root("app::serve::{{closure}}");
        assert_eq!(frame.name, "app::serve");
    }

    #[test]
    fn function_of_a_task_is_named_by_its_type() {
        let mut frame = StackFrame {
            name: "advance",
            file: "src/main.rs",
            line: 1,
            column: 1,
            origin: FrameOrigin::Program,
            role: FrameRole::Other,
        };
        frame.name_function_of_task("app::Serve");
        assert_eq!(frame.name, "app::Serve");
        frame.name_function_of_task("app::Other");
        assert_eq!(frame.name, "app::Serve", "a function with a name keeps it");
    }

    const TOKIO: &str = "/a/registry/src/index.crates.io-19/tokio-1.54.1/src/sync/notify.rs";

    #[test]
    fn function_of_a_machine_names_its_type() {
        let names = |name: &'static str, type_name: &str| {
            let frame = StackFrame {
                name,
                file: "",
                line: 0,
                column: 0,
                origin: FrameOrigin::Program,
                role: FrameRole::Other,
            };
            frame.names(type_name)
        };
        assert!(names("app::Wait", "Wait"));
        assert!(names("app::Wait<T>", "Wait"));
        assert!(names(
            "app::_::<impl volt::Explicit for app::Wait>::advance",
            "Wait"
        ));
        assert!(!names(
            "app::_::<impl volt::Explicit for app::Wait>::advance",
            "Explicit for"
        ));
        assert!(!names("app::Waits", "Wait"));
        assert!(!names("app::LongWait", "Wait"));
        assert!(!names("app::Wait", ""));
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
            (
                "syscall",
                "./misc/../sysdeps/unix/sysv/linux/x86_64/syscall.S".to_owned(),
                FrameOrigin::Plumbing,
            ),
            ("app::main", String::new(), FrameOrigin::Program),
        ];
        for (function, path, expected) in origins {
            assert_eq!(FrameOrigin::of(function, &path), expected, "{function}");
        }
    }
}
