//! The same names without the feature `std`: a machine that records its position.

use super::super::position::{Progress, Table};
use super::super::storage::{HeaderAccessor, Inline, new_inline};
use volt_inspect::machine::Introspect;

pub use super::super::storage::{InlineMachine as CompactMachine, poll_inline as poll_compact};

/// The accessor of a machine.
pub type CompactAccessor<T> = HeaderAccessor<T, Progress>;

/// The storage of a machine.
pub type CompactStorage<A, const SIZE: usize, const ALIGN: usize, M> = Inline<A, SIZE, ALIGN, M>;

/// Creates a machine from its arguments.
#[inline]
#[must_use]
pub fn new_compact<M, A, T>(arguments: A) -> M
where
    M: CompactMachine<A> + Introspect<Accessor = CompactAccessor<T>>,
{
    new_inline(arguments)
}

/// The table of a machine that has no slots for its suspend points.
pub trait SuspendTable: Table {}
