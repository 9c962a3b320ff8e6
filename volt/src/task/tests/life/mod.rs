//! The life of one task: polls, wakes, cancellation, panics, shields, and the end of its memory.

mod cancel;
mod free;
mod panic;
mod run;
mod shield;
mod wake;
