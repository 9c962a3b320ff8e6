//! Machines that say by a type how it is told where they stand.
//!
//! The compiler checks every function of every machine. So a machine that needs none of its own for this names a type,
//! and the functions are generic code, which is checked once.

use core::ops::Deref;
use core::pin::Pin;

use super::layout::Layout;
use super::state::{State, Transition};
use super::state_machine::StateMachine;
use super::tables::Tables;

/// A machine that says how it is told where it stands.
///
/// # Safety
///
/// `Accessor` fits every value of the type, whatever its lifetimes. Where `Accessor` is `ExpandedAccessor`, the type itself has all the bounds of
/// the implementation.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a state machine",
    label = "no states to ask for",
    note = "put `#[volt::state_machine]` on the `async fn` that makes it"
)]
pub unsafe trait Introspect {
    /// How.
    type Accessor: Accessor<Self>;
}

/// How it is told where a machine stands.
///
/// The functions are called for machines alone that say so.
pub trait Accessor<M: ?Sized> {
    /// As in [`StateMachine`].
    const TABLES: &'static Tables = Tables::NONE;
    /// As in [`StateMachine`].
    const NAME: &'static str = Self::TABLES.name;
    /// As in [`StateMachine`].
    const STATES: &'static [State] = Self::TABLES.states;
    /// As in [`StateMachine`].
    const TRANSITIONS: &'static [Transition] = Self::TABLES.transitions;
    /// As in [`StateMachine`].
    const NATIVE_SIZE: Option<usize> = None;
    /// As in [`StateMachine`].
    const LAYOUT: Layout = Self::TABLES.layout;

    /// The state in which the machine stands.
    ///
    /// # Safety
    ///
    /// The machine says that it is told so.
    unsafe fn state(machine: &M) -> &'static State;

    /// Visits the machine's state, and goes on in what it awaits.
    ///
    /// # Safety
    ///
    /// As for `state`.
    unsafe fn trace(machine: &M, visit: &mut dyn FnMut(&'static State));
}

/// How it is told of what the attribute writes: that may be [announced](super::register::Register).
///
/// A box or a reference says how by what is behind it, and is announced by its own wrapper.
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
        // SAFETY: it says so.
        unsafe { <M::Accessor as Accessor<M>>::state(self) }
    }

    fn trace(&self, visit: &mut dyn FnMut(&'static State)) {
        // SAFETY: it says so.
        unsafe { <M::Accessor as Accessor<M>>::trace(self, visit) }
    }
}

/// As what stands behind a pointer.
#[derive(Debug)]
pub struct ThroughPointer;

// SAFETY: every such pointer has a machine behind it.
unsafe impl<M: StateMachine + ?Sized> Introspect for &mut M {
    type Accessor = ThroughPointer;
}

// SAFETY: every such pointer has a machine behind it.
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
