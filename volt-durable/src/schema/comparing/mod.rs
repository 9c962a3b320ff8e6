//! The changes between two schemas, and their effects on stored machines.

mod change;
mod scalars;
mod form_changes;
mod machine_changes;

pub use change::{Change, Effect};
pub(super) use machine_changes::changes;
