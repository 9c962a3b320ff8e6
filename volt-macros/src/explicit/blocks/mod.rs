//! The blocks of `advance`: each stores, runs and suspends the code between two awaits.

mod block;
mod exits;
mod tail;
mod prologue;
mod suspend;
