//! Awaits that spend the budget of a task.
//!
//! - `loop_turns` adds an await to each loop whose only awaits are in macros.
//! - `charged_awaits` makes the awaits of plain futures charge the budget.

mod awaiting_macros;
mod certain_awaits;
mod assigned_names;
mod loop_turns;
mod charged_awaits;

pub(crate) use self::charged_awaits::{charge_awaits, charge_loops_of_blocks};
pub(crate) use self::loop_turns::{TurnPlace, add_turns};
