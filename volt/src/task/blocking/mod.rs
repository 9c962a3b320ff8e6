//! Joins that block a thread: their nesting, their wait-for graph, and the stack that is left for them.

mod wait_graph;
mod stack;
mod join_stack;
mod inline_polls;

pub(crate) use self::inline_polls::{Inside, tasks_inside};
pub(crate) use self::join_stack::{Joining, blocked_tasks, held_up_here, wake_joiners};
pub(crate) use self::stack::is_half_of_stack_left;
