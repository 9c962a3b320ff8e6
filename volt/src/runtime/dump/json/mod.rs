//! Dumps as JSON.
//!
//! `value` describes a JSON value by closures, and writes it. `schema` describes a dump in this
//! way. `serialize` passes the same description to serde.

mod value;
mod schema;
#[cfg(feature = "serde")]
mod serialize;

pub use self::schema::DumpJson;

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests;
