//! Machines that a worker can store: their bounds, their names, and the errors of snapshots.

mod durable;
mod known_type_of;
mod read_trace;
mod unreadable_text;

pub use durable::Durable;
pub(crate) use known_type_of::{known_type_of, type_name_of};
pub(crate) use unreadable_text::unreadable_text;
