//! `Introspect`: how the runtime reads the current state of an expanded machine.
//!
//! The compiler checks every function of every machine. So an expanded machine only names an
//! accessor type. The functions of the accessor are generic code, which is checked once.

use core::ops::DerefMut;
use core::pin::Pin;

use super::state_machine::StateMachine;
use crate::description::{Layout, PositionLayout, State, Tables, Transition};
use crate::inspect::Inspect;
use crate::inspector::{Inspector, MachineAccess};
use crate::node::Node;

/// A machine that names the accessor of its state.
///
/// # Safety
///
/// `Accessor` fits every value of the type, whatever its lifetimes. If `Accessor` is an
/// `ExpandedAccessor`, the type itself has all the bounds of the implementation.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a state machine",
    label = "no states to ask for",
    note = "put `#[volt::state_machine]` on the `async fn` that makes it"
)]
pub unsafe trait Introspect {
    /// The accessor of the state.
    type Accessor: Accessor<Self>;
}

/// Reads the state of machines of type `M`.
///
/// The functions are called only for machines that name this accessor.
pub trait Accessor<M: ?Sized> {
    /// The value of [`StateMachine::TABLES`].
    const TABLES: &'static Tables = Tables::NONE;
    /// The value of [`StateMachine::NAME`].
    const NAME: &'static str = Self::TABLES.name;
    /// The value of [`StateMachine::STATES`].
    const STATES: &'static [State] = Self::TABLES.states;
    /// The value of [`StateMachine::TRANSITIONS`].
    const TRANSITIONS: &'static [Transition] = Self::TABLES.transitions;
    /// The value of [`StateMachine::NATIVE_SIZE`].
    const NATIVE_SIZE: Option<usize> = None;
    /// The value of [`StateMachine::LAYOUT`].
    const LAYOUT: Layout = Self::TABLES.layout;
    /// The value of [`StateMachine::POSITION`].
    const POSITION: PositionLayout = PositionLayout::Unknown;
    /// The value of [`StateMachine::ACCESS`].
    const ACCESS: Option<&'static dyn MachineAccess> = None;

    /// Returns the current state of the machine.
    ///
    /// # Safety
    ///
    /// The machine names this accessor.
    unsafe fn state(machine: &M) -> &'static State;

    /// Visits the machine's state, then the states of the future that it awaits.
    ///
    /// # Safety
    ///
    /// The machine names this accessor.
    unsafe fn trace(machine: &M, visit: &mut dyn FnMut(&'static State));

    /// Reports the machine as one node, with the future that it awaits.
    ///
    /// # Safety
    ///
    /// The machine names this accessor.
    unsafe fn inspect(machine: Pin<&mut M>, inspector: &mut Inspector<'_>) {
        // SAFETY: promised by the caller.
        let state = unsafe { Self::state(&machine) };
        inspector.node(&Node::of_state(state), |_| ());
    }
}

/// The accessor of a machine that the attribute has expanded, which may be
/// [registered](super::register::Register).
///
/// A box or a reference has the accessor [`ThroughPin`], and is registered by its own wrapper.
pub trait ExpandedAccessor {}

#[diagnostic::do_not_recommend]
impl<M: Introspect + ?Sized> StateMachine for M {
    const TABLES: &'static Tables = <M::Accessor as Accessor<M>>::TABLES;
    const NAME: &'static str = <M::Accessor as Accessor<M>>::NAME;
    const STATES: &'static [State] = <M::Accessor as Accessor<M>>::STATES;
    const TRANSITIONS: &'static [Transition] = <M::Accessor as Accessor<M>>::TRANSITIONS;
    const NATIVE_SIZE: Option<usize> = <M::Accessor as Accessor<M>>::NATIVE_SIZE;
    const LAYOUT: Layout = <M::Accessor as Accessor<M>>::LAYOUT;
    const POSITION: PositionLayout = <M::Accessor as Accessor<M>>::POSITION;
    const ACCESS: Option<&'static dyn MachineAccess> = <M::Accessor as Accessor<M>>::ACCESS;

    fn state(&self) -> &'static State {
        // SAFETY: `M` names this accessor.
        unsafe { <M::Accessor as Accessor<M>>::state(self) }
    }

    fn trace(&self, visit: &mut dyn FnMut(&'static State)) {
        // SAFETY: `M` names this accessor.
        unsafe { <M::Accessor as Accessor<M>>::trace(self, visit) }
    }

    fn inspect_machine(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        // SAFETY: `M` names this accessor.
        unsafe { <M::Accessor as Accessor<M>>::inspect(self, inspector) }
    }
}

#[diagnostic::do_not_recommend]
impl<M: Introspect<Accessor: ExpandedAccessor>> Inspect for M {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        self.inspect_machine(inspector);
    }
}

/// The accessor of a reference to a machine.
#[derive(Debug)]
pub struct ThroughReference;

/// The accessor of a pinned pointer to a machine.
#[derive(Debug)]
pub struct ThroughPin;

// SAFETY: every such reference leads to a machine.
unsafe impl<M: StateMachine + ?Sized> Introspect for &mut M {
    type Accessor = ThroughReference;
}

// SAFETY: every such pointer leads to a machine.
unsafe impl<P> Introspect for Pin<P>
where
    P: DerefMut,
    P::Target: StateMachine,
{
    type Accessor = ThroughPin;
}

/// Implements the accessor of a pointer to a machine.
macro_rules! through_pointer {
    ($Accessor:ident: $Pointer:ty, [$($parameters:tt)*] $Target:ty { $($inspect:item)? }) => {
        impl<$($parameters)*> Accessor<$Pointer> for $Accessor {
            const TABLES: &'static Tables = <$Target as StateMachine>::TABLES;
            const NAME: &'static str = <$Target as StateMachine>::NAME;
            const STATES: &'static [State] = <$Target as StateMachine>::STATES;
            const TRANSITIONS: &'static [Transition] = <$Target as StateMachine>::TRANSITIONS;
            const NATIVE_SIZE: Option<usize> = <$Target as StateMachine>::NATIVE_SIZE;
            const LAYOUT: Layout = <$Target as StateMachine>::LAYOUT;

            unsafe fn state(machine: &$Pointer) -> &'static State {
                (**machine).state()
            }

            unsafe fn trace(machine: &$Pointer, visit: &mut dyn FnMut(&'static State)) {
                (**machine).trace(visit);
            }

            $($inspect)?
        }
    };
}

through_pointer! {
    ThroughReference: &mut M, [M: StateMachine + ?Sized] M {}
}

through_pointer! {
    ThroughPin: Pin<P>, [P: DerefMut<Target: StateMachine>] P::Target {
        unsafe fn inspect(machine: Pin<&mut Pin<P>>, inspector: &mut Inspector<'_>) {
            machine.as_deref_mut().inspect_machine(inspector);
        }
    }
}
