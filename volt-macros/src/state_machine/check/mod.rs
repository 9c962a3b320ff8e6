//! From syntax to body: what holds an await is taken apart, what is not known is refused.
//!
//! - `written` tells the types that the source writes or shows, and what they promise;
//! - `first_operand` finds the part of an expression that is evaluated first;
//! - `checker` is what walks the function, with the locals that it declares;
//! - `seen` and `iterator` tell the types of expressions and of iterators that the source shows;
//! - `stmt` and `expr` take statements and expressions apart: `branch` and `turn` what branches
//!   and turns, `chain` conditions that await in their middle, `for_loop` the loops over iterators;
//! - `function` begins with the arguments.

mod written;
mod first_operand;
mod checker;
mod seen;
mod iterator;
mod for_loop;
mod stmt;
mod chain;
mod branch;
mod turn;
mod expr;
mod function;

pub(crate) use function::body;
pub(crate) use written::unfit_type;
