//! Machines that a worker can store: their bounds and their names.

mod durable;
mod known_type_of;

pub use durable::Durable;
pub(crate) use known_type_of::{known_type_of, type_name_of};
