//! Walks over a body: its macros, its guards with awaits, and the steps between its awaits.

mod guards;
mod hidden_awaits;
mod transitions;

pub(super) use guards::repeated_awaits;
pub(super) use hidden_awaits::{Macros, awaits, with_branches};
pub(super) use transitions::transitions;
