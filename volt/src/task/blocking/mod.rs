//! Joins that block a thread: their nesting, their wait-for graph, and the stack that is left for
//! them.

mod wait_graph;
mod stack;
mod join_stack;
mod inline_polls;

pub(crate) use self::inline_polls::{InlinePollGuard, inline_polled_tasks};
pub(crate) use self::join_stack::{
    JoinFrame, blocked_tasks, dependents_of_this_thread, wake_joiners,
};
pub(crate) use self::stack::is_half_of_stack_left;
