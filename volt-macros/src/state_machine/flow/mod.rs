//! The control flow of a body, with all that happens to its locals on the way.
//!
//! One graph for everything: expressions that stay whole are walked as deeply as those that are
//! taken apart, so that a `return` in a nested `if` or a move in one arm counts as it runs.
//!
//! - `graph` is what is drawn: places, what happens there, what comes next;
//! - `pen` is what draws it: the place just drawn, the scopes, the targets of jumps;
//! - `value` and `control` draw the expressions that stay whole, `words` what names mean in macros and closures;
//! - `construct` draws those that are taken apart, `draw` a whole function.

mod graph;
mod pen;
mod value;
mod control;
mod words;
mod construct;
mod draw;

pub(crate) use draw::draw;
pub(crate) use graph::{Custom, Doubts, EXIT, Event, Flow, Place, START, Suspect};
