//! What tasks do, counted: polls, drops, schedules.

mod support;
mod run;
