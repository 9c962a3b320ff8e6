//! The tree of a body, from the expressions of `syn`.
//!
//! - `statements` is a sequence of statements with the block that contains it.
//! - `lowering` lowers blocks and statements; `control` lowers branches and loops that await.
//! - `hoist` moves awaits out of operands and macro arguments, and reports changes of the order.
//! - `chain` names the receivers of an awaited method chain: `client.get(url)` of
//!   `client.get(url).send().await`.
//! - `tail_temporaries`, `temporary_extension`, `coercion` and `values` report code for which the
//!   tree would drop a temporary elsewhere, or lose a type.
//! - `leaf_expr` rewrites the jumps of leaf expressions.

mod try_output;
mod statements;
mod lowering;
mod locals;
mod temporary_extension;
mod tail_temporaries;
mod leaf_expr;
mod hoist;
mod chain;
mod values;
mod coercion;
mod control;

pub(crate) use self::lowering::{UnnamedReceivers, lower};
