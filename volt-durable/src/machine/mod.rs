//! Machines that a worker can store: their bounds, their names, and the texts of their snapshots.

mod durable;
mod known_type_of;
mod snapshot_text;

pub use durable::Durable;
pub(crate) use known_type_of::{known_type_of, type_name_of};
pub(crate) use snapshot_text::{SnapshotText, panic_text};
