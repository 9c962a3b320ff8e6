//! Unit tests of tasks, which count polls, drops and schedules.

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
