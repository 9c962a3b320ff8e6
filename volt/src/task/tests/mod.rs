//! What tasks do, counted: polls, drops, schedules.

mod support;
mod life;
mod combinations;
mod join;
mod orphan;
mod position;
mod raw;
#[cfg(not(shuttle))]
mod local;
mod registry;
mod storm;
