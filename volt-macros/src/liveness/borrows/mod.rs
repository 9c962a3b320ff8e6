//! Borrows between locals, as far as the code of the function shows them.
//!
//! - `captures`: closures, `async` blocks and unknown macros, and the locals that they capture.
//! - `operand_form`: forms of awaited operands that the machine cannot store.
//! - `later_values`: values that a local receives after its declaration.
//! - `owned_values`: values that surely own their content.
//! - `borrow_sources`: the locals from which a local may borrow.
//! - `place_sources`: the locals from which `&local` and a `match` may borrow.
//! - `held_closures`: locals that may contain a closure which borrows.

mod captures;
mod operand_form;
mod later_values;
mod owned_values;
mod borrow_sources;
mod local_source;
mod place_sources;
mod held_closures;

pub(super) use self::borrow_sources::{BorrowSources, BorrowedFrom};
pub(super) use self::captures::{ExprForm, captured};
pub(crate) use self::operand_form::poll_fn;
pub(super) use self::operand_form::{check_form, hidden, moved_after_call};
