//! Code from the tree: leaf expressions with their locals replaced, and the whole body.

mod matched_calls;
mod rebound;
mod print_expr;
mod macro_references;
mod print_body;

pub(crate) use self::print_body::{checked_type, let_of};
pub(crate) use self::print_expr::Rewrite;
