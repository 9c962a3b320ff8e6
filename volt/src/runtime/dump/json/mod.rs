//! Dumps as JSON.
//!
//! `value` describes a JSON value by closures, and writes it. `schema` describes a dump in this
//! way, `task_schema` its tasks, and `diff_schema` a diff. `serialize` passes the same description
//! to serde.

mod value;
mod shared_values;
mod task_schema;
mod schema;
mod diff_schema;
#[cfg(feature = "serde")]
mod serialize;

pub use self::diff_schema::DiffJson;
pub use self::schema::DumpJson;

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests;
