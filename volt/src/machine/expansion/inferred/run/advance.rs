//! What the macro writes of a machine.

use core::task::Poll;

use super::super::modes::{Mode, Region};
use super::super::probe::LayoutInfo;
use crate::machine::expansion::native::Table;
use crate::machine::register::Register;

/// What the macro writes of a machine.
///
/// # Safety
///
/// The machine begins with its [`Bytes`](super::Bytes), which are as its places say. `advance` keeps I1
/// and I2, where the tag says which slots are filled.
pub unsafe trait ExplicitMachine: Register + Future + Table {
    /// The machine with no lifetimes but `'static`, whose constants can be named.
    type Static: LayoutInfo;

    /// Goes on from the state that is stored at the tag, which is `state` if the mode polls.
    ///
    /// # Safety
    ///
    /// `base` is the first byte of a live machine that nobody else has a reference to, but for
    /// looking if the mode looks. It is pinned if its state is not the start.
    unsafe fn advance<'m, M: Mode>(
        base: *mut u8,
        state: u8,
        mode: &mut M,
        region: &Region<'m>,
    ) -> Poll<Self::Output>
    where
        Self: 'm;
}
