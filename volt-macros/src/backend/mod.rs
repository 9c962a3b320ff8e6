//! Parts that both layouts share: the function that makes a machine, its public interface, and the
//! checks of a function and its attributes.

mod lint_reason;
mod other_attributes;
mod boxed_recursion;
mod recursion;
mod check;
mod function;
mod interface;

pub(crate) use boxed_recursion::{Marked, send, send_assertion};
pub(crate) use check::{awaits_itself, check, check_method, check_options};
pub(crate) use function::{function, limit, limit_item};
pub(crate) use interface::interface;
pub(crate) use lint_reason::LINT_REASON;
pub(crate) use other_attributes::{
    apart, is_for_body, is_for_maker, is_foreign, is_instrument, is_lint, is_outer, named,
    split_runner,
};
pub(crate) use recursion::refuse_circles;
