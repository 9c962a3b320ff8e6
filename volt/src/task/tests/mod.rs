//! What tasks do, counted: polls, drops, schedules.

mod support;
mod run;
mod wake;
mod cancel;
mod combinations;
mod shield;
mod panic;
mod join;
mod free;
mod orphan;
mod position;
mod raw;
#[cfg(not(shuttle))]
mod local;
mod registry;
mod storm;
