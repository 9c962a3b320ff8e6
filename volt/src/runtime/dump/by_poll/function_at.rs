//! `FunctionAt`: a function at an address of code, as the debug information describes it.

use backtrace::Symbol;

use super::frame_names::{UNNAMED_FUNCTION, is_machine_body, machine_of, shown_name};
use super::frame_origin::FrameOrigin;
use crate::task::machine_tables;

/// A function at an address, as the debug information describes it.
pub(super) struct FunctionAt {
    pub(super) name: String,
    pub(super) path: String,
    pub(super) line: u32,
    pub(super) column: u32,
}

impl FunctionAt {
    pub(super) fn of(symbol: &Symbol) -> Self {
        let path = symbol.filename().map(|path| path.to_string_lossy());
        let name = symbol.name().map(|name| format!("{name:#}"));
        Self {
            name: name.unwrap_or_default(),
            path: path.unwrap_or_default().into_owned(),
            line: symbol.lineno().unwrap_or(0),
            column: symbol.colno().unwrap_or(0),
        }
    }

    pub(super) fn origin(&self) -> FrameOrigin {
        FrameOrigin::of(&self.name, &self.path)
    }

    /// Returns the name of the function. A body of a machine has the name of the machine that waits
    /// at its line, if it is registered.
    pub(super) fn shown_name(&self) -> String {
        if !is_machine_body(&self.name) {
            return shown_name(&self.name, &self.path);
        }
        let mut states = machine_tables().flat_map(|tables| tables.states);
        let state = states.find(|state| state.line == self.line && self.path.ends_with(state.file));
        let name = state.map_or(UNNAMED_FUNCTION, |state| state.machine);
        name.to_owned()
    }

    pub(super) fn unknown(address: usize) -> Self {
        Self {
            name: format!("{address:#x}"),
            path: String::new(),
            line: 0,
            column: 0,
        }
    }
}

/// Names the body of a machine that the compiler has inlined into the `poll` of the machine. The
/// names of inlined functions have no paths in a profile with line tables only.
pub(super) fn name_inlined_body(functions: &mut [FunctionAt]) {
    let Some((outermost, inlined)) = functions.split_last_mut() else {
        return;
    };
    let is_of_program = |function: &&mut FunctionAt| function.origin() == FrameOrigin::Program;
    let body = inlined.iter_mut().rev().find(is_of_program);
    if let Some(body) = body.filter(|body| is_machine_body(&body.name))
        && machine_of(&outermost.name).is_some()
    {
        body.name.clone_from(&outermost.name);
    }
}

#[cfg(test)]
mod tests {
    use super::{FunctionAt, name_inlined_body};

    const BODY: &str = "advance<volt::machine::expansion::inferred::modes::mode::PollMode<true>>";

    fn function(name: &str) -> FunctionAt {
        FunctionAt {
            name: name.to_owned(),
            path: "/a/src/main.rs".to_owned(),
            line: 7,
            column: 1,
        }
    }

    /// Returns the names of these functions, the innermost first.
    fn shown(names: &[&str]) -> Vec<String> {
        let mut functions: Vec<_> = names.iter().map(|name| function(name)).collect();
        name_inlined_body(&mut functions);
        functions.iter().map(FunctionAt::shown_name).collect()
    }

    #[test]
    fn inlined_body_has_the_name_of_its_machine() {
        let poll = "app::_::<impl core::future::future::Future for app::Wait>::poll";
        assert_eq!(shown(&[BODY, poll]), ["app::Wait", "app::Wait"]);
        // The inner machine is an other one.
        let names = shown(&[BODY, "poll", BODY, poll]);
        assert_eq!(names, ["async fn", "poll", "app::Wait", "app::Wait"]);
        assert_eq!(shown(&[BODY, "app::main"]), ["async fn", "app::main"]);
    }

    #[test]
    fn other_function_named_advance_keeps_its_name() {
        let name = "advance<app::Clock>";
        assert_eq!(shown(&[name, "app::main"]), ["advance", "app::main"]);
        assert_eq!(shown(&[]), [""; 0]);
    }
}
