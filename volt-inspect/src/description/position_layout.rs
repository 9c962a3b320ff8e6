//! `PositionLayout`: the place of a future's position, for debuggers.

use core::any::TypeId;

#[cfg(target_has_atomic = "ptr")]
use super::suspend_slot::SuspendSlot;
use super::tables::Tables;

/// The bytes of a future that lead to its current state.
///
/// A debugger reads them in a core file, where no function of the program can be called. So the
/// representation is fixed, and `tools/gdb/volt.py` knows it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
#[repr(C, u64)]
pub enum PositionLayout {
    /// The state is at no fixed place.
    Unknown,
    /// The byte at the offset is an index in the states of these tables.
    Tag {
        offset: usize,
        tables: &'static Tables,
    },
    /// The pointer at the offset is null before the first poll. Otherwise it leads to a pointer to
    /// the state.
    Site { offset: usize },
    /// The future is a pointer to a future of this type.
    Pointer { type_id: TypeId },
    /// There is a future of this type at the offset.
    Field { offset: usize, type_id: TypeId },
    /// The byte at `stage` is 0 before the first poll, 1 if the machine has returned, and 2 if it
    /// has panicked. Otherwise the byte at `tag` is the index of a suspend point, plus three.
    #[cfg(target_has_atomic = "ptr")]
    Suspended {
        stage: usize,
        tag: usize,
        tables: &'static Tables,
        slots: &'static [SuspendSlot],
    },
}
