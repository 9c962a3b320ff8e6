//! Groups of tasks that wait at the same place.
//!
//! `grouping` computes them, with indices in place of places; a `task_group` is their public form.

mod grouping;
mod task_group;

pub(super) use self::grouping::{GroupEntry, Grouping};
pub use self::task_group::TaskGroup;
