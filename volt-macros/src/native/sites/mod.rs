//! The awaits of a body: each is marked with the index of its state, and with the locals that
//! `pin!` binds. An `async` block in the body records its own awaits.

mod pinned_locals;
mod allow_expected;
mod await_marker;
mod held_locals;
mod traced_block;
mod macro_branches;

pub(super) use await_marker::{Marks, Site, begun_at};
