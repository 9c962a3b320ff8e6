//! `StateMachine`: the interface of all machines.

use core::pin::Pin;

use crate::description::{Diagram, Layout, PositionLayout, State, Tables, Transition};
use crate::inspector::{Inspector, MachineAccess};
use crate::node::Node;

/// A future made by `#[volt::state_machine]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a state machine",
    label = "no states to ask for",
    note = "put `#[volt::state_machine]` on the `async fn` that makes it"
)]
pub trait StateMachine {
    /// The tables that the constants below are read from.
    #[doc(hidden)]
    const TABLES: &'static Tables = Tables::NONE;

    /// The name of the machine's type.
    const NAME: &'static str = Self::TABLES.name;

    /// Every state: the start, the suspend points in source order, the end.
    const STATES: &'static [State] = Self::TABLES.states;

    /// Every step from one state to another.
    const TRANSITIONS: &'static [Transition] = Self::TABLES.transitions;

    /// The size in bytes of the future that the compiler creates for the same function, if it is
    /// known. It is known for machines without type parameters that the macro could lay out
    /// explicitly. Such a machine is never larger than that future, or it stores that future and
    /// one byte, and then its layout is [`Layout::Native`]. For other native machines it is `None`.
    const NATIVE_SIZE: Option<usize> = None;

    /// The layout of the values that are live across the machine's awaits.
    const LAYOUT: Layout = Self::TABLES.layout;

    /// The place of the state in the machine's bytes.
    #[doc(hidden)]
    const POSITION: PositionLayout = PositionLayout::Unknown;

    /// The access to machines of the type by their addresses, if it needs no code of the type.
    #[doc(hidden)]
    const ACCESS: Option<&'static dyn MachineAccess> = None;

    /// Returns the current state of the machine.
    fn state(&self) -> &'static State;

    /// Visits the machine's state, then that of the machine it awaits, down to the innermost.
    fn trace(&self, visit: &mut dyn FnMut(&'static State));

    /// Reports the machine as one node, with the future that it awaits.
    ///
    /// The default calls the [`Inspect`](crate::Inspect) implementation of a registered type, and
    /// reports only the state of other types.
    #[doc(hidden)]
    fn inspect_machine(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        let Some(inspect) = inspector.find_inspect::<Self>() else {
            inspector.node(&Node::of_state(self.state()), |_| ());
            return;
        };
        // SAFETY: nothing is moved out.
        let machine: *mut Self = unsafe { Pin::get_unchecked_mut(self) };
        // SAFETY: it is registered for this type, and the machine is borrowed and pinned.
        unsafe { inspector.inspect_by(inspect, machine.cast()) };
    }

    /// Returns the states and steps as a Mermaid `stateDiagram-v2`.
    #[must_use]
    fn mermaid() -> Diagram {
        Diagram::mermaid(Self::NAME, Self::STATES, Self::TRANSITIONS)
    }

    /// Returns the states and steps as a Graphviz `digraph`.
    #[must_use]
    fn dot() -> Diagram {
        Diagram::dot(Self::NAME, Self::STATES, Self::TRANSITIONS)
    }
}
