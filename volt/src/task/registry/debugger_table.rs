//! `VOLT_INSPECT_V1`: the table by which a debugger finds the tasks in a core file.
//!
//! The script `tools/gdb/volt.py` reads this table, and needs no debug information. It finds the
//! table by its symbol, or by its first bytes. Each change of the table or of its meaning changes
//! the number in `MAGIC`, and the script.

use super::slot_table::SlotTableLayout;
use crate::machine::StateLayout;
use crate::task::inspect::TypeTableLayout;
use crate::task::memory::MetadataLayout;
use crate::task::reference::HeaderLayout;
use std::panic::Location;

/// The first bytes of the table: a name, and the number of the version.
const MAGIC: [u8; 16] = *b"volt-inspect\0\0\0\x01";

/// The places of the tasks, and the offsets of the fields that a debugger reads.
#[repr(C)]
pub(crate) struct DebuggerTable {
    magic: [u8; 16],
    /// The size of this table.
    size: usize,
    slots: SlotTableLayout,
    header: HeaderLayout,
    types: TypeTableLayout,
    state: StateLayout,
    /// The offsets of the name and of the location in the box of a named task.
    named: [usize; 2],
    /// A location with a known line and column. The layout of locations is that of the standard
    /// library.
    location: &'static Location<'static>,
    line: u32,
    column: u32,
}

/// The line and column of [`DebuggerTable::location`].
const PROBE: &Location<'static> = Location::caller();

/// The table of this process. It is never removed, because each registry refers to it.
#[used]
pub(crate) static VOLT_INSPECT_V1: DebuggerTable = DebuggerTable {
    magic: MAGIC,
    size: size_of::<DebuggerTable>(),
    slots: SlotTableLayout::NEW,
    header: HeaderLayout::NEW,
    types: TypeTableLayout::NEW,
    state: StateLayout::NEW,
    named: MetadataLayout::NAMED_BOX,
    location: PROBE,
    line: PROBE.line(),
    column: PROBE.column(),
};
