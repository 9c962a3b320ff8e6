//! The texts of `top`, `dump` and `diff`.
//!
//! `overview` has the head and the findings of a dump, `group_table` the tables, and `tree_text`
//! the futures of a task.

mod group_table;
mod overview;
mod tree_text;

pub(super) use self::group_table::{Counts, counts, groups, path, spawns, tables, tasks, title};
pub(super) use self::overview::{findings, head, lacks_findings, notes};
pub(super) use self::tree_text::tree;
