//! The types of awaited futures in the instance of `advance` that polls them.
//!
//! A closure in `advance` has a type of its own in each instance of `advance`. So the instance that
//! inspects a machine finds no registration for a future that contains one, such as `read().map(|n|
//! n + 1)`. The instance that polls the machine knows the type that has registered itself.
//!
//! A call with [`REPORT_TYPE`] in place of the number of a block runs no block, and returns the
//! type of the current await. In a poll the compiler knows that no block has this number, so it
//! removes the code.

use core::any::TypeId;
use core::task::Poll;

use super::mode::{Mode, NotRun, no_block};

/// The number that no block has.
pub(crate) const REPORT_TYPE: u8 = u8::MAX;

/// Records the reason for which no block has the number, or the type of the current await. `state`
/// is the number of the current state, and `types` has the type of each await.
#[inline(always)]
pub fn no_block_or_type<M: Mode, T>(
    mode: &mut M,
    number: u8,
    done: u8,
    state: u8,
    types: &[TypeId],
) -> Poll<T> {
    if number == REPORT_TYPE {
        // Number 0 is the start, and the one after the last await is the end.
        let awaited = types.get(usize::from(state).wrapping_sub(1));
        return mode.not_run(awaited.map_or(NotRun::Never, |ty| NotRun::Reported(*ty)));
    }
    no_block(mode, number, done)
}
