//! `ExplicitMachine`: the code of a machine, which the macro writes.
//!
//! A machine may carry its signature for all lifetimes, and its code is then a `CarriedCode`:
//!
//! ```text
//! struct Read<'x, T, S = for<'y> fn((&'y (),)) -> PhantomData<((&'y List<T>,), T)>> { .. }
//!
//! impl<'x, T>    CarriedCode<PhantomData<((&'x List<T>,), T)>> for Read<'x, T>
//! impl<'x, T, S> Future for Read<'x, T, S>
//!     where S: AtLifetimes<(&'x (),)>, Read<'x, T, S>: CarriedCode<S::Types>
//! ```
//!
//! The code relies on the bounds that the types of the signature imply, because they are arguments
//! of its trait. The future is for all lifetimes: the default of `S` has none that could differ
//! from `'x`.

use core::task::Poll;

use super::super::modes::{Mode, Region};
use super::super::probe::LayoutInfo;
use crate::machine::expansion::native::Table;
use volt_inspect::machine::Register;

/// The code of an explicit machine.
///
/// # Safety
///
/// The machine begins with its [`Bytes`](crate::machine::expansion::inferred::Bytes), which have
/// the machine's layout. `advance`
/// keeps I1 and I2, for the slots that are filled by the tag.
pub unsafe trait ExplicitMachine: Register + Future + Table {
    /// The machine with `'static` for its lifetimes, whose constants can be named.
    type Static: LayoutInfo;

    /// Continues from the state at the tag, which is `state` if the mode polls.
    ///
    /// # Safety
    ///
    /// `base` is the first byte of a live machine. There is no other reference to the machine,
    /// except shared ones if the mode inspects. It is pinned if its state is not the start.
    unsafe fn advance<'m, M: Mode>(
        base: *mut u8,
        state: u8,
        mode: &mut M,
        region: &Region<'m>,
    ) -> Poll<Self::Output>
    where
        Self: 'm;
}

/// Types for all lifetimes, `for<'y> fn((&'y (),)) -> Types`.
pub trait AtLifetimes<Lifetimes> {
    /// The types for these lifetimes.
    type Types;
}

#[diagnostic::do_not_recommend]
impl<Lifetimes, Types, F: Fn(Lifetimes) -> Types> AtLifetimes<Lifetimes> for F {
    type Types = Types;
}

/// The code of a machine that carries its signature. `Types` are the types of the signature for the
/// lifetimes of the machine.
///
/// # Safety
///
/// As for [`ExplicitMachine`](ExplicitMachine), which calls it.
pub unsafe trait CarriedCode<Types> {
    /// The output of the machine.
    type Output;

    /// The size of the compiler's coroutine.
    const REFERENCE_SIZE: usize;

    /// The code of [`ExplicitMachine::advance`](ExplicitMachine::advance).
    ///
    /// # Safety
    ///
    /// The requirements of that function hold.
    unsafe fn advance_carried<'m, M: Mode>(
        base: *mut u8,
        state: u8,
        mode: &mut M,
        region: &Region<'m>,
    ) -> Poll<Self::Output>
    where
        Self: 'm;
}
