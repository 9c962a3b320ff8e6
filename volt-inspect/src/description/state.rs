//! States of a machine, and the steps between them.

use core::fmt;

/// One state of a machine: its start, one of its suspend points, or its end.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct State {
    /// Name of the machine's type.
    pub machine: &'static str,
    /// Place in [`StateMachine::STATES`](crate::machine::StateMachine::STATES).
    pub index: usize,
    /// The label given by `#[state(Name)]`, or what the state waits for: `await sleep`.
    pub name: &'static str,
    /// Source file of the function.
    pub file: &'static str,
    /// Line of the `await`, or of the function for the states that await nothing.
    pub line: u32,
    /// Column of the `await`, counted from one.
    pub column: u32,
    /// The locals that the machine stores in this state, in the order in which it would drop them.
    pub locals: &'static [Local],
    /// The size in bytes of the future that the state waits for. It is known in the explicit layout
    /// of functions without type parameters.
    pub future: Option<usize>,
}

impl State {
    /// Builds a state; expanded code calls this.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(
        machine: &'static str,
        index: usize,
        name: &'static str,
        (file, line, column): (&'static str, u32, u32),
        locals: &'static [Local],
    ) -> Self {
        Self {
            machine,
            index,
            name,
            file,
            line,
            column,
            locals,
            future: None,
        }
    }
}

impl fmt::Display for State {
    /// Writes `await sleep @ 12:9`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} @ {}:{}", self.name, self.line, self.column)
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} @ {}:{}:{}",
            self.name, self.file, self.line, self.column
        )
    }
}

/// A value that a machine stores across a suspend point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Local {
    /// The name in the source.
    pub name: &'static str,
    /// The type as it is written in the source.
    pub ty: &'static str,
    /// The size in bytes. It is known in the explicit layout of functions without type parameters.
    pub size: Option<usize>,
}

impl Local {
    /// Builds a local; expanded code calls this.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(name: &'static str, ty: &'static str) -> Self {
        let size = None;
        Self { name, ty, size }
    }
}

/// A step that a machine can take within one poll. Its ends are indices in
/// [`StateMachine::STATES`](crate::machine::StateMachine::STATES).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Transition {
    /// The index of the state in which the step starts.
    pub from: usize,
    /// The index of the state in which it ends.
    pub to: usize,
}

impl Transition {
    /// Builds a transition; expanded code calls this.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(from: usize, to: usize) -> Self {
        Self { from, to }
    }
}
