//! The blocks of `advance`: each guards, runs and stores the values between two awaits.

mod code;
mod scope;
mod block;
mod end_branches;
mod exits;
mod tail;
mod prologue;
mod suspend;
