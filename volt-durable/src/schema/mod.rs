//! Schemas: the states of machines, the values that they store, and the comparison of two builds.
//!
//! A [`Schema`] has the names and forms in the snapshots of a build. A test compares it with a file
//! in the repository, so a change of the code shows its effect on stored machines.
//!
//! - `form` has the forms of stored values, as serde reads them.
//! - `tracing` finds the form of a type by calls of its `Deserialize`.
//! - `machine_schema` has the states of one type of machines.
//! - `comparing` finds the changes between two schemas, and their effects.
//! - `build_schema` is the schema of a build, with its file.

mod form;
mod tracing;
mod machine_schema;
mod comparing;
mod build_schema;

pub use build_schema::Schema;
pub use comparing::{Change, Effect};
