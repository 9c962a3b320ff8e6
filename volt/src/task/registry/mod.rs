//! The registry: a table of all live tasks of a scheduler.

mod registry_entry;
mod slot_table;
#[cfg(not(any(loom, all(test, shuttle))))]
mod debugger_table;
#[expect(
    clippy::module_inception,
    reason = "the file is named for its type, and the folder for its subject"
)]
mod registry;

#[cfg(all(test, not(loom)))]
pub(in crate::task) use self::registry::Closed;
pub(crate) use self::registry::{FreeListShard, LocalFreeList, Registry};
