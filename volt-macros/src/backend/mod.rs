//! Parts that both layouts share: the function that makes a machine, its public interface, and the
//! checks of a function and its attributes.

mod lint_reason;
mod other_attributes;
mod boxed_recursion;
mod recursion;
mod recursive_receiver;
mod check;
mod step_retry;
mod steps;
mod function;
mod future_output;
mod size_report;
mod interface;

pub(crate) use boxed_recursion::{
    MarkerImpl, PlainFn, discard_own_futures, discard_own_futures_of_method, send, send_assertion,
};
pub(crate) use check::{awaits_itself, check, check_method, check_options};
pub(crate) use function::{function, max_size_check, max_size_item};
pub(crate) use future_output::FutureOutput;
pub(crate) use interface::interface;
pub(crate) use lint_reason::LINT_REASON;
pub(crate) use other_attributes::{
    is_for_body, is_for_constructor, is_foreign, is_instrument, is_lint, is_outer, split_cfg_attrs,
    split_runner, with_span_name,
};
pub(crate) use recursion::reject_cycles;
pub(crate) use recursive_receiver::own_receiver;
pub(crate) use size_report::size_report;
pub(crate) use steps::{check_steps, with_checkpoints};
