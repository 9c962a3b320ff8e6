//! Unit tests of tasks, which count polls, drops and schedules.

mod support;
mod life;
mod combinations;
mod join;
#[cfg(feature = "inspect")]
mod inspection_poll;
mod orphan;
mod position;
mod raw;
#[cfg(not(shuttle))]
mod local;
mod registry;
mod storm;
