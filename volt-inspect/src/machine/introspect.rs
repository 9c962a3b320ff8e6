//! `Introspect`: how the runtime reads the current state of an expanded machine.
//!
//! The compiler checks every function of every machine. So an expanded machine only names an
//! accessor type. The functions of the accessor are generic code, which is checked once.

use core::ops::Deref;
use core::pin::Pin;

use super::layout::Layout;
use super::state::{State, Transition};
use super::state_machine::StateMachine;
use super::tables::Tables;

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
}

/// The accessor of a machine that the attribute has expanded, which may be
/// [registered](super::register::Register).
///
/// A box or a reference has the accessor [`ThroughPointer`], and is registered by its own wrapper.
pub trait ExpandedAccessor {}

#[diagnostic::do_not_recommend]
impl<M: Introspect + ?Sized> StateMachine for M {
    const TABLES: &'static Tables = <M::Accessor as Accessor<M>>::TABLES;
    const NAME: &'static str = <M::Accessor as Accessor<M>>::NAME;
    const STATES: &'static [State] = <M::Accessor as Accessor<M>>::STATES;
    const TRANSITIONS: &'static [Transition] = <M::Accessor as Accessor<M>>::TRANSITIONS;
    const NATIVE_SIZE: Option<usize> = <M::Accessor as Accessor<M>>::NATIVE_SIZE;
    const LAYOUT: Layout = <M::Accessor as Accessor<M>>::LAYOUT;

    fn state(&self) -> &'static State {
        // SAFETY: `M` names this accessor.
        unsafe { <M::Accessor as Accessor<M>>::state(self) }
    }

    fn trace(&self, visit: &mut dyn FnMut(&'static State)) {
        // SAFETY: `M` names this accessor.
        unsafe { <M::Accessor as Accessor<M>>::trace(self, visit) }
    }
}

/// The accessor of a pointer to a machine.
#[derive(Debug)]
pub struct ThroughPointer;

// SAFETY: every such pointer leads to a machine.
unsafe impl<M: StateMachine + ?Sized> Introspect for &mut M {
    type Accessor = ThroughPointer;
}

// SAFETY: every such pointer leads to a machine.
unsafe impl<P> Introspect for Pin<P>
where
    P: Deref,
    P::Target: StateMachine,
{
    type Accessor = ThroughPointer;
}

impl<P> Accessor<P> for ThroughPointer
where
    P: Deref,
    P::Target: StateMachine,
{
    const TABLES: &'static Tables = <P::Target as StateMachine>::TABLES;
    const NAME: &'static str = <P::Target as StateMachine>::NAME;
    const STATES: &'static [State] = <P::Target as StateMachine>::STATES;
    const TRANSITIONS: &'static [Transition] = <P::Target as StateMachine>::TRANSITIONS;
    const NATIVE_SIZE: Option<usize> = <P::Target as StateMachine>::NATIVE_SIZE;
    const LAYOUT: Layout = <P::Target as StateMachine>::LAYOUT;

    unsafe fn state(machine: &P) -> &'static State {
        (**machine).state()
    }

    unsafe fn trace(machine: &P, visit: &mut dyn FnMut(&'static State)) {
        (**machine).trace(visit);
    }
}
