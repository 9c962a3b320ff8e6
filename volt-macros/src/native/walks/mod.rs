//! Walks over a body: the macros in it, and the steps between its awaits.

mod hidden_awaits;
mod transitions;

pub(super) use hidden_awaits::{Macros, awaits};
pub(super) use transitions::transitions;
