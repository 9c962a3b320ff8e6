//! Walks over a body: its macros, its guards with awaits, and the steps between its awaits.

mod guards;
mod hidden_awaits;
mod suspend_points;
mod transitions;

pub(super) use hidden_awaits::{Macros, awaits, with_branches};
pub(super) use suspend_points::suspend_points;
pub(super) use transitions::transitions;
