//! Dumps as JSON.
//!
//! `value` describes a JSON value by closures, and writes it. `schema` describes a dump in this
//! way, `task_schema` its tasks, and `diff_schema` a diff. `serialize` passes the same description
//! to serde.

mod value;
mod shared_values;
mod task_schema;
#[cfg(feature = "inspect")]
mod poll_schema;
mod schema;
mod diff_schema;
#[cfg(feature = "serde")]
mod serialize;
#[cfg(feature = "inspect")]
mod machine_json;

pub use self::diff_schema::DiffJson;
#[cfg(feature = "inspect")]
pub(in crate::runtime) use self::machine_json::MachineJson;
pub use self::schema::DumpJson;

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests;
