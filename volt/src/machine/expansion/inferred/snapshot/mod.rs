//! `Serialize` and `Deserialize` of an explicit machine (feature `serde`), as two modes of
//! `advance`.
//!
//! A snapshot is an enum of the states. Each state has the values that it stores, by the names of
//! the locals. The awaited future is the field `await`:
//!
//! ```text
//! {"Paying": {"order": 7, "for": ["a", "b"], "await": {"start": {"cents": 90}}}}
//! ```
//!
//! ```text
//! write   tag ── state ── advance: each slot, with its name ──▶ serializer
//!
//! read    deserializer ── state ── advance: one `ReadValue` for each slot, on the stack
//!                                      │  values arrive in any order, by name or by position
//!                                      ▼
//!                                  all are complete: stored in their slots, the tag is set
//! ```
//!
//! `advance` determines the types of the slots, so it also knows how to write and read them.
//! `form` chooses the form of each type by autoref specialization. Until all values are complete
//! the machine stores nothing. So an error or a panic drops the values that were read, and no
//! others.
//!
//! No new invariant is needed. A value that is read implements `DeserializeOwned`, so it borrows
//! nothing from the machine, and the machine may be moved until its next poll.

mod snapshot_macros;
#[cfg(all(feature = "serde", feature = "alloc"))]
mod depth;
#[cfg(feature = "serde")]
mod form;
#[cfg(feature = "serde")]
mod stored_values;
#[cfg(feature = "serde")]
mod sources;
#[cfg(feature = "serde")]
mod snapshot_names;
#[cfg(feature = "serde")]
mod state_values;
#[cfg(feature = "serde")]
mod write_machine;
#[cfg(feature = "serde")]
mod read_machine;

#[cfg(feature = "serde")]
pub use form::{
    ByValue, DroppedFormProbe, FormOf, FormProbe, OnlyDropped, PinnedBox, QueriedFormProbe,
    Remaining, RemainingArray, RemainingRange, Storable, Unreadable,
};
#[cfg(feature = "serde")]
pub use read_machine::deserialize;
#[cfg(feature = "serde")]
pub use snapshot_names::{OlderNames, SnapshotNames};
#[cfg(feature = "serde")]
pub use stored_values::{ReadValue, StoredValue, WithDefault};
#[cfg(feature = "serde")]
pub use write_machine::{Snapshot, serialize};
