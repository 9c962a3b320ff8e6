//! Cooperative scheduling: the budget of a poll, and the futures by which users spend it.

#[cfg(all(feature = "tokio", not(loom)))]
mod tokio_budget;
#[cfg(not(all(feature = "tokio", not(loom))))]
#[path = "no_tokio_budget.rs"]
mod tokio_budget;
mod budget;
mod coop_futures;

pub(in crate::task) use self::budget::is_limited;
pub(crate) use self::budget::{
    consume, poll_has_budget, poll_proceed, with_full_budget, with_unlimited_budget,
};
#[cfg(not(loom))]
pub(crate) use self::budget::{
    outside_of_polls, poll_begun, poll_leaf, poll_spent, with_some_budget,
};
pub use self::coop_futures::{
    ConsumeBudget, Cooperative, Unconstrained, consume_budget, cooperative, has_budget_remaining,
    unconstrained,
};
pub(in crate::task) use self::tokio_budget::in_poll;
#[cfg(all(feature = "tokio", not(loom)))]
pub(crate) use self::tokio_budget::set_tokio_context;
