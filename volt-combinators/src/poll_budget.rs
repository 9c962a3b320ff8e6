//! The budget of a poll, which futures of a group spend.

use std::task::{Context, Poll};

/// The budget of one poll of a task; see [`Spawn::budget`](crate::Spawn::budget).
#[derive(Clone, Copy, Debug)]
pub struct PollBudget {
    /// Is ready if the budget is not spent. Otherwise wakes the task.
    pub poll_left: fn(&mut Context<'_>) -> Poll<()>,
    /// Takes one unit from the budget.
    pub spend: fn(),
}
