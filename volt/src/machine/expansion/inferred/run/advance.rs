//! `ExplicitMachine`: the code of a machine, which the macro writes.

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
