//! Where a machine can stand, and where it stands.

use core::fmt;

use super::diagram::Diagram;

/// One state of a machine: its start, one of its suspend points, or its end.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct State {
    /// Name of the machine's type.
    pub machine: &'static str,
    /// Place in [`StateMachine::STATES`].
    pub index: usize,
    /// The label given by `#[state(Name)]`, or what the state waits for: `await sleep`.
    pub name: &'static str,
    /// Source file of the function.
    pub file: &'static str,
    /// Line of the `await`, or of the function for the states that await nothing.
    pub line: u32,
    /// Column of the `await`, counted from one.
    pub column: u32,
    /// What the machine keeps in this state, in the order in which it would be dropped.
    pub locals: &'static [Local],
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

/// Something a machine keeps across a suspend point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Local {
    /// The name in the source.
    pub name: &'static str,
    /// The type as it is written in the source.
    pub ty: &'static str,
}

impl Local {
    /// Builds a local; expanded code calls this.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(name: &'static str, ty: &'static str) -> Self {
        Self { name, ty }
    }
}

/// A step that a machine can take within one poll, by the places of its ends in
/// [`StateMachine::STATES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Transition {
    /// Where the step starts.
    pub from: usize,
    /// Where it ends.
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

/// A future made by `#[volt::state_machine]`.
///
/// # Examples
///
/// ```
/// use volt::machine::StateMachine;
///
/// #[volt::state_machine]
/// async fn pause(first: std::future::Ready<u8>) -> u8 {
///     first.await
/// }
///
/// let machine = pause(std::future::ready(1));
/// assert_eq!(machine.state().name, "start");
/// assert_eq!(Pause::STATES[1].name, "await first");
/// assert!(Pause::mermaid().to_string().starts_with("stateDiagram-v2"));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a state machine",
    label = "no states to ask for",
    note = "put `#[volt::state_machine]` on the `async fn` that makes it"
)]
pub trait StateMachine {
    /// The name of the machine's type.
    const NAME: &'static str;

    /// Every state: the start, the suspend points in source order, the end.
    const STATES: &'static [State];

    /// Every step from one state to another.
    const TRANSITIONS: &'static [Transition];

    /// The size in bytes of the future that the compiler makes of the same function, where that
    /// is known: the function is not generic, and its twin is not switched off. The machine is
    /// never larger.
    const NATIVE_SIZE: Option<usize> = None;

    /// The state in which the machine stands.
    fn state(&self) -> &'static State;

    /// Visits the machine's state, then that of the machine it awaits, down to the innermost.
    fn trace(&self, visit: &mut dyn FnMut(&'static State));

    /// The states and steps as a Mermaid `stateDiagram-v2`.
    #[must_use]
    fn mermaid() -> Diagram {
        Diagram::mermaid(Self::NAME, Self::STATES, Self::TRANSITIONS)
    }

    /// The states and steps as a Graphviz `digraph`.
    #[must_use]
    fn dot() -> Diagram {
        Diagram::dot(Self::NAME, Self::STATES, Self::TRANSITIONS)
    }
}

impl<M: StateMachine + ?Sized> StateMachine for &mut M {
    const NAME: &'static str = M::NAME;
    const STATES: &'static [State] = M::STATES;
    const TRANSITIONS: &'static [Transition] = M::TRANSITIONS;
    const NATIVE_SIZE: Option<usize> = M::NATIVE_SIZE;

    fn state(&self) -> &'static State {
        (**self).state()
    }

    fn trace(&self, visit: &mut dyn FnMut(&'static State)) {
        (**self).trace(visit);
    }
}
